"""Several comparisons as one family."""

import numpy as np
import pytest

import veracity as vc
from veracity.core.errors import BadInput


def models():
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 100)
    shares = {"a": 0.1, "b": 0.15, "c": 0.5}
    return {
        n: vc.predictions(truth, label=np.where(random.random(100) < s, 1 - truth, truth)) for n, s in shares.items()
    }


def test_a_pair_and_its_reverse_are_two_claims():
    """Their p-values once overwrote each other: a that is surely not worse than c was told to be."""
    test = "non_inferiority(margin=0.05, of=paired_loss_t)"
    forth, back = vc.compare(models(), "error", using=test, pairs=[("a", "c"), ("c", "a")])
    assert forth.p_value < 1e-6 < 0.9 < back.p_value
    assert (forth.adjusted_p_value, back.adjusted_p_value) == (2 * forth.p_value, back.p_value)


def test_a_model_may_be_called_like_the_value():
    found = vc.compare({"0.2": models()["a"], "m": models()["c"]}, "error", using="one_sample(value=0.2)", then="holm")
    assert [row.adjusted_p_value for row in found] == pytest.approx([2 * found[0].p_value, found[1].p_value])


@pytest.mark.parametrize("then", ["shaffer", "shaffer_dynamic", "bergmann_hommel"])
def test_equality_is_no_argument_for_other_claims(then):
    with pytest.raises(
        BadInput, match=r"transitive, and these tests claim that they are equivalent within 0\.1: use holm"
    ):
        vc.compare(models(), "error", using="tost(margin=0.1, of=paired_loss_t)", then=then)


def test_equality_asks_for_each_pair_once():
    with pytest.raises(BadInput, match="bergmann_hommel reads every pair once"):
        vc.compare(models(), "error", pairs=[("a", "c"), ("c", "a")], then="bergmann_hommel")


def test_transitivity_is_doubted_where_medians_are_compared():
    m = vc.score_matrix(np.random.default_rng(0).random((9, 3)))
    said = {u: {n.code for n in vc.compare(m, using=u, then="shaffer").notes} for u in ("wilcoxon", "sign", "paired_t")}
    assert "transitive" in said["wilcoxon"] & said["sign"] and "transitive" not in said["paired_t"]


def test_a_family_of_one():
    found = vc.compare(models(), "error", pairs=[("a", "b")])
    assert [note.says for note in found.notes] == ["one comparison is a family by itself, adjusted by holm"]


def test_a_p_value_that_equals_the_size_rejects():
    rows = [[0.9 + i / 100, 0.8 + i / 300, 0.7 + i / 700] for i in range(6)]
    ranking = vc.rank(vc.score_matrix(rows), then="bonferroni", level=1 - 3 * 2 / 2**6)
    assert [(pair.adjusted_p_value, pair.rejected) for pair in ranking.pairs] == [(3 * 2 / 2**6, True)] * 3
