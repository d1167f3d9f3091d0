"""`thriftlens stubs`: types of imported IDL files for editors and type checkers."""

import os
import time
from pathlib import Path

import click

from ..._errors import Error
from ..._schema.stubs import stub_of
from ..._schema.watching import WATCH_INTERVAL, changes, with_siblings
from .. import options as opt
from ..idl import LoadOptions, load_options, load_schema
from ..report import say
from ..sink import writing


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
        _write(idls, loading, folder)
        return
    for _ in changes(lambda: with_siblings(idls), lambda: time.sleep(WATCH_INTERVAL)):
        try:
            _write(idls, loading, folder)
        except Error as error:
            say(str(error))


def _write(idls: tuple[str, ...], loading: LoadOptions, folder: str) -> None:
    """Writes the stubs that have changed."""
    schemas = {Path(idl).stem: load_schema(idl, loading) for idl in idls}
    for idl in idls:
        stub = stub_of(schemas[Path(idl).stem], os.path.basename(idl), schemas)
        data = stub.encode()
        target = Path(folder) / f"{Path(idl).stem}_thrift.pyi"
        if target.exists() and target.read_bytes() == data:
            continue
        with writing(str(target)) as sink:
            sink.write(data)
        say(str(target))
