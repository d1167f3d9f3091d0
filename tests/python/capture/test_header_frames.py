"""Messages in frames of THeader and TTHeader."""

import pytest
import thriftlens as tl
from captured_packets import call, reply
from thriftlens import _core
from thriftlens._capture.header_frames import read_header_frame


def frame_of(transport, headers):
    session = _core.Session("client", transport=transport, protocol="compact")
    _, data = session.call("total", b"\0", headers=headers)
    return data


@pytest.mark.parametrize("transport", ["header", "ttheader", "ttheader_framed"])
def test_a_call_without_its_secret_headers(transport):
    headers = {"trace": "t1", "Authorization": "secret"}
    framing = transport.partition("_")[0]
    message, name, public = read_header_frame(frame_of(transport, headers), framing)
    assert (message.name, message.kind, message.protocol) == ("total", "call", "compact")
    assert (name, public.get("trace")) == (transport, "t1")
    assert "secret" not in public.values()


@pytest.mark.parametrize("payload", [call(1), reply(1, 2)])
def test_a_frame_of_another_transport_is_an_error(payload):
    frame = len(payload).to_bytes(4, "big") + payload
    with pytest.raises(tl.DecodeError, match="^invalid header frame: "):
        read_header_frame(frame, "header")
