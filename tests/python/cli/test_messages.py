"""messages as a command."""

import base64
import json


def test_messages(run, tmp_path, failed):
    """A capture as Apache's Python library writes it: calls, replies, exceptions, in frames and
    not, in both protocols."""
    from thrift.protocol import TBinaryProtocol, TCompactProtocol
    from thrift.Thrift import TApplicationException, TMessageType
    from thrift.transport import TTransport

    idl = tmp_path / "calls.thrift"
    idl.write_text(
        "exception Gone { 1: string why } enum E { ONE = 1 } service Base { void ping(1: E e) }"
        " service Calls extends Base { i32 add(1: i32 a) throws (1: Gone gone) } service Others { "
        "oneway void log(1: string text) }"
    )
    memory = TTransport.TMemoryBuffer()

    def write(factory, framed, name, kind, number, body):
        transport = TTransport.TFramedTransport(memory) if framed else memory
        out = factory(transport)
        out.writeMessageBegin(name, kind, number)
        body(out)
        out.writeMessageEnd()
        transport.flush()

    def integer(out):
        out.writeStructBegin("")
        out.writeFieldBegin("", 8, 1)
        out.writeI32(1)
        out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()

    write(TBinaryProtocol.TBinaryProtocol, True, "add", TMessageType.CALL, 1, integer)
    write(TCompactProtocol.TCompactProtocol, False, "Calls:ping", TMessageType.ONEWAY, 2, integer)
    write(
        TBinaryProtocol.TBinaryProtocol,
        False,
        "add",
        TMessageType.EXCEPTION,
        3,
        TApplicationException(1, "no add").write,
    )
    write(TBinaryProtocol.TBinaryProtocol, False, "nobody", TMessageType.REPLY, 4, integer)
    data = memory.getvalue()
    result = run("messages", idl, "-", input=data)
    assert result.returncode == 0, result.stderr
    first, second, third, fourth = map(json.loads, result.stdout.splitlines())
    assert first == {
        "record": 0,
        "offset": 0,
        "name": "add",
        "kind": "call",
        "sequence_id": 1,
        "protocol": "binary",
        "value": {"a": 1},
    }
    assert second["protocol"] == "compact" and second["kind"] == "oneway"
    assert second["value"] == {"e": "ONE"}
    assert third["value"] == {"message": "no add", "type": "UNKNOWN_METHOD"}
    assert third["kind"] == "exception"
    assert fourth["value"] is None
    assert base64.b64decode(fourth["data"]) == bytes.fromhex("080001 00000001 00")
    assert [
        json.loads(line)["value"]
        for line in run("messages", idl, "--service", "Others", input=data).stdout.splitlines()
    ][:2] == [None, None]
    failed(run("messages", idl, "--service", "Other", input=data), 2, "did you mean")
    completed = run("messages", idl, input=data[:-1])
    failed(completed, 1, "<stdin>: record 3: the data ends in the middle of a value")
    one_message = run("messages", idl, "--start", str(second["offset"]), "--limit", "1", input=data)
    assert json.loads(one_message.stdout)["name"] == "Calls:ping"
