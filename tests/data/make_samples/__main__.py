"""Regenerates tests/data/samples, or writes its files to a folder: `python3 tests/data/make_samples
[folder]` (pip install thrift;
Debian: thrift-compiler).

Run by developers; the output is committed. Bytes that are sound come from Apache Thrift's own
Python library, and its generated code has read all of them; plain JSON and all invalid samples come
from the other modules here. Nothing of thriftlens is used. ../README.md describes the samples."""

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from make_samples import envelopes, idl, json_texts, malicious, payloads, valid, wire  # noqa: E402

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
VECTORS = Path("vectors") / "open"  # the schemas in SAMPLES are not generated and stay
ENDINGS = {"binary": ".bin", "compact": ".cmp", "tjson": ".tjson"}


def structs():
    types = wire.generated(SAMPLES / VECTORS / "open.thrift", "open_py")
    structs = {
        name: wire.struct_of(class_)
        for name, class_ in vars(types).items()
        if hasattr(class_, "thrift_spec")
    }
    text, uuid_ = ("string",), ("uuid",)
    kinds = [
        ("u", uuid_),
        ("lu", ("list", uuid_)),
        ("mu", ("map", uuid_, text)),
        ("su", ("set", uuid_)),
        ("mv", ("map", text, uuid_)),
        ("tail", ("i32",)),
    ]
    # The compilers of Debian know no uuid, the library does.
    structs["Uuids"] = wire.Struct(
        "Uuids", {name: (number, kind) for number, (name, kind) in enumerate(kinds, 1)}
    )
    return structs


def has_text(struct, tags):
    """Whether Apache's Python library writes the value's text so that it is JSON: no NaN, no uuid,
    no invalid keys."""
    return tags != ["nonfinite"] and struct.name not in ("Uuids", "StructKeys")


def check(name, struct, binary, compact):
    """Apache's generated code reads both; what it read, written again, is the same value."""
    if (
        struct.class_ is None or struct.name == "StructKeys"
    ):  # its Python has no keys that are lists or structs
        return
    structs_read = [
        wire.read_by_apache(protocol, struct.class_, data)
        for protocol, data in (("binary", binary), ("compact", compact))
    ]
    rewritten = [wire.written_by_apache(value) for value in structs_read]
    assert rewritten[0] == rewritten[1], name
    # Its constructors fill in defaults, its sets have no order, and it writes the fields in order.
    if struct.name not in ("Mixed", "Sets", "Lists", "Nested") and name != "out_of_order":
        assert rewritten[0] == binary, name


def put(folder, file, data):
    (folder / file).write_bytes(data)
    return {"file": file}


def valid_rows(folder, known):
    for number, (name, struct, value, tags) in enumerate(valid.all_values(known)):
        label = f"v{number:04}_{name}"
        protocols = [ending for ending in ENDINGS if ending != "tjson" or has_text(struct, tags)]
        data = {protocol: wire.encoded(protocol, struct, value) for protocol in protocols}
        check(name, struct, data["binary"], data["compact"])
        row = {
            "id": label,
            "schema": "uuids" if struct.name == "Uuids" else "open",
            "struct": struct.name,
            "tags": tags,
            "encodings": {
                protocol: put(folder, f"valid/{label}{ENDINGS[protocol]}", data[protocol])
                for protocol in protocols
            },
            "plain": put(
                folder,
                f"valid/{label}.json",
                wire.json_text(wire.plain(("struct", struct), value)).encode(),
            ),
            "nonfinite": tags == ["nonfinite"],
        }
        yield row | ({"options": {"nonfinite": "string"}} if row["nonfinite"] else {})


def malicious_rows(folder):
    rows = [
        ("thrift", protocol, category, struct, data, ENDINGS[protocol], expect, kinds, reason, {})
        for category, struct, protocol, data, expect, kinds, reason in malicious.all_bytes()
    ]
    rows += [
        ("json", "plain", category, struct, data, ".json", expect, kinds, reason, options)
        for category, struct, data, expect, kinds, reason, options in json_texts.all_texts()
    ]
    rows += [
        ("idl", "thrift", "idl", "-", text, ".thrift", expect, kinds, "", {})
        for text, expect, kinds in idl.TEXTS
    ]
    rows += [
        ("tjson", "json", "tjson", struct, text, ".tjson", expect, [], reason, {})
        for struct, text, expect, reason in json_texts.APACHE_TEXTS
    ]
    for number, (
        surface,
        protocol,
        category,
        struct,
        data,
        ending,
        expect,
        kinds,
        reason,
        options,
    ) in enumerate(rows):
        label = f"m{number:04}_{category}"
        row = {
            "id": label, "cat": category, "expect": expect, "kinds": kinds, "protocol": protocol,
            "schema": "open", "struct": struct, "surface": surface, "why": reason,
        }  # fmt: skip
        row |= put(
            folder, f"malicious/{label}{ending}", data if isinstance(data, bytes) else data.encode()
        )
        yield row | ({"options": options} if options else {})


def envelope_rows(folder, service):
    for number, (protocol, data, expect) in enumerate(envelopes.all_messages(service)):
        label = f"e{number:04}"
        yield {
            "id": label,
            "expect": expect,
            "protocol": protocol,
            **put(folder, f"envelope/{label}_{protocol}.msg", data),
        }


def main(samples=SAMPLES):
    folder = samples / VECTORS
    for path in (
        folder / "valid",
        folder / "malicious",
        folder / "envelope",
        samples / "payloads",
        samples / "idl-negative",
    ):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
    known = structs()
    import open_py.Svc

    manifest = {
        "valid": list(valid_rows(folder, known)),
        "malicious": list(malicious_rows(folder)),
        "envelope": list(envelope_rows(folder, open_py.Svc)),
    }
    manifest |= {"counts": {name: len(rows) for name, rows in manifest.items()}, "format": 1}
    manifest["schemas"] = {name: f"{name}.thrift" for name in ("open", "uuids")}
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    payloads.write_files(samples / "payloads")
    invalid = idl.write_files(samples / "idl-negative")
    size = sum(file.stat().st_size for file in samples.rglob("*") if file.is_file())
    print(f"{manifest['counts']}, {invalid} invalid IDL files, {size} bytes: {samples}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
