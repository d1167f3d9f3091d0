"""Shared by the tests of function servers."""

import subprocess

import pytest
import thriftlens as tl
from command_options import split_options
from thriftlens._cli import main as cli

IDL = """
enum Kind { SMALL = 1, LARGE = 2 }
struct User { 1: required i64 id, 2: string name, 3: Kind kind, 4: binary key,
  5: map<string, i32> counts, 6: i64 at }
exception Refused { 1: string why }
service People {
  User find(1: User like, 2: string token) throws (1: Refused refused),
  void nothing(),
  i32 fail(1: i32 how),
  oneway void touch(1: i64 id),
}
service More extends People { i32 one(), i32 extra(1: i32 a) }
service Other { i32 one() }
"""


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    path = tmp_path_factory.mktemp("idl") / "people.thrift"
    path.write_text(IDL)
    return path


@pytest.fixture(scope="module")
def server():
    schema = tl.loads(IDL)
    touched = []

    def answer(name, arguments, context):
        if name == "find":
            like = arguments.get("like", {})
            if like.get("id") == 404:
                raise schema.exceptions["Refused"]("nobody")
            return {**like, "name": like.get("name", "?") + arguments.get("token", ""), "at": 0}
        if name == "touch":
            touched.append(arguments["id"])
        if name == "fail":
            raise tl.ApplicationError("no such thing", code="protocol_error")
        return 1 if name == "one" else None

    with tl.serve(schema, "More", answer, background=True) as server:
        yield server


def outcome(result):
    return result.returncode, result.stdout.decode(), result.stderr.decode()


@pytest.fixture
def here(capsysbinary):
    """Runs a command in this process; what a program of its own would do differently is tested
    elsewhere."""

    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            cli.main(args=split_options(arguments), prog_name="thriftlens")
        printed = capsysbinary.readouterr()
        return subprocess.CompletedProcess(
            arguments, ended.value.code or 0, printed.out, printed.err
        )

    return call
