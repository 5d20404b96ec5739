"""Methods with literal arguments, spelled in every way that means the same: `fbeta(beta=2)`, `fbeta( beta = 2.0, )`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

import veracity as vc
from bench.fuzz import sklearn_scores
from bench.fuzz.case import Case, accept_any, compare_number
from bench.fuzz.damage import damaged_text
from veracity.core.entry import Entry, Parameter
from veracity.methods.catalogue import CATALOGUES

RUINED = 0.3  # share of the texts that are damaged
# values for parameters, by their names, beside what their types and defaults tell
VALUES: Mapping[str, tuple[Any, ...]] = {
    "beta": (0, 0.5, 1, 2, 10),
    "average": ("auto", "macro", "micro", "weighted", "none"),
    "max_fpr": (0.05, 0.2, 0.5, 1),
    "fraction": (0.1, 0.25, 0.5, 1.0),
    "clip": (None, 1e-15, 0.001),
    "bins": (1, 2, 5, 10, 30),
    "strategy": ("width", "quantile", "count"),
    "baseline": ("train", "test"),
    "train_rows": (None, 10, 100),
    "floor": (None, 1e-6, 0.01),
    "q": (0.1, 0.5, 0.9),
    "matrix": (((0, 1), (5, 0)), ((0, 2.5), (1, 0)), ((-1, 1), (1, -1))),
    "draws": (20, 50, 99),
    "seed": (0, 1, 7, 2**31),
    "divisor": ("m", "m-1"),
    "size_h": (1, 100, 10**6),
    "vc_dim": (1, 3, 10),
    "tails": ("hpd", "equal"),
    "form": ("all_pairs", "folds"),
    "exponent": (0.5, 1, 2),
    "of": ("wilson", "clopper_pearson", "jeffreys", "wald", "paired_t", "paired_loss_t", "mcnemar"),
    "scale": ("plain", "logit", "log", "own"),
    "level": (0.5, 0.9, 0.99),
    "prior": (None, 0.1, 0.5),
    "alpha": (None, 0.01, 0.05, 0.5),
    "upto": (None, 1, 5),
    "band": (None, 0.9),
    "population": (None, 1000),
    "rope": (0.0, 0.01, 0.1),
    "margin": (0.01, 0.2, 1),
    "k": (2, 3, 5),
    "value": (0.1, 0.5, "majority"),
    "interval": ("percentile", "bca", "basic"),
    "zeros": ("split", "drop", "keep"),
    "ties": ("drop", "split", "keep"),
    "weigh": ("rows", "groups"),
    "correction": ("none", "greenhouse_geisser", "huynh_feldt"),
    "convention": ("exact", "book", "usual"),
    "missing": ("random", "any"),
    "df": ("infinite", "error"),
    "exact": (None, True, False),
}


def case(random: Random) -> Case:
    """One of the catalogues."""
    return random.choice(FAMILIES)(random)


def arguments(random: Random, entry: Entry) -> dict[str, Any]:
    """Some parameters with values; those that are needed, and draws where they cost time, always."""
    chosen = {}
    for parameter in entry.parameters:
        if parameter.required or parameter.name == "draws" or random.random() < 0.5:
            chosen[parameter.name] = _value(random, parameter)
    return chosen


def _value(random: Random, parameter: Parameter) -> Any:
    if "bool" in parameter.holds and "None" not in parameter.holds:
        return random.random() < 0.5
    usual = VALUES.get(parameter.name, (parameter.default, 1, 0.5))
    kinds = [value for value in usual if parameter.default is not None or value is not parameter.default]
    whole = [value for value in kinds if parameter.holds != "int" or isinstance(value, int)]
    return random.choice(whole or kinds)


def plain(name: str, chosen: Mapping[str, Any]) -> str:
    """The usual spelling."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in chosen.items())})" if chosen else name


def spelled(random: Random, name: str, chosen: Mapping[str, Any]) -> str:
    """Another spelling of the same: order, blanks, quotes, forms of a number, a comma at the end."""
    items = list(chosen.items())
    random.shuffle(items)
    blank = [random.choice(("", "", " ", "  ")) for _ in range(4)]
    inside = f",{blank[0] or ' '}".join(f"{key}{blank[1]}={blank[1]}{_literal(random, value)}" for key, value in items)
    comma = random.choice(("", "", ","))
    if not items:
        return blank[2] + name + random.choice(("", "()", "( )")) + blank[3]
    return f"{blank[2]}{name}({blank[3]}{inside}{comma}{blank[3]}){blank[2]}"


def _literal(random: Random, value: Any) -> str:
    if isinstance(value, str):
        return random.choice((repr(value), f'"{value}"', value))  # a word needs no quotes
    if isinstance(value, tuple):
        ends = random.choice(("()", "[]"))
        return ends[0] + ", ".join(_literal(random, one) for one in value) + ends[1]
    if type(value) is int and value >= 0:
        return random.choice((str(value), f"+{value}", hex(value), f"{value:_}"))
    if type(value) is float:
        return random.choice((repr(value), f"{value:.17e}", f"+{value!r}" if value >= 0 else repr(value)))
    return repr(value)


Ask = Callable[[str], Any]


def _case(random: Random, entry: Entry, ask: Ask, what: str, check: Callable[[Any], str] = accept_any) -> Case:
    """A spelling must be answered as the usual one is; a damaged one by a sentence."""
    chosen = arguments(random, entry)
    usual, text = plain(entry.name, chosen), spelled(random, entry.name, chosen)
    if random.random() < RUINED:
        text = damaged_text(random, text)
        return Case(f"{what} {text!r}", lambda: ask(text))

    def both() -> tuple[Any, Any]:
        return ask(text), ask(usual)

    def same(answers: tuple[Any, Any]) -> str:
        found, expected = map(_shape, answers)
        return f"{text!r} gives {found}, {usual!r} {expected}" if found != expected else check(answers[0])

    return Case(f"{what} {text!r}, also {usual!r}", both, same)


def _shape(answer: Any) -> str:
    """An answer as text, in which equal numbers are equal; how a name was typed does not matter."""
    shape = answer.to_json() if hasattr(answer, "to_json") else answer
    return repr(_without(shape))


def _without(shape: Any) -> Any:
    if isinstance(shape, dict):
        return {key: _without(value) for key, value in shape.items() if key not in ("typed", "notes", "score", "name")}
    return [_without(one) for one in shape] if isinstance(shape, (list, tuple)) else shape


@cache
def evidence() -> dict[str, Any]:
    """Predictions of every kind and tables of scores, the same in every process."""
    draw = Random(3)
    two = [draw.randrange(2) for _ in range(60)]
    chance = [min(0.95, max(0.05, 0.5 + (t - 0.5) * 0.5 + draw.gauss(0, 0.25))) for t in two]
    other = [min(0.95, max(0.05, 0.5 + (t - 0.5) * 0.3 + draw.gauss(0, 0.3))) for t in two]
    three = [k % 3 for k in range(60)]
    table = [[0.2 + 0.4 * (t == k) + 0.1 * draw.random() for k in range(3)] for t in three]
    table = [[cell / sum(row) for cell in row] for row in table]
    numbers = [draw.gauss(0, 2) for _ in range(60)]
    said = [t + draw.gauss(0, 1) for t in numbers]
    return {
        "two": vc.predictions(two, proba=chance, positive=1, name="two"),
        "other": vc.predictions(two, proba=other, positive=1, name="other"),
        "three": vc.predictions(three, proba=table, name="three"),
        "numbers": vc.predictions(numbers, number=said, name="numbers"),
        "scores": vc.score_matrix([[draw.random() for _ in range(4)] for _ in range(12)], better="higher"),
        "splits": vc.split_scores(
            {name: [0.5 + draw.gauss(0, 0.1) for _ in range(10)] for name in "ab"}, train=54, test=6, k=10
        ),
        "p": [draw.random() ** 3 for _ in range(6)],
    }


def _one_of(random: Random, shelf: str) -> Entry:
    found: Entry = random.choice(list(CATALOGUES[shelf]))
    return found


def scores(random: Random) -> Case:
    """A score of predictions that have what it needs, as scikit-learn has it where that knows it."""
    entry: Any = _one_of(random, "scores")
    source = "numbers" if entry.needs == "number" else random.choice(("two", "two", "two", "three"))
    p = evidence()[source]
    chosen = arguments(random, entry)
    usual, text = plain(entry.name, chosen), spelled(random, entry.name, chosen)
    if random.random() < RUINED:
        text = damaged_text(random, text)
        return Case(f"score of {source} {text!r}", lambda: vc.score(p, text))
    expected = sklearn_scores.value(entry.name, chosen, p)

    def check(answers: tuple[float, float]) -> str:
        found, same = answers
        if found != same and not (math.isnan(found) and math.isnan(same)):
            return f"{text!r} is {found!r}, but {usual!r} {same!r}"
        return "" if expected is None else compare_number(text, found, expected)

    return Case(f"score of {source} {text!r}", lambda: (vc.score(p, text), vc.score(p, usual)), check)


def intervals(random: Random) -> Case:
    """An interval of a score."""
    score, source = random.choice(
        (("error", "two"), ("auc", "two"), ("fbeta", "two"), ("mse", "numbers"), ("brier", "three"))
    )
    level, p = random.choice((0.8, 0.95, 0.99)), evidence()[source]

    def check(found: Any) -> str:
        interval = found.rows[0].interval
        return "" if interval is None or interval.low <= interval.high else f"{interval.low} above {interval.high}"

    ask: Ask = lambda text: vc.estimate(p, score, interval=text, level=level)  # noqa: E731
    return _case(random, _one_of(random, "intervals"), ask, f"interval of {score} of {source}", check)


def comparisons(random: Random) -> Case:
    """A test of two models, of learners on splits, or over data sets."""
    entry, given = _one_of(random, "comparisons"), evidence()
    what = random.choice(("models", "models", "splits", "scores"))
    ask: Ask
    if what == "scores":
        ask = lambda text: vc.rank(given["scores"], using=text, anyway=True)  # noqa: E731
    elif what == "splits":
        ask = lambda text: vc.compare(given["splits"], using=text, anyway=True)  # noqa: E731
    else:
        pair = {name: given[name] for name in ("two", "other")}
        ask = lambda text: vc.compare(pair, "error", using=text, anyway=True)  # noqa: E731
    return _case(random, entry, ask, f"comparison of {what}", _p_value)


def _p_value(found: Any) -> str:
    p = getattr(getattr(found, "omnibus", found), "p_value", None)
    return "" if p is None or math.isnan(p) or 0 <= p <= 1 else f"a p-value of {p}"


def families(random: Random) -> Case:
    """Adjusted p-values, and pairs of a ranking."""
    given = evidence()
    shelf = random.choice(("adjustments", "adjustments", "posthocs"))
    entry = _one_of(random, shelf)
    if shelf == "adjustments" and random.random() < 0.5:
        return _case(random, entry, lambda text: list(vc.adjust(given["p"], text)), "adjust")
    return _case(random, entry, lambda text: vc.rank(given["scores"], then=text, anyway=True), "pairs of a ranking")


def curves(random: Random) -> Case:
    """A curve."""
    entry, source = _one_of(random, "curves"), random.choice(("two", "two", "two", "numbers"))
    chosen, p = arguments(random, entry), evidence()[source]
    return Case(f"curve {entry.name} of {source} with {chosen}", lambda: vc.curve(p, entry.name, **chosen))


def explanations(random: Random) -> Case:
    """What a method says of itself."""
    shelf = random.choice([name for name in CATALOGUES if len(CATALOGUES[name])])
    name = _one_of(random, shelf).name
    text = name if random.random() < 0.7 else damaged_text(random, name)
    return Case(f"explain {text!r}", lambda: vc.explain(text))


FAMILIES = (*(scores,) * 6, intervals, intervals, comparisons, families, curves, explanations)
