"""All that is said of a method, once for `explain`, the page of a report and the manual."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from veracity.core.entry import Choice, Entry, Known
from veracity.core.measurement import Measurement
from veracity.core.notes import Limit
from veracity.core.references import ASSUMPTIONS
from veracity.core.spelling import split_spellings
from veracity.evidence.graded import graded
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import Predictions
from veracity.intervals.compute import OWN, default_rule
from veracity.intervals.scored import Scored
from veracity.methods.articles import Article
from veracity.scores.entry import Score
from veracity.scores.times import NO_LAW
from veracity.tables.manual import ManualSection
from veracity.tables.table import Column, Table

OF_COUNTS = (
    "'none' (the positive class), 'macro' (mean over classes), 'micro' (all classes' decisions together),"
    " 'prior' (mean weighed by class shares) or 'auto': none where a class is named positive, else macro"
)
OF_ORDERINGS = (
    "of more than two classes 'macro_ovr' (each class against the rest), 'prior_ovr' (the same, weighed by class"
    " shares){}, or 'auto': the class that is named positive, else macro_ovr"
)
AUTO = "True, False or 'auto': where "
MEANINGS = {
    "add_one": "True or False: whether shares are taken with one more row of each class",
    "bins": "a whole number of bins",
    "band": "the level of a band around the curve, or None",
    "baseline": "'train' or 'test': whose mean or class shares are the yardstick",
    "beta": "above 0: how many times as much recall weighs as precision",
    "clip": "None, or the smallest probability that counts",
    "draws": "how many random draws",
    "exact": "True for the exact law, which takes long on many data sets",
    "floor": "None, or the smallest probability that counts",
    "fraction": "above 0 up to 1: the share of rows, highest values first",
    "gap": "rows left out between training and test rows in time",
    "grouped": f"{AUTO}groups are known, each stays on one side of every split",
    "k": "the number of folds or blocks, from 2",
    "margin": "above 0: the largest difference that does not matter",
    "matrix": "the cost of predicting class j (column) when the truth is class i (row), in the order of the classes",
    "max_fpr": "above 0 up to 1: the largest false positive rate",
    "ordered": f"{AUTO}times are known, training rows come before test rows",
    "q": "between 0 and 1: the quantile",
    "relative": "True or False: whether it is divided by the entropy of the class shares",
    "repeats": "how often it is done",
    "rope": "differences from -rope to rope count as none",
    "seed": "of the random numbers",
    "standardised": "True or False: whether 0.5 is made chance and 1 perfect",
    "strategy": "'width' (bins of equal width) or 'count' (of equal numbers of rows)",
    "stratified": f"{AUTO}the target is of classes, each is spread evenly over the parts",
    "test": "the share of rows that test, or their number",
    "train_rows": "None, or the number of training rows",
    "validation": "the share of rows that validate",
}
OF_KIND = {
    ("power", "test"): "rows that test in each split",
    ("score", "threshold"): "the probability from which on one would act, between 0 and 1",
    ("world", "ahead"): "how many learners are better by the effect",
    ("world", "between"): "the correlation of splits of different repeats; -1 stands for 1/k",
    ("world", "bias"): "the mean of the errors",
    ("world", "correlation"): "how much alike models, or tests, are: 0 not at all, 1 the same",
    ("world", "df"): "above 2: degrees of freedom of Student's t",
    ("world", "digits"): "to how many digits scores are rounded; with few, many tie",
    ("world", "discordant"): "from 0 to 1: the share of rows on which only one of two models errs",
    ("world", "distance"): "0 or more: how many standard deviations lie between the classes",
    ("world", "effect"): "by how much the first differs; 0 where nothing does",
    ("world", "favour"): "from 0.5 to 1: how often the model is right that a group favours, where only one is",
    ("world", "features"): "how many features a row has",
    ("world", "independent"): "True for splits with rows of their own",
    ("world", "k"): "folds of a repeat",
    ("world", "law"): "'normal', 'heavy' or 'skewed'",
    ("world", "learners"): "how many learners there are",
    ("world", "matrix"): "the chance of each cell: a row for each true class, a column for each predicted one",
    ("world", "missing"): "from 0 to 0.9: the share of scores that are not there",
    ("world", "models"): "how many models there are",
    ("world", "noise"): "0 or more: standard deviation of the noise",
    ("world", "positives"): "between 0 and 1: the share of positive rows",
    ("world", "oversampled"): "how many times as often rows are drawn on which the models differ",
    ("world", "real"): "how many of the tests are of something",
    ("world", "rules"): "how many rules the best is chosen from",
    ("world", "shape"): "above 0: of the gamma law; the smaller, the more skewed",
    ("world", "sharp"): "above 0: how little chances of rows differ from each other",
    ("world", "shift"): "what is added to the log odds of the chance; 0 where calibrated",
    ("world", "size"): "mean number of rows in a group",
    ("world", "slope"): "what the log odds of the chance are multiplied by; 1 where calibrated",
    ("world", "splits"): "0, or the folds of which each score is the mean",
    ("world", "step"): "0, or what values are rounded to multiples of, so that many tie",
    ("world", "tests"): "how many tests there are",
    ("world", "tilt"): "0, or how much more often rows of high values are drawn; weights make up for it",
    ("world", "unequal"): "whether, or how much, groups or data sets differ in size or noise",
    ("world", "within"): "the correlation of rows of a group, or of splits of a repeat (-1 stands for 1/k there)",
    ("world", "share"): "from 0 to 1: the share of all rows on which the model errs",
}
# an example of what must be given
NEEDED: dict[str, Any] = {"matrix": ((0, 1), (1, 0)), "q": 0.5, "threshold": 0.3, "k": 2}
ROWS = 60
NEVER_MEASURED = "not measured yet"
UNASKED = "Interval unless asked otherwise"


def describe(entry: Entry) -> tuple[ManualSection, ...]:
    """What it does, how it is typed, what it assumes, where it stops, what was measured of it and who said so."""
    return tuple(section for section in _sections(entry) if section.lines or section.table)


def summary(entry: Entry) -> tuple[str, ...]:
    """What it does: the paragraphs with which its description opens."""
    return (entry.sentence, *(text for text in entry.details.split("\n\n") if text))


def _limit_line(limit: Limit) -> str:
    """As a note prints it, in Python's words and in those of the command line."""
    return f"{limit.weight}: {limit.says} [{limit.code}]"


def _sections(entry: Entry) -> Iterator[ManualSection]:
    yield ManualSection("", summary(entry))
    yield ManualSection("Typed", (entry.signature,))
    yield ManualSection("Also called", (entry.aliases,) if entry.aliases else ())
    yield ManualSection("Parameters", parameter_lines(entry))
    for heading, lines in entry.particulars().items():
        yield ManualSection(heading, lines)
    if isinstance(entry, Score):
        yield ManualSection(UNASKED, usual_intervals(entry))
    yield ManualSection("Assumes", tuple(f"{code}: {ASSUMPTIONS[code]}" for code in entry.assumes))
    yield ManualSection("Limits", tuple(map(_limit_line, entry.limits)))
    if entry.measured:
        measurements = entry.measurements()
        table = measurement_table(measurements) if measurements else None
        yield ManualSection(f"Measured {entry.measured}", () if table else (NEVER_MEASURED,), table)
    yield ManualSection("Known answers", tuple(map(_known_answer, entry.known_answers())))
    yield ManualSection("References", entry.references)


def heading(entry: Entry) -> str:
    """The title of a method with its kind and name."""
    return f"{entry.title} ({entry.kind} {entry.name})"


def facts(entry: Entry) -> dict[str, Any]:
    """The same for machines."""
    return {
        "name": entry.name,
        "kind": entry.kind,
        "title": entry.title,
        "aliases": split_spellings(entry.aliases),
        "says": entry.sentence,
        "details": entry.details,
        "parameters": [
            {"name": p.name, "required": p.required, "typed": str(p), "says": meaning(entry, p.name)}
            for p in entry.parameters
        ],
        **entry.facts(),
        **({"interval": list(usual_intervals(entry))} if isinstance(entry, Score) else {}),
        "measured": [measurement.to_json() for measurement in entry.measurements()],
        "assumes": {code: ASSUMPTIONS[code] for code in entry.assumes},
        "limits": [limit.note().to_json() for limit in entry.limits],
        "references": list(entry.references),
    }


def article_of(entry: Entry) -> Article:
    """The page of a method, and the words by which it is found."""
    aliases = tuple(alias.partition("(")[0] for alias in split_spellings(entry.aliases))
    keywords = tuple(word.strip() for word in entry.keywords.split(",") if word.strip())
    return Article(entry.kind, entry.name, entry.title, describe(entry), facts(entry), aliases, keywords)


def measurement_table(measurements: Sequence[Measurement]) -> Table:
    """World, rows, design and the figure with its error; what is the same in all rows stands in the caption."""
    first, several = measurements[0], len({m.noun for m in measurements}) > 1  # a test's error rates and coverage
    columns: dict[str, list[Any]] = {
        "method": [m.method for m in measurements],
        "of": [m.subject for m in measurements],
        "world": [m.world for m in measurements],
        "n": [m.rows for m in measurements],
        "by": [m.by for m in measurements],
        "measured" if several else first.noun: [f"{m.noun} {m.text}" if several else m.text for m in measurements],
        **_misses_and_width(measurements),
        "simulations": [m.counted if m.enumerated else m.trials for m in measurements],
    }
    same = {title for title in ("method", "of", "simulations") if len(set(columns[title])) == 1}
    columns = {title: cells for title, cells in columns.items() if title not in same and any(cells)}
    caption = ", ".join(dict.fromkeys(m.what if "of" in same else f"{m.noun} at {m.level_text}" for m in measurements))
    caption = f"{first.method}: {caption}" if "method" in same and "(" in first.method else caption
    heads = tuple(Column(title, "right" if title in ("n", "simulations") else "left") for title in columns)
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(heads, rows, f"{caption} ({first.counted})" if "simulations" in same else caption)


def worst_measurements(entry: Entry, most: int) -> tuple[Measurement, ...]:
    """Those worlds of a method in which it does worst; power is no fault, and the last."""
    return tuple(sorted(entry.measurements(), key=_how_good)[:most])


def _how_good(m: Measurement) -> tuple[bool, float]:
    return m.noun == "power", m.figure if m.noun in ("coverage", "power") else -abs(m.figure)


def _misses_and_width(measurements: Sequence[Measurement]) -> dict[str, list[Any]]:
    """Of intervals, the shares that lie above and below the truth, and how wide they are."""
    sides = [(getattr(m, "above", None), getattr(m, "below", None)) for m in measurements]
    return {
        "too high / low": ["" if None in (above, below) else f"{above:.1%} / {below:.1%}" for above, below in sides],
        "width": [getattr(m, "width", None) for m in measurements],
    }


def _known_answer(known: Known) -> str:
    given = ", ".join(f"{key}={value!r}" for key, value in known.given.items())
    return f"{given} gives {known.answer!r} ({known.source})"


def parameter_lines(entry: Entry) -> tuple[str, ...]:
    """One line for each parameter whose meaning is told here."""
    return tuple(f"{one}: {meaning(entry, one.name)}" for one in entry.parameters if meaning(entry, one.name))


def meaning(entry: Entry, name: str) -> str:
    """What a parameter means; empty where only the method itself tells it."""
    if name != "average":
        return OF_KIND.get((entry.kind, name), MEANINGS.get(name, ""))
    if not hasattr(entry, "pairwise"):
        return OF_COUNTS
    return OF_ORDERINGS.format(", 'ovo' (each pair of classes)" if entry.pairwise else "")


def usual_intervals(score: Score) -> tuple[str, ...]:
    """A line for each kind of rows that has an interval of its own; one line where all have the same."""
    if score.reads == "time":
        return (f"none: {NO_LAW}",)
    lines = {case: _usual_interval(score, p) for case, p in _examples(score)}
    if len(set(lines.values())) == 1:
        return tuple(lines.values())[:1]
    return tuple(f"{case}: {line}" for case, line in lines.items())


def _usual_interval(score: Score, p: Predictions) -> str:
    m = Scored.of_predictions(_choice(score, p), p)
    rule = default_rule(m)
    name = score.default_interval if rule.name == OWN else rule.name
    if name is None:
        return f"none: {rule.why}"
    return name


def _choice(score: Score, p: Predictions) -> Choice:
    given = {one.name: NEEDED[one.name] for one in score.parameters if one.required}
    if "matrix" in given and len(p.classes) == 3:
        given["matrix"] = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    choice = score.choose(**given)
    return choice.setting(baseline="test") if choice.accepts("baseline") else choice


def _examples(score: Score) -> Iterator[tuple[str, Predictions]]:
    """Predictions that are neither perfect nor undefined: of two and three classes, or of numbers; rows in groups."""
    random, groups = np.random.default_rng(0), np.arange(ROWS) % 20
    if score.needs == "number":
        truth = random.normal(size=ROWS)
        yield "rows by themselves", predictions(truth, number=truth + random.normal(size=ROWS))
        yield "rows in groups", predictions(truth, number=truth + random.normal(size=ROWS), groups=groups)
        return
    if score.needs == "loss":
        losses = random.gamma(1.0, size=ROWS)
        yield "rows by themselves", predictions(loss=losses)
        yield "rows in groups", predictions(loss=losses, groups=groups)
        return
    if score.needs == "grade":
        passed = (random.random(2 * ROWS) < 0.6).astype(float)
        item = np.arange(2 * ROWS) // 2
        yield "items by themselves", graded(passed, item=item)
        yield "items in groups", graded(passed, item=item, groups=item % 20)
        return
    two, three = np.arange(ROWS) % 2, np.arange(ROWS) % 3
    chance = np.clip(0.3 + 0.2 * two + random.normal(scale=0.2, size=ROWS), 0.01, 0.99)
    chances = random.dirichlet(np.ones(3), size=ROWS) * 0.7 + 0.3 * np.eye(3)[three]
    yield "two classes", predictions(two, proba=chance, positive=1)
    if not score.cut:  # of a class against the rest, at a threshold
        yield "more classes", predictions(three, proba=chances)
    yield "two classes, rows in groups", predictions(two, proba=chance, positive=1, groups=groups)
