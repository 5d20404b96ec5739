"""How many scores, learners, tests and looks went into a claim, and the claim adjusted for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np

from veracity.adjustments.adjust import adjust
from veracity.core.arguments import verb
from veracity.core.confidence import Confidence, rejects
from veracity.core.errors import BadInput, VeracityError, ask_each
from veracity.core.notes import Note
from veracity.core.spelling import read
from veracity.core.words import plural
from veracity.evidence.looks import LISTED, LookedTest, uncounted
from veracity.evidence.runs import Runs
from veracity.findings.estimates import Estimate
from veracity.findings.interval import limits_of
from veracity.findings.ledger import BestOfMany, Claim, Ledger
from veracity.risk.estimates import estimate
from veracity.scores import scores

MAX_NEW_ESTIMATES = 60  # that are made anew for the best of many
NO_LEDGER = Note(
    "no-ledger",
    "caution",
    "this store is of an older veracity and may only be read, so nobody counted what was asked of it",
)


@verb
def ledger(runs: Runs, *, level: float = 0.95) -> Ledger:
    """What was asked of the results of a store: counts, every claim adjusted for all tests, and the best of many.

    `estimate`, `compare`, `rank` and `report` of runs enter what they ask, and so do these, `slices` and
    `best_threshold` of predictions that `runs.predictions` gives; the same question again is one more look and no more
    tests. Claims are adjusted by holm over all tests that were ever made of this store, whichever score,
    data set or test they are by. Where several learners were looked at by a score, the best is shown with an interval
    that holds for all estimates together; `bbc_cv`, or nested resampling, gives its risk without the choice.

    Parameters
    ----------
    runs
        Runs in a store, as evaluate and read_runs give them.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> runs = vc.evaluate(GaussianNB(), *load_iris(return_X_y=True), by="kfold(k=5)")
    >>> card = vc.estimate(runs, ["error", "brier"])
    >>> vc.ledger(runs).counts["scores"]
    2
    """
    if not isinstance(runs, Runs):
        raise BadInput(
            f"a ledger is that of runs in a store, not of {type(runs).__name__}: give read_runs('results.db')"
        )
    at = Confidence(level)
    looks = runs.store.looks()
    notes: tuple[Note, ...] = (NO_LEDGER,) if looks is None else ()
    looks = looks or []
    made, number = _tests(looks)
    asked = Counter({_who(look.question): 0 for look in looks})
    for look in looks:
        asked[_who(look.question)] += look.times
    counts = _counts(runs, looks, number)
    counts["looks"] = sum(times for who, times in asked.items() if not who.startswith("report "))
    p = np.array([test.p for test in made] + [1.0] * (number - len(made)))  # those not listed had larger ones
    adjusted = adjust(p, "holm") if number else p
    claims = tuple(
        Claim(test.a, test.b, test.score, test.data, test.using, test.p, float(p))
        for test, p in zip(made, adjusted[: len(made)], strict=True)
    )
    best, more = _best_of_many(runs, looks, at) if looks else ((), ())
    lost = [one for one in claims if rejects(one.p_value, level) and not rejects(one.adjusted_p_value, level)]
    if lost:
        many = f"among {number} tests, such as {lost[0].a} and {lost[0].b} by {lost[0].score}"
        says = f"{plural(len(lost), 'claim')} with p of at most {at.miss:.3g} no longer hold {many}"
        notes += (Note("no-longer", "caution", says),)
    known = {who: times for who, times in asked.items() if not who.startswith("report ")}
    return Ledger(runs.store.where, counts, known, claims, best, level, (*notes, *more))


def _who(question: Mapping[str, Any]) -> str:
    """The verb; of a page its estimates stand for the page, and what else it asks belongs to it."""
    if not question["page"]:
        return str(question["verb"])
    return "report" if question["verb"] == "estimate" else f"report {question['verb']}"


def _tests(looks: Sequence[Any]) -> tuple[list[LookedTest], int]:
    """All tests that were listed, each once, and how many were made in all."""
    listed = [LookedTest(*one) for look in looks for one in look.found.get("least", ())]
    unlisted = sum(max(look.found.get("tests", 0) - LISTED, 0) for look in looks)
    each = list({(test.data, test.score, *sorted((test.a, test.b)), test.using): test for test in listed}.values())
    return sorted(each, key=lambda test: test.p), len(each) + unlisted


def _counts(runs: Runs, looks: Sequence[Any], tests: int) -> dict[str, int]:
    of = {
        word: {name for look in looks for name in look.question[word]} for word in ("scores", "learners", "data", "by")
    }
    settings = [
        part.get("settings", 1) for part in runs.store.study().get("learners", {}).values() if isinstance(part, dict)
    ]
    named = {argument for name in of["scores"] for argument in _thresholds(name)}
    tried = sum(look.question.get("thresholds", 0) for look in looks)
    sliced = {of_look["rows"]: of_look["number"] for look in looks if (of_look := look.question.get("slices"))}
    return {
        "scores": len(of["scores"]),
        "thresholds": len(named) + tried,
        "slices": sum(sliced.values()),
        "learners": len(of["learners"]),
        "configurations": sum(settings),
        "data sets": len(of["data"]),
        "designs": len(of["by"]),
        "tests": tests,
    }


def _thresholds(score: str) -> list[Any]:
    try:
        return [value for name, value in read(score).arguments if name == "threshold"]
    except BadInput:  # a score of one's own, by its heading
        return []


def _best_of_many(runs: Runs, looks: Sequence[Any], at: Confidence) -> tuple[tuple[BestOfMany, ...], tuple[Note, ...]]:
    """For every data set and score by which several learners were looked at."""
    asked = {
        (data, score, by)
        for look in looks
        for data in look.question["data"]
        for score in look.question["scores"]
        for by in look.question["by"]
    }
    seen = {learner for look in looks for learner in look.question["learners"]} & {*runs.learner_names}
    number = len(asked) * len(seen)
    if len(seen) < 2 or not asked:
        return (), ()
    ways = "`vc.bbc_cv` gives the risk of the best without the choice, nested resampling too"
    many = f"{len(seen)} learners were looked at: the best of them, reported as if it were the only one, is too good"
    says = f"{many}; {ways}"
    note = Note("best-of-many", "caution", says)
    if number > MAX_NEW_ESTIMATES:
        return (), (note,)
    names = ask_each(sorted({score for _, score, _ in asked}), lambda name: scores.choose(name) and name)[0]
    part = uncounted(runs).only(learners=[name for name in runs.learner_names if name in seen])
    try:
        rows = estimate(part, names, level=1 - at.miss / number).rows if names else ()
    except VeracityError:
        return (), (note,)
    places: dict[tuple[str, str, str], list[Estimate]] = {}
    for row in rows:
        if not isnan(row.value) and row.better and (row.data, row.asked, row.by) in asked:
            places.setdefault((row.data, row.asked, row.by), []).append(row)
    best = []
    for (data, score, _), of in places.items():
        values = np.array([row.value for row in of])
        one = of[int(values.argmax() if of[0].better == "higher" else values.argmin())]
        best.append(BestOfMany(data, score, one.learner, len(of), float(one.value), *limits_of(one.interval)))
    return tuple(best), (note,)
