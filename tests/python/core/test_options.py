"""One table of options per operation: help(), the stubs and the command line agree with it."""

import ast
import inspect
import typing
from importlib import resources

import click
import pytest
import thriftlens as tl
from thriftlens import _core, _typing
from thriftlens._cli import main as cli

SIGNATURES = _core.signatures()
UNCALLED = {"reason", "set_place", "place_of", "arrow_stream", "arrow_arrays", "arrow_fields",
"arrow_length", "arrow_buffers", "arrow_of_lists",
            "number_buffer", "column_memory"}  # without options  # fmt: skip
FUNCTIONS = UNCALLED | {
    "inspect",
    "convert",
    "cut_records",
    "framings",
    "frame",
    "read_frame",
    "record_blobs",
    "parquet_nodes",
    "message_head",
    "text_message",
    "detect",
    "identify",
    "infer",
}
EXTRA = {"load": tl.load}
# Commands, and the operations whose options they offer.
COMMANDS = {
    "to-json": "to_json", "from-json": "from_json", "check": "findings", "get": "decode",
    "set": "redact", "delete": "redact", "trim": "trim",
    "redact": "redact", "rewrite": "redact", "diff": "diff", "inspect": "inspect",
    "convert": "convert", "describe": "load",
}  # fmt: skip
# Where the command line differs on purpose: other choices, other defaults, and the help text.
OTHER_WORDS = {("get", "enums"): ("number", "name"), ("get", "protocol"): ("binary", "compact")}
OTHER_DEFAULTS = {
    ("set", "unknown"): "keep",
    ("delete", "unknown"): "keep",
    ("diff", "max_differences"): 1000,
    ("inspect", "protocol"): None,
}


def callable_of(name):
    """The callable of that name."""
    return EXTRA.get(name) or getattr(_core if name in FUNCTIONS else tl.Type, name)


def shown(value):
    """A default as the table has it."""
    return "" if value is inspect.Parameter.empty else repr(value)


@pytest.mark.parametrize("name", SIGNATURES)
def test_help_shows_the_table(name):
    parameters = inspect.signature(callable_of(name)).parameters.values()
    options = {
        parameter.name: shown(parameter.default)
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    table = {option: row[1] for option, row in SIGNATURES[name].items()}
    assert table == {option: default for option, default in options.items() if option in table}
    assert name in EXTRA or list(table) == list(options)


def stubs():
    """name -> {option: (words or None, default)} of the functions in _core.pyi; of two of one name
    that of Type. Options of a TypedDict have no default there: None."""
    tree = ast.parse((resources.files("thriftlens") / "_core.pyi").read_text(encoding="utf-8"))
    bodies = [tree.body] + [
        node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Type"
    ]
    functions = {
        node.name: node for body in bodies for node in body if isinstance(node, ast.FunctionDef)
    }
    for function in functions.values():
        arguments = function.args
        defaults = [
            "" if default is None else ast.unparse(default) for default in arguments.kw_defaults
        ]
        own = {
            argument.arg: (words_of(argument.annotation), default)
            for argument, default in zip(arguments.kwonlyargs, defaults)
        }
        yield function.name, {**own, **dict(unpacked(arguments.kwarg))}


def unpacked(argument):
    """(option, (words or None, None)) of the TypedDict of **options: Unpack[TypedDict]."""
    if argument is not None:
        options = getattr(_typing, argument.annotation.slice.id)
        for name, hint in typing.get_type_hints(options, None, {"Type": tl.Type}).items():
            is_choice = typing.get_origin(hint) is typing.Literal
            yield name, (typing.get_args(hint) if is_choice else None, None)


def words_of(annotation):
    literals = [
        node
        for node in ast.walk(annotation)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal"
    ]
    if literals:
        return ast.literal_eval(literals[0].slice)
    name = ast.unparse(annotation)
    if name == "_Framing":
        return tuple(framing.name for framing in _core.framings())
    if "_AnyProtocol" in name:
        return ("binary", "compact", "tjson")
    return ("binary", "compact") if "_Protocol" in name else None


@pytest.mark.parametrize("name, options", [stub for stub in stubs() if stub[0] in SIGNATURES])
def test_stubs_have_the_choices_and_defaults(name, options):
    table = {
        option: (row[0] and sorted(row[0]), row[1] if options[option][1] is not None else None)
        for option, row in SIGNATURES[name].items()
        if option in options
    }
    assert set(table) == set(SIGNATURES[name])
    assert {
        option: (choices and sorted(choices), default)
        for option, (choices, default) in options.items()
    } == table


def test_every_signature_has_a_stub():
    assert set(SIGNATURES) - set(EXTRA) <= {name for name, _ in stubs()}


@pytest.mark.parametrize("command, operation", COMMANDS.items())
def test_the_command_line_has_the_choices_and_defaults(command, operation):
    shared = 0
    for option in cli.main.commands[command].params:
        row = SIGNATURES[operation].get(option.name)
        if row is None or not isinstance(option.type, (click.Choice, click.IntRange)):
            continue
        shared += 1
        default = OTHER_DEFAULTS.get(
            (command, option.name), ast.literal_eval(row[1]) if row[1] else None
        )
        assert (option.default if isinstance(option.default, (str, int)) else None) == default, (
            option.name
        )
        if isinstance(option.type, click.Choice):
            assert sorted(option.type.choices) == sorted(
                OTHER_WORDS.get((command, option.name), row[0])
            ), option.name
        elif (command, option.name) not in OTHER_DEFAULTS:
            assert (option.type.min, option.type.max) == row[2:], option.name
    assert shared


@pytest.fixture(scope="module")
def of():
    return tl.loads('struct T { 1: required i64 id (pii = "blank"), 2: string name }').T


def columns_of(of):
    """A record's columns, as capsules of schema and array."""
    reader = of._column_reader()
    return reader.schema(), reader.read([of.encode({"id": 1})], 0)[0][0]


CALLS = {
    "decode": lambda of, data, **o: of.decode(data, **o),
    "encode": lambda of, data, **o: of.encode({"id": 1}, **o),
    "decoder": lambda of, data, **o: of.decoder(**o).decode(data),
    "encoder": lambda of, data, **o: of.encoder(**o).encode({"id": 1}),
    "to_json": lambda of, data, **o: of.to_json(data, **o),
    "from_json": lambda of, data, **o: of.from_json('{"id": 1}', **o),
    "get": lambda of, data, **o: of.get(data, "$.id", **o),
    "get_many": lambda of, data, **o: of.get_many(data, ["$.id"], **o),
    "view": lambda of, data, **o: of.view(data, **o).id,
    "trim": lambda of, data, **o: of.trim(data, "{ id }", **o),
    "edit": lambda of, data, **o: of.edit(data, **o).apply(),
    "rewrite": lambda of, data, **o: of.rewrite(data, **o).apply(),
    "redact": lambda of, data, **o: of.redact(data, annotation="pii", **o),
    "redactions": lambda of, data, **o: of.redactions(annotation="pii", **o),
    "findings": lambda of, data, **o: of.findings(data, **o),
    "validate": lambda of, data, **o: of.validate(data, **o),
    "diff": lambda of, data, **o: of.diff(data, data, **o),
    "_difference_rows": lambda of, data, **o: of._difference_rows(data, data, **o),
    "_reply_field": lambda of, data, **o: of._reply_field(data, "get", **o),
    "inspect": lambda of, data, **o: _core.inspect(data, **o),
    "convert": lambda of, data, **o: tl.convert(
        data, **{"source": "binary", "target": "binary", **o}
    ),
    "parquet_nodes": lambda of, data, **o: _core.parquet_nodes(b"\x29\x1c\x48\x01r\0\0", **o),
    "_column_reader": lambda of, data, **o: of._column_reader(**o).read([data], 0),
    "_from_columns": lambda of, data, **o: of._from_columns(*columns_of(of), 0, **o),
    "cut_records": lambda of, data, **o: _core.cut_records(data, **o),
    "framings": lambda of, data, **o: _core.framings(**o),
    "frame": lambda of, data, **o: _core.frame(data, **{"framing": "u32", **o}),
    "read_frame": lambda of, data, **o: _core.read_frame(data, **{"framing": "u32", **o}),
    "record_blobs": lambda of, data, **o: _core.record_blobs(data, **o),
    "message_head": lambda of, data, **o: _core.message_head("f", **o),
    "detect": lambda of, data, **o: _core.detect(data, **o),
    "identify": lambda of, data, **o: _core.identify(data, [of], **o),
    "infer": lambda of, data, **o: _core.infer([data], **o),
    "text_message": lambda of, data, **o: _core.text_message(b'[1,"f",1,0,{}]', **o),
    "load": lambda of, data, **o: tl.loads("struct A {}", **o),
}


def test_every_operation_is_called_here():
    assert set(CALLS) == set(SIGNATURES) - UNCALLED
    assert not any(SIGNATURES[name] for name in UNCALLED)


def calls():
    return [
        (name, option, row)
        for name, options in SIGNATURES.items()
        for option, row in options.items()
    ]


@pytest.mark.parametrize("name, option, row", [call for call in calls() if call[2][0]])
def test_only_the_listed_choices_are_accepted(of, name, option, row):
    for choice in row[0]:
        speaks = option in ("protocol", "source") and name not in ("diff", "_difference_rows")
        if option != "right_protocol" and (speaks or option != "protocol"):
            data = of.encode({"id": 1}, protocol=choice if speaks else "binary")
            CALLS[name](of, data, **{option: choice})
    for wrong in ("", "no such word", "Binary", b"binary", 1):
        with pytest.raises(ValueError, match=f"{option} must be '"):
            CALLS[name](of, of.encode({"id": 1}), **{option: wrong})


@pytest.mark.parametrize(
    "name, option, row", [call for call in calls() if call[2][0] is None and call[2][3]]
)
def test_numbers_are_taken_within_their_bounds(of, name, option, row):
    data = of.encode({"id": 1})
    lowest, highest = row[2:]
    CALLS[name](of, data, **{option: highest})
    for wrong in (lowest - 1, highest + 1, -1, 2**70):
        with pytest.raises(
            ValueError, match=f"{option} must be from {lowest} to {highest}, not {wrong}"
        ):
            CALLS[name](of, data, **{option: wrong})
    with pytest.raises(
        TypeError, match=f"{option} must be a number from {lowest} to {highest}, not 'x'"
    ):
        CALLS[name](of, data, **{option: "x"})


def test_unknown_options_name_the_nearest(of):
    data = of.encode({"id": 1})
    for message, call in [
        (r"decode\(\) got an unexpected keyword argument 'enum'; did you mean 'enums'\?",
            lambda: of.decode(data, enum="name")),
        (r"redact\(\) .* 'anotation'; did you mean 'annotation'\?",
            lambda: of.redact(data, anotation="pii")),
        (r"edit\(\) .* 'dta'; did you mean 'data'\?", lambda: of.edit(dta=data)),
        (r"decode\(\) got an unexpected keyword argument 'zzzzzz'$",
            lambda: of.decode(data, zzzzzz=1)),
    ]:  # fmt: skip
        with pytest.raises(TypeError, match=message):
            call()


def test_arguments_by_name(of):
    data = of.encode({"id": 1})
    assert of.redact(data=data, annotation="pii") == of.redact(data, annotation="pii")
    assert of.validate(data=data) is None and of.findings(data=data) == []
    assert of.diff(right=data, left=data) == [] and of.diff(data, right=data) == []
    assert tl.convert(data=data, source="binary", target="binary") == data
    assert _core.inspect(data=data).startswith("00000000")
    for message, call in [
        (r"diff\(\) missing required argument 'right'", lambda: of.diff(data)),
        (r"diff\(\) got multiple values for argument 'left'",
            lambda: of.diff(data, data, left=data)),
        (r"convert\(\) missing required argument 'target'",
            lambda: tl.convert(data, source="binary")),
        (r"validate\(\) takes at most 1 positional argument, 2 given",
            lambda: of.validate(data, data)),
    ]:  # fmt: skip
        with pytest.raises(TypeError, match=message):
            call()
