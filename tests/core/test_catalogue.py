"""Catalogues: found by importing, near names offered, wrong parameters named."""

import pytest

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.scores import scores

EXPECTED = """
    error accuracy precision recall specificity false_positive_rate false_negative_rate negative_predictive_value
    false_discovery_proportion false_omission_rate positive_rate prevalence fbeta balanced_accuracy balanced_error
    youden lift kappa mcc jaccard positive_likelihood_ratio negative_likelihood_ratio cost auc partial_auc
    average_precision equal_error_rate break_even max_fbeta hull_auc lift_at gain_area brier brier_half log_loss
    informational_loss calibration_error kb_information sf_entropy_gain mse rmse mae median_absolute_error
    relative_absolute_error relative_squared_error root_relative_squared_error r2 correlation pinball
"""


def test_no_score_was_lost():
    assert set(EXPECTED.split()) <= set(scores.entries)


@pytest.mark.parametrize(
    ("typed", "near"), [("acuracy", "accuracy"), ("fbta", "fbeta"), ("logloss", "log_loss"), ("auc_", "auc")]
)
def test_a_near_name_is_offered(typed, near):
    with pytest.raises(BadInput, match=f"there is no score called '{typed}': did you mean .*{near}"):
        scores.choose(typed)


def test_a_name_near_to_nothing_lists_all():
    with pytest.raises(BadInput, match=r"there are accuracy, auc, .*, youden"):
        scores.choose("xxxxxxxxxxxxxxxx")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("fbeta(gamma=2)", "fbeta has no parameter 'gamma': it takes beta=1.0, average='auto'"),
        ("error(x=1)", "error has no parameter 'x': it takes none"),
        ("cost", r"cost needs matrix: write cost\(matrix=...\)"),
        ("fbeta(1, 2, 3)", r"fbeta takes 2 parameter\(s\), not 3"),
        ("fbeta(beta=kfold())", "there is no score called 'kfold'"),
    ],
)
def test_wrong_parameters_are_named(typed, says):
    with pytest.raises(BadInput, match=says):
        scores.choose(typed)


def test_text_entry_and_choice_stand_for_the_same():
    entry = scores["fbeta"]
    assert scores.choose("fbeta") == entry.choose() == scores.choose(entry) == scores.choose(entry())
    assert scores.choose("fbeta(2)") == entry(beta=2) == scores.choose(entry(beta=2))


def test_something_that_names_nothing():
    with pytest.raises(BadInput, match="name a score by its text"):
        scores.choose(7)


def test_a_catalogue_is_a_collection():
    assert "auc" in scores and "nothing" not in scores
    assert len(scores) == len(list(scores))
    assert all(isinstance(entry.choose(), Choice) for entry in scores if not any(p.required for p in entry.parameters))
