"""Plain arguments of public functions, held against their signatures."""

import inspect
import pickle

import numpy as np
import pytest

import veracity as vc

P = vc.predictions([0, 1, 0, 1], label=[0, 1, 1, 1])


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: vc.estimate(P, "error", level="high"), "`level=` must be a number, not 'high'"),
        (lambda: vc.estimate(P, "error", seed=1.5), "`seed=` must be a whole number, not 1.5"),
        (lambda: vc.estimate(P, "error", side=np.arange(3)), "`side=` must be a text"),
        (lambda: vc.score(P, ["error"]), "`name=` must be a text, not"),
        (lambda: vc.compare({"a": P, "b": P}, "error", anyway=1), "`anyway=` must be True or False, not 1"),
        (lambda: vc.rank([[1, 2], [2, 1]], control=3), "`control=` must be a text or None, not 3"),
        (lambda: vc.power("mcnemar", difference=0.1, discordant=0.2, rows=10**400), "`rows=` is a whole number"),
    ],
)
def test_a_wrong_type_is_named(ask, says):
    with pytest.raises(vc.BadInput, match=says):
        ask()


def test_entries_stand_for_their_names_and_numpy_numbers_for_numbers():
    from veracity.scores.rates import error

    assert vc.score(P, error) == vc.score(P, error()) == vc.score(P, "error") == 0.25
    assert vc.estimate(P, "error", level=np.float64(0.9), seed=np.int64(3)).rows[0].interval.level == 0.9


def test_every_public_function_is_checked_keeps_its_signature_and_is_pickled_by_name():
    for name in vc.__all__:
        item = getattr(vc, name)
        if inspect.isfunction(item):
            assert hasattr(item, "__wrapped__"), name
            assert pickle.loads(pickle.dumps(item)) is item
    assert list(inspect.signature(vc.score).parameters) == ["p", "name"]


def test_a_sentence_stays_one_line_of_readable_length():
    with pytest.raises(vc.BadInput) as why:
        vc.score(P, "x" * 10_000)
    assert len(str(why.value)) <= 1_000
    with pytest.raises(vc.BadInput) as why:
        vc.predictions([0, 1], label=[0, 1], positive=np.eye(3))
    assert "\n" not in str(why.value)


def test_a_word_that_more_takes_is_not_the_place_of_that_name():
    asked = {"splits": 10, "train": 9, "sd": 0.03, "difference": 0.05}
    assert vc.power("corrected_t", test=1, **asked).power > 0.5
    with pytest.raises(vc.BadInput, match="`test=` must be a text, not 1"):
        vc.power(1, test=1, **asked)
