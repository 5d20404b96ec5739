"""One public namespace: lazy, complete, and the same for people and type checkers."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import veracity as vc
from docs.docstrings import described, example_of, parameters_of, undescribed

STUB = Path(vc.__file__).with_suffix(".pyi").read_text("utf-8")
VERBS = """predictions score estimate scorecard curve plot best_threshold slices worst explain catalogue
           per_row per_counts per_ordering dominance read_predictions"""


@pytest.mark.parametrize("name", vc.__all__)
def test_every_name_resolves_to_what_its_module_defines(name):
    found = getattr(vc, name)
    assert found.__name__ == name
    assert found.__doc__


def test_the_verbs_of_the_interface_are_there():
    assert set(VERBS.split()) <= set(vc.__all__)


def test_type_checkers_see_the_same_names():
    imports = [node for node in ast.parse(STUB).body if isinstance(node, ast.ImportFrom) and "." in node.module]
    assert sorted(alias.asname for node in imports for alias in node.names) == vc.__all__


def test_all_and_dir_agree():
    assert vc.__all__ == dir(vc) == sorted(set(vc.__all__))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match=re.escape("veracity has no 'nothing'")):
        vc.__getattr__("nothing")
    assert not hasattr(vc, "metric")


def test_import_loads_nothing_heavy():
    code = "import sys, veracity; print(sorted({'numpy', 'scipy', 'click', 'duckdb', 'numba'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_a_star_import_brings_all_names():
    space: dict[str, object] = {}
    exec("from veracity import *", space)
    assert set(vc.__all__) <= set(space)


def test_the_lab_is_at_hand():
    code = "import veracity as vc; print(vc.lab.coverage('shares(share=0.3)', methods='wald', rows=9)[0].trials)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "10"


@pytest.mark.parametrize("name", vc.__all__)
def test_every_parameter_and_field_is_described_and_has_an_example(name):
    assert undescribed(name, getattr(vc, name)) == []


@pytest.mark.parametrize("name", vc.__all__)
def test_descriptions_are_sentences(name):
    texts = described(getattr(vc, name))
    assert {word: text for word, text in texts.items() if not re.fullmatch(r"[^a-z].*[.?]", text)} == {}


@pytest.mark.parametrize("name", [name for name in vc.__all__ if name.islower()])
def test_types_say_more_than_any(name):
    """But of words that are handed on."""
    parts = parameters_of(getattr(vc, name))
    assert [part for part in parts if not part.name.startswith("*") and re.match(r"Any\b", part.typed)] == []


def test_what_nobody_described_is_told():
    def new(thing):
        """Something new.

        Parameters
        ----------
        other
            Something else.
        """

    assert undescribed("new", new) == [
        "new: thing is not described",
        "new: other is described and is not there",
        "new has no example",
    ]


FITS = re.compile(r"evaluate|learning_curve|validation_curve|bias_variance|permutation_test")


def run_example(name):
    import doctest

    test = doctest.DocTestParser().get_doctest(f"{example_of(getattr(vc, name))}\n", {"vc": vc}, name, "docstring", 0)
    told = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=told.append)
    return "".join(told)


@pytest.mark.parametrize("name", [name for name in vc.__all__ if not FITS.search(example_of(getattr(vc, name)))])
def test_examples_answer_as_they_say(name, same_folder):
    assert run_example(name) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in vc.__all__ if FITS.search(example_of(getattr(vc, name)))])
def test_examples_that_fit_answer_as_they_say(name, same_folder):
    assert run_example(name) == ""
