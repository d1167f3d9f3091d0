"""Every public name has a target or a reason."""

from proving.public_names import EXEMPT, public_names, reason_of, targets_of
from proving.registry import TARGETS, load_targets

load_targets()
NAMES = public_names()


def test_public_names_have_a_target_or_a_reason():
    assert not [name for name in NAMES if not targets_of(name) and not reason_of(name)]


def test_exempt_names_are_public_and_have_no_target():
    assert set(EXEMPT) <= set(NAMES)
    assert not [name for name in EXEMPT if targets_of(name)]


def test_targets_name_only_public_names():
    listed = {name for target in TARGETS.values() for name in target.reaches}
    special = {name for name in listed if "__" in name}
    assert {name.split(".")[0] for name in special} <= set(NAMES)
    assert listed - special <= set(NAMES)
