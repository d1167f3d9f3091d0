"""Unix sockets."""

import contextlib
import os
import socket

import pytest
import thriftlens as tl
from server_peers import HANDLER, IDL


def test_a_second_server_does_not_take_over_the_path_of_a_living_one(tmp_path):
    path = str(tmp_path / "socket")
    with tl.serve(IDL, "Shop", HANDLER, unix=path, background=True) as server:
        with pytest.raises(OSError, match="another server listens"):
            tl.serve(IDL, "Shop", HANDLER, unix=path, background=True)
        with tl.connect(server.address, IDL) as client:
            assert client.get(5) == 5
    assert not os.path.exists(path)
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(path)
    stale.close()
    with tl.serve(IDL, "Shop", HANDLER, unix=path, background=True) as server:
        with tl.connect(server.address, IDL) as client:
            assert client.get(6) == 6
        os.unlink(path)  # by another process that listens there now
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as other:
            other.bind(path)
            other.listen()
            server.close()
            assert os.path.exists(path)
    os.unlink(path)
    (tmp_path / "socket").write_text("a file")
    with pytest.raises(OSError):
        tl.serve(IDL, "Shop", HANDLER, unix=path, background=True)
    assert (tmp_path / "socket").read_text() == "a file"
