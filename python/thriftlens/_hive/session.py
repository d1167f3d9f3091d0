"""Sessions of HiveServer2, and clients of a metastore."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Mapping, Optional

from .._errors import Error
from .._errors.bounds import Seconds
from .._rpc.address import parse_address
from .._rpc.client import Client, ConnectOptions
from .._rpc.client import connect as connect_client
from .._rpc.options import WireProtocol, check_word
from .._schema.schemas import Schema
from .._typing import Value, Values
from .columns import InvalidUTF8
from .errors import HiveError, error_of
from .idl import metastore_idl, server_idl
from .result import Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PROTOCOL = 9  # the requested version: V10
_OLDEST = 5  # V6: the first that returns rows as columns


def metastore(
    address: str, *, idl: Optional[Schema] = None, **options: Unpack[ConnectOptions]
) -> Client:
    """Connects to a metastore and returns a client of its service: `get_table(dbname="a",
    tbl_name="b")`.

    address: "host:9083"; "user:password@host:9083" selects SASL PLAIN. idl: Hive's full IDL, for
        functions and fields that metastore_idl() lacks.
    options: as for tl.connect. A selection trims large replies while they arrive:
        `call("get_partitions", {…}, select="{ success { values sd { location } } }")`."""
    return connect_client(address, idl or metastore_idl(), "ThriftHiveMetastore", **options)


def connect(
    address: str,
    *,
    idl: Optional[Schema] = None,
    user: Optional[str] = None,
    database: Optional[str] = None,
    configuration: Optional[Mapping[str, str]] = None,
    fetch_size: int = 10_000,
    invalid_utf8: InvalidUTF8 = "error",
    **options: Unpack[ConnectOptions],
) -> Session:
    """Connects to HiveServer2 and opens a session.

    address: "host:10000" (NOSASL, or SASL PLAIN as "anonymous", detected),
        "user:password@host:10000" (SASL PLAIN), "http://user:password@host:10001/cliservice",
        "https://…".
    user: the session's user; default: the user of the address. database: the initial database.
    configuration: settings of the session.
    fetch_size: rows per batch. idl: Hive's full IDL; default: server_idl(). options: as for
        tl.connect.
    invalid_utf8: handling of strings that are not UTF-8. "replace" inserts U+FFFD,
        "surrogateescape" lone surrogates, which makes string columns binary in Arrow. After an
        error of fetch no rows are lost: set Session.invalid_utf8 and fetch again. Raises HiveError
        if the server rejects the session, TransportError if the connection fails."""
    check_word("invalid_utf8", invalid_utf8, ("error", "replace", "surrogateescape"))
    decode = {"invalid_utf8": invalid_utf8, **(options.get("decode") or {})}
    options["decode"] = decode
    client = connect_client(address, idl or server_idl(), "TCLIService", **options)
    try:
        request = _open_request(user or parse_address(address).user, database, configuration)
        return Session(client, request, fetch_size, decode)
    except BaseException:
        client.close()
        raise


def _open_request(
    user: Optional[str], database: Optional[str], configuration: Optional[Mapping[str, str]]
) -> Values:
    settings = dict(configuration or {})
    if database is not None:
        settings["use:database"] = database
    request: dict[str, Value] = {"client_protocol": _PROTOCOL, "configuration": settings}
    if user is not None:
        request["username"] = user
    return request


class Session:
    """A session of HiveServer2, created by connect. Not thread-safe."""

    def __init__(self, client: Client, request: Values, fetch_size: int, decode: dict[str, Value]):
        """request: of OpenSession. decode: options for decoding rows."""
        self.client = client
        """The client of TCLIService, for other functions."""
        self.fetch_size = fetch_size
        self.invalid_utf8: InvalidUTF8 = decode["invalid_utf8"]
        """Handling of strings that are not UTF-8; see connect."""
        self._decode = decode
        self._handle: Optional[Values] = None
        answer = self._call("OpenSession", request)
        self.protocol_version: int = answer["serverProtocolVersion"]
        """0 is V1, 9 is V10."""
        if self.protocol_version < _OLDEST:
            raise HiveError(
                f"the server speaks protocol V{self.protocol_version + 1}; expected V{_OLDEST + 1} "
                "or later"
            )
        self._handle = answer["sessionHandle"]

    def execute(
        self,
        statement: str,
        *,
        configuration: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Result:
        """Executes a statement and waits until it has finished.

        timeout: seconds until it is cancelled (Error with code "timeout"). Raises HiveError if it
            fails."""
        Seconds(can_be_zero=True, none="no limit").check("timeout", timeout)
        request: dict[str, Value] = {
            "sessionHandle": self._open(),
            "statement": statement,
            "runAsync": True,
        }
        if configuration:
            request["confOverlay"] = {**configuration}
        answer = self._call("ExecuteStatement", request)
        result = Result(self, answer["operationHandle"])
        try:
            result._wait(None if timeout is None else time.monotonic() + timeout)
            result._describe()
        except BaseException as error:
            result._abandon(cancel=not isinstance(error, HiveError))
            raise
        return result

    def close(self) -> None:
        """Closes the session and the connection. Has no effect if closed."""
        handle, self._handle = self._handle, None
        try:
            if handle is not None:
                self._call("CloseSession", {"sessionHandle": handle})
        finally:
            self.client.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._handle is None else f"V{self.protocol_version + 1}"
        return f"<thriftlens.hive.Session at {self.client.address}, {state}>"

    @property
    def _protocol(self) -> WireProtocol:
        return self.client.protocol

    def _open(self) -> Values:
        if self._handle is None:
            raise Error("the session is closed", code="closed")
        return self._handle

    def _call(self, name: str, request: Values, as_view: bool = False) -> Value:
        """The reply. Raises HiveError for a failure status."""
        answer = self.client.call(name, {"req": request}, result="view" if as_view else "dict")
        status = answer["status"].to_dict() if as_view else answer["status"]
        if status["statusCode"] > 2:
            raise error_of(status, f"{name} failed")
        return answer


for _public in (Session, connect, metastore):
    _public.__module__ = "thriftlens.hive"
