"""`thriftlens stubs`: types of imported IDL files for editors and type checkers."""

import os
from pathlib import Path

import click

from ..._schema.stubs import stub_of
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
def stubs(idls: tuple[str, ...], loading: LoadOptions, folder: str) -> None:
    """Write NAME_thrift.pyi for each NAME.thrift: the types of modules that thriftlens.importer
    imports, with their handlers and clients."""
    os.makedirs(folder, exist_ok=True)
    for idl in idls:
        text = stub_of(load_schema(idl, loading), os.path.basename(idl))
        target = Path(folder) / f"{Path(idl).stem}_thrift.pyi"
        with writing(str(target)) as sink:
            sink.write(text.encode())
        say(str(target))
