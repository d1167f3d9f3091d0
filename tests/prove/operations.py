"""Prints every public name with the targets that compare it with an oracle:
python tests/prove/operations.py"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from proving.public_names import public_names, reason_of, targets_of  # noqa: E402
from proving.registry import load_targets  # noqa: E402


def main() -> None:
    load_targets()
    names = public_names()
    reached = 0
    for name in names:
        targets = targets_of(name)
        reached += bool(targets)
        print(f"{name}: {', '.join(targets) or 'none: ' + (reason_of(name) or 'missing')}")
    print(f"{reached} of {len(names)} names have a target")


if __name__ == "__main__":
    main()
