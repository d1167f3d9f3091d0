"""Shared by the tests of service options."""

import pytest
import thriftlens as tl

IDL = tl.loads("""
    service Base { string version() }
    service Shop extends Base { i32 get(1: i64 id, 2: string note),
      oneway void note(1: string text), i32 from(1: i32 context) }
    service Other { void other() }
    service Nothing {}
    """)
RANGE = "must be an integer from 1 to"


def is_wrong(kind, message, call, *arguments, **options):
    """The call raises an error of this kind with this message."""
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    assert message in str(caught.value), str(caught.value)
    assert not isinstance(caught.value, tl.TransportError)
