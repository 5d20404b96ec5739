"""What every score of the catalogue must keep, whatever it measures."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import veracity
from veracity import Undefined, graded, predictions, score
from veracity.core.references import REFERENCES
from veracity.scores import scores
from veracity.scores.entry import NEVER, READS, numeric_influence

GIVEN = {"cost": {"matrix": ((0, 1), (5, 0))}, "net_benefit": {"threshold": 0.3}, "pinball": {"q": 0.8}}
GIVEN |= {"pass_at": {"k": 2}}
VARIANTS = [
    "fbeta(beta=2)",
    "precision(average='macro')",
    "fbeta(average='micro')",
    "recall(average='prior')",
    "partial_auc(max_fpr=0.33)",
    "partial_auc(max_fpr=0.33, standardised=True)",
    "max_fbeta(beta=0.5)",
    "lift_at(fraction=0.4)",
    "log_loss(clip=0.2)",
    "calibration_error(bins=3)",
    "calibration_error(bins=4, strategy='count')",
    "kb_information(baseline='test')",
    "kb_information(relative=True)",
    "sf_entropy_gain(baseline='test', add_one=True, floor=0.01)",
    "relative_absolute_error(baseline='test')",
    "relative_squared_error(baseline='test')",
    "root_relative_squared_error(baseline='test')",
]
OF_MANY = ["fbeta", "kappa", "mcc", "balanced_accuracy", "auc", "auc(average='prior_ovr')", "auc(average='ovo')"]
OF_MANY += ["average_precision", "brier", "brier_half", "log_loss", "informational_loss", "calibration_error(bins=4)"]
OF_MANY += ["kb_information", "sf_entropy_gain", "recall(average='prior')", "youden", "gain_area"]
# read off a window of rows or a kink, where no derivative by one row exists
NOT_SMOOTH = {"equal_error_rate", "lift_at", "break_even", "max_fbeta", "hull_auc", "median_absolute_error"}
BINARY = [
    entry.choose(**GIVEN.get(entry.name, {})) for entry in scores if entry.suits("classes") and entry.needs != "runs"
]
BINARY += [scores.choose(text) for text in VARIANTS if scores.choose(text).needs != "number"]
NUMERIC = [entry.choose(**GIVEN.get(entry.name, {})) for entry in scores if entry.needs == "number"]
NUMERIC += [scores.choose(text) for text in VARIANTS if scores.choose(text).suits("numbers")]
CASES = [("two", c) for c in BINARY] + [("three", scores.choose(t)) for t in OF_MANY] + [("number", c) for c in NUMERIC]
CASES += [("correct", entry.choose()) for entry in scores if entry.suits("correct")]
CASES += [("loss", entry.choose()) for entry in scores if entry.suits("loss")]


def columns(kind, size=48):
    """Tied rows in which every class occurs and no score is undefined."""
    random = np.random.default_rng(size)
    if kind == "correct":
        return {"correct": random.random(size) < 0.7}
    if kind == "loss":
        return {"loss": random.integers(0, 12, size) / 4}
    if kind == "number":
        truth = random.integers(0, 12, size).astype(float)
        return {"y": truth, "number": truth + random.integers(-3, 4, size) + 0.5}
    if kind == "two":
        chance = random.integers(1, 20, size) / 20
        return {"y": (random.random(size) < chance).astype(int), "proba": chance}
    chance = random.integers(1, 9, (size, 3))
    chance = chance / chance.sum(1, keepdims=True)
    return {"y": np.array([random.choice(3, p=row) for row in chance]), "proba": chance}


def made(kind, rows, **more):
    facts = {
        "number": {"train_mean": 4.0},
        "two": {"positive": 1, "prior": (0.4, 0.6)},
        "three": {"prior": (0.2, 0.5, 0.3)},
        "correct": {},
        "loss": {},
    }
    y = rows.get("y")
    return predictions(y, **{key: part for key, part in rows.items() if key != "y"}, **facts[kind], **more)


def taken(rows, order):
    return {key: part[order] for key, part in rows.items()}


def value(kind, choice, rows, **more):
    return score(made(kind, rows, **more), choice)


def named(case):
    return f"{case[0]}-{case[1]}"


def each(cases):
    return pytest.mark.parametrize("case", cases, ids=named)


every = each(CASES)
SMOOTH = [case for case in CASES if case[1].name not in NOT_SMOOTH]
SCALE_FREE = [case for case in CASES if not case[1].value("add_one")]  # one more row counts more among fewer rows
# averages over several orderings give the influence for one set of rows only
ONE_EVIDENCE = [case for case in CASES if not (case[0] == "three" and case[1].needs == "value")]
each_entry = pytest.mark.parametrize("entry", list(scores), ids=lambda entry: entry.name)


@each_entry
def test_describes_itself(entry):
    assert entry.title and entry.sentence.endswith(".")
    assert entry.better in ("higher", "lower")
    assert entry.range[0] < entry.range[1]
    assert entry.needs in READS
    assert entry.cite and set(entry.cite) <= set(REFERENCES)


@each_entry
def test_is_pickled_as_a_load_by_name(entry):
    assert pickle.loads(pickle.dumps(entry)) is entry
    choice = entry.choose(**GIVEN.get(entry.name, {}))
    assert pickle.loads(pickle.dumps(choice)) == choice


@each_entry
def test_its_canonical_spelling_reads_back(entry):
    choice = entry.choose(**GIVEN.get(entry.name, {}))
    assert scores.choose(choice.spelling) == choice


@every
def test_value_is_inside_the_range(case):
    kind, choice = case
    found = value(kind, choice, columns(kind))
    low, high = choice.range
    assert low <= found <= high


@every
def test_permuting_rows_changes_nothing(case):
    kind, choice = case
    rows = columns(kind)
    order = np.random.default_rng(3).permutation(len(next(iter(rows.values()))))
    assert value(kind, choice, taken(rows, order)) == pytest.approx(value(kind, choice, rows))


@every
@pytest.mark.parametrize("how", ["weights", "counts"])
def test_weights_and_counts_are_as_repeated_rows(case, how):
    kind, choice = case
    rows = columns(kind)
    times = np.random.default_rng(4).integers(1, 4, len(next(iter(rows.values()))))
    repeated = value(kind, choice, taken(rows, np.repeat(np.arange(len(times)), times)))
    assert value(kind, choice, rows, **{how: times}) == pytest.approx(repeated)


@each(SCALE_FREE)
def test_equal_weights_of_any_size_change_nothing(case):
    kind, choice = case
    rows = columns(kind)
    assert value(kind, choice, rows, weights=np.full(len(next(iter(rows.values()))), 0.37)) == pytest.approx(
        value(kind, choice, rows)
    )


@every
def test_leading_axes_give_the_same_as_one_by_one(case):
    kind, choice = case
    evidence = choice.entry.gather(made(kind, columns(kind)), **choice.given)
    many = np.random.default_rng(5).integers(1, 5, (2, 3, evidence.cells.size))
    together = choice.evaluate(evidence.reweigh(many))
    alone = [float(choice.evaluate(evidence.reweigh(one))) for one in many.reshape(6, -1)]
    assert together.shape == (2, 3)
    assert together.ravel() == pytest.approx(alone)


@every
def test_influence_has_mean_zero(case):
    kind, choice = case
    evidence = choice.entry.gather(made(kind, columns(kind)), **choice.given)
    psi = choice.influence_of(evidence)
    assert psi is not None
    assert (psi * evidence.cells).sum() / evidence.cells.sum() == pytest.approx(0, abs=1e-6)


@each(SMOOTH)
def test_influence_is_the_derivative_by_a_row(case):
    kind, choice = case
    evidence = choice.entry.gather(made(kind, columns(kind)), **choice.given)
    psi = choice.influence_of(evidence)
    by_differences = numeric_influence(
        lambda cells: choice.evaluate(evidence.reweigh(cells)), evidence.cells.astype(float)
    )
    occupied = evidence.cells > 0  # from an empty cell no row can be taken away
    assert psi[occupied] == pytest.approx(by_differences[occupied], abs=1e-4, rel=1e-4)


@each(ONE_EVIDENCE)
def test_influence_with_leading_axes_is_that_of_each(case):
    kind, choice = case
    evidence = choice.entry.gather(made(kind, columns(kind)), **choice.given)
    many = np.random.default_rng(6).integers(1, 5, (3, evidence.cells.size))
    together = choice.influence_of(evidence.reweigh(many))
    for k, one in enumerate(many):
        assert together[k] == pytest.approx(choice.influence_of(evidence.reweigh(one)), abs=1e-7)


@pytest.mark.parametrize("entry", [entry for entry in scores if entry.needs != "runs"], ids=lambda entry: entry.name)
def test_an_undefined_value_says_why(entry):
    """One row, one class, nothing else: what is undefined there must have a reason of its own."""
    choice = entry.choose(**GIVEN.get(entry.name, {}))
    if entry.suits("numbers"):
        p = predictions([1.0], number=[1.0])
    elif entry.suits("loss"):
        p = predictions(loss=[1.0])
    elif entry.suits("grades"):
        p = graded([1, 1, 0, 0], item=[0, 0, 1, 1])
    else:
        p = predictions([0], proba=[0.2], classes=[0, 1], positive=1)
    found = score(p, choice)
    if np.isnan(found):
        assert isinstance(found, Undefined)
        assert found.reason and found.reason != NEVER


def test_names_are_those_of_scores():
    named = json.loads((Path(veracity.__file__).parent / "scores" / "names.json").read_text("utf-8"))
    assert list(named) == sorted(named) and set(named) <= set(scores.entries)
