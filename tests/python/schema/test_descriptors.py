"""describe(json=True) of the corpus against the descriptors of the Apache compiler."""

import csv
import importlib.util
import json

import pytest
import thriftlens as tl


@pytest.fixture(scope="module")
def compare(shared):
    spec = importlib.util.spec_from_file_location(
        "compare_descriptors", shared / "corpus" / "compare_descriptors.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.compare


def corpus(shared):
    with open(shared / "corpus" / "open" / "MANIFEST.tsv", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            folders = [
                shared / "corpus" / folder for folder in row["include_dirs"].split(":") if folder
            ]
            yield row["path"], folders


def test_646_files_equal_their_golden_descriptors(shared, compare):
    equal = 0
    for path, folders in corpus(shared):
        golden = shared / "corpus-golden" / f"{path}.json"
        if not golden.exists():
            continue
        description = json.loads(
            tl.load(shared / "corpus" / path, include_dirs=folders).describe(json=True)
        )
        expected = json.loads(golden.read_text(encoding="utf-8", errors="surrogateescape"))
        assert compare(description, expected) == [], path
        equal += 1
    assert equal == 646


def test_invalid_files_are_refused_with_kind_and_location(samples):
    with open(samples / "idl-negative" / "expected.tsv", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    assert len(rows) >= 70
    for row in rows:
        path = samples / "idl-negative" / row["file"]
        if row["file"] in (
            "undef_type_typedef.thrift",
            "oneway_throws.thrift",
        ):  # a warning where lenient
            assert [warning.kind for warning in tl.load(path).warnings] == [row["kind"]]
            row["mode"] = "strict"
        with pytest.raises(tl.SchemaError) as caught:
            tl.load(path, strict=row["mode"] == "strict")
        places = [
            (
                diagnostic.kind,
                diagnostic.file.rsplit("/", 1)[-1],
                diagnostic.line,
                diagnostic.column,
            )
            for diagnostic in caught.value.diagnostics
        ]
        assert (row["kind"], row["error_file"], int(row["line"]), int(row["col"])) in places, row[
            "file"
        ]
