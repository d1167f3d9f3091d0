"""Messages as Apache's library frames them: every kind of message in strict and old Binary and in
Compact."""

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TApplicationException, TMessageType
from thrift.transport.TTransport import TMemoryBuffer

PROTOCOLS = {
    "binary_strict": lambda memory: TBinaryProtocol(memory, strictWrite=True),
    "binary_old": lambda memory: TBinaryProtocol(memory, strictWrite=False),
    "compact": TCompactProtocol,
}
TYPES = {
    "call": TMessageType.CALL,
    "reply": TMessageType.REPLY,
    "exception": TMessageType.EXCEPTION,
    "oneway": TMessageType.ONEWAY,
}
SEQUENCE_IDS = [0, 1, -1, 2147483647, -2147483648, 300]
METHODS = ["add", "ping", "fire", "m" * 40, "\u00fcber"]


def body_of(kind, method, service):
    """(bytes by Apache, description)"""
    if kind == "exception":
        return TApplicationException(TApplicationException.UNKNOWN_METHOD, "no such method"), {
            "message": "no such method",
            "type": 1,
        }
    if kind == "reply":
        return service.add_result(success=len(method)), {"success": len(method)}
    if method == "fire":
        return service.fire_args(what="go"), {"1": "go"}
    return (
        (service.add_args(a=3, b=-4), {"1": 3, "2": -4})
        if method == "add"
        else (service.ping_args(), {})
    )


def all_messages(service):
    """(protocol, bytes, what is in it)"""
    number = 0
    for method in METHODS:
        for kind, code in TYPES.items():
            body, description = body_of(kind, method, service)
            sequence_id = SEQUENCE_IDS[number % len(SEQUENCE_IDS)]
            number += 1
            for name, protocol in PROTOCOLS.items():
                memory = TMemoryBuffer()
                out = protocol(memory)
                out.writeMessageBegin(method, code, sequence_id)
                body.write(out)
                out.writeMessageEnd()
                yield (
                    name,
                    memory.getvalue(),
                    {"body": description, "method": method, "seqid": sequence_id, "type": kind},
                )
