"""All that is said of a method, once for `explain`, the page of a report and the manual."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from veracity.core.entry import Choice, Entry
from veracity.core.measurement import Measurement
from veracity.core.references import ASSUMPTIONS
from veracity.core.spelling import split_spellings
from veracity.evidence.graded import graded
from veracity.evidence.make_predictions import predictions
from veracity.evidence.predictions import Predictions
from veracity.intervals.compute import OWN, default_rule
from veracity.intervals.scored import Scored
from veracity.methods.articles import Article
from veracity.methods.topics import read_texts, split_words
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
    yield ManualSection("Limits", tuple(f"{one.weight}: {one.says} [{one.code}]" for one in entry.limits))
    if entry.measured:
        measurements = entry.measurements()
        table = measurement_table(measurements) if measurements else None
        yield ManualSection(f"Measured {entry.measured}", () if table else (NEVER_MEASURED,), table)
    answers = []
    for known in entry.known_answers():
        given = ", ".join(f"{key}={value!r}" for key, value in known.given.items())
        answers.append(f"{given} gives {known.answer!r} ({known.source})")
    yield ManualSection("Known answers", tuple(answers))
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
    keywords = split_words(entry.keywords)
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
        "too high / low": [_misses(m) for m in measurements],
        "width": [getattr(m, "width", None) for m in measurements],
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

    def goodness(m: Measurement) -> tuple[bool, float]:
        return m.noun == "power", m.figure if m.noun in ("coverage", "power") else -abs(m.figure)

    return tuple(sorted(entry.measurements(), key=goodness)[:most])


def _misses(m: Measurement) -> str:
    """Return the shares of intervals that lie above and below the truth; empty of what is no interval."""
    above, below = getattr(m, "above", None), getattr(m, "below", None)
    return "" if above is None or below is None else f"{above:.1%} / {below:.1%}"


def parameter_lines(entry: Entry) -> tuple[str, ...]:
    """One line for each parameter whose meaning is told here."""
    return tuple(f"{one}: {meaning(entry, one.name)}" for one in entry.parameters if meaning(entry, one.name))


def meaning(entry: Entry, name: str) -> str:
    """What a parameter means; empty where only the method itself tells it."""
    if name != "average":
        meanings = read_texts("parameters")
        text: str = meanings.get(entry.kind, {}).get(name) or meanings["any"].get(name, "")
        return text
    if not hasattr(entry, "pairwise"):
        return OF_COUNTS
    return OF_ORDERINGS.format(", 'ovo' (each pair of classes)" if entry.pairwise else "")


def usual_intervals(score: Score) -> tuple[str, ...]:
    """Return a line for each kind of rows that has an interval of its own; one line where all have the same."""
    if score.reads == "time":
        return (f"none: {NO_LAW}",)
    lines = {}
    for case, p in _examples(score):
        rule = default_rule(Scored.of_predictions(_choice(score, p), p))
        name = score.default_interval if rule.name == OWN else rule.name
        lines[case] = f"none: {rule.why}" if name is None else name
    if len(set(lines.values())) == 1:
        return tuple(lines.values())[:1]
    return tuple(f"{case}: {line}" for case, line in lines.items())


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
