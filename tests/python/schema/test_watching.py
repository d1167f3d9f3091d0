"""Changes of files."""

from thriftlens._schema.watching import ChangeDetector, changes, signature_of, with_siblings


def test_changes_are_seen_between_two_looks(tmp_path):
    first, second = tmp_path / "a.thrift", tmp_path / "b.thrift"
    first.write_text("struct A {}")
    steps = iter(
        [
            lambda: None,
            lambda: second.write_text("struct B {}"),
            lambda: None,
            lambda: first.write_text("struct A { 1: i32 x }"),
            lambda: None,
            lambda: None,
            second.unlink,
            lambda: None,
            lambda: True,
        ]
    )
    seen = [
        {file.name for file in with_siblings([first])}
        for _ in changes(lambda: with_siblings([first]), lambda: next(steps)() is True)
    ]
    assert seen == [{"a.thrift"}, {"a.thrift", "b.thrift"}, {"a.thrift", "b.thrift"}, {"a.thrift"}]


def test_a_file_that_is_being_written_has_not_changed_yet():
    detector = ChangeDetector("first")
    looks = ["first", "empty", "half", "second", "second", "second", "half", "second"]
    assert [look for look in looks if detector.is_changed(look)] == ["second"]


def test_a_missing_file_has_no_signature(tmp_path):
    assert signature_of([tmp_path / "missing"]) == frozenset()
