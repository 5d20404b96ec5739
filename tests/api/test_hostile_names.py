"""Names that are no letters: whatever writes them spells them out, breaks nothing and runs nothing."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.tables.exports import json as json_text

SIGNS = {
    "escape": "\x1b[31m",
    "nul": "\0",
    "bell": "\a",
    "csi": "\x9b2J",
    "bidi": "\u202egnp",
    "surrogate": "\ud800",
    "hidden": "\u200b",
    "line": "\u2028",
}
HTML = "<img src=x onerror=alert(1)>"


def hostile(sign, name):
    return f"{name}{SIGNS[sign]}{HTML}"


USUAL = ("escape", "bidi")


@pytest.fixture(
    scope="module", params=[pytest.param(sign, marks=() if sign in USUAL else pytest.mark.slow) for sign in SIGNS]
)
def results(request):
    """One result of every kind, with hostile names of learners, data sets, classes and columns."""
    rng = np.random.default_rng(3)
    names = [hostile(request.param, name) for name in ("one", "two", "three")]
    classes = [hostile(request.param, "yes"), hostile(request.param, "no")]
    truth = np.array(classes, object)[rng.integers(0, 2, 60)]
    models = {
        name: vc.predictions(truth, proba=np.clip(0.3 * (truth == classes[0]) + 0.7 * rng.random(60), 0, 1),
                             positive=classes[0], name=name)
        for name in names
    }  # fmt: skip
    features = rng.normal(size=(60, 2))
    stored = ["one", "two"] if request.param in ("surrogate", "nul") else names  # which no database holds
    learners = {stored[0]: GaussianNB(), stored[1]: DecisionTreeClassifier(max_depth=2)}
    runs = vc.evaluate(learners, features, truth if stored is names else truth == classes[0], by="kfold(k=5)", seed=1)
    data = [f"{hostile(request.param, 'data')}{row}" for row in range(12)]
    scores = vc.score_matrix(rng.random((12, 3)), datasets=data, learners=names, better="higher")
    return {
        "predictions": models[names[0]],
        "scorecard": vc.scorecard(models[names[0]]),
        "estimates": vc.estimate(models, ["error", "auc"]),
        "comparison": vc.compare({name: models[name] for name in names[:2]}, "error"),
        "curve": vc.curve(models, "roc"),
        "runs": runs,
        "estimates of learners": vc.estimate(runs, ["error"]),
        "comparison of learners": vc.compare(runs, "error"),
        "scores": scores,
        "ranking": vc.rank(scores),
        "report": vc.report(models),
        "report of runs": vc.report(runs),
        "report of ranking": vc.report(vc.rank(scores)),
    }


def texts(result):
    """All that a result writes, by the name of the writer."""
    yield "repr", repr(result)
    yield "str", str(result)
    for writer in ("to_markdown", "to_latex", "to_html", "to_csv", "_repr_html_"):
        if hasattr(result, writer):
            yield writer, getattr(result, writer)()
    if hasattr(result, "html"):
        yield "page", result.html
    if hasattr(result, "to_json"):
        yield "to_json", json_text(result.to_json())


def test_no_control_character_leaves_a_writer(results):
    for noun, result in results.items():
        for writer, text in texts(result):
            strange = {c for c in text if not c.isprintable() and c not in "\n\t"}
            if writer in ("page", "_repr_html_"):
                strange -= {"\xa0"}
            assert not strange, (noun, writer, strange)


def test_html_holds_the_text_and_no_element_of_it(results):
    for noun, result in results.items():
        for writer, text in texts(result):
            if writer in ("to_html", "page", "_repr_html_") and "report" not in noun:
                assert "<img" not in text, (noun, writer)


def test_json_gives_the_very_names_back(results):
    ranking = json.loads(json_text(results["ranking"].to_json()))
    assert set(results["scores"].learners) <= set(map(str, flat(ranking)))


def flat(value):
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from flat(item)
    else:
        yield value


def test_csv_has_as_many_cells_in_every_row(results):
    for noun in ("estimates", "ranking", "scorecard", "estimates of learners"):
        rows = list(csv.reader(io.StringIO(results[noun].to_csv())))
        assert len({len(row) for row in rows}) == 1, noun


KINDS = ("critical_difference", "significance_graph", "p_values", "differences", "multi_comparison_matrix")


def test_pictures_are_sound(results, tmp_path):
    pictures = {"roc": (results["curve"], None), "difference": (results["comparison"], "differences")}
    pictures |= {kind: (results["ranking"], kind) for kind in KINDS}
    for name, (result, kind) in pictures.items():
        ax = vc.plot(result) if kind is None else vc.plot(result, kind)
        ax.savefig(tmp_path / f"{name}.svg")
        text = (tmp_path / f"{name}.svg").read_text("utf-8")
        ElementTree.fromstring(text)
        assert not {c for c in text if not c.isprintable() and c not in "\n\t"}, name


def test_drawings_of_pages_are_sound(results):
    for noun in ("report", "report of runs", "report of ranking"):
        page = results[noun].html
        for start in range(page.count("<svg")):
            drawing = "<svg" + page.split("<svg")[start + 1].partition("</svg>")[0] + "</svg>"
            ElementTree.fromstring(drawing)


def test_a_sentence_about_a_name_spells_it_out(results):
    name = next(iter(results["scores"].learners))
    for ask in (lambda: vc.rank(results["scores"], control=f"{name}x"), lambda: vc.read_predictions(name, truth="y")):
        with pytest.raises(vc.VeracityError) as caught:
            ask()
        assert str(caught.value).isprintable()


def test_texts_that_a_spreadsheet_would_calculate(tmp_path):
    names = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", " =1", "\t=1", "-5", "plain"]
    scores = np.random.default_rng(2).random((12, len(names)))
    text = vc.rank(vc.score_matrix(scores, learners=names, better="higher")).to_csv()
    cells = {cell for row in csv.reader(io.StringIO(text)) for cell in row}
    assert {"'=1+1", "'+cmd", "'-2+3", "'@SUM(A1)", "' =1", "'\\t=1", "-5", "plain"} <= cells
    assert not {"=1+1", "+cmd", "-2+3", "@SUM(A1)"} & cells
