"""`thriftlens routes`: HTTP methods and paths of the functions of an IDL, and the sources of
request fields."""

import click

from ..._http.route_list import route_lines
from .. import options as opt
from ..idl import IdlFile, idl_argument
from ..report import print_text


@opt.command()
@idl_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def routes(idl: IdlFile, as_json: bool) -> None:
    """List the HTTP routes of an IDL (api.get, api.post …) and the sources of request fields."""
    print_text("".join(line + "\n" for line in route_lines(idl.load(), as_json)))
