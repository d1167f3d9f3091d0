"""Every target over fixed seeds; THRIFTLENS_PROVE_CASES sets their number."""

import os

import pytest
from proving.registry import TARGETS, load_targets

load_targets()
CASES = int(os.environ.get("THRIFTLENS_PROVE_CASES", "300"))


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_target(name):
    target = TARGETS[name]
    cases = max(1, CASES // target.cost)
    for seed in range(cases):
        try:
            target.check(seed)
        except Exception as error:
            raise AssertionError(f"python tests/prove/run.py {name} --seed {seed}") from error
    assert cases > 0
