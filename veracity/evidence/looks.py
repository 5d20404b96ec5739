"""A look at the runs of a store, entered where it counts: nothing that is read fails because of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np

from veracity.core.errors import StoreError
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs

R = TypeVar("R")
INSIDE: ContextVar[bool] = ContextVar("inside", default=False)  # whether a verb that counts is at work
PARTS = ("learner_names", "names")  # of runs
LISTED = 50  # tests of one look, those with the smallest p-values


class LookedTest(NamedTuple):
    """One test that a look made."""

    data: str
    score: str
    a: str
    b: str
    using: str
    p: float


def enter_look(source: Any, verb: str, scores: Sequence[str], tests: Iterable[LookedTest] = (), **more: Any) -> None:
    """Tell the store what was asked of its runs, or of predictions that were taken from it.

    One that may only be read, or is busy, counts no more.
    """
    runs = runs_of(source)
    if runs is None or runs.asker is None or INSIDE.get():
        return
    designs = list(runs.designs) if runs is source else [_models(source)[0].origin.design.name]
    question = {"verb": verb, "page": runs.asker, "scores": list(dict.fromkeys(map(str, scores)))}
    question |= {"learners": sorted(runs.learner_names), "data": sorted(runs.names), "by": designs, **more}
    made = sorted(tests, key=lambda test: test.p)
    found = {"tests": len(made), "least": [list(test) for test in made[:LISTED]]} if made else {}
    with suppress(StoreError):
        runs.store.look(question, found)


def runs_of(source: Any) -> Runs | None:
    """Runs that are given, or those that all predictions were taken from; None of what came another way."""
    if isinstance(source, Runs):
        return source
    models = _models(source)
    origins = [p.origin for p in models if isinstance(p, Predictions) and p.origin is not None]
    taken = [origin.runs for origin in origins if origin.runs is not None]
    if not taken or len(taken) < len(models) or len({runs.store.where for runs in taken}) > 1:
        return None
    names = {word: tuple(dict.fromkeys(name for runs in taken for name in getattr(runs, word))) for word in PARTS}
    return replace(taken[0], **names)


def _models(source: Any) -> list[Any]:
    return list(source.values()) if isinstance(source, Mapping) else [source]


@contextmanager
def one_look() -> Iterator[None]:
    """What verbs ask inside of another verb is no look of its own."""
    token = INSIDE.set(True)
    try:
        yield
    finally:
        INSIDE.reset(token)


def sliced_words(source: Any, slices: Any) -> dict[str, Any]:
    """What a question says of the slices that it asks about: how many, and which rows they hold.

    Rows are taken in their order in the data, each once: slices of runs are those of predictions that came from them.
    """
    if slices is None:
        return {}
    labels = [str(label) for label in slices]
    first = _models(source)[0]
    if isinstance(first, Predictions) and first.rows is not None:
        labels = [labels[place] for place in np.unique(first.rows, return_index=True)[1]]
    digest = hashlib.blake2b("\0".join(labels).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return {"slices": {"rows": digest, "number": len(set(labels))}}


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
    says = (
        f"{runs.learner_names[0]} is shown alone, and {plural(others, 'other learner')} had been looked at: if chosen"
        " for being the best, it looks better than it is; bbc_cv, or nested resampling, tells how good the best of"
        " several is, and `vc.ledger(runs)` all that was looked at"
    )
    return (Note("best-of-many", "caution", says),)


def counts_as_look(function: Callable[..., R]) -> Callable[..., R]:
    """A verb whose questions of a store are entered with the tests that it makes; one inside another is one look."""

    @wraps(function)
    def call(source: Any, *args: Any, **how: Any) -> R:
        runs = runs_of(source)
        if runs is None or INSIDE.get():
            return function(source, *args, **how)
        with one_look():
            found = function(source, *args, **how)
        place = "" if runs is source else runs.names[0]
        tests = [test._replace(data=", ".join(filter(None, (place, test.data)))) for test in _tests(found)]
        scores = dict.fromkeys(test.score for test in tests)
        words = {word: str(how[word]) for word in ("using", "then", "pairs") if how.get(word) is not None}
        enter_look(source, function.__name__, list(scores), tests, **words, **sliced_words(source, how.get("slices")))
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
