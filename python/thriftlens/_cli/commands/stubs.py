"""`thriftlens stubs`: types of imported IDL files for editors and type checkers."""

import os
import time
from pathlib import Path
from typing import Callable

import click

from ..._errors import Error
from ..._schema.schemas import Schema
from ..._schema.stubs import stub_of
from ..._schema.watching import WATCH_INTERVAL, changes, with_siblings
from .. import options as opt
from ..idl import LoadOptions, load_idl, load_options, load_schema
from ..report import say
from ..sink import writing

_Load = Callable[[str, LoadOptions], Schema]


@opt.command()
@click.argument("idls", metavar="IDL...", nargs=-1, required=True, type=click.Path())
@load_options
@click.option(
    "-o",
    "--output",
    "folder",
    default=".",
    metavar="DIR",
    help="Directory to write to (default: the working directory).",
)
@click.option("--watch", is_flag=True, help="Rewrite the stubs when an IDL file changes.")
def stubs(idls: tuple[str, ...], loading: LoadOptions, folder: str, watch: bool) -> None:
    """Write NAME_thrift.pyi for each NAME.thrift: the types of modules that thriftlens.importer
    imports, with their handlers and clients."""
    os.makedirs(folder, exist_ok=True)
    if not watch:
        _write(idls, loading, folder, load_schema)
        return
    for _ in changes(lambda: with_siblings(idls), lambda: time.sleep(WATCH_INTERVAL)):
        try:
            _write(idls, loading, folder, load_idl)
        except Error as error:
            say(str(error))


def _write(idls: tuple[str, ...], loading: LoadOptions, folder: str, load: _Load) -> None:
    """Writes the stubs that have changed."""
    schemas = {Path(idl).stem: load(idl, loading) for idl in idls}
    is_packaged = any(Path(folder, name).exists() for name in ("__init__.py", "__init__.pyi"))
    for idl in idls:
        name = os.path.basename(idl)
        data = stub_of(schemas[Path(idl).stem], name, schemas, is_packaged).encode()
        target = Path(folder) / f"{Path(idl).stem}_thrift.pyi"
        if target.exists() and target.read_bytes() == data:
            continue
        with writing(str(target)) as sink:
            sink.write(data)
        say(str(target))
        if not Path(idl).stem.isidentifier():
            say(f"warning: {name} cannot be imported: its name is not a Python identifier")
