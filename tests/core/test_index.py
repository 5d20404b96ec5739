"""What people call a method: its title as within a sentence."""

import pytest

from veracity.core.index import display_name, index


@pytest.mark.parametrize(
    ("typed", "kinds", "says"),
    [
        ("log_loss", ("scores",), "log loss"),
        ("auc", ("scores",), "area under the ROC curve"),
        ("fbeta(beta=2)", ("scores",), "F-beta (beta=2)"),
        ("brier", ("scores",), "Brier score"),  # a person keeps the capital
        ("wilcoxon", ("comparisons",), "Wilcoxon signed ranks"),
        ("mcnemar_midp", ("comparisons",), "mid-p McNemar"),
        ("holm", ("adjustments",), "Holm"),
        ("jeffreys", ("intervals",), "Jeffreys"),
        ("repeated_kfold(k=10, repeats=2)", ("estimators", "designs"), "repeated k-fold (k=10, repeats=2)"),
        ("quade", ("posthocs", "comparisons"), "Quade's weighted ranks"),
        ("quade", ("comparisons", "posthocs"), "Quade"),
        ("my own score", ("scores",), "my own score"),
        ("", ("scores",), ""),
    ],
)
def test_names_that_people_know(typed, kinds, says):
    assert display_name(typed, *kinds) == says


@pytest.mark.parametrize("kind", ["scores", "intervals", "comparisons", "posthocs", "adjustments", "designs"])
def test_a_name_is_no_spelling_and_names_the_same_once_more(kind):
    for name in index()[kind]:
        says = display_name(name, kind)
        assert "_" not in says
        assert display_name(says, kind) == says
