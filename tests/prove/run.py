"""Runs targets over seeds: python tests/prove/run.py [--count N] [--first SEED] [TARGET...]"""

from __future__ import annotations

import argparse
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from proving.registry import TARGETS, load_targets  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--failures", type=int, default=1)
    options = parser.parse_args()
    load_targets()
    failed = 0
    for name in options.targets or TARGETS:
        failures = 0
        for seed in range(options.first, options.first + options.count):
            try:
                TARGETS[name].check(seed)
            except Exception:
                print(name, seed)
                traceback.print_exc()
                failures += 1
                if failures >= options.failures:
                    break
        print(name, "failures:", failures, flush=True)
        failed += failures
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
