"""Catalogues: found by importing, near names offered, wrong parameters named."""

import pytest

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Choice, Entry
from veracity.core.errors import BadInput
from veracity.core.spelling import split_spellings
from veracity.methods.catalogue import CATALOGUES
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
    ("typed", "near"), [("acuracy", "accuracy"), ("fbta", "fbeta"), ("log_los", "log_loss"), ("aucc", "auc")]
)
def test_a_near_name_is_offered(typed, near):
    with pytest.raises(BadInput, match=f"there is no score called '{typed}': did you mean .*{near}"):
        scores.choose(typed)


def test_a_name_near_to_nothing_says_where_all_are_listed():
    with pytest.raises(BadInput, match=r"'xxxxxxxxxxxxxxxx': `vc\.catalogue\('scores'\)` shows all \d+; "):
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


@pytest.mark.parametrize(
    ("kind", "typed", "spelling"),
    [
        ("scores", "f1", "fbeta"),
        ("scores", "F2", "fbeta(beta=2)"),
        ("scores", "F0.5", "fbeta(beta=0.5)"),
        ("scores", "f2(average=macro)", "fbeta(beta=2, average='macro')"),
        ("scores", "f2(beta=3)", "fbeta(beta=3)"),  # what is given goes before what is implied
        ("scores", "ROC AUC", "auc"),
        ("scores", "R²", "r2"),
        ("scores", "R^2", "r2"),
        ("scores", "Cohen's kappa", "kappa"),
        ("scores", "cohens_kappa", "kappa"),
        ("scores", "for", "false_omission_rate"),
        ("comparisons", "McNemar", "mcnemar"),
        ("comparisons", "sign test", "sign"),
        ("comparisons", "5x2cv", "five_by_two_t"),
        ("adjustments", "Šidák", "sidak"),
        ("adjustments", "fdr", "benjamini_hochberg"),
        ("designs", "leave-one-out", "leave_one_out"),
        ("designs", "stratified_kfold(k=5)", "kfold(k=5, stratified=True)"),
        ("designs", "10-fold cross-validation", "kfold"),
        ("designs", "5-fold CV", "kfold(k=5)"),
        ("designs", "nested(outer=loo(), inner=cv(k=3))", "nested(outer=leave_one_out, inner=kfold(k=3))"),
        ("estimators", ".632+", "boot632plus"),
        ("estimators", ".632(draws=50)", "boot632(draws=50)"),
        ("curves", "lift chart", "lift_chart"),
        ("intervals", "Studentized bootstrap", "studentised"),
        ("posthocs", "Tukey HSD", "tukey"),
    ],
)
def test_names_are_folded_and_other_names_work(kind, typed, spelling):
    assert CATALOGUES[kind].choose(typed).spelling == spelling


@pytest.mark.parametrize("kind", CATALOGUES)
def test_every_other_name_leads_to_its_entry_and_can_be_used(kind):
    for entry in CATALOGUES[kind]:
        for alias in split_spellings(entry.aliases):
            found, implied = CATALOGUES[kind].resolve(alias.partition("(")[0])
            assert found is entry
            if not any(parameter.required for parameter in entry.parameters):
                assert entry.choose(**implied).given == implied


@pytest.mark.parametrize(
    "kinds", [("designs", "estimators"), ("comparisons", "posthocs"), ("adjustments", "posthocs")], ids=", ".join
)
def test_what_is_typed_at_one_place_means_one_thing(kinds):
    first, second = (CATALOGUES[kind].spellings for kind in kinds)
    assert [word for word in first.keys() & second.keys() if first[word][0].name != second[word][0].name] == []


def test_two_entries_of_one_name_are_an_error():
    def first(evidence):
        """One."""

    def second(evidence):
        """Another."""

    catalogue = Catalogue("veracity.scores", Entry)
    catalogue.entries = {"first": Entry(first, "One"), "second": Entry(second, "Two", aliases="third, First")}
    with pytest.raises(BadInput, match="the methods first and second are both called 'First'"):
        catalogue.choose("1st")


def test_results_bear_the_own_name():
    assert scores.label("fbeta(beta=1)") == "fbeta(beta=1)"  # as typed
    assert scores.label("f1") == scores.label(scores["f1"]) == "fbeta"
    assert scores.label("F2") == "fbeta(beta=2)"


def test_a_word_of_another_catalogue_is_told_where_it_is():
    with pytest.raises(BadInput, match="score called 'DeLong': it is an interval, `interval='delong'`, and a test"):
        scores.choose("DeLong")
