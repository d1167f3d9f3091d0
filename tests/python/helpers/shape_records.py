"""Records of nested structs."""

from __future__ import annotations

import thriftlens as tl

IDL = tl.loads("""
    enum Kind { SMALL = 1, LARGE = 2 }
    struct Point { 1: i32 x, 2: i32 y, 3: string name }
    struct Line { 1: required Point from, 2: required Point to, 3: list<double> weights,
      4: Kind kind, 5: map<string, i64> marks }
    exception Lost { 1: string why }
    service Shapes { Line longest(1: list<Line> lines) throws (1: Lost lost) }
    """)

LINE = {
    "from": {"x": 70000, "y": -3, "name": "home"},
    "to": {"x": 12, "y": 99, "name": "harbour"},
    "weights": [0.5, 0.25],
    "kind": 2,
    "marks": {"red": 1, "green": 2},
}


def line(protocol="binary", **changes):
    return IDL.Line.encode({**LINE, **changes}, protocol=protocol)
