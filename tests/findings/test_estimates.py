"""The one table of estimates: index, columns, notes, formats."""

import math
import sys

import pytest

from veracity.core.errors import BadInput
from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.findings.estimates import Estimate, Estimates, group_notes
from veracity.findings.interval import Interval
from veracity.tables import exports

SAME = Note("same-rows", "caution", "the threshold is chosen on the rows it is scored on")


def row(score: str, value: float = 0.25, notes: tuple[Note, ...] = (), **fields: str) -> Estimate:
    return Estimate(score, fields.pop("asked", score), value, Interval(0.1, 0.4, 0.95, "wilson"), notes=notes, **fields)


def bare(score: str, value: float, *notes: Note) -> Estimate:
    return Estimate(score, score, value, notes=notes)


def test_it_prints_as_a_table():
    assert repr(Estimates((row("error", better="lower"),))).split("\n") == [
        "score   value     low    high  level  method  better",
        "error  0.2500  0.1000  0.4000   0.95  wilson  lower",
    ]


def test_models_and_slices_get_columns_of_their_own():
    several = Estimates((row("error", learner="a"), row("error", learner="b")))
    assert several.table().titles[:2] == ("model", "score")
    parts = Estimates((row("error", data=""), row("error", data="DE")))
    assert parts.table().titles[:3] == ("data", "rows", "score")
    assert [cells[0] for cells in parts.table().rows] == ["", "DE"]


def test_the_spelling_typed_and_the_canonical_one_both_work():
    est = Estimates((row("fbeta(beta=2)", asked="fbeta(2)"), row("auc")))
    assert est["fbeta(2)"] is est["fbeta(beta=2)"] is est.values()[0]
    assert "auc" in est and len(est) == 2


def test_a_label_that_leaves_several_rows_lists_them():
    est = Estimates((row("error", learner="a"), row("error", learner="b")))
    with pytest.raises(BadInput, match=r"'error' leaves 2 rows.*a / error; b / error"):
        est["error"]
    assert est["b", "error"].learner == "b"
    with pytest.raises(BadInput, match="no row is labelled 'auc'"):
        est["auc"]


def test_undefined_and_infinite_values_are_words_with_notes():
    est = Estimates(
        (
            bare("precision", Undefined("none selected"), Note("undefined", "remark", "precision is undefined: none")),
            bare("lift", math.inf, Note("infinite", "caution", "lift is infinite")),
        )
    )
    printed = repr(est)
    assert "precision  undefined" in printed and "lift" in printed and " inf\n" in printed
    assert "remark: precision: undefined: none [undefined]" in printed
    assert est.to_json()["scores"]["precision"]["value"] is None
    assert est.to_json()["scores"]["lift"]["value"] is None


def test_a_note_of_several_scores_is_said_once_and_names_them():
    notes = group_notes((row("max_fbeta", notes=(SAME,)), row("hull_auc", notes=(SAME,)), row("auc")))
    assert notes == (Note("same-rows", "caution", f"max_fbeta, hull_auc: {SAME.says}"),)


def test_a_note_of_all_rows_names_none():
    assert group_notes((row("a", notes=(SAME,)), row("b", notes=(SAME,)))) == (SAME,)


def test_a_table_names_some_of_many_rows_and_a_file_for_machines_all():
    names = [f"m{i}" for i in range(9)]
    rows = (*(row("error", notes=(SAME,), learner=name) for name in names), row("error", learner="other"))
    found = Estimates(rows)
    assert found.table().notes[0].says == f"m0 error; m1 error; m2 error; m3 error; and 5 more: {SAME.says}"
    assert all(name in found.to_json()["notes"][0]["says"] for name in names)


def test_a_table_names_some_of_many_scores_and_a_file_for_machines_all():
    scores = [f"s{i}" for i in range(9)]
    rows = (*(row(score, notes=(SAME,), learner="knn") for score in scores), row("s0", learner="other"))
    found = Estimates(rows)
    assert found.table().notes[0].says == f"knn s0, s1, s2, s3, and 5 more: {SAME.says}"
    assert found.to_json()["notes"][0]["says"] == f"knn {', '.join(scores)}: {SAME.says}"


def test_scores_without_an_interval_leave_level_and_method_a_line_above():
    lines = repr(Estimates((row("error", better="lower"), bare("lift", 2.0), row("auc", better="higher")))).split("\n")
    assert lines[0] == "level 0.95, method wilson" and lines[1].split() == ["score", "value", "low", "high", "better"]
    alone = repr(Estimates((row("error", better="lower"), bare("lift", 2.0)))).split("\n")
    assert {"level", "method"} <= set(alone[0].split())  # above, the one interval would seem to be of both
    mixed = (row("error"), bare("lift", 2.0), Estimate("auc", "auc", 0.5, Interval(0.1, 0.4, 0.9, "delong")))
    assert {"level", "method"} <= set(repr(Estimates(mixed)).split("\n")[1].split())


def test_notes_that_begin_with_their_score_are_grouped():
    rows = [row(name, notes=(Note("on-request", "remark", f"{name}: ask for bca"),)) for name in ("a", "b")]
    assert group_notes(rows) == (Note("on-request", "remark", "a, b: ask for bca"),)


def test_a_note_that_names_its_score_inside_is_grouped():
    notes = {
        name: Note("macro", "remark", f"with 3 classes, {name} is the macro average") for name in ("recall", "fbeta")
    }
    (found,) = group_notes([row("recall", notes=(notes["recall"],)), row("fbeta", notes=(notes["fbeta"],))])
    assert found.says == "recall, fbeta: with 3 classes, the macro average"


def test_scores_left_out_for_the_same_reason_are_named_together():
    notes = [Note("left-out", "remark", f"{name}: {name} needs the true negatives") for name in ("error", "mcc")]
    (found,) = group_notes([row("recall")], notes)
    assert found.says == "error, mcc: needs the true negatives"


def test_with_several_models_a_note_says_whose_it_is():
    rows = (row("auc", notes=(SAME,), learner="knn"), row("auc", learner="svm"))
    assert group_notes(rows)[0].says == f"knn auc: {SAME.says}"


def test_json_of_one_model():
    assert Estimates((row("error", better="lower"),), (SAME,)).to_json() == {
        "scores": {
            "error": {"value": 0.25, "low": 0.1, "high": 0.4, "level": 0.95, "method": "wilson", "better": "lower"}
        },
        "notes": [SAME.to_json()],
    }


def test_json_of_several_models_and_of_slices():
    est = Estimates((row("error", learner="a"), row("error", learner="b")))
    assert list(est.to_json()["models"]) == ["a", "b"]
    parts = Estimates((row("error", data="DE"), row("error", data="FR"))).to_json()
    assert parts["slices"]["FR"]["scores"]["error"]["value"] == 0.25


def test_every_format_is_there():
    est = Estimates((row("fbeta(beta=2)"),))
    assert "| fbeta(beta=2) |" in est.to_markdown()
    assert r"\begin{tabular}{lrrrrll}" in est.to_latex()
    assert est.to_csv().split("\n")[1] == "fbeta(beta=2),0.25,0.1,0.4,0.95,wilson,higher"
    assert est.to_html() == est._repr_html_() and "<td>0.2500</td>" in est.to_html()


def test_files_for_machines_count_the_splits_that_failed():
    est = Estimates((row("error", by="kfold(k=5)", splits=5, failed=2), row("auc", by="kfold(k=5)", splits=5)))
    head, *rows = est.to_csv().split("\n")
    assert head.endswith("method,better,splits,failed")
    assert [line.rsplit(",", 2)[1:] for line in rows[:2]] == [["5", "2"], ["5", "0"]]
    assert list(est.to_frame("pandas")["failed"]) == [2, 0]
    assert "failed" not in repr(est) and "failed" not in est.to_markdown()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    made = Estimates((row("error"), bare("auc", math.nan))).to_frame(library)
    assert type(made).__module__.startswith(library)
    columns = made.column_names if library == "pyarrow" else list(made.columns)
    assert columns == ["score", "value", "low", "high", "level", "method", "better"]


def test_a_frame_is_of_the_library_in_use(monkeypatch):
    import polars

    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    monkeypatch.setitem(sys.modules, "polars", polars)
    assert exports.frame_library() == "polars"


def test_without_any_library_a_sentence_says_what_to_do(monkeypatch):
    monkeypatch.setattr(exports, "find_spec", lambda name: None)
    for name in exports.LIBRARIES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(BadInput, match="none is installed: use to_csv"):
        Estimates((row("error"),)).to_frame()
    with pytest.raises(BadInput, match="pip install polars"):
        exports.frame_library("polars")
    with pytest.raises(BadInput, match="not by 'excel'"):
        exports.frame_library("excel")


def test_an_empty_table_prints():
    assert "score" in repr(Estimates(()))
    assert Estimates(()).to_json() == {"scores": {}, "notes": []}


def test_what_can_be_indexed_is_in_it():
    """("m", "auc") in estimates was False while estimates["m", "auc"] was a row."""
    table = Estimates((row("auc", learner="m"), row("auc", learner="n"), row("error", learner="m")))
    for key in (("m", "auc"), ("auc", "m"), ("n",), "n", ("m", "error")):
        assert key in table
        assert isinstance(table[key], Estimate)
    for key in (("n", "error"), "brier", ("m", "brier"), 3, ("m", 3)):
        assert key not in table
        with pytest.raises(BadInput):
            table[key]
