"""The public names of tl.hive."""

import pickle

import thriftlens as tl


def test_public_names_belong_to_the_module():
    assert {getattr(tl.hive, name).__module__ for name in tl.hive.__all__} == {"thriftlens.hive"}


def test_classes_can_be_pickled_by_their_public_names():
    column = tl.hive.Column("a", "bigint")
    assert pickle.loads(pickle.dumps(column)) == column
    assert pickle.loads(pickle.dumps(tl.hive.HiveError)) is tl.hive.HiveError
