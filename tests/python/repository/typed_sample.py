"""A program as a user with a type checker writes it; test_annotations.py checks it with mypy
--strict."""

import enum
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional

import thriftlens as tl


@dataclass
class Point:
    x: int
    y: Optional[int] = None


def main(data: bytes) -> List[int]:
    idl: tl.Schema = tl.loads(
        "struct Point { 1: i32 x, 2: i32 y }", includes={"a.thrift": ""}, strict=False
    )
    point: tl.Type = idl["Point"]
    encoded: bytes = point.encode(Point(1), protocol="compact", defaults="write")
    value: Dict[str, Any] = point.decode(
        memoryview(bytearray(encoded)), protocol="compact", enums="name"
    )
    text: bytes = point.to_json(encoded, protocol="compact", pretty=True)
    reencoded: bytes = point.from_json(text.decode(), protocol="compact", names="both")
    assert reencoded == encoded and value == {"x": 1}
    decoder: tl.Decoder = tl.Decoder(point, protocol="compact", enums="member")
    assert decoder.decode(encoded) == value
    assert point.encoder(protocol="compact").encode(value) == encoded
    typed: Point = point.decode(encoded, protocol="compact", into=Point)
    points: tl.Decoder[Point] = tl.Decoder(point, into=Point, protocol="compact")
    same: Point = point.decoder(into=Point, protocol="compact").decode(encoded)
    assert points.decode(encoded) == typed == same
    view: tl.View = point.view(encoded, protocol="compact")
    if isinstance(view, tl.StructView):
        names: List[str] = list(view.keys())
        fields: Mapping[str, Any] = view
        assert names == ["x"] and fields["x"] == view.get("x") == view.x == 1
    field: tl.Field = point.fields["x"]
    kind: str = field.type.kind
    try:
        point.decode(data)
    except tl.DecodeError as error:
        code: str = error.code
        path: Optional[str] = error.path
        offset: Optional[int] = error.offset
        print(code, path, offset, kind)
    except tl.SchemaError as wrong:
        lines: List[int] = [finding.line for finding in wrong.diagnostics]
        return lines
    return []


def records(path: str, idl: tl.Schema) -> None:
    point = idl["Point"]
    views: tl.Scan[tl.StructView] = tl.scan(path, point)
    texts: tl.Scan[bytes] = tl.scan(path, point, to="json", framing="u32")
    values: tl.Scan[Dict[str, Any]] = tl.scan(path, point, to="dict")
    points: tl.Scan[Point] = tl.scan(path, point, to="dict", into=Point)
    messages: tl.Scan[tl.Message] = tl.scan(path, framing="message")
    color: enum.IntEnum = idl.enum("Color").RED
    print(views, texts, values, points, messages, color)
    with tl.serve(idl, "Shop", object(), background=True) as server:
        address: str = server.address
    client: tl.Client = tl.connect(address, idl, timeout=1.0, transport="framed")
    client.close()


def mistakes(address: str, idl: tl.Schema) -> None:
    """Each comment is an error if there is no mistake."""
    tl.connect(address, idl, timout=1.0)  # type: ignore[call-arg]
    tl.connect(address, idl, transport="frames")  # type: ignore[arg-type]
    tl.serve(idl, "Shop", object(), background=True).adress  # type: ignore[attr-defined]
    tl.scan(address, idl["Point"], enums="names")  # type: ignore[call-overload]
    tl.Schem  # type: ignore[attr-defined]


def call(address: str, idl: tl.Schema) -> Optional[str]:
    with tl.connect(
        address, idl, "Shop", transport="framed", protocol="binary", timeout=5.0
    ) as client:
        try:
            order: Any = client.call(
                "get", {"id": 7}, select="{ success { id } }", result="view", timeout=None
            )
            return str(order.id)
        except tl.TransportError as error:
            return error.code
        except tl.ThriftException as declared:
            fields: Dict[str, Any] = declared.to_dict()
            return str(fields)


async def call_later(address: str, idl: tl.Schema) -> Any:
    async with tl.aio.connect(address, idl, pool=2) as client:
        return await client.call("get", {"id": 7})


if __name__ == "__main__":
    main(b"")
