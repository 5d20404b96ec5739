"""Reading and writing names with parameters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.core.spelling import Spelling, fold, read, split_spellings

literals = st.one_of(
    st.integers(-99, 99),
    st.booleans(),
    st.none(),
    st.text("ab'\\", max_size=4),
    st.floats(-9, 9),
    st.tuples(st.integers()),
)
names = st.sampled_from(["fbeta", "kfold", "auc"])


@given(names, st.dictionaries(st.sampled_from(["k", "beta", "average"]), literals))
def test_what_is_written_reads_back(name, arguments):
    said = Spelling(name, tuple(arguments.items()))
    assert read(str(said)) == said


def test_a_nested_name_is_a_spelling():
    found = read("nested(outer=kfold(k=5), inner=kfold(k=3))")
    assert found == Spelling(
        "nested", (("outer", Spelling("kfold", (("k", 5),))), ("inner", Spelling("kfold", (("k", 3),))))
    )
    assert str(found) == "nested(outer=kfold(k=5), inner=kfold(k=3))"


def test_positional_arguments_are_kept_apart():
    assert read("pinball(0.9)").positional == (0.9,)


def test_lists_become_tuples():
    assert read("cost(matrix=[[0, 1], [2, 0]])").arguments == (("matrix", ((0, 1), (2, 0))),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fbeta(",
        "fbeta(beta=)",
        "__import__('os').system('x')",
        "f(**x)",
        "f(x=y.z)",
        "f(x=1+y)",
        "f()()",
        "(" * 500,
        "f(x=lambda: 1)",
    ],
)
def test_what_cannot_be_read_is_refused_and_never_run(text):
    with pytest.raises(BadInput, match="cannot read"):
        read(text)


def test_a_long_text_is_shortened_in_the_sentence():
    with pytest.raises(BadInput) as why:
        read("x" * 10_000 + "(")
    assert len(str(why.value)) < 200


def test_a_word_needs_no_quotes():
    assert read("fbeta(average=macro)") == read("fbeta(average='macro')")


def test_several_spellings_in_one_text():
    assert split_spellings("error, fbeta(beta=2, average=macro),auc,") == [
        "error",
        "fbeta(beta=2, average=macro)",
        "auc",
    ]
    assert split_spellings("") == []


@pytest.mark.parametrize("text", ["sign test", ".632+", "5x2cv", "leave-one-out", "Cohen's kappa", "R²", "for", "a.b"])
def test_names_may_be_words_as_people_write_them(text):
    assert read(f" {text} ") == Spelling(text)
    assert read(f"{text}(k=3)") == Spelling(text, (("k", 3),))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Leave-One Out", "leave_one_out"),
        ("Šidák", "sidak"),
        (".632+", "632plus"),
        ("Youden's J", "youden_j"),
        ("R²", "r2"),
        ("Studentized", "studentised"),
    ],
)
def test_folding(text, same):
    assert fold(text) == fold(same)
    assert fold(".632") != fold(".632+")
