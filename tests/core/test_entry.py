"""An entry describes itself; a choice spells itself."""

import pytest

from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.core.references import REFERENCES


def method(evidence, *, level=0.95, size: int, flag=False):
    """What it does
    in one sentence.

    What else there is to say.
    """
    return evidence, level, size, flag


ENTRY = Entry(method, "A method", cite=("wilson1927", "free text"))


def test_the_docstring_is_the_sentence():
    assert ENTRY.sentence == "What it does in one sentence."
    assert ENTRY.details == "What else there is to say."


def test_without_docstring_the_title_stands_in():
    assert Entry(lambda x: x, "Only a title", name="one").sentence == "Only a title"


def test_parameters_are_the_keyword_only_ones():
    assert [str(parameter) for parameter in ENTRY.parameters] == ["level=0.95", "size", "flag=False"]


def test_references_are_written_out():
    assert ENTRY.references == (REFERENCES["wilson1927"], "free text")


def test_an_unknown_assumption_is_refused():
    with pytest.raises(BadInput, match="cites the assumption 'NOPE'"):
        Entry(method, "A method", assumes=("NOPE",))


def test_with_evidence_a_value_without_a_choice():
    assert ENTRY("rows", size=3) == ("rows", 0.95, 3, False)
    assert ENTRY(size=3)("rows") == ("rows", 0.95, 3, False)


def test_spelling_leaves_out_defaults_and_keeps_the_order_of_the_signature():
    assert ENTRY(size=3, level=0.9).spelling == "method(level=0.9, size=3)"
    assert ENTRY(size=3, level=0.95, flag=False).spelling == "method(size=3)"
    assert ENTRY(flag=True, size=1).spelling == "method(size=1, flag=True)"


def test_a_choice_knows_its_values_given_or_default():
    choice = ENTRY(size=3)
    assert (choice.value("size"), choice.value("level"), choice.value("other")) == (3, 0.95, None)
    assert choice.accepts("flag") and not choice.accepts("other")
    assert choice.setting(level=0.5).given == {"level": 0.5, "size": 3}
    assert hash(choice) == hash(ENTRY(size=3))
