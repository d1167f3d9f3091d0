"""Store: the current version of a schema."""

import pickle
import threading

import pytest
import thriftlens as tl

FIRST, SECOND, WRONG = (
    "service S { i64 add(1: i64 a) }",
    "service S { i64 add(1: i64 a) i64 sub(1: i64 a) }",
    "service S { i64 add(1: i23 a) }",
)


class Handler:
    def add(self, a):
        return a + 1

    def sub(self, a):
        return a - 1


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "s.thrift"
    path.write_text(FIRST)
    return path


def test_a_reload_replaces_the_schema(file):
    store = tl.Store(file)
    first = store.current
    assert (store.version, store.reload(), store.version) == (1, False, 1)
    file.write_text(SECOND)
    assert store.reload() and store.version == 2 and store.current is not first
    assert list(first.service("S").functions) == ["add"]
    assert repr(store) == f"<thriftlens.Store of {file}, version 2>"
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(store)


def test_an_error_keeps_the_schema(file):
    store = tl.Store(file)
    first = store.current
    file.write_text(WRONG)
    with pytest.raises(tl.SchemaError, match="i23"):
        store.reload()
    file.write_text("// being written\n")
    with pytest.raises(tl.SchemaError, match="s.thrift: the IDL has no definitions"):
        store.reload()
    file.unlink()
    with pytest.raises(tl.MissingFileError):
        store.reload()
    assert (store.current, store.version) == (first, 1)


def test_a_store_loads_with_its_options(tmp_path, file):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "base.thrift").write_text("struct B {}")
    file.write_text('include "base.thrift" struct A { 1: base.B b }')
    store = tl.Store(file, include_dirs=[tmp_path / "more"])
    assert "base.B" in store.current


def test_watching_reports_reloads_and_errors(file):
    store = tl.Store(file)
    outcomes, arrived = [], threading.Semaphore(0)

    def report(outcome):
        outcomes.append(outcome)
        arrived.release()

    with store.watch(0.001, on_reload=report, on_error=report) as watched:
        assert watched is store
        for text in (SECOND, WRONG, FIRST):
            replacement = file.with_suffix(".new")
            replacement.write_text(text)
            replacement.replace(file)  # a reload never sees a file half written
            arrived.acquire()
    assert [type(outcome) for outcome in outcomes] == [tl.Schema, tl.SchemaError, tl.Schema]
    assert store.version == 3


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "x", None])
def test_an_interval_that_cannot_be_waited(file, seconds):
    with pytest.raises((tl.UsageError, TypeError), match="seconds must be a number of seconds"):
        with tl.Store(file).watch(seconds):
            pass


def test_a_server_follows_its_store(file):
    store = tl.Store(file)
    first = store.current
    with tl.serve(store, "S", Handler(), background=True) as server:
        with tl.connect(server.address, tl.loads(SECOND)) as client:
            with pytest.raises(tl.ApplicationError, match="no function"):
                client.sub(1)
            file.write_text(SECOND)
            assert store.reload()
            assert (client.add(1), client.sub(1)) == (2, 0)
        file.write_text("service S { i64 add(1: i64 a, 2: i64 b) }")
        with pytest.raises(TypeError, match="the handler of S.add takes"):  # it would not fit
            store.reload()
        with tl.connect(server.address, first) as client:
            assert client.add(1) == 2
    assert store.reload() and store.version == 3  # no server that it has to fit
