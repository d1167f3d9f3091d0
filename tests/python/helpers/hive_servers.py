"""Servers for tests of tl.hive: recordings of a real HiveServer2, and handlers that misbehave."""

import sys
from pathlib import Path

import pytest
import thriftlens as tl

DATA = Path(__file__).resolve().parents[2] / "data"
sys.path.insert(0, str(DATA))
IDL = tl.hive.server_idl()
HANDLE = {"guid": b"g" * 16, "secret": b"s" * 16}
FINE = {"statusCode": 0}


@pytest.fixture
def mock():
    """Serves a recording; yields host and port."""
    servers = []

    def serve(name, **options):
        recording = tl.Recording(DATA / "hive" / f"{name}.tlrec")
        servers.append(tl.serve(IDL, "TCLIService", recording, background=True, **options))
        host, _, port = servers[-1].address.rpartition(":")
        return host, int(port)

    yield serve
    for server in servers:
        server.close()


class Server:
    """A HiveServer2 with two columns and the given number of batches."""

    def __init__(self, batches=(), states=(2,), version=9, **faults):
        self.batches, self.states, self.version, self.faults = (
            list(batches),
            list(states),
            version,
            faults,
        )
        self.calls = []

    def serve(self, name, arguments, context):
        self.calls.append(name)
        if name in self.faults:
            return self.faults[name]
        return {"status": FINE, **getattr(self, name)(arguments["req"])}

    def OpenSession(self, request):
        self.opened = request
        return {"serverProtocolVersion": self.version, "sessionHandle": {"sessionId": HANDLE}}

    def ExecuteStatement(self, request):
        self.executed = request
        return {
            "operationHandle": {"operationId": HANDLE, "operationType": 0, "hasResultSet": True}
        }

    def GetOperationStatus(self, request):
        return {"operationState": self.states.pop(0) if len(self.states) > 1 else self.states[0]}

    def GetResultSetMetadata(self, request):
        described = [
            ("a", {"type": 4}),
            (
                "a",
                {
                    "type": 18,
                    "typeQualifiers": {"qualifiers": {"characterMaximumLength": {"i32Value": 5}}},
                },
            ),
        ]
        columns = [
            {
                "columnName": name,
                "typeDesc": {"types": [{"primitiveEntry": type_entry}]},
                "position": number + 1,
            }
            for number, (name, type_entry) in enumerate(described)
        ]
        return {"schema": {"columns": columns[::-1]}}

    def FetchResults(self, request):
        batch = self.batches.pop(0) if self.batches else ([], b"", [], b"")
        numbers, no_number, texts, no_text = batch
        columns = [
            {"i64Val": {"values": numbers, "nulls": no_number}},
            {"stringVal": {"values": texts, "nulls": no_text}},
        ]
        return {"hasMoreRows": False, "results": {"startRowOffset": 0, "columns": columns}}

    def CloseOperation(self, request):
        return {}

    CloseSession = CancelOperation = CloseOperation


class OneColumn(Server):
    """Describes a column as one type and sends the members of another."""

    def __init__(self, described, column, names=("c",)):
        super().__init__()
        self.described, self.column, self.names = described, column, names

    def GetResultSetMetadata(self, request):
        described = {"types": [{"primitiveEntry": {"type": self.described}}]}
        return {
            "schema": {
                "columns": [
                    {"columnName": name, "typeDesc": described, "position": at + 1}
                    for at, name in enumerate(self.names)
                ]
            }
        }

    def FetchResults(self, request):
        columns, self.column = (
            [self.column] * len(self.names),
            {member: {"values": [], "nulls": b""} for member in self.column},
        )
        return {"results": {"startRowOffset": 0, "columns": columns}}


@pytest.fixture
def served():
    servers = []

    def serve(handler, idl_of_server=IDL, **options):
        servers.append(tl.serve(idl_of_server, "TCLIService", handler.serve, background=True))
        return tl.hive.connect(servers[-1].address, **options)

    yield serve
    for server in servers:
        server.close()
