"""The ceiling of a server of ASGI: an application that does nothing."""

BODY = b'{"hello":"world"}'
START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(BODY))],
}
END = {"type": "http.response.body", "body": BODY}


async def app(scope, receive, send):
    if scope["type"] != "http":
        raise NotImplementedError
    await send(START)
    await send(END)
