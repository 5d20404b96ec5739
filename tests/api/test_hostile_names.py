"""Names that are no letters: whatever writes them spells them out, breaks nothing and runs nothing."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.cli.main import cli
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
    pair = [models[name] for name in names[:2]]
    return {
        "worst": vc.worst(models[names[0]], 5),
        "dominance": vc.dominance(*pair),
        "slices": vc.slices(models[names[0]], [hostile(request.param, f"slice{i % 2}") for i in range(60)], ["error"]),
        "several scores": vc.compare(models, ["error", "brier"]),
        "power": vc.power("mcnemar", difference=0.03, discordant=0.1, power=0.8),
        "chosen runs": runs.only(stored[:1]),
        **experiments(stored[0], features, truth if stored is names else truth == classes[0]),
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


def experiments(name, features, truth):
    """What fits one learner many times, by a hostile name, along a hostile value."""
    by = {"by": "kfold(k=2)", "seed": 1}
    tree = {name: DecisionTreeClassifier(max_depth=2, random_state=0)}
    tuned = vc.tuned(DecisionTreeClassifier(random_state=0), grid={"max_depth": [1, 2]}, by="kfold(k=2)", score="error")
    learning = vc.learning_curve(tree, features, truth, sizes=[20, 30], **by)
    validation = vc.validation_curve(tree, features, truth, parameter="max_depth", values=[1, 2], **by)
    return {
        "learning curve": learning,
        "validation curve": validation,
        "permutation test": vc.permutation_test(tree, features, truth, draws=3, progress=False, **by),
        "decomposition": vc.bias_variance(tree, features, truth, loss="zero_one", draws=3),
        "optimism": vc.optimism(vc.evaluate({name: tuned}, features, truth, **by)),
        "report of learning curve": vc.report(learning),
        "report of validation curve": vc.report(validation),
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


@pytest.fixture(scope="module")
def written(results):
    """What all results write, each once."""
    return {(noun, writer): text for noun, result in results.items() for writer, text in texts(result)}


def test_no_control_character_leaves_a_writer(written):
    for (noun, writer), text in written.items():
        strange = {c for c in set(text) if not c.isprintable() and c not in "\n\t"}
        if writer in ("page", "_repr_html_"):
            strange -= {"\xa0"}
        assert not strange, (noun, writer, strange)


def test_html_holds_the_text_and_no_element_of_it(written):
    for (noun, writer), text in written.items():
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
    pictures |= {name: (results[f"{name} curve"], None) for name in ("learning", "validation")}
    for name, (result, kind) in pictures.items():
        ax = vc.plot(result) if kind is None else vc.plot(result, kind)
        ax.savefig(tmp_path / f"{name}.svg")
        text = (tmp_path / f"{name}.svg").read_text("utf-8")
        ElementTree.fromstring(text)
        assert not {c for c in text if not c.isprintable() and c not in "\n\t"}, name


def test_drawings_of_pages_are_sound(written):
    for noun in ("report", "report of runs", "report of ranking"):
        for drawing in written[noun, "page"].split("<svg")[1:]:
            ElementTree.fromstring(f"<svg{drawing.partition('</svg>')[0]}</svg>")


@pytest.mark.parametrize("sign", ["escape", pytest.param("bidi", marks=pytest.mark.slow)])
def test_the_command_line_spells_names_out(sign, same_folder):
    """Every verb that reads a store or a file: names of learners, data sets, classes, columns and slices."""
    random = np.random.default_rng(3)
    yes, no, learner, data, piece, column = (f"{name}{SIGNS[sign]}" for name in ("yes", "no", "nb", "d", "s", "column"))
    truth = np.array([yes, no], object)[np.arange(40) % 2]
    features = random.normal(size=(40, 2)) + (truth == yes)[:, None]
    tuned = vc.tuned(DecisionTreeClassifier(random_state=0), grid={"max_depth": [1, 2]}, by="kfold(k=2)", score="error")
    learners = {learner: tuned, "nb": GaussianNB()}
    vc.Study({data: (features, truth), "e": (features, truth)}, learners, "kfold(k=2)").run("kept.db", progress=False)
    numbers = random.random((40, 2))
    rows = [f'"{t}",{a},{b},"{piece}"' for t, (a, b) in zip(truth, numbers, strict=True)]
    Path("preds.csv").write_text("\n".join([f'y,"{column}",b,k', *rows]))
    models = ("preds.csv", "--truth", "y", "--proba", column, "--proba", "b", "--positive", yes)
    table = ("preds.csv", "--target", "y", "--leave-out", "k", "--learner", "sklearn.naive_bayes:GaussianNB")
    calls = {
        **{verb: (verb, "kept.db") for verb in ("status", "estimate", "optimism", "report", "scores")},
        "compare": ("compare", "kept.db", "error", "brier"),
        "curve": ("curve", "kept.db", "--data", data),
        "chosen": ("worst", "kept.db", "--data", data, "--only", learner),
        "refused": ("worst", "kept.db", "--data", data, "--only", f"{learner}x"),
        "worst": ("worst", *models[:5], "--positive", yes),
        "slices": ("score", *models, "--slices", "k", "error"),
        "dominance": ("dominance", *models),
        "page": ("report", *models, "--out", "page.txt"),
        "learning_curve": ("learning_curve", *table, "--sizes", "15", "--by", "kfold(k=2)"),
        "validation_curve": (
            *("validation_curve", *table, "--parameter", "var_smoothing", "--values", "0.1,1", "--by", "kfold(k=2)"),
        ),
        "bias_variance": ("bias_variance", *table, "--loss", "zero_one", "--draws", "2"),
        "permutation_test": ("permutation_test", *table, "--draws", "2", "--by", "kfold(k=2)"),
    }
    for name, words in calls.items():
        done = CliRunner().invoke(cli, words, prog_name="veracity")
        assert done.exit_code == (2 if name == "refused" else 0), (name, done.output)
        shown = done.output + (Path("page.txt").read_text() if name == "page" else "")
        assert not {c for c in shown if not c.isprintable() and c not in "\n\t"}, name


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
