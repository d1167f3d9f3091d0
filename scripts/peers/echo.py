"""The struct that all peers echo."""

from pathlib import Path

IDL = Path(__file__).resolve().parent / "peers.thrift"
VALUE = {
    "yes": True,
    "tiny": -3,
    "small": 300,
    "number": -70000,
    "large": 1 << 40,
    "real": 1.5,
    "text": "größer",
    "raw": b"\0\xff",
    "colour": 4,
    "points": [{"x": 1, "y": 2}, {"x": 3, "y": 4, "label": "p"}],
    "numbers": {1, 2, 3},
    "by_name": {"a": {"x": 0, "y": 0}},
}
