"""OpenAPI documents of IDL, validated."""

import json

import pytest
import thriftlens as tl

validator = pytest.importorskip("openapi_spec_validator")


def document_of(text, **options):
    document = json.loads(json.dumps(tl.http.openapi(tl.loads(text), **options)))
    validator.validate(document)
    return document


def schema_of(fields, **options):
    """The schema of a struct in an answer."""
    text = f"""
        enum K {{ A = 1, B = -2 }} union U {{ 1: i32 a, 2: string b }} struct R {{ {fields} }}
        service S {{ R r() (api.get = "/r") }}
    """
    document = document_of(text, **options)
    return document["components"]["schemas"]["R"], document["components"]["schemas"]
