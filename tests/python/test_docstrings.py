"""Every example in a docstring runs, and everything public says what it is."""

import doctest
import inspect

import pytest

import thriftlens as tl

PUBLIC = [getattr(tl, name) for name in tl.__all__ if name != "__version__"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def documented():
    yield "thriftlens", tl.__doc__
    for each in PUBLIC:
        yield each.__name__, each.__doc__
        if inspect.isclass(each):
            for name, member in inspect.getmembers(each):
                if not name.startswith("_") and name not in dir(tuple) and name not in dir(Exception) and member is not None:
                    yield f"{each.__name__}.{name}", member.__doc__


@pytest.mark.parametrize("name, text", list(documented()))
def test_examples_run(name, text):
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_grammar_of_paths_and_selections_stands_in_the_help():
    assert tl.grammar.PATHS in tl.__doc__ and tl.grammar.SELECTIONS in tl.__doc__
    assert "$.items[3].price" in tl.grammar.PATHS and "{ id user { name } items" in tl.grammar.SELECTIONS
