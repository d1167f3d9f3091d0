"""What must not be passed on, what must hold, and what differs: redact, validate, diff."""

import gc
import inspect
import math
import weakref

import pytest
import thriftlens as tl

IDL = """
typedef string Mail (pii = "hash")
struct Home { 1: string street, 2: required string zip } (pii = "keep_last(2)")
struct Person {
  1: required i64 id (vt.gt = "0")
  2: required string name (pii = "name", vt.max_size = "10")
  3: optional Mail mail
  4: list<string> nicks (pii = "drop")
  5: Home home
  6: map<string, string> extra
  7: list<Person> friends
  8: set<i32> marks
  9: double ratio
}
"""
ANN = {
    "id": 12345,
    "name": "Ann",
    "mail": "a@b.c",
    "nicks": ["A"],
    "home": {"street": "Main St", "zip": "12345"},
    "extra": {"mail": "x@y.z", "lang": "en"},
    "friends": [{"id": 6, "name": "Bob"}],
    "marks": {1, 2},
    "ratio": 0.5,
}
PROTOCOLS = ["binary", "compact"]


@pytest.fixture(scope="module")
def person():
    return tl.loads(IDL).Person


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_redact_by_annotation_and_path(person, protocol):
    data = person.encode(ANN, protocol=protocol)
    options = {
        "annotation": "pii",
        "values": {"name": "constant(nobody)"},
        "paths": {'$.extra{"mail"}': "blank"},
        "key": b"secret",
        "protocol": protocol,
    }
    out = person.decode(person.redact(data, **options), protocol=protocol)
    assert len(out["mail"]) == 16 and int(out["mail"], 16) >= 0
    changed = {
        **ANN,
        "name": "nobody",
        "mail": out["mail"],
        "home": {"street": "*****St", "zip": "***45"},
        "extra": {"mail": "", "lang": "en"},
        "friends": [{"id": 6, "name": "nobody"}],
    }
    del changed["nicks"]
    assert out == changed
    assert person.redact(data, **options) == person.redact(memoryview(bytearray(data)), **options)
    assert person.redact(data, **{**options, "key": b"other"}) != person.redact(data, **options)
    assert person.redact(data, paths={"$": "keep"}, protocol=protocol) == data


def test_redact_without_an_effective_rule(person):
    data = person.encode(ANN)

    def refused(code="bad_rule", **options):
        with pytest.raises(ValueError) as wrong:
            person.redact(data, **options)
        with pytest.raises(tl.Error) as same:
            person.redactions(**options)
        assert (wrong.value.code, str(wrong.value)) == (code, str(same.value))
        return str(wrong.value)

    assert (
        refused()
        == refused(unmatched="ignore")
        == refused(unknown="error")
        == "no rule: name an annotation, paths or types"
    )
    assert "has the annotation 'pij'; did you mean 'pii'?" in refused(annotation="pij")
    assert "has the value 'nmae'; did you mean 'name'?" in refused(
        annotation="pii", values={"nmae": "drop"}, key=b"k"
    )
    assert "need an annotation" in refused(values={"name": "drop"}, paths={"$.name": "blank"})
    assert "hash needs a key" in refused("missing_key", paths={"$.name": "hash"})
    assert "hash needs a key" in refused("missing_key", paths={"$.name": "hash"}, key=b"")
    assert "hash needs a key" in refused("missing_key", paths={"$.name": "hash"}, key=bytes(16))
    assert "nothing is hashed" in refused(paths={"$.name": "blank"}, key=b"secret")
    assert "all of $.home is replaced" in refused(
        paths={"$.home": "blank", "$.home.street": "keep"}
    )
    assert "by its wire bytes" in refused("wrong_type", paths={'$.extra{x"00000001"}': "drop"})
    plain = tl.loads("struct Plain { 1: i32 name }").Plain
    policy = {
        "annotation": "pii",
        "values": {"name": "drop"},
        "paths": {"$.extra": "drop"},
        "key": b"secret",
        "unmatched": "ignore",
    }
    assert plain.redact(plain.encode({"name": 1}), **policy) == plain.encode({"name": 1})
    assert plain.redactions(**policy) == [("#*", "drop", "not in the IDL")]
    with pytest.raises(TypeError, match="paths must be a dict of str to str, not list"):
        person.redact(data, paths=["$.name"])
    with pytest.raises(ValueError, match="unmatched must be 'error' or 'ignore'"):
        person.redact(data, annotation="pii", unmatched="skip")
    with pytest.raises(ValueError, match="missing_required must be 'error' or 'omit'"):
        person.redact(data, annotation="pii", missing_required="ignore")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_redact_drops_unknown_fields(person, protocol):
    other = tl.loads("struct Other { 1: i64 id, 77: string name }").Other
    damaged = other.encode({"id": 1, "name": "Ann"}, protocol=protocol)
    options = {"annotation": "pii", "key": b"secret", "protocol": protocol}
    with pytest.raises(tl.DecodeError) as wrong:
        person.redact(damaged, **options)
    assert (wrong.value.code, wrong.value.path) == ("missing_required", "$.name")
    reports = []
    assert person.redact(
        damaged, missing_required="omit", report=reports.append, **options
    ) == other.encode({"id": 1}, protocol=protocol)
    assert reports == [tl.RedactReport(replaced=0, dropped=1, unknown=1)]
    assert person.redact(damaged, missing_required="omit", unknown="keep", **options) == damaged
    with pytest.raises(tl.DecodeError) as wrong:
        person.redact(damaged, missing_required="omit", unknown="error", **options)
    assert wrong.value.code == "unknown_field"


def test_redactions_name_the_field_and_the_rule(person):
    redactions = person.redactions(
        annotation="pii",
        values={"name": "constant(x)"},
        paths={"$.name": "keep", '$.extra{"mail"}': "blank"},
        key=b"any",
    )
    assert all(type(redaction) is tl.Redaction for redaction in redactions)
    assert redactions == [
        ("$.name", "keep", "path $.name"),
        ("$.mail", "hash", 'its type (pii = "hash")'),
        ("$.nicks", "drop", 'field Person.nicks (pii = "drop")'),
        ("$.home.street", "keep_last(2)", 'struct Home (pii = "keep_last(2)")'),
        ("$.home.zip", "keep_last(2)", 'struct Home (pii = "keep_last(2)")'),
        ('$.extra{"mail"}', "blank", 'path $.extra{"mail"}'),
        # The rule of $.name is that of the root alone: friends have the annotation's.
        ("$.friends[*].name", "constant(x)", 'field Person.name (pii = "name")'),
        ("$.friends[*].mail", "hash", 'its type (pii = "hash")'),
        ("$.friends[*].nicks", "drop", 'field Person.nicks (pii = "drop")'),
        ("$.friends[*].home", "as $.home", 'struct Home (pii = "keep_last(2)")'),
        ("$.friends[*].friends", "as $.friends", "list<Person>"),
        ("#*", "drop", "not in the IDL"),
    ]


def test_redact_of_results_and_exceptions():
    idl = tl.loads("""
        exception Denied { 1: string who (pii = "blank") }
        service Users { string name(1: i64 id, 2: string token (pii = "drop"))
          throws (1: Denied denied) }""")
    name = idl.services["Users"].functions["name"]
    sent = name.arguments.encode({"id": 1, "token": "t"})
    assert name.arguments.decode(name.arguments.redact(sent, annotation="pii")) == {"id": 1}
    thrown = name.result.encode({"denied": {"who": "Ann"}})
    assert name.result.decode(name.result.redact(thrown, annotation="pii")) == {
        "denied": {"who": ""}
    }


def test_redact_errors(person):
    data = person.encode(ANN)
    with pytest.raises(tl.SchemaError, match="scramble") as wrong:
        person.redact(data, paths={"$.name": "scramble"})
    assert wrong.value.code == "bad_rule"
    with pytest.raises(tl.Error, match="field 'name' of Person: .*required") as wrong:
        person.redact(data, paths={"$.name": "drop"})
    assert wrong.value.code == "bad_rule"
    with pytest.raises(tl.UnknownNameError, match="nmae"):
        person.redact(data, paths={"$.nmae": "drop"})
    with pytest.raises(tl.DecodeError) as wrong:
        person.redact(data[:-1], annotation="pii", key=b"secret")
    assert wrong.value.code == "truncated"
    with pytest.raises(ValueError, match="16 bytes"):
        person.redact(data, key=bytes(17))
    with pytest.raises(ValueError, match="'drop', 'keep' or 'error'"):
        person.redact(data, paths={"$": "keep"}, unknown="skip")
    with pytest.raises(ValueError, match="protocol"):
        person.redact(data, protocol="json")
    with pytest.raises(TypeError):
        person.redact("text", paths={"$": "keep"})


def test_redact_compiles_rules_once_and_bounds_its_cache(person):
    data = person.encode(ANN)
    for i in range(100):
        assert person.decode(person.redact(data, paths={"$.name": f"constant({i})"}))[
            "name"
        ] == str(i)
    assert person._compiled <= 16


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_validate(person, protocol):
    assert person.validate(person.encode(ANN, protocol=protocol), protocol=protocol) is None
    bad = person.encode(
        {**ANN, "id": -1, "name": "far too long a name", "friends": [{"id": 0, "name": "Bob"}]},
        protocol=protocol,
    )
    with pytest.raises(tl.DecodeError) as wrong:
        person.validate(bad, protocol=protocol)
    assert (wrong.value.code, wrong.value.path) == ("broken_rule", "$.id")
    findings = person.findings(bad, protocol=protocol)
    assert [(finding.code, finding.path) for finding in findings] == [
        ("broken_rule", "$.id"),
        ("broken_rule", "$.name"),
        ("broken_rule", "$.friends[0].id"),
    ]
    assert all(
        type(finding) is tl.DecodeError and isinstance(finding.offset, int) for finding in findings
    )
    assert len(person.findings(bad, max_findings=2, protocol=protocol)) == 2
    assert person.findings(bad, rules="ignore", protocol=protocol) == []


def test_validate_checks_more_than_decode(person):
    empty = tl.loads("struct S { 1: string s, 99: i32 more }").S
    assert [
        finding.code for finding in person.findings(empty.encode({"more": 1}), unknown="error")
    ] == ["unknown_field", "missing_required", "missing_required"]
    assert [finding.code for finding in person.findings(person.encode(ANN) + b"\0")] == [
        "trailing_bytes"
    ]
    with pytest.raises(tl.SchemaError, match="vt.gt"):
        tl.loads('struct S { 1: i32 a (vt.gt = "x") }').S.validate(b"\0")
    with pytest.raises(ValueError, match="'known' or 'any'"):
        person.validate(b"", enum_numbers="none")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("right_protocol", [None, *PROTOCOLS])
def test_diff(person, protocol, right_protocol):
    data = person.encode(ANN, protocol=protocol)
    other = {
        **ANN,
        "name": "Anna",
        "marks": {1, 3},
        "friends": [{"id": 6, "name": "Bob"}, {"id": 7, "name": "Cid"}],
        "extra": {"lang": "de"},
        "ratio": math.inf,
    }
    del other["mail"]
    differences = person.diff(
        data,
        person.encode(other, protocol=right_protocol or protocol),
        protocol=protocol,
        right_protocol=right_protocol,
    )
    assert all(type(difference) is tl.Difference for difference in differences)
    assert sorted(
        (kind, path.replace("[1]", "[.]") if "marks" in path else path, lhs, rhs)
        for kind, path, lhs, rhs in differences
        if "marks" not in path
    ) == [
        ("added", "$.friends[1]", None, {"id": 7, "name": "Cid"}),
        ("changed", '$.extra{"lang"}', "en", "de"),
        ("changed", "$.name", "Ann", "Anna"),
        ("changed", "$.ratio", 0.5, math.inf),
        ("removed", '$.extra{"mail"}', "x@y.z", None),
        ("removed", "$.mail", "a@b.c", None),
    ]
    assert sorted((kind, lhs, rhs) for kind, path, lhs, rhs in differences if "marks" in path) == [
        ("added", None, 3),
        ("removed", 2, None),
    ]
    assert person.diff(data, data, protocol=protocol) == []
    assert (
        len(
            person.diff(
                data, person.encode(other, protocol=protocol), max_differences=3, protocol=protocol
            )
        )
        == 3
    )


def test_diff_of_unknown_fields(person):
    more = tl.loads("struct S { 1: i64 id, 2: i32 name, 99: i32 more }").S
    differences = person.diff(
        person.encode({"id": 1, "name": "A"}), more.encode({"id": 1, "name": 2, "more": 3})
    )
    assert differences == [
        ("changed", "$.name", "A", b"\0\0\0\2"),
        ("added", "$.#99", None, b"\0\0\0\3"),
    ]
    with pytest.raises(tl.DecodeError) as wrong:
        person.diff(person.encode(ANN), person.encode(ANN)[:-3])
    assert wrong.value.code == "truncated"
    with pytest.raises(tl.DecodeError) as wrong:
        person.diff(person.encode(ANN), person.encode(ANN) + b"\0")
    assert wrong.value.code == "trailing_bytes"


def test_cached_options_are_distinguished():
    of = tl.loads(
        'struct T { 1: string a (pii = "x"), 2: string b (pii = "y"), 3: i32 c (vt.gt = "0") }'
    ).T
    data = of.encode({"a": "one", "b": "two", "c": 3})
    values = {"x": "keep"}
    for _ in range(3):
        assert of.decode(of.redact(data, annotation="pii")) == {"a": "", "b": "", "c": 3}
        assert of.decode(of.redact(data, annotation="pii", values=values)) == {
            "a": "one",
            "b": "",
            "c": 3,
        }
        values["x"] = "drop"  # the same dict, changed
        assert of.decode(of.redact(data, annotation="pii", values=values)) == {"b": "", "c": 3}
        values["x"] = "keep"
        assert of.decode(of.redact(data, annotation="pii", default_action="drop")) == {"c": 3}
        for paths in ({"$.a": "keep", "$.#1": "drop"}, {"$.#1": "drop", "$.a": "keep"}):
            last = of.decode(of.redact(data, paths=paths))
            assert ("a" in last) == (list(paths)[-1] == "$.a")
        with pytest.raises(ValueError):
            of.redact(data, annotation="pi")
        with pytest.raises(ValueError):
            of.redact(data, annotation="pii", unknown="nonsense")
        with pytest.raises(TypeError, match="annotation must be a str"):
            of.redact(data, annotation=b"pii")
        with pytest.raises(TypeError, match="unexpected keyword"):
            of.redact(data, annotatoin="pii")
        with pytest.raises(TypeError):
            of.redact(data, data, annotation="pii")
        assert of.validate(data) is None and of.findings(data) == []
        with pytest.raises(tl.DecodeError):
            of.validate(of.encode({"c": 0}))
        assert of.validate(of.encode({"c": 0}), rules="ignore") is None
        assert [finding.code for finding in of.findings(of.encode({"c": 0}), max_findings=5)] == [
            "broken_rule"
        ]
        assert of.diff(data, data) == [] and [
            difference.left for difference in of.diff(data, of.encode({"a": "one", "b": "two"}))
        ] == [3]
        packed = of.encode({"a": "one"}, protocol="compact")
        assert of.diff(data, packed, right_protocol="compact", max_differences=1) == of.diff(
            data, of.encode({"a": "one"}), max_differences=1
        )
        assert len(of.diff(data, packed, right_protocol="compact", max_differences=2)) == 2
        for i in range(40):  # more than the cache holds
            assert of.decode(of.redact(data, annotation="pii", default_action=f"constant({i})"))[
                "a"
            ] == str(i)


def test_compiled_rules_are_cached():
    """Compiled rules are cached; a cache hit adds no entry."""
    of = tl.loads('struct T { 1: string a (pii = "x") }').T
    data = of.encode({"a": "one"})
    for i in range(5):
        of.redact(data, annotation="".join(["pi", "i"]), values=dict(x="drop"))
        of.redact(data, annotation="pii", values={"x": "drop"}, report=lambda report, i=i: None)
        of.validate(data, keys="unique")
    assert of._compiled == 3


def test_rules_do_not_keep_their_type():
    of = tl.loads('struct T { 1: string a (pii = "x") }').T
    gone = weakref.ref(of)
    of.redact(of.encode({"a": "one"}), annotation="pii")
    of.validate(b"\0")
    del of
    gc.collect()
    assert gone() is None


def test_methods_have_signatures():
    assert (
        "annotation" in inspect.signature(tl.Type.redact).parameters
        and tl.Type.validate.__name__ == "validate"
    )
    bound = tl.loads("struct T {}").T.validate
    assert bound(b"\0") is None and bound(data=b"\0") is None


def test_errors_of_rules_name_what_is_wrong():
    schema = tl.loads(
        'typedef string Mail (pii = "drop") struct Sent { 1: map<i32, map<Mail, i32>> counts } '
        "struct Plain { 1: string a }"
    )
    with pytest.raises(
        tl.SchemaError, match="field 'counts' of Sent: keys of a map cannot be dropped"
    ):
        schema["Sent"].redactions(annotation="pii")
    for unmatched in ("error", "ignore"):
        with pytest.raises(tl.SchemaError, match="path of a rule is empty"):
            schema["Plain"].redact(b"\0", paths={"": "keep"}, unmatched=unmatched)
    with pytest.raises(TypeError, match="^key is bytes, not str$"):
        schema["Plain"].redact(b"\0", paths={"$.a": "hash"}, key="secret")
