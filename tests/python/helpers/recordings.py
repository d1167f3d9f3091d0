"""Shared by the tests of recordings."""

import io
import re
import socket
import subprocess
import sys
import threading

import pytest
import thriftlens as tl
from thriftlens._capture.proxy import Recorder
from thriftlens._capture.recording_format import Writer

IDL = """
struct User { 1: i64 id, 2: string name (pii = "blank"), 3: string city }
exception Refused { 1: string why (pii = "drop") }
service People {
  User find(1: i64 id, 2: string token) throws (1: Refused refused),
  oneway void touch(1: i64 id),
}
"""
PEOPLE = tl.loads(IDL).service("People")
FIND = PEOPLE.functions["find"]


def call(sequence_id, id=1, token="t", protocol="binary", name="find"):
    data = FIND.arguments.encode({"id": id, "token": token}, protocol=protocol)
    return tl.Message(name, "call", sequence_id, data, protocol)


def reply(sequence_id, value, protocol="binary", name="find"):
    data = FIND.result.encode(value, protocol=protocol)
    return tl.Message(name, "reply", sequence_id, data, protocol)


def user(id, name="Zoe"):
    return {"success": {"id": id, "name": name, "city": "Ulm"}}


def recorded(*messages, redact=None, **head):
    """The bytes of a recording; the kind of a message determines its sender."""
    out = io.BytesIO()
    recorder = Recorder(Writer(out, **head), redact)
    tap = recorder.connection(0)
    for number, message in enumerate(messages):
        data = message if isinstance(message, bytes) else message.to_bytes()
        tap.feed(
            int(not isinstance(message, bytes) and message.kind in ("reply", "exception")),
            data,
            1000 + number / 4,
        )
    tap.finish()
    return out.getvalue()


class Server(threading.Thread):
    """Answers framed calls with the user of their id; closes a connection after a broken frame."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                peer, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer):
        with peer, peer.makefile("rb") as stream:
            while head := stream.read(4):
                sent = tl.read_message(stream.read(int.from_bytes(head, "big")), PEOPLE)
                data = reply(sent.sequence_id, user(sent.decode()["id"])).to_bytes(framed=True)
                peer.sendall(data)


@pytest.fixture
def server():
    server = Server()
    yield server
    server.socket.close()


class Proxy:
    """`thriftlens record` as a program."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "thriftlens", "record", *map(str, arguments)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        self.port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", first)[1])

    def ask(self, ids):
        with (
            socket.create_connection(("127.0.0.1", self.port)) as peer,
            peer.makefile("rb") as stream,
        ):
            for id in ids:
                peer.sendall(call(id, id).to_bytes(framed=True))
                answer = stream.read(int.from_bytes(stream.read(4), "big"))
                assert tl.read_message(answer, PEOPLE).decode() == user(id)

    def end(self, sent=None):
        if sent is not None:
            self.process.send_signal(sent)
        stderr = self.process.communicate()[1]
        return self.process.returncode, stderr
