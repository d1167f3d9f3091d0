"""Prints the figures of language and structure beside their ceilings.

python3 tests/style/measure.py            print all figures
python3 tests/style/measure.py --lower    lower the ceilings in ceilings.json to the figures of
today; never raises one"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import language
import structure

CEILINGS = Path(__file__).with_name("ceilings.json")


def figures() -> dict[str, tuple[float, str]]:
    return {**language.figures(), **structure.figures()}


def ceilings() -> dict[str, float]:
    result: dict[str, float] = json.loads(CEILINGS.read_text(encoding="utf-8"))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--lower", action="store_true", help="lower the recorded ceilings to the figures"
    )
    arguments = parser.parse_args()
    measured, recorded = figures(), ceilings()
    for name, (value, note) in measured.items():
        ceiling = recorded.get(name, float("inf"))
        mark = "  <-- over" if value > ceiling else ""
        print(f"{name:58} {value:9g}  ceiling {ceiling:g}{mark}  {note[:120]}")
    if arguments.lower:
        lowered = {
            name: min(value, recorded.get(name, value)) for name, (value, _) in measured.items()
        }
        CEILINGS.write_text(json.dumps(lowered, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
