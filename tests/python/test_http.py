"""The public names of tl.http."""

import thriftlens as tl


def test_public_names_belong_to_the_module():
    assert {getattr(tl.http, name).__module__ for name in tl.http.__all__} == {"thriftlens.http"}
