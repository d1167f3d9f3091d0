"""The IDL of a command."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import re
from typing import Iterable, Literal, Mapping, Optional

import click

from .._errors import Error, UnknownNameError
from .._schema.loading import load
from .._schema.names import service_and_function
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from . import completion as _complete
from . import options as opt
from .report import fail, say


@dataclasses.dataclass(frozen=True)
class LoadOptions:
    """Options of loading IDL."""

    include_dirs: tuple[str, ...]
    strict: bool
    implicit_ids: Literal["apache", "cloudwego"]
    stubs: tuple[str, ...]
    missing_include: Literal["error", "warn"]


class IdlFile:
    """The IDL file of a command."""

    def __init__(self, idl: str, loading: LoadOptions):
        self.path = idl
        self._options = loading

    @property
    def include_dirs(self) -> tuple[str, ...]:
        """Folders to search for includes."""
        return self._options.include_dirs

    def load(self) -> Schema:
        """Like load_schema."""
        return load_schema(self.path, self._options)


load_options = opt.grouped(
    "loading",
    LoadOptions,
    opt.section(
        "IDL options",
        click.option(
            "-I",
            "--include-dir",
            "include_dirs",
            multiple=True,
            metavar="DIR",
            help="Directory to search for includes (repeatable).",
        ),
        click.option(
            "--strict", is_flag=True, help="Accept only IDL that the Apache compiler accepts."
        ),
        opt.choice("load", "implicit_ids", help="Numbering of fields without an id."),
        opt.repeatable(
            "--stub", "NAME=TEXT", "IDL text to use for the include NAME.", name="stubs"
        ),
        opt.keyword_option(
            "--missing-include",
            "error",
            "warn",
            help="Handling of missing includes; warn: continue without them.",
        ),
    ),
)
idl_argument = opt.grouped("idl", IdlFile, click.argument("idl", type=click.Path()), load_options)
idl_list_options = opt.group(
    click.option(
        "--idl",
        "idls",
        multiple=True,
        type=click.Path(),
        metavar="IDL",
        help="IDL file (repeatable).",
    ),
    load_options,
)
type_option = click.option(
    "--type",
    "type_name",
    metavar="TYPE",
    help="Type in the IDL file.",
    shell_complete=_complete.types,
)


def load_schema(path: str, options: LoadOptions) -> Schema:
    """Loads an IDL file. Exits if it cannot be read."""
    try:
        return load_idl(path, options)
    except Error as error:
        if error.code == "io":
            fail(str(error), status=2)
        raise


def load_idl(path: str, options: LoadOptions) -> Schema:
    """Like load_schema, but raises every error."""
    includes = dict(_stub(text) for text in options.stubs)
    while True:
        try:
            return load(
                path,
                includes=includes,
                include_dirs=options.include_dirs,
                strict=options.strict,
                implicit_ids=options.implicit_ids,
            )
        except Error as error:
            missing = _missing_includes(error) - set(includes)
            if not missing or options.missing_include != "warn":
                if missing and options.missing_include == "error":
                    _suggest_warning(error, path, options)
                raise
            for name in sorted(missing):
                say(f"{path}: warning: include {name!r} not found")
            includes.update(dict.fromkeys(missing, ""))


def _suggest_warning(error: Error, path: str, options: LoadOptions) -> None:
    """Names --missing-include in the error of a missing include if it loads the file."""
    with contextlib.suppress(Error), contextlib.redirect_stderr(io.StringIO()):
        load_idl(path, dataclasses.replace(options, missing_include="warn"))
        error.option = ("missing_include", "warn")


def _missing_includes(error: Error) -> set[str]:
    """The paths of the includes that were not found, as written in the IDL."""
    items = [item for item in getattr(error, "diagnostics", ()) if item.kind == "include-not-found"]
    return {
        match[2]
        for item in items
        if (match := re.search(r"""include\s+(["'])(.*?)\1""", item.source))
    }


def _stub(option: str) -> tuple[str, str]:
    name, equals, text = option.partition("=")
    if not name or not equals:
        raise click.UsageError(f"invalid --stub {option!r}; expected NAME=TEXT")
    return name, text


def find_type(schema: Schema, name: str, takes_functions: bool = False) -> Type:
    """The type of that name.

    The error for a service or a function suggests its arguments and results if the command takes
    them."""
    try:
        return schema[name]
    except UnknownNameError as error:
        service, function = service_and_function(schema._core, name)
        prefix = f"{service}.{function or 'FUNCTION'}"
        if takes_functions and service:
            error.hint = f"TYPE is {prefix}.arguments or {prefix}.result"
        else:
            error.hint = None
        raise


def optional_type(
    idl: Optional[str], type_name: Optional[str], loading: LoadOptions
) -> Optional[Type]:
    """The type of --idl and --type."""
    if (idl is None) != (type_name is None):
        raise click.UsageError("--idl and --type must be used together")
    if idl is not None and type_name is not None:
        return find_type(load_schema(idl, loading), type_name)
    return None


def load_schemas(idls: Iterable[str], loading: LoadOptions) -> dict[str, Schema]:
    """The schemas of several IDL files."""
    return {idl: load_schema(idl, loading) for idl in idls}


def services_of(schemas: Mapping[str, Schema]) -> list[Service]:
    return [service for schema in schemas.values() for service in schema.services.values()]
