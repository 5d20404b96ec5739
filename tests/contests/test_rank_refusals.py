"""What the verb rank refuses, with the way out; and what decides nothing where it was run anyway."""

import numpy as np
import pytest

import veracity as vc
from veracity.readers.scores_of_arrays import score_matrix

EXAMPLE = np.random.default_rng(0).random((6, 4)).round(2)


def codes(ranking):
    return [note.code for note in ranking.all_notes]


@pytest.mark.parametrize(
    ("values", "words", "says"),
    [
        ([[1, 2, 3]], {}, "one data set says nothing"),
        ([[1], [2]], {}, "two learners or more"),
        ([[1, 2], [3, 4], [5, 7]], {}, r"compare\(..., using='wilcoxon'\)` is for two"),
        (EXAMPLE, {"using": "wilcoxon"}, "a test of all learners over data sets, and wilcoxon is none"),
        (EXAMPLE, {"pairs": "friedman"}, "a test of two learners over data sets, and friedman is none"),
        (EXAMPLE, {"pairs": "nemenyi"}, "write `then='nemenyi'`"),
        (EXAMPLE, {"then": "mean_ranks"}, "write `pairs='mean_ranks'`"),
        (EXAMPLE, {"then": "bonferroni_dunn"}, "name it, `control='learner 1'`"),
        (EXAMPLE, {"then": "tukey", "control": "learner 2"}, "use `then='dunnett'`"),
        (EXAMPLE, {"control": "learner 9"}, "there is no learner called 'learner 9'"),
        (EXAMPLE, {"better": "more"}, "better is 'higher' or 'lower'"),
        (EXAMPLE, {"level": 95}, "level must lie strictly between 0 and 1"),
        (EXAMPLE, {"pairs": "signed_rank_posterior"}, "no p-value to adjust"),
        (EXAMPLE, {"pairs": "two_level"}, "learner 1 and learner 2: two_level reads the split scores"),
        (EXAMPLE, {"then": "holmes"}, "did you mean holm"),
        (
            EXAMPLE,
            {"then": "nemenyi", "pairs": "wilcoxon"},
            "by their mean ranks, not by wilcoxon: leave out `pairs=`, or",
        ),
        (EXAMPLE, {"then": "tukey", "pairs": "mean_ranks"}, "by their mean scores, not by mean_ranks"),
        (
            EXAMPLE,
            {"using": "corrected_t", "pairs": "wilcoxon"},
            "uses no `pairs=`: leave it out, or .* `using='friedman'`",
        ),
    ],
)
def test_wrong_calls_say_the_way_out(values, words, says):
    with pytest.raises(vc.VeracityError, match=says):
        vc.rank(values, **words)


def test_two_columns_of_one_name():
    with pytest.raises(vc.BadInput, match="two learners are called 'a'"):
        vc.rank(vc.ScoreMatrix(np.ones((3, 3)), ("a", "b", "a"), tuple("xyz")))


def test_bergmann_hommel_of_many_learners_says_how_long_and_offers_shaffer():
    values = np.random.default_rng(0).random((8, 18))
    with pytest.raises(vc.Refused, match=r"18 learners would take up to about .*shaffer has no such end"):
        vc.rank(values, pairs="mean_ranks", then="bergmann_hommel")


def test_what_takes_too_long_is_refused_before_any_pair_is_judged(monkeypatch):
    monkeypatch.setattr("veracity.contests.rank._judge_many", lambda *_: pytest.fail("pairs were judged"))
    values = np.random.default_rng(0).random((8, 18))
    with pytest.raises(vc.Refused, match="18 learners would take"):
        vc.rank(values, then="bergmann_hommel")


def test_a_refused_omnibus_test_that_was_run_anyway_decides_nothing():
    found = vc.rank(score_matrix([[1, 2]] * 12 + [[1, 1.5]]), anyway=True)
    assert found.omnibus.p_value < 0.05 and not any(pair.rejected for pair in found.pairs)
    assert found.groups == (("learner 2", "learner 1"),)
    assert "not valid here, which decides nothing" in found.sentence() and "anyway" in codes(found)


def test_a_refused_test_of_pairs_that_was_run_anyway_decides_nothing():
    m = score_matrix(np.arange(5) * 0.05 + np.random.default_rng(1).normal(0.7, 0.0005, (5, 5)))
    found = vc.rank(m, pairs="wilcoxon(exact=False)", then="benjamini_hochberg", anyway=True)
    assert all(pair.adjusted_p_value < 0.05 and not pair.rejected for pair in found.pairs)
    assert found.to_csv().count("not valid") == len(found.pairs)
    refusals = [note.says for note in found.all_notes if note.weight == "refuse"]
    assert refusals == ["the normal law means nothing for fewer than 6 differences: leave out exact=False"]
