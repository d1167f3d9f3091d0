"""`thriftlens serve`: a gateway under uvicorn, by its options."""

import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
import thriftlens as tl

pytest.importorskip("uvicorn")


@contextlib.contextmanager
def serving(*arguments, **environment):
    command = [sys.executable, "-m", "thriftlens", "serve", *map(str, arguments), "--listen", ":0"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("serving on http://127.0.0.1:"), process.communicate()
        yield line.split()[-1], process
    finally:
        process.terminate()
        process.communicate()


def get(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_it_serves_until_a_signal(idl_file, upstream):
    with serving(
        idl_file, "--upstream", upstream, "--request-limit", "url=200", "--routes", "all"
    ) as (base, process):
        assert get(f"{base}/orders/7?fields=id") == (200, {"id": 7})
        assert get(f"{base}/orders/x")[1]["path"] == "$.id" and get(f"{base}/{'x' * 300}")[0] == 414
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate()
        assert process.returncode in (0, -signal.SIGTERM, 143) and "Traceback" not in errors
        lines = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
        assert [entry["status"] for entry in lines] == [200, 400, 414]
        assert lines[0]["function"] == "Shop.get"


def test_roles_by_a_header(idl_file, upstream, tmp_path):
    policies = tmp_path / "policies.json"
    text = json.dumps(
        {
            "all": None,
            "some": {"annotation": "pii", "types": {"NotFound": "keep"}, "exempt": ["upload"]},
        }
    )
    policies.write_text(text)
    with serving(
        idl_file,
        "--upstream",
        f"Shop={upstream}",
        "--policies",
        policies,
        "--role-header",
        "X-Role",
    ) as (base, _):
        result = get(f"{base}/orders/7?fields=user", **{"X-Role": "some"})
        assert result == (200, {"user": {"id": 1, "name": "", "phone": ""}})
        result = get(f"{base}/orders/7?fields=user.name", **{"X-Role": "all"})
        assert result == (200, {"user": {"name": "Ann"}})
        assert get(f"{base}/orders/7")[0] == 403


def test_tls_with_the_upstream(idl, idl_file, shop, tmp_path):
    trustme = pytest.importorskip("trustme")
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    with tl.serve(idl, "Shop", shop, tls=context, background=True) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        with serving(idl_file, "--upstream", address, "--ca", tmp_path / "ca.pem") as (base, _):
            assert get(f"{base}/orders/7?fields=id") == (200, {"id": 7})
        with serving(idl_file, "--upstream", address, "--tls") as (base, _):
            assert get(f"{base}/orders/7?fields=id")[1]["code"] == "certificate"


def test_a_client_that_does_not_send_its_head_is_closed(idl_file, upstream):
    with serving(idl_file, "--upstream", upstream, THRIFTLENS_HEADER_SECONDS="0.2") as (base, _):
        address = base.rpartition("/")[2].split(":")
        with socket.create_connection(address) as slow:
            slow.sendall(b"GET /orders/7 HTTP/1.1\r\nHost: a\r\nX-Slow:")
            assert slow.recv(1000) == b""
        assert get(f"{base}/orders/7?fields=id") == (200, {"id": 7})


@pytest.mark.parametrize("arguments,message", [
    (["--upstream", "nowhere"], "missing port"),
    (["--upstream", "a=b:1", "--upstream", "c:2"], "SERVICE=HOST:PORT"),
    (["--upstream", "a:1", "--request-limit", "x"], "NAME=VALUE"),
    (["--upstream", "a:1", "--request-limit", "bodi=1"], "did you mean 'body'"),
    (["--upstream", "a:1", "--policies", "p"], "must be used together"),
    (["--upstream", "a:1", "--plan", "unknwn=drop"], "unknown"),
    (["--upstream", "a:1", "--pages-prefix", "x"], "slash"),
    (["--upstream", "a:1", "--service", "Shp"], "Shop"),
])  # fmt: skip
def test_wrong_options(run, idl_file, arguments, message):
    result = run("serve", idl_file, *arguments)
    assert result.returncode in (1, 2) and message in result.stderr.decode()
    assert "Traceback" not in result.stderr.decode()


def test_a_port_that_is_taken(run, idl_file):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run(
            "serve", idl_file, "--upstream 127.0.0.1:1 --listen", str(taken.getsockname()[1])
        )
    assert result.returncode == 2 and b"address already in use" in result.stderr
    assert b"Traceback" not in result.stderr


def test_without_uvicorn(run, idl_file, tmp_path):
    (tmp_path / "uvicorn.py").write_text('raise ModuleNotFoundError(name="uvicorn")')
    result = run(
        "serve",
        idl_file,
        "--upstream a:1",
        env={
            **os.environ,
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        },
    )
    assert result.returncode == 2 and b"thriftlens[gateway]" in result.stderr


def test_the_head_of_a_second_request_has_the_deadline_of_the_first(idl_file, upstream):
    with serving(idl_file, "--upstream", upstream, THRIFTLENS_HEADER_SECONDS="3") as (base, _):
        address = base.rpartition("/")[2].split(":")
        with socket.create_connection(address) as slow:
            slow.sendall(b"GET /orders/7?fields=id HTTP/1.1\r\nHost: a\r\n\r\n")
            answer = b""
            while b'{"id":7}' not in answer:
                answer += slow.recv(1000)
            slow.sendall(b"GET /orders/7 HTTP/1.1\r\nHost: a\r\nX-Slow:")
            assert slow.recv(1000) == b""


def test_connections_are_bounded(idl_file, upstream):
    with serving(idl_file, "--upstream", upstream, "--request-limit", "connections=2") as (base, _):
        address = base.rpartition("/")[2].split(":")
        with contextlib.ExitStack() as stack:
            for _ in range(2):
                stream = stack.enter_context(socket.create_connection(address))
                stream.sendall(b"GET /orders/7?fields=id HTTP/1.1\r\nHost: a\r\n\r\n")
                assert stream.recv(1000).startswith(b"HTTP/1.1 200")
            third = stack.enter_context(socket.create_connection(address))
            with contextlib.suppress(ConnectionError):
                assert third.recv(1000) == b""


@pytest.mark.parametrize("text,expected", [
    ('{"guest": {"annotation": "pii"}, "guest": null}',
    "policies.json: invalid JSON: duplicate member 'guest'"),
    ('{"guest": {"annotation": "pii", "key": "abc"}}', "key_file"),
    ('{"guest": {"paths": {"": "keep"}}}', "path"),
    ('{"guest": {"annotation": "pii", "values": {"nme": "drop"}}}', "did you mean"),
    ("{}", "policies is empty"),
    ('{"guest": {"annotation": "pii", "values": {"name": "hash"}}}',
    "policies.json: the policy of 'guest': hash needs a key"), ('{"guest": 5}', "expected options"),
    ('{"guest": {"annotation": "pii", "keyfile": "key"}}', "unknown option 'keyfile'"),
    ('{"guest": {"annotation": "pii", "key_file": "none"}}', "key_file: "),
])  # fmt: skip
def test_policies_are_read_strictly(run, idl_file, tmp_path, text, expected):
    (tmp_path / "policies.json").write_text(text)
    result = run(
        "serve",
        idl_file,
        "--upstream 127.0.0.1:1 --policies",
        tmp_path / "policies.json",
        "--role-header x",
    )
    stderr = result.stderr.decode()
    assert result.returncode == 2, stderr
    assert stderr.startswith(f"thriftlens: {tmp_path / 'policies.json'}: "), stderr
    assert expected in stderr, stderr


def test_options_by_name_are_accepted_once(run, idl_file):
    for arguments in (
        ("--request-limit", "url=1", "--request-limit", "url=2"),
        ("--upstream", "Shop=a:2"),
    ):
        result = run("serve", idl_file, "--upstream", "Shop=a:1", *arguments)
        assert result.returncode == 2 and b"duplicate" in result.stderr


def test_a_policy_hashes_with_the_key_of_a_file(idl, idl_file, upstream, tmp_path):
    (tmp_path / "key").write_bytes(b"0123456789abcdef")
    policies = {
        "some": {
            "annotation": "pii",
            "types": {"NotFound": "keep", "User.name": "hash"},
            "exempt": ["upload"],
            "key_file": "key",
        }
    }
    (tmp_path / "policies.json").write_text(json.dumps(policies))
    user = idl["User"]
    hashed = user.decode(
        user.redact(
            user.encode({"id": 1, "name": "Ann"}),
            types={"User.name": "hash"},
            key=b"0123456789abcdef",
        )
    )["name"]
    with serving(
        idl_file,
        "--upstream",
        f"Shop={upstream}",
        "--policies",
        tmp_path / "policies.json",
        "--role-header",
        "X-Role",
    ) as (base, _):
        assert (
            get(f"{base}/orders/7?fields=user.name", **{"X-Role": "some"})
            == (200, {"user": {"name": hashed}})
            and hashed != "Ann"
        )


def test_messages_of_the_log_are_lines_of_json(capsys):
    import logging

    from thriftlens._cli.commands.serve import _log_to_stderr

    loggers = [logging.getLogger(f"thriftlens.{name}") for name in ("gateway", "access")]
    earlier = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    try:
        _log_to_stderr(True)
        loggers[0].warning("%s: refused", "host:1")
        loggers[1].info('{"status": 200}')
    finally:
        for logger, level, handlers in earlier:
            logger.setLevel(level)
            logger.handlers[:] = handlers
    result = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert result == [{"level": "warning", "message": "host:1: refused"}, {"status": 200}]
