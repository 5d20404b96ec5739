"""Rows without a label: beside labelled positives they are no negatives, and else they are set aside."""

import numpy as np
import pytest

import veracity as vc

CHANCE = np.array([0.9, 0.8, 0.7, 0.3, 0.6, 0.2, 0.1, 0.4])


def positives(y, **more):
    return vc.predictions(y, positive=1, labelled="positives", **more)


@pytest.mark.parametrize("gap", [None, np.nan, ""])
def test_a_gap_beside_positives_is_not_positive(gap):
    y = np.array([1, 1, 1, 1, gap, gap, gap, gap], object)
    p, named = positives(y, proba=CHANCE), positives([1, 1, 1, 1, 0, 0, 0, 0], proba=CHANCE)
    assert p.classes == ("not 1", 1) and named.classes == (0, 1)
    for name in ("recall", "false_negative_rate", "positive_rate"):
        assert vc.score(p, name) == vc.score(named, name)
    assert vc.score(p, "fnr") == 0.25


def test_a_column_of_numbers_keeps_its_classes():
    y = np.array([1, 1, np.nan, 0, np.nan])
    assert vc.predictions(y, proba=CHANCE[:5], positive=1, labelled="some").classes == (0, 1)
    assert positives(y, proba=CHANCE[:5]).classes == (0, 1)


@pytest.mark.parametrize("label", [[1] * 7 + [0], [1] * 8])
def test_rows_that_are_all_positive_give_the_false_negative_rate(label):
    p = positives([1] * 8, label=label)
    row = vc.estimate(p, "false_negative_rate")["false_negative_rate"]
    wrong = label.count(0)
    wilson = vc.estimate(vc.errors(wrong, of=8), "error", interval="wilson")["error"].interval
    assert (row.value, row.interval.low, row.interval.high) == (wrong / 8, wilson.low, wilson.high)
    assert "labelled-at-random" in [note.code for note in row.all_notes if note.weight == "caution"]
    assert "never-true" not in [note.code for note in row.all_notes]


def test_what_cannot_be_known_is_undefined_beside_what_can():
    p = positives([1, 1, 1, 1, 0, 0, 0, 0], proba=CHANCE)
    card = vc.estimate(p, ["recall", "precision", "error", "auc", "brier"])
    assert card["recall"].value == 0.75
    for name in ("precision", "error", "auc", "brier"):
        assert "only positives are labelled" in card[name].value.reason
        assert card.to_json()["scores"][name]["value"] is None
    undefined = [note for note in card.table().notes if note.code == "undefined"]
    assert len(undefined) == 1 and template_names(undefined[0]) == "precision, error, auc, brier"
    with pytest.raises(vc.Refused, match="precision needs the true negatives"):
        vc.estimate(p, "precision")
    card = vc.scorecard(p)
    assert [row.score for row in card] == ["recall", "false_negative_rate", "positive_rate"]
    assert "precision" in str([note.says for note in card.notes if note.code == "left-out"])


def template_names(note):
    return str(note.says).partition(":")[0]


def test_rows_of_one_class_that_are_not_said_to_be_all_there_is_are_cautioned():
    p = vc.predictions([1] * 8, label=[1] * 6 + [0] * 2, positive=1)
    row = vc.estimate(p, "precision")["precision"]
    assert row.value == 1 and "no-negatives" in [note.code for note in row.notes if note.weight == "caution"]
    assert "labelled='positives'" in repr(vc.estimate(p, "precision"))
    assert "no-negatives" not in [note.code for note in vc.estimate(p, "recall")["recall"].notes]
    with pytest.raises(vc.BadInput, match="`labelled='positives'` if only positives are labelled"):
        vc.predictions([1] * 8, label=[1] * 8, positive=1)


def test_unlabelled_rows_are_set_aside_and_counted():
    y = np.array([1, None, 1, 0, None, 0, 0, None], object)
    p = vc.predictions(y, proba=CHANCE, positive=1, labelled="some", weights=np.arange(1, 9), rows=np.arange(8))
    known = y != None  # noqa: E711
    alone = vc.predictions(y[known].astype(int), proba=CHANCE[known], positive=1, weights=np.arange(1, 9)[known])
    assert len(p) == 5 and len(p.unlabelled) == 3
    assert p.unlabelled.proba.tolist() == [0.8, 0.6, 0.4] and p.unlabelled.rows.tolist() == [1, 4, 7]
    for name in ("auc", "error", "brier"):
        assert vc.estimate(p, name)[name].interval == vc.estimate(alone, name)[name].interval
    assert "3 of 8 rows have no label" in repr(vc.estimate(p, "error"))


def test_where_all_rows_have_a_label_nothing_is_set_aside():
    p = vc.predictions([1, 0, 1], proba=[0.9, 0.2, 0.4], positive=1, labelled="some")
    assert (p.labelled, p.unlabelled, p.notes) == ("all", None, ())


def test_three_classes_some_rows_without_one():
    y = ["a", None, "b", "c", "c"]
    chance = np.full((5, 3), 1 / 3)
    p = vc.predictions(y, proba=chance, classes=list("abc"), positive="b", labelled="some")
    assert len(p) == 4 and p.classes == ("a", "b", "c") and p.unlabelled.proba.shape == (1, 3)
    assert p.with_positive(2).unlabelled.positive == 2


@pytest.mark.parametrize("verb", [lambda p: vc.score(p, "auc"), lambda p: vc.curve(p, "roc"), vc.worst])
def test_rows_of_which_none_has_a_label_tell_only_what_needs_no_truth(verb):
    p = vc.predictions(None, proba=CHANCE, positive="ill", labelled="some")
    assert (len(p), len(p.unlabelled), p.classes) == (0, 8, ("not ill", "ill"))
    with pytest.raises(vc.Refused, match="no row has a label"):
        verb(p)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"labelled": "some"}, "`labelled='some'` needs the class that is looked for: `positive=`"),
        ({"labelled": "many"}, "`labelled=` is one of all, positives, some, not 'many'"),
        ({"labelled": "positives", "positive": 7}, "the positive class 7 does not occur"),
        ({"labelled": "some", "positive": 1, "fold": [1, 2]}, "leave out fold and repeat"),
        ({"positive": 1}, "holds no label"),
    ],
)
def test_bad_calls(how, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.predictions([1, None] if how.get("positive") != 7 else [1, 0], proba=[0.5, 0.5], **how)


@pytest.mark.parametrize("labelled", ["positives", "some"])
@pytest.mark.parametrize(
    ("y", "says"),
    [
        (np.array([1 + 2j, 0, 1]), "truth: labels are .*, not of type complex128"),
        (np.array([None, 1, {2}], object), "truth: row 2 holds a set, which is no label"),
        (np.array([None, [1], "a"], object), "truth: row 1 holds a list, which is no label"),
        (np.array([[1.0, np.nan]] * 3), "truth: one label per row is needed, not an array of shape"),
    ],
)
def test_what_is_no_label_is_refused(labelled, y, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.predictions(y, label=[1, 0, 1], positive=1, labelled=labelled)


def test_a_page_shows_no_matrix_of_rows_whose_class_is_not_known():
    y = np.array([1, 1, 1, 1, None, None, None, None], object)
    unknown = [positives(y, proba=CHANCE), vc.predictions(None, proba=CHANCE, positive=1, labelled="some")]
    for p in unknown:
        page = vc.report(p).html
        assert "Confusion matrices" not in page and 'id="explorer"' not in page
    some = vc.predictions([1, 0, 1, 0, 1, 0, None, None], proba=CHANCE, positive=1, labelled="some")
    page = vc.report(some).html
    assert "Confusion matrices" in page and 'id="explorer"' in page
