"""`thriftlens inspect` where nothing is said, `identify` and `infer`: what bytes of unknown origin are."""

from __future__ import annotations

import binascii
import itertools
import json
import os
import re
from typing import Any, Callable, Iterator, Optional, Sequence

from ... import _core
from ..._records import detect as _detect
from .. import io as _files
from ..._errors import Error
from ..._rpc.message import without_record
from ..._schema.schema import Schema, Type
from ..._text import escaped, escaped_lines

Say = Callable[[str], None]


_LINE = re.compile(r"""(?P<at>[0-9a-f]{8,})(?P<blank> +)(?P<id>#-?\d+|\[\d+\]|key|=)?(?P<word>[^"]*)(?P<text>".*)?""", re.S)
_COLOURS = {"at": "2", "id": "36", "text": "32"}


def dressed(text: str, depth: int, in_colour: bool) -> str:
    """The lines of a tree: those below `depth` folded into a count behind the line that holds them, and in colours."""
    kept: list[str] = []
    hidden = 0
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found and len(found["blank"]) // 2 - 1 > depth:
            hidden += 1
            continue
        _say_hidden(kept, hidden)
        hidden = 0
        kept.append(_coloured(found, line) if in_colour else line)
    _say_hidden(kept, hidden)
    return "".join(line + "\n" for line in kept)


def _say_hidden(kept: list[str], hidden: int) -> None:
    if hidden and kept:
        kept[-1] += f"  … {hidden} more line{'' if hidden == 1 else 's'}"


def _coloured(found: Optional[re.Match[str]], line: str) -> str:
    if found is None:
        return f"\x1b[31m{line}\x1b[0m" if line.startswith("! ") else f"\x1b[1m{line}\x1b[0m"
    return "".join(f"\x1b[{_COLOURS[name]}m{part}\x1b[0m" if name in _COLOURS else part for name, part in found.groupdict().items() if part)


def inspect(data: Any, sink: _files.Sink, how: dict[str, Any], dress: Callable[[str], str], most: Optional[int], given: Sequence[_detect.Guess] = ()) -> Optional[str]:
    """Writes the guess and the trees; gives what is wrong with the last of them."""
    found = list(given) or _detect.detect(data, depth=how["depth"])
    line = _detect.guess_line(found) if not given else str(given[0])
    if given or _detect.is_thrift(found):
        sink.write(dress(f"{escaped(line)}\n").encode())
        trees = _detect.trees(data, found[0], how, most)
    else:
        sink.write(dress(f"{escaped(line)}; as Binary:\n").encode())
        trees = iter([_core.inspect(data, protocol="binary", **how)])
    for text in trees:
        if (fault := write_tree(text, sink, dress)) is not None:
            return fault
    return None


def write_tree(text: str, sink: _files.Sink, dress: Callable[[str], str]) -> Optional[str]:
    """Writes a tree but for its last line where that is a fault, which is given."""
    text = escaped_lines(text)
    body, mark, fault = ("\n" + text).rpartition("\n! ")
    sink.write(dress((body[1:] + "\n" if body else "") if mark else text).encode())
    return fault.strip() if mark else None


def check_struct(data: Any, protocol: Any, depth: int) -> None:
    """Raises what is wrong with the bytes of one struct."""
    _, after, _, error, _ = _core.cut_records(data, protocol=protocol, depth=depth, record_size=1 << 62)
    if error is not None:
        raise without_record(error)
    if after != len(data):
        raise Error(f"bytes follow the struct (byte {after})", code="trailing_bytes", offset=after)


def forced(protocol: Any, framing: Optional[str]) -> _detect.Guess:
    """What options say the bytes are."""
    words = {"binary": "Binary", "compact": "Compact", "tjson": "Apache's JSON protocol"}[protocol]
    if framing is None:
        return _detect.Guess((), "struct", protocol, "none", 0, 1, 0.0, 1.0, words)
    if framing == "message":
        return _detect.Guess((), "messages", protocol, framing, 0, 1, 0.0, 1.0, "RPC messages")
    return _detect.Guess((), "structs", protocol, framing, 0, 1, 0.0, 1.0, f"{words}, records ({framing})")


def page(
    data: Any, how: dict[str, Any], given: Sequence[_detect.Guess] = (), depth: int = 1024, most: Optional[int] = None
) -> tuple[str, Optional[str]]:
    """One page that needs nothing else: the trees, the bytes beside them, search; and what is wrong with the last of them."""
    found = list(given) or _detect.detect(data, depth=how["depth"])
    guess = found[0] if given or _detect.is_thrift(found) else forced("binary", None)
    values, pieces, fault = [], [], None
    try:
        for each in itertools.islice(_detect.values(data, guess, depth=how["depth"]), most):
            heading = _detect.heading(each).rstrip("\n") if guess.shape != "struct" or guess.framing != "none" else ""
            tree, shown = _detect.tree(each, how), each.data
            if each.protocol == "tjson":  # offsets count in Binary
                shown = _core.convert(each.data, source="tjson", target="binary", depth=how["depth"])
            values.append({"heading": heading, "tree": tree, "size": len(shown)})
            pieces.append(bytes(shown))
            fault = _fault_of(tree)
    except Error as error:
        values.append({"heading": "", "tree": f"! {error}\n", "size": 0})
        fault = str(error)
    content = {
        "guess": _detect.guess_line(found) if not given else str(guess),
        "values": values,
        "bytes": binascii.b2a_base64(b"".join(pieces), newline=False).decode(),
        "broken": fault is not None,
        "depth": depth,
    }
    template = _template()
    return template.replace("@DATA@", json.dumps(content).replace("<", "\\u003c")), fault


def _template() -> str:
    with open(os.path.join(os.path.dirname(__file__), "inspect_page.html"), encoding="utf-8") as file:
        return file.read()


def _fault_of(tree: str) -> Optional[str]:
    _, mark, fault = ("\n" + tree).rpartition("\n! ")
    return fault.strip() if mark else None


def schemas_of(folder: str, read: Callable[[str], Schema], say: Say) -> list[tuple[str, Schema]]:
    """(path, schema) of each IDL file below a folder, or of one file. Reports files that cannot be loaded and leaves them out."""
    found = []
    for path in _idl_files(folder, say):
        try:
            found.append((os.path.relpath(path, folder) if path != folder else path, read(path)))
        except (Error, OSError) as error:
            say(f"left out: {str(error).partition(chr(10))[0]}")
    if not found:
        raise FileNotFoundError(2, "no IDL file that can be read", folder)
    return found


def _idl_files(folder: str, say: Say) -> Iterator[str]:
    """The regular files below the folder named *.thrift: a pipe of that name would block."""
    if not os.path.isdir(folder):
        yield folder
        return
    for parent, folders, names in os.walk(folder, onerror=lambda error: say(f"left out: {error.filename}: {error.strerror}")):
        folders.sort()
        for path in (os.path.join(parent, name) for name in sorted(names) if name.endswith(".thrift")):
            if os.path.isfile(path):
                yield path
            else:
                say(f"left out: {path}: not a regular file")


def types_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, Type]]:
    """(where, type) of the structs that each file itself declares."""
    return [
        (f"{path} {name}", made)
        for path, schema in schemas
        for name in schema.types
        if "." not in name and (made := schema[name]).kind in ("struct", "union", "exception")
    ]


def functions_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, _detect.Carried]]:
    """(where, what messages carry) of the functions that each file itself declares."""
    return [
        (f"{path} {service.name}.{each.function}.{'result' if each.is_result else 'arguments'}", each)
        for path, schema in schemas
        for service in schema.services.values()
        if "." not in service.name
        for each in _detect.carried_by_service(service)
    ]


def ranking(data: Any, types: Sequence[tuple[str, Type]], functions: Sequence[tuple[str, _detect.Carried]], options: dict[str, Any]) -> Iterator[str]:
    """A line for each candidate, the best first: how sure, where it is declared, what fits, and where it first disagrees."""
    where = {id(made): name for name, made in types}
    where.update((id(made.type), name) for name, made in functions)
    for each in _detect.ranked(data, [made for _, made in types], [made for _, made in functions], **options):
        yield f"{_detect.percent(each.sure):>5}  {where.get(id(each.type), each.type.name)}  {_fit(each)}"


def _fit(found: _detect.Candidate) -> str:
    counts = [f"{found.known} known"]
    counts += [f"{number} {word}" for number, word in ((found.unknown, "unknown"), (found.contradictions, "of another type"), (found.missing, "missing")) if number]
    return ", ".join(counts) + (f": {found.path}: {found.why}" if found.why else "")
