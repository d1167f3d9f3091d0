"""`thriftlens serve`: runs a gateway with uvicorn."""

from __future__ import annotations

import json
import logging
import sys
from typing import TYPE_CHECKING, Literal, TypedDict

import click

from ..._errors import Error
from ..._http.bounded_protocol import Telling, bounded_protocol
from ..._http.gateway import Gateway, gateway
from ..._http.gateway.policies import PolicyError
from ..._optional import absence
from ..._schema.schemas import Schema
from .. import options as opt
from ..connection import listen_option
from ..gateway_options import ServeOptions, serve_options, upstreams_of
from ..idl import IdlFile
from ..report import fail

if TYPE_CHECKING:
    import uvicorn


class _UvicornOptions(TypedDict):
    lifespan: Literal["on"]
    server_header: bool
    access_log: bool
    log_level: str
    timeout_graceful_shutdown: int


_UVICORN: _UvicornOptions = {
    "lifespan": "on",
    "server_header": False,
    "access_log": False,
    "log_level": "warning",
    "timeout_graceful_shutdown": 30,
}


class Source:
    """The IDL file for the gateway: a path, and a function that loads it."""

    def __init__(self, idl: IdlFile):
        self._idl = idl

    def __fspath__(self) -> str:
        return self._idl.path

    def __call__(self) -> Schema:
        return self._idl.load()


def make(idl: IdlFile, options: ServeOptions) -> Gateway:
    """Creates the gateway. Raises the errors of gateway()."""
    arguments = options.arguments()
    arguments["include_dirs"] = idl.include_dirs
    try:
        return gateway(
            Source(idl),
            options.services or None,
            upstream=upstreams_of(options.upstreams),
            **arguments,
        )
    except PolicyError as error:
        hint = "; key_file names a file with it" if error.code == "missing_key" else ""
        raise ValueError(f"{options.policies}: {error}{hint}") from None


def run(app: Gateway, host: str, port: int, log: bool) -> None:
    """Serves until SIGINT or SIGTERM, then finishes the requests in progress."""
    try:
        import uvicorn
    except ImportError as error:
        fail("serve needs " + absence("uvicorn", error, "'thriftlens[gateway]'"), status=2)
    _log_to_stderr(log)

    config = uvicorn.Config(
        app, host=host, port=port, http=bounded_protocol(app._limits.connections), **_UVICORN
    )
    server: uvicorn.Server = type("Server", (Telling, uvicorn.Server), {})(config)
    _run_until_signal(server)


def _run_until_signal(server: uvicorn.Server) -> None:
    try:
        server.run()
    except SystemExit:  # uvicorn logged why it cannot listen
        if server.started:
            raise
    if not server.started:
        sys.exit(2)


class _JsonLines(logging.Formatter):
    """Messages as the access log writes requests: one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps({"level": record.levelname.lower(), "message": record.getMessage()})


def _log_to_stderr(log: bool) -> None:
    for name, level, formatter in (
        ("thriftlens.gateway", logging.INFO, _JsonLines()),
        ("thriftlens.access", logging.INFO if log else logging.WARNING, logging.Formatter()),
    ):
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(formatter)
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.setLevel(level)


@opt.command()
@serve_options
@listen_option("127.0.0.1:8000")
@click.option(
    "--log/--no-log",
    default=True,
    show_default=True,
    help="Also log requests, as lines of JSON on stderr.",
)
def serve(idl: IdlFile, options: ServeOptions, listen: tuple[str, int], log: bool) -> None:
    """Serve HTTP in front of a Thrift server by the annotations of the IDL (api.get, api.query …)
    until Ctrl-C. Needs thriftlens[gateway].

    /docs is an interactive page, /openapi.json the OpenAPI description; see docs/gateway.md."""
    try:
        app = make(idl, options)
    except Error:
        raise
    except (TypeError, ValueError, OSError) as error:
        fail(str(error), status=2)
    run(app, *listen, log)
