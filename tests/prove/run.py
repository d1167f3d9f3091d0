"""Runs targets.

run.py TARGET --seed N          one case, with its traceback
run.py [TARGET...] --count N    the first N seeds
run.py [TARGET...] --minutes M  new seeds on all cores; failures and state in build/prove
run.py --table                  the state as a table for docs/proof.md
"""

import argparse
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from proving.campaign import State, default_jobs, failure, run_campaign  # noqa: E402
from proving.registry import TARGETS, load_targets  # noqa: E402

FOLDER = Path(__file__).resolve().parents[2] / "build" / "prove"


def run_seeds(names: list[str], first: int, count: int, limit: int) -> int:
    failed = 0
    for name in names:
        failures = 0
        for seed in range(first, first + count):
            error = failure(name, seed)
            if error is not None:
                print(name, seed)
                traceback.print_exception(type(error), error, error.__traceback__)
                failures += 1
                if failures >= limit:
                    break
        print(f"{name}: {failures} failures", flush=True)
        failed += failures
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--limit", type=int, default=3, help="failures before the next target")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--jobs", type=int, default=default_jobs())
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    load_targets()
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(
            f"no target {', '.join(sorted(unknown))}; there are {', '.join(sorted(TARGETS))}"
        )
    names = options.targets or sorted(TARGETS)
    if options.table:
        print(State(FOLDER).table())
        return 0
    if options.minutes is not None:
        return 1 if run_campaign(names, options.minutes, FOLDER, options.jobs) else 0
    if options.seed is not None:
        options.first, options.count = options.seed, 1
    return 1 if run_seeds(names, options.first, options.count, options.limit) else 0


if __name__ == "__main__":
    sys.exit(main())
