"""Converts HTTP requests to Thrift bytes and Thrift bytes to HTTP responses, by the annotations of
an IDL. Not a server.

>>> import thriftlens as tl
>>> idl = tl.loads('''
... struct Find {
...   1: required i64 id (api.path="id"), 2: list<string> tags (api.query="tags"), 3: string note
... }
... struct Found {
...   1: i32 status (api.http_code=""), 2: string etag (api.header="ETag"), 3: string name
... }
... service Shop { Found find(1: Find req) (api.post="/items/:id") }
... ''')
>>> plan = tl.http.plan(idl.services["Shop"].functions["find"])
>>> plan.routes
[Route(method='POST', path='/items/:id')]
>>> data = plan.request(
...     method="POST", url="/items/7?tags=a,b", path_params={"id": "7"}, body=b'{"note": "x"}'
... )
>>> idl.services["Shop"].functions["find"].arguments.decode(data)
{'req': {'id': 7, 'tags': ['a', 'b'], 'note': 'x'}}
>>> answer = plan.response(idl.Found.encode({"status": 201, "etag": "e1", "name": "n"}))
>>> answer.status, answer.headers, answer.body
(201, [('ETag', 'e1')], b'{"name":"n"}')
"""

from ._http.openapi import openapi
from ._http.plan import Plan, Response, Route, Source, plan
from ._http.router import Match, Router

__all__ = ["Match", "Plan", "Response", "Route", "Router", "Source", "openapi", "plan"]
