"""Every example in a docstring runs, and every public name has a docstring."""

import doctest
import inspect

import pytest
import thriftlens as tl

PUBLIC = [getattr(tl, name) for name in tl.__all__ if name != "__version__"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


NEEDED = {
    "arrow": "pyarrow",
    "duckdb": "duckdb",
    "kafka": "confluent_kafka",
    "parquet": "pyarrow",
    "polars": "polars",
    "spark": "pyspark",
}


def members_of(name, of):
    yield name, of.__doc__
    if inspect.isclass(of):
        for inner, member in inspect.getmembers(of):
            if (
                not inner.startswith("_")
                and inner not in dir(tuple)
                and inner not in dir(OSError)
                and member is not None
            ):
                yield f"{name}.{inner}", member.__doc__


def documented():
    """Name and docstring of all that is public, of the modules too."""
    yield "thriftlens", tl.__doc__
    for class_ in PUBLIC:
        yield from members_of(class_.__name__, class_)
        if inspect.ismodule(class_):
            own = [
                inner
                for inner, member in vars(class_).items()
                if not inner.startswith("_")
                and getattr(member, "__module__", None) == class_.__name__
            ]
            for inner in getattr(class_, "__all__", own):
                yield from members_of(f"{class_.__name__}.{inner}", getattr(class_, inner))


@pytest.mark.parametrize("name, text", list(documented()))
def test_examples_run(name, text):
    assert text, f"{name} has no docstring"
    needed = NEEDED.get(name.partition(".")[2].partition(".")[0])
    if ">>>" in text and needed is not None:
        pytest.importorskip(needed)
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_help_has_the_grammar_of_paths_and_selections():
    assert tl.grammar.PATHS in tl.__doc__ and tl.grammar.SELECTIONS in tl.__doc__
    assert "$.items[3].price" in tl.grammar.PATHS
    assert "{ id user { name } items" in tl.grammar.SELECTIONS
