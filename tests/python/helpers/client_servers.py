"""Shared by the tests of client servers."""

import threading

import pytest
import thriftlens as tl

IDL = tl.loads("""
    enum Status { NEW = 1, PAID = 2 }
    exception NotFound { 1: i64 id, 2: string message, 3: i32 args = 7 }
    struct Order { 1: required i64 id, 2: Status status, 3: string note }
    service Base { string version() }
    /** A shop. */
    service Shop extends Base {
      /** An order by its id. */
      Order get(1: i64 id = 4, 2: Order like) throws (1: NotFound missing),
      list<Order> all(1: i32 count),
      i32 add(1: i32 a, 2: i32 b, 3: i32 c = 0),
      oneway void note(1: string text),
      void close(1: i64 id),
      i32 import(1: i32 from),
      i32 select(1: i32 timeout, 2: i32 result),
      string wait(1: string name)
    }
    """)
NotFound = IDL.exceptions["NotFound"]


class Shop:
    def __init__(self):
        self.notes = []
        self.go_on = threading.Event()

    def version(self):
        return "1"

    def get(self, id, like):
        if id < 0:
            raise NotFound(id, "no such order")
        return {"id": id, "status": 2, "note": like["note"] if like else "x"}

    def all(self, count):
        return [{"id": index, "note": "n" * 100} for index in range(count)]

    def add(self, a, b, c):
        return a + b + (c or 0)

    def note(self, text):
        self.notes.append(text)

    def close(self, id):
        pass

    def select(self, timeout, result):
        return timeout - result

    def wait(self, name):
        assert self.go_on.wait(600)
        return name

    def __getattr__(self, name):
        if name == "import":
            return lambda number: number
        raise AttributeError(name)


@pytest.fixture
def shop():
    return Shop()


@pytest.fixture(params=["buffered", "framed"])
def server(shop, request):
    with tl.serve(IDL, "Shop", shop, transport=request.param, background=True) as server:
        server.transport = request.param
        yield server


@pytest.fixture
def client(server, protocol):
    with tl.connect(
        server.address, IDL, "Shop", transport=server.transport, protocol=protocol, timeout=600
    ) as client:
        yield client
