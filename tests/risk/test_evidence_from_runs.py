"""The table of default intervals of a learner, and every interval refused where its evidence is not there."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import veracity as vc

MEANS, OTHERS = ("error", "brier_half"), ("fbeta", "auc", "average_precision")
EVERY = MEANS + OTHERS
KFOLD, REPEATED, HOLDOUTS = "kfold(k=5)", "repeated_kfold(k=5, repeats=2)", "repeated_holdout(repeats=3, test=0.3)"
PAIRED, BATES = "paired_subsampling(outer=2, inner=2, test=0.2)", "nested_cv_bates(k=3, repeats=2)"
LOO, DRAWS, HOLDOUT = "leave_one_out", "loo_bootstrap(draws=40)", "holdout(test=0.4)"
PLUS, PLAIN = "boot632plus(draws=40)", "boot632(draws=40)"
DEFAULTS = {
    HOLDOUT: ("wilson", "hall_t", "f1_exact", "delta_logit", "delta_logit"),
    KFOLD: ("conservative_t",) * 5,
    REPEATED: ("conservative_t",) * 5,
    HOLDOUTS: ("conservative_t",) * 5,
    PAIRED: ("conservative_z",) * 5,
    BATES: ("nested_cv", "nested_cv", None, None, None),
    LOO: ("cv_wald", "cv_wald", "percentile", None, None),
    DRAWS: ("loo_bootstrap_se", "loo_bootstrap_se", None, None, None),
    PLAIN: (None,) * 5,
    PLUS: (None,) * 5,
}


def rows(number=60):
    random = np.random.default_rng(5)
    y = np.arange(number) % 2
    return random.normal(size=(number, 2)) + 0.8 * y[:, None], y


@pytest.fixture(scope="module")
def runs():
    return vc.evaluate({"logit": LogisticRegression()}, *rows(), by=list(DEFAULTS), positive=1)


@pytest.fixture(scope="module")
def estimates(runs):
    return vc.estimate(runs, list(EVERY))


@pytest.mark.parametrize(("by", "place"), [(by, place) for by in DEFAULTS for place in range(5)])
def test_default_interval_or_a_note(estimates, by, place):
    score, wanted = EVERY[place], DEFAULTS[by][place]
    found = estimates[by, score]
    if wanted is None:
        assert found.interval is None
        assert {note.code for note in found.notes} & {"no-interval", "undefined"}
    else:
        assert found.interval.method == wanted


WRONG = [
    ("conservative_z", REPEATED, "error", r"paired_subsampling\(outer=10, inner=15\)"),
    ("nested_cv", KFOLD, "error", r"nested_cv_bates\(k=10, repeats=50\)"),
    ("cv_wald", HOLDOUTS, "error", r"kfold\(k=10\)"),
    ("cv_wald", PAIRED, "error", r"kfold\(k=10\)"),
    ("loo_bootstrap_se", KFOLD, "error", r"loo_bootstrap\(draws=1000\)"),
    ("corrected_t", DRAWS, "error", r"loo_bootstrap_se, or `by='repeated_kfold"),
    ("loo_bootstrap_se", PLUS, "error", "no test is known for boot632plus: use conservative_t `by='repeated_kfold"),
    ("corrected_t", PLAIN, "error", "no interval and no test is known for boot632"),
    ("isaksson", KFOLD, "error", "holdout"),
    ("wilson", KFOLD, "error", "conservative_t"),
    ("percentile", REPEATED, "error", r"kfold\(k=10\)"),
    ("percentile", KFOLD, "auc", "conservative_t"),
    ("naive_t", KFOLD, "error", "corrected_t"),
    ("cv_wald(form='within_fold')", LOO, "error", "all_pairs"),
    ("cv_wald", KFOLD, "auc", "conservative_z"),
    ("nested_cv", BATES, "fbeta", "conservative_t"),
    ("loo_bootstrap_se", DRAWS, "auc", "conservative_t"),
    ("corrected_t", HOLDOUT, "error", "repeated_kfold"),
    ("cv_wald", HOLDOUT, "error", r"kfold\(k=10\)"),
    ("conservative_z", HOLDOUT, "error", "paired_subsampling"),
    ("nested_cv", HOLDOUT, "error", "nested_cv_bates"),
    ("loo_bootstrap_se", HOLDOUT, "error", r"loo_bootstrap\(draws"),
]
WAY_OUT = "conservative_t `by='repeated_kfold"
NO_DESIGN_MENDS = [  # a score that is no mean is not sent to a design where it is refused again
    *((interval, by, "auc", WAY_OUT) for interval in ("nested_cv", "loo_bootstrap_se") for by in (KFOLD, HOLDOUT)),
    ("cv_wald", HOLDOUT, "fbeta", WAY_OUT),
    ("percentile", REPEATED, "auc", WAY_OUT),
    ("percentile", DRAWS, "error", WAY_OUT),
    ("wilson", DRAWS, "error", WAY_OUT),
    ("corrected_t", DRAWS, "fbeta", "has not: use `by='repeated_kfold"),
]


def test_a_model_on_its_own_training_rows_is_not_said_to_be_of_several_splits():
    found = vc.evaluate(LogisticRegression(), *rows(), by="resubstitution")
    with pytest.raises(vc.Refused, match="these rows had trained it"):
        vc.estimate(found, "error", interval="wilson")


def test_folds_in_time_order_are_not_sent_to_themselves():
    x, y = rows()
    with pytest.raises(vc.Refused, match=r"kfold\(k=10\) has not: use corrected_t, or `by='kfold\(k=10, ordered"):
        vc.estimate(
            vc.evaluate(LogisticRegression(), x, y, time=np.arange(60), by="kfold(k=10)"), "error", interval="cv_wald"
        )
    other = vc.evaluate(LogisticRegression(), x, y, time=np.arange(60), by="kfold(k=10, ordered=False)")
    assert vc.estimate(other, "error", interval="cv_wald")["error"].interval.method == "cv_wald"


@pytest.mark.parametrize(("interval", "by", "score", "says"), WRONG + NO_DESIGN_MENDS)
def test_refused_with_the_design_that_fits(chosen, interval, by, score, says):
    with pytest.raises(vc.Refused, match=says):
        chosen(by, score, interval)


@pytest.fixture(scope="module")
def chosen(runs):
    """The estimate of one design with an interval by name."""
    from veracity.core.confidence import Confidence
    from veracity.risk.estimate_run import EstimateRequest, estimate_run
    from veracity.scores import scores

    def estimate(by, score, interval=None, anyway=False):
        return estimate_run(
            runs.run(by=by), EstimateRequest(scores.choose(score), score, Confidence(), interval, anyway=anyway)
        )

    return estimate


def test_naive_t_tells_how_rarely_it_held(chosen):
    with pytest.raises(vc.Refused, match=r"it held \d+% at 95%"):
        chosen(KFOLD, "error", "naive_t")
    found = chosen(KFOLD, "error", "naive_t", anyway=True).interval
    assert found.width < chosen(KFOLD, "error").interval.width
    assert {"naive", "anyway"} <= {note.code for note in found.notes}


def test_cv_wald_answers_for_the_models_of_the_folds(chosen):
    found = chosen(KFOLD, "error", "cv_wald")
    assert found.answers == "average risk of the 5 models of the splits, each trained on 80 % of the rows"
    error = found.value
    assert found.interval.high - error == pytest.approx(1.959964 * (error * (1 - error) / 60) ** 0.5)
    assert chosen(KFOLD, "error").answers == "mean risk of the procedure trained on 80 % of the rows"


def test_cv_wald_of_repeats_is_a_caution(chosen):
    assert "repeated-folds" in {note.code for note in chosen(REPEATED, "error", "cv_wald").all_notes}


@pytest.mark.parametrize("method", ["percentile", "bca", "basic"])
def test_rows_drawn_again_leave_out_the_training_sets(chosen, method):
    found = chosen(KFOLD, "fbeta", f"{method}(draws=1999)")
    assert "rows-only" in {note.code for note in found.all_notes}
    assert found.answers.startswith("average risk of the 5 models")
    assert found.value in found.interval


def test_isaksson_reads_a_hold_out(chosen):
    found = chosen(HOLDOUT, "error", "isaksson")
    assert found.value in found.interval and "one model" in found.answers


def test_the_interval_of_nested_cv_is_corrected_and_says_about_which_number_it_lies(chosen):
    found, other = chosen(BATES, "error"), chosen(BATES, "error", "corrected_t")
    assert found.value == other.value and found.answers == other.answers
    (note,) = [note for note in found.notes if note.code == "other-centre"]
    assert f"laid about {found.interval.about:.4g}, its own estimate of the mean risk" in note.says
    assert "procedure trained on all rows" in note.says and found.interval.about != found.value


def test_losses_in_groups_are_no_independent_rows():
    runs = vc.evaluate(LogisticRegression(), *rows(), by="kfold(k=5)", groups=np.arange(60) // 3, positive=1)
    with pytest.raises(vc.Refused, match="in groups: use corrected_t"):
        vc.estimate(runs, "error", interval="cv_wald")


def test_every_default_of_a_learner_is_printed():
    printed = {(row.of, row.default) for row in vc.catalogue("defaults")}
    for name, interval in [
        ("paired_subsampling", "conservative_z"),
        ("nested_cv_bates", "nested_cv"),
        ("leave_one_out", "cv_wald"),
        ("leave_one_out", "percentile"),
        ("loo_bootstrap", "loo_bootstrap_se"),
        ("kfold", "conservative_t"),
        ("nested_cv_bates", "none"),
        ("loo_bootstrap", "none"),
    ]:
        assert any(name in scores.split(" by ")[-1].split(", ") and found == interval for scores, found in printed)


def test_a_score_that_is_undefined_says_so_once(estimates):
    found = estimates[LOO, "auc"]
    why, way = str(found.value.reason).split(": ")
    assert why == "in 60 of 60 splits only one of the two classes has rows"
    assert way.endswith("a stratified design, such as conservative_t `by='repeated_kfold(k=10, repeats=10)'`")
    assert [note.code for note in found.notes] == ["undefined"]


def test_the_model_of_all_rows_is_sent_to_folds():
    found = vc.evaluate(LogisticRegression(), *rows(), by="resubstitution")
    with pytest.raises(vc.Refused, match=r"use `by='kfold\(k=10\)'`"):
        vc.estimate(found, "error", interval="cv_wald")
