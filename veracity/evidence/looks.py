"""A look at the runs of a store, entered where it counts: nothing that is read fails because of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from veracity.core.errors import StoreError
from veracity.core.notes import Note
from veracity.core.words import phrase, plural
from veracity.evidence.runs import Runs

R = TypeVar("R")
INSIDE: ContextVar[bool] = ContextVar("inside", default=False)  # whether a verb that counts is at work
LISTED = 50  # tests of one look, those with the smallest p-values


class LookedTest(NamedTuple):
    """One test that a look made."""

    data: str
    score: str
    a: str
    b: str
    using: str
    p: float


def enter_look(runs: Runs, verb: str, scores: Sequence[str], tests: Iterable[LookedTest] = (), **more: Any) -> None:
    """Tell the store what was asked; one that may only be read, or is busy, counts no more."""
    if runs.asker is None:
        return
    made = sorted(tests, key=lambda test: test.p)
    question = {
        "verb": verb,
        "page": runs.asker,
        "scores": list(dict.fromkeys(map(str, scores))),
        "learners": sorted(runs.learner_names),
        "data": sorted(runs.names),
        "by": list(runs.designs),
        **more,
    }
    found = {"tests": len(made), "least": [list(test) for test in made[:LISTED]]} if made else {}
    with suppress(StoreError):
        runs.store.look(question, found)


def uncounted(runs: Runs) -> Runs:
    """The same runs, of which a look is not counted, as by a preview or by advice."""
    return replace(runs, asker=None)


def best_of_many(runs: Runs, scores: Sequence[str]) -> tuple[Note, ...]:
    """A caution where one learner is shown alone of several that were looked at by the same scores."""
    if len(runs.learner_names) != 1:
        return ()
    seen: set[str] = set()
    with suppress(StoreError):
        for look in runs.store.looks() or ():
            if {*look.question["scores"]} & {*map(str, scores)} and {*look.question["data"]} & {*runs.names}:
                seen |= {*look.question["learners"]}
    others = len(seen - {*runs.learner_names})
    if not others:
        return ()
    name = runs.learner_names[0]
    says = (
        f"{name} is shown alone, and {plural(others, 'other learner')} had been looked at: if chosen for being"
        " the best, it looks better than it is; bbc_cv, or nested resampling, tells how good the best of several is,"
        f" and {phrase('vc.ledger(runs)', 'veracity ledger')} all that was looked at"
    )
    return (Note("best-of-many", "caution", says),)


def counts_as_look(function: Callable[..., R]) -> Callable[..., R]:
    """A verb whose questions of runs are entered, with the tests that it makes; one verb inside another is one look."""

    @wraps(function)
    def call(source: Any, *args: Any, **how: Any) -> R:
        if not isinstance(source, Runs) or INSIDE.get():
            return function(source, *args, **how)
        token = INSIDE.set(True)
        try:
            found = function(source, *args, **how)
        finally:
            INSIDE.reset(token)
        tests = list(_tests(found))
        scores = dict.fromkeys(test.score for test in tests)
        words = {word: str(how[word]) for word in ("using", "then", "pairs") if how.get(word) is not None}
        enter_look(source, function.__name__, list(scores), tests, **words)
        return found

    return call


def _tests(found: Any) -> Iterator[LookedTest]:
    """Those of a comparison, of several, of a ranking, or of verdicts on every data set."""
    matrix = getattr(found, "matrix", None)
    rows = getattr(found, "pairs", None) or getattr(found, "rows", None) or (found,)
    for one in rows:
        if one.p_value is None:
            continue
        score = getattr(one, "score", None) or getattr(matrix, "score", "")
        using = getattr(one, "using", None) or getattr(found, "judged_by", "")
        yield LookedTest(getattr(one, "data", ""), str(score), one.a, one.b, str(using), float(one.p_value))
