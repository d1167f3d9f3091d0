"""Arguments by position and by name."""

import pytest
import thriftlens as tl
from thriftlens._rpc.arguments import Arguments

IDL = tl.loads("service S { void f(1: i32 a, 2: i32 import, 3: i32 c = 5), void g(1: i32 a) }")
F, G = (Arguments(IDL.service("S").functions[name]) for name in "fg")


@pytest.mark.parametrize(
    "values, named, bound",
    [
        ((1, 2), {}, {"a": 1, "import": 2}),
        ((1,), {"import_": 2}, {"a": 1, "import": 2}),
        ((), {"a": 1, "import": 2, "c": 1}, {"a": 1, "import": 2, "c": 1}),
    ],
)
def test_arguments_are_bound_to_the_names_of_the_idl(values, named, bound):
    assert F.bind(values, named) == bound


@pytest.mark.parametrize(
    "arguments, values, named, message",
    [
        (F, (1, 2, 3, 4), {}, r"f\(\) takes 3 arguments, not 4"),
        (G, (1, 2), {}, r"g\(\) takes 1 argument, not 2"),
        (F, (1,), {"a": 2}, r"f\(\) got two values for 'a'"),
        (F, (), {"impot": 2}, r"f\(\) has no argument 'impot'; did you mean 'import'"),
        (F, (), {}, r"f\(\) is missing 'a', 'import'"),
    ],
)
def test_calls_that_python_would_reject(arguments, values, named, message):
    with pytest.raises(TypeError, match=message):
        arguments.bind(values, named)


def test_call_takes_arguments_by_name_only():
    assert F.check_named(None) == F.check_named(()) == {}
    with pytest.raises(TypeError, match=r"by name, \{'a': …\}, not list; use client.g\(…\)"):
        G.check_named([1])
