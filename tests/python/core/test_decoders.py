"""Decoder and Encoder: options are read once, calls answer as those of the type."""

import gc
import inspect

import pytest
import thriftlens as tl


@pytest.fixture(scope="module")
def idl():
    return tl.loads(
        "enum Color { RED = 1 } struct Order { 1: required i64 id, 2: Color color, 3: list<string> "
        "tags, 4: i32 n = 5 }"
    )


OPTIONS = [
    {},
    {"enums": "name"},
    {"enums": "member", "defaults": "write"},
    {"missing_required": "omit", "depth": 3},
    {"unknown": "error", "invalid_utf8": "replace", "output_size": 1 << 16},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_decoder_answers_as_its_type(idl, protocol, options):
    for decoder in (
        tl.Decoder(idl.Order, protocol=protocol, **options),
        idl.Order.decoder(protocol=protocol, **options),
    ):
        assert type(decoder) is tl.Decoder and repr(decoder) == "<thriftlens.Decoder Order>"
        for value in ({"id": 1}, {"id": 2, "color": 1, "tags": ["a"]}, {"id": 3, "color": 7}):
            data = idl.Order.encode(value, protocol=protocol)
            for source in (data, bytearray(data), memoryview(data)):
                result = decoder.decode(source)
                assert result == idl.Order.decode(source, protocol=protocol, **options)


def test_a_decoder_raises_as_its_type(idl, protocol):
    decoder = idl.Order.decoder(protocol=protocol)
    data = idl.Order.encode({"id": 1, "tags": ["a"]}, protocol=protocol)
    for broken in (data[:-2], b"", b"\0", data + b"x"):
        with pytest.raises(tl.DecodeError) as expected:
            idl.Order.decode(broken, protocol=protocol)
        with pytest.raises(tl.DecodeError) as caught:
            decoder.decode(broken)
        assert str(caught.value) == str(expected.value)
        assert vars(caught.value) == vars(expected.value)
    assert decoder.decode(data)["id"] == 1
    for wrong in (
        lambda: decoder.decode("text"),
        lambda: decoder.decode(),
        lambda: decoder.decode(data, enums="name"),
    ):
        with pytest.raises(TypeError):
            wrong()


def test_an_encoder_answers_as_its_type(idl, protocol):
    for options in ({}, {"unknown": "drop"}, {"defaults": "write"}):
        for encoder in (
            tl.Encoder(idl.Order, protocol=protocol, **options),
            idl.Order.encoder(protocol=protocol, **options),
        ):
            assert type(encoder) is tl.Encoder and repr(encoder) == "<thriftlens.Encoder Order>"
            for value in ({"id": 1}, {"id": 2, "tags": ["a"], "color": "RED"}):
                result = encoder.encode(value)
                assert result == idl.Order.encode(value, protocol=protocol, **options)
    with pytest.raises(tl.EncodeError, match=r"expected i64, got str at \$.id"):
        tl.Encoder(idl.Order).encode({"id": "x"})


def test_help_shows_the_options():
    for of, method in ((tl.Decoder, tl.Type.decode), (tl.Encoder, tl.Type.encode)):
        options = [
            parameter
            for parameter in inspect.signature(method).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        ]
        parameters = list(inspect.signature(of).parameters.values())
        assert parameters[0].name == "type" and parameters[1:] == options


@pytest.mark.parametrize("make", [tl.Decoder, tl.Encoder])
def test_options_are_checked_by_the_constructor(idl, make):
    for message, error, options in (
        ("did you mean 'protocol'", TypeError, {"protocl": "compact"}),
        ("protocol must be 'binary' or 'compact'", ValueError, {"protocol": "json"}),
        ("depth must be from 0 to 1024", ValueError, {"depth": 5000}),
    ):
        with pytest.raises(error, match=message):
            make(idl.Order, **options)
    for wrong in (
        lambda: make(),
        lambda: make("Order"),
        lambda: make(idl.Order, "compact"),
        lambda: make(type=idl.Order),
    ):
        with pytest.raises(TypeError, match="expected a thriftlens.Type"):
            wrong()


def test_a_decoder_owns_its_schema(protocol):
    decoder = tl.loads("enum Color { RED = 1 } struct Order { 1: Color color }").Order.decoder(
        protocol=protocol, enums="name"
    )
    gc.collect()
    data = tl.loads("struct Order { 1: i32 color }").Order.encode({"color": 1}, protocol=protocol)
    assert decoder.decode(data) == {"color": "RED"}
