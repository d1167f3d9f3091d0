"""Classes of values in calls, and typed clients of imported IDL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping

from .._typing import Value
from .aio_client import AsyncClient, Connecting
from .client import Client, ConnectOptions, checked_arguments
from .faults import not_sent

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._schema.schemas import Schema


def client_classes(
    schema: Schema, service: str, models: Mapping[str, Value]
) -> tuple[type[Client], type[AsyncClient]]:
    """The classes of the clients of a service: `ShopClient.connect(address, **options)` is
    tl.connect with the classes of the IDL."""
    short = service.rpartition(".")[2]

    def connect(cls: type[Client], address: str, **options: Unpack[ConnectOptions]) -> Client:
        """Connects to a server; options are those of tl.connect."""
        options.setdefault("models", models)
        arguments = checked_arguments(address, schema, service, options)
        with not_sent():
            return cls(*arguments)

    def connect_async(
        cls: type[AsyncClient], address: str, **options: Unpack[ConnectOptions]
    ) -> Connecting:
        """Connects to a server, in a running event loop: await it, or use it in `async with`."""
        options.setdefault("models", models)
        arguments = checked_arguments(address, schema, service, options)
        return Connecting(lambda: cls(*arguments))

    return (
        type(f"{short}Client", (Client,), {"connect": classmethod(connect)}),
        type(f"Async{short}Client", (AsyncClient,), {"connect": classmethod(connect_async)}),
    )
