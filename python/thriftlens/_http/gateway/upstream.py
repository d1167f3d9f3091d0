"""The connections of a gateway to one server."""

from __future__ import annotations

import copy
import time
from typing import Mapping, Optional, Union

from ..._errors import Error
from ..._rpc.address import parse_address
from ..._rpc.client import checked_target
from ..._rpc.log import logger
from ..._rpc.options import TLSLike
from ..._rpc.pool import AsyncLink, AsyncPool
from ..._rpc.services import prefix_of
from ..._rpc.target import Target
from ..._schema.services import Service
from ..._text import shown
from .options import Address, GatewayOptions

_LOG = logger("thriftlens.gateway")
_CONNECT_TIME = 5.0  # seconds
_Key = tuple[str, str, str]  # address, transport, protocol
_PAUSE = 0.05  # seconds before another attempt to connect to a server that was unreachable


class Upstream(AsyncPool):
    """The connections to one server, empty at first. Logs faults and counts them.

    prefix: of function names in calls, "Service:" for a multiplexed server."""

    def __init__(self, target: Target, size: int, connect_seconds: float, prefix: str = ""):
        super().__init__(target, size, owner="gateway")
        self.address = str(target.address)
        self.faults = 0
        self._prefix = prefix
        self._seconds = connect_seconds
        self._refusal: Optional[Error] = None
        self._retry_time = 0.0
        self._logged = ""
        self._probe_headers: Optional[Mapping[str, str]] = None

    async def resolved(self, headers: Optional[Mapping[str, str]] = None) -> Target:
        """Address, transport and protocol; those that are "auto" are detected by probes with these
        headers. Raises TransportError."""
        if "auto" in (self.target.transport, self.target.protocol):
            self._probe_headers = headers
            await self.new_link(None)
        return self.target

    def call_failed(self, error: Error) -> None:
        self.faults += 1
        self._log(error)

    async def check(self) -> Optional[str]:
        """Error text of the server; None if a connection is open or can be opened."""
        try:
            if self.least_busy() is None:
                await self.new_link(None)
        except Error as error:
            return str(error)
        return None

    def abandon(self) -> None:
        super().abandon()
        self._refusal = None

    async def _open(self, deadline: Optional[float]) -> AsyncLink:
        """Opens a connection within the time for connecting. After a failure calls get its error
        for a short time."""
        if self._refusal is not None and time.monotonic() < self._retry_time:
            raise copy.copy(self._refusal)
        try:
            link = await self._connect(time.monotonic() + self._seconds)
        except Error as error:
            self._refusal = error
            self._retry_time = time.monotonic() + _PAUSE
            self.call_failed(error)
            raise
        self._refusal = None
        self._log(None)
        return link

    async def _connect(self, deadline: float) -> AsyncLink:
        if "auto" in (self.target.transport, self.target.protocol):
            await self.detect(self._prefix, self._probe_headers, deadline)
        return await super()._open(deadline)

    def _log(self, error: Optional[BaseException]) -> None:
        """Logs a fault once, not for every request, and the first success after it."""
        text = "" if error is None else str(error)
        if text and text != self._logged:
            _LOG.warning("%s", text)
        elif self._logged and not text:
            _LOG.info("%s: connected again", self.address)
        self._logged = text


class Upstreams:
    """The upstreams of a gateway by the addresses of its services: reloads of the IDL keep them.

    addresses: one for all services, or one per service."""

    def __init__(
        self, addresses: Union[str, Mapping[str, Address]], options: GatewayOptions, reply_size: int
    ):
        self._addresses = addresses
        self._options = options
        self._reply_size = reply_size
        self._upstreams: dict[_Key, Upstream] = {}

    @property
    def service_names(self) -> list[str]:
        """The services that have an address of their own."""
        return [] if isinstance(self._addresses, str) else list(self._addresses)

    def of(self, service: Service) -> Upstream:
        """The upstream of a service. Raises ValueError if it has none."""
        options = self._options
        key = self._key_of(self._address_of(service))
        if key not in self._upstreams:
            target = target_of(*key, options["tls"], self._reply_size)
            prefix = prefix_of(service, options["multiplexed"])
            seconds = min(_CONNECT_TIME, options["timeout"])
            self._upstreams[key] = Upstream(target, options["pool"], seconds, prefix)
        return self._upstreams[key]

    def _key_of(self, address: Address) -> _Key:
        parts = {"address": address} if isinstance(address, str) else dict(address)
        if "address" not in parts or not parts.keys() <= {"address", "transport", "protocol"}:
            raise ValueError(
                "upstream must be an address, or a mapping with address, transport and protocol, "
                f"not {shown(address)}"
            )
        transport = parts.get("transport", self._options["transport"])
        return parts["address"], transport, parts.get("protocol", self._options["protocol"])

    def _address_of(self, service: Service) -> Address:
        if isinstance(self._addresses, str):
            return self._addresses
        for name in (service.name, service.name.rpartition(".")[2]):
            if name in self._addresses:
                return self._addresses[name]
        raise ValueError(f"the service {service.name} has no upstream")

    def close(self) -> None:
        for upstream in self._upstreams.values():
            upstream.close()
        self._upstreams.clear()

    def forget(self) -> None:
        """Drops the connections of an event loop that was closed."""
        for upstream in self._upstreams.values():
            upstream.abandon()


def target_of(address: str, transport: str, protocol: str, tls: TLSLike, reply_size: int) -> Target:
    """Target of the caller's options. Raises as tl.connect does."""
    parse_address(address)
    target = checked_target(
        address, transport, protocol, tls, {"frame_size": reply_size, "calls": 1 << 16}
    )
    return target._replace(cookies=None)  # a user's cookies must not be sent in others' calls
