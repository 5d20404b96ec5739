"""Arrays of every kind at the public verbs: most hold what they should, some nearly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import veracity as vc
from bench.fuzz import reference
from bench.fuzz.case import Case, compare_number
from bench.fuzz.containers import LABELS, NUMBERS, ruined, wrapped
from bench.fuzz.strangers import strangers

RUINED = 0.3  # share of the inputs of which one column is ruined
OF_ALL = ("error", "accuracy", "prevalence", "positive_rate")  # which know no average over classes
ALPHABETS: tuple[tuple[Any, ...], ...] = (
    ("a", "b"),
    ("no", "yes", "maybe"),
    (0, 1),
    (-1, 1),
    (0, 1, 2, 3),
    (False, True),
    (0.5, 1.5),
    (1.0, 2.0, 3.0),
    ("1", "2"),
    ("", "x", "é", "名"),
    (2**40, 2**40 + 1),
    (-(2**62), 2**62),
)


def case(random: Random) -> Case:
    """One of the families."""
    return random.choice(FAMILIES)(random)


class Columns:
    """The arguments of a call, each in some container, at times one of them ruined."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.ruin = random.random() < RUINED
        self.made: dict[str, Any] = {}
        self.words: list[str] = []

    def add(self, name: str, values: Any, wraps: Any) -> None:
        kind, column = wrapped(self.random, values, wraps)
        self.made[name] = column
        self.words.append(f"{name}={kind} {list(values)!r}")

    def finish(self, values: dict[str, Any]) -> bool:
        """Whether all columns are whole."""
        if self.ruin:
            name = self.random.choice(list(values))
            kind, self.made[name] = ruined(self.random, values[name])
            self.words.append(f"{name} ruined by {kind}")
        return not self.ruin


def _case(random: Random, values: dict[str, tuple[Any, Any]], ask: Any, check: Any, what: str) -> Case:
    """A call with these columns, checked where none is ruined."""
    columns = Columns(random)
    for name, (column, wraps) in values.items():
        columns.add(name, column, wraps)
    whole = columns.finish({name: column for name, (column, _) in values.items()})
    text = f"{what}({', '.join(columns.words)})"
    return Case(text, lambda: ask(columns.made), check, True) if whole else Case(text, lambda: ask(columns.made))


def labels(random: Random) -> Case:
    """Labels beside the truth, by a score of counts, or with an interval."""
    names = random.choice(ALPHABETS)
    rows = random.randrange(4, 40)
    truth = [*names, *random.choices(names, k=rows)]
    said = [t if random.random() < 0.7 else random.choice(names) for t in truth]
    weights = [1.0] * len(truth)
    values: dict[str, tuple[Any, Any]] = {"y": (truth, LABELS), "label": (said, LABELS)}
    if random.random() < 0.3:
        weights = [random.choice((0.5, 1.0, 2.0, 3.25)) for _ in truth]
        values["weights"] = (weights, NUMBERS)
    positive = random.choice(names)
    if "weights" not in values and random.random() < 0.3:
        return _labels_with_interval(random, values, truth, said)
    score = random.choice(["error", "accuracy", *reference.OF_CELLS])
    if score in reference.OF_CELLS:
        expected = reference.OF_CELLS[score](*reference.cells(truth, said, positive, weights))
    else:
        expected = getattr(reference, score)(truth, said, weights)
    asked = score if len(names) == 2 or score in OF_ALL else f"{score}(average='none')"

    def ask(made: dict[str, Any]) -> Any:
        return vc.score(vc.predictions(positive=positive, **made), asked)

    return _case(random, values, ask, lambda found: compare_number(asked, found, expected), f"{asked}, {positive!r}: ")


def _labels_with_interval(random: Random, values: Any, truth: list[Any], said: list[Any]) -> Case:
    method, level = random.choice(("wilson", "clopper_pearson")), random.choice((0.5, 0.9, 0.95, 0.99))
    wrong = sum(t != s for t, s in zip(truth, said, strict=True))
    expected = getattr(reference, method)(wrong, len(truth), level)

    def ask(made: dict[str, Any]) -> Any:
        return vc.estimate(vc.predictions(**made), "error", interval=method, level=level)

    def check(found: Any) -> str:
        interval = found.rows[0].interval
        ends = zip(("low", "high"), (interval.low, interval.high), expected, strict=True)
        return "".join(compare_number(f"{method} {name}", end, right) for name, end, right in ends)

    return _case(random, values, ask, check, f"estimate {method} {level}")


def chances(random: Random) -> Case:
    """Probabilities or decision values of two classes."""
    names = random.choice([names for names in ALPHABETS if len(names) == 2])
    truth = [*names, *random.choices(names, k=random.randrange(2, 30))]
    positive = random.choice(names)
    grid = random.choice((2, 10, 1000))
    chance = [random.randrange(1, grid) / grid for _ in truth]
    score = random.choice(("auc", "log_loss", "brier"))
    ones = [1.0] * len(truth)
    expected = getattr(reference, score)(truth, chance, positive, ones)
    shape = random.choice(("value", "proba", "both")) if score == "auc" else random.choice(("proba", "both"))
    values: dict[str, tuple[Any, Any]] = {"y": (truth, LABELS)}
    if shape == "both":
        first = names.index(positive) == 0
        table = [(p, 1 - p) if first else (1 - p, p) for p in chance]
        values["proba"] = (table, TABLES)
    else:
        values[shape] = (chance, NUMBERS)

    def ask(made: dict[str, Any]) -> Any:
        return vc.score(vc.predictions(positive=positive, classes=names, **made), score)

    return _case(random, values, ask, lambda found: compare_number(score, found, expected), f"{score}, {positive!r}: ")


def numbers(random: Random) -> Case:
    """A numeric target."""
    scale = random.choice((1e-6, 1.0, 1e3, 1e12))
    truth = [random.gauss(0, scale) for _ in range(random.randrange(2, 30))]
    said = [t + random.gauss(0, scale) for t in truth]
    weights = [random.choice((0.5, 1.0, 4.0)) for _ in truth] if random.random() < 0.4 else None
    score = random.choice(("mse", "rmse", "mae"))
    expected = getattr(reference, score)(truth, said, weights or [1.0] * len(truth))
    values: dict[str, tuple[Any, Any]] = {"y": (truth, NUMBERS), "number": (said, NUMBERS)}
    if weights:
        values["weights"] = (weights, NUMBERS)

    def ask(made: dict[str, Any]) -> Any:
        return vc.score(vc.predictions(**made), score)

    return _case(random, values, ask, lambda found: compare_number(score, found, expected), score)


def pairs(random: Random) -> Case:
    """Two models on the same rows."""
    names = random.choice(ALPHABETS)
    truth = [*names, *random.choices(names, k=random.randrange(2, 40))]
    first, second = ([t if random.random() < 0.7 else random.choice(names) for t in truth] for _ in "ab")
    expected = reference.mcnemar_exact(truth, first, second)
    values = {"y": (truth, LABELS), "first": (first, LABELS), "second": (second, LABELS)}

    def ask(made: dict[str, Any]) -> Any:
        y, *said = made.values()
        models = {name: vc.predictions(y, label=one, classes=names) for name, one in zip("ab", said, strict=True)}
        return vc.compare(models, "error", using="mcnemar_exact", anyway=True)

    return _case(random, values, ask, lambda found: compare_number("p", found.p_value, expected), "mcnemar_exact")


def many(random: Random) -> Case:
    """The longer verbs on plain predictions with one strange argument, or none."""
    names = random.choice(ALPHABETS)
    truth = [*names, *names, *random.choices(names, k=random.randrange(4, 30))]
    said = [t if random.random() < 0.7 else random.choice(names) for t in truth]
    by = random.choices(random.choice(ALPHABETS), k=len(truth))
    verb = random.choice(("slices", "worst", "groups", "fold", "counts", "rows"))
    values: dict[str, tuple[Any, Any]] = {"y": (truth, LABELS), "label": (said, LABELS)}
    if verb != "worst":
        column = [random.randrange(1, 4) for _ in truth] if verb == "counts" else by
        column = list(range(len(truth))) if verb == "rows" else column
        values[verb] = (column, LABELS)

    def ask(made: dict[str, Any]) -> Any:
        if verb == "slices":
            return vc.slices(vc.predictions(made["y"], label=made["label"], classes=names), made["slices"], "error")
        p = vc.predictions(classes=names, **made)
        return vc.worst(p) if verb == "worst" else vc.estimate(p, "error")

    def check(found: Any) -> str:
        if verb != "slices":
            return ""
        wrong = {_as_typed(by, row.data): row.value for row in found}
        for label in set(by):
            rows = [place for place, one in enumerate(by) if one == label]
            expected = sum(truth[row] != said[row] for row in rows) / len(rows)
            if problem := compare_number(f"error of slice {label!r}", wrong[str(label)], expected):
                return problem
        return ""

    return _case(random, values, ask, check, verb)


def _as_typed(by: list[Any], label: str) -> str:
    """The label of a slice; pandas makes whole numbers of those that end in .0."""
    return str(float(label)) if isinstance(by[0], float) else label


def _frame_of_texts(table: Any) -> Any:
    return {f"learner {k + 1}": list(column) for k, column in enumerate(zip(*table, strict=True))}


TABLES: dict[str, Any] = {
    "lists": lambda table: [list(row) for row in table],
    "tuples": lambda table: tuple(map(tuple, table)),
    "array": np.array,
    "fortran": np.asfortranarray,
    "list of arrays": lambda table: [np.array(row) for row in table],
    "object array": lambda table: np.array(table, object),
    "frame": lambda table: pd.DataFrame(table).add_prefix("column_"),  # 0 and 1 may be classes
    "masked without mask": lambda table: np.ma.array(table),
}
SCORE_TABLES: dict[str, Any] = {
    **TABLES,
    "frame of names": lambda table: pd.DataFrame(_frame_of_texts(table)),
    "polars": lambda table: pl.DataFrame(_frame_of_texts(table)),
    "arrow": lambda table: pa.table(_frame_of_texts(table)),
    "mapping": _frame_of_texts,
    "nullable frame": lambda table: pd.DataFrame(_frame_of_texts(table)).convert_dtypes(),
}


def rankings(random: Random) -> Case:
    """Scores of learners on data sets."""
    learners, datasets = random.randrange(3, 7), random.randrange(3, 15)
    digits = random.choice((1, 2, 15))
    table = [[round(random.random(), digits) for _ in range(learners)] for _ in range(datasets)]
    better = random.choice(("higher", "lower"))
    ranks = reference.average_ranks(table, better)
    tied = any(len(set(row)) == 1 for row in table) and all(len(set(row)) == 1 for row in table)
    expected = float("nan") if tied else reference.friedman(table)

    def ask(made: dict[str, Any]) -> Any:
        return vc.rank(made["scores"], using="friedman", better=better)

    def check(found: Any) -> str:
        problems = [compare_number("rank", a, b) for a, b in zip(found.average_ranks.values(), ranks, strict=True)]
        return "".join(problems) + compare_number("p", found.omnibus.p_value, expected)

    return _case(random, {"scores": (table, SCORE_TABLES)}, ask, check, f"rank {better}")


def splits(random: Random) -> Case:
    """Scores of two learners on splits."""
    number = random.randrange(3, 20)
    first, second = ([random.gauss(0, 1) for _ in range(number)] for _ in "ab")

    def ask(made: dict[str, Any]) -> Any:
        table = vc.split_scores(made, train=90, test=10)
        return vc.compare(table, using="resampled_t", anyway=True)

    def check(found: Any) -> str:
        return compare_number("p", found.p_value, reference.paired_t(first, second))

    return _case(random, {"a": (first, NUMBERS), "b": (second, NUMBERS)}, ask, check, "resampled_t")


def families(random: Random) -> Case:
    """P-values."""
    p = [random.choice((random.random(), random.random() ** 4, 0.0, 1.0, 0.05)) for _ in range(random.randrange(1, 12))]
    using = random.choice(("holm", "bonferroni", "hochberg", "benjamini_hochberg"))
    expected = getattr(reference, using)(p)

    def check(found: Any) -> str:
        return "".join(compare_number(using, a, b) for a, b in zip(found, expected, strict=True))

    return _case(random, {"p": (p, NUMBERS)}, lambda made: vc.adjust(made["p"], using), check, f"adjust {using}")


def counts(random: Random) -> Case:
    """A confusion matrix in hand."""
    size = random.randrange(2, 5)
    table = [[random.randrange(1, 50) for _ in range(size)] for _ in range(size)]
    expected = 1 - sum(table[k][k] for k in range(size)) / sum(map(sum, table))

    def ask(made: dict[str, Any]) -> Any:
        return vc.score(vc.Counts(made["matrix"]), "error")

    check: Callable[[Any], str] = lambda found: compare_number("error", found, expected)  # noqa: E731
    return _case(random, {"matrix": (table, TABLES)}, ask, check, "Counts.of")


FAMILIES = (labels, labels, chances, numbers, pairs, many, rankings, splits, families, counts, strangers)
