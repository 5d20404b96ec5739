"""Try one method on what there is: refused, given with cautions, or given; and what simulations found of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.measurement import Measurement
from veracity.core.notes import Note, unique
from veracity.core.references import ASSUMPTIONS, ASSUMPTIONS_IN_SHORT
from veracity.core.words import plural
from veracity.findings.advice import ORDER, Advice, AdviceVerdict, MethodAdvice
from veracity.scores import scores

# codes of refusals of what a method does not read at all
ELSEWHERE = ("wrong-evidence", "wrong-score", "of-a-learner", "several-models", "one-model")
OF_THE_RESULT = ("omnibus", "better-taken")  # cautions about what a test found, and about the scores themselves
DRAWN_ROWS = 20_000  # of evidence: on more, a method that draws is not tried
NOT_TRIED = "it draws {draws:,} times of {rows:,} rows, which was not tried here; nothing else speaks against it"
CANNOT = "This cannot be concluded from this data"
ASSUMES = "assumes "  # before the assumptions of a method
MAX_FIGURES = 3  # worlds
OF_TABLES = re.compile(r"(?:(\d+) equal learners on )?(\d+) data sets")
Try = Callable[[], tuple[Note, ...]]  # gives the notes of an answer, or is refused


@dataclass(frozen=True)
class Situation:
    """What a world can be like: so many rows, this score, this design, or so many learners on so many data sets."""

    rows: int = 0
    score: str = ""
    by: str = ""  # the design of a learner; empty for fixed models
    learners: int = 0
    datasets: int = 0
    grouped: bool = False  # whether rows come in groups or are weighted


def nearest_figures(entry: Any, here: Situation) -> tuple[Measurement, ...]:
    """Return what was measured in the nearest worlds: first the same sampling, score and design, then the same size."""
    fit = [one for one in entry.measurements() if bool(one.by) == bool(here.by) and _same_target(one, here)]
    return tuple(sorted(fit, key=lambda one: _distance(one, here))[:MAX_FIGURES])


def _distance(one: Measurement, here: Situation) -> tuple[Any, ...]:
    """Return how far a world is from what there is, the gravest difference first."""
    score = getattr(one, "score", "")
    found = OF_TABLES.search(one.world)
    learners, datasets = (int(number or 0) for number in found.groups()) if found else (0, 0)
    datasets = one.rows or 0 if one.unit == "data set" else datasets
    rows = one.rows or 0 if one.unit == "row" else 0
    sizes = ((rows, here.rows), (learners, here.learners), (datasets, here.datasets))
    apart = sum(abs(log(a / b)) for a, b in sizes if a and b)  # a size that one does not know tells nothing
    other_design = one.by.partition("(")[0] != here.by.partition("(")[0]
    other_score = score.partition("(")[0] != here.score.partition("(")[0]
    other_sampling = ("groups" in one.world or "weight" in one.world) != here.grouped
    return other_sampling, other_score, other_design, apart, one.world


def _same_target(one: Measurement, here: Situation) -> bool:
    """Return whether a world's score is for the same kind of target; a world without one is for any."""
    named = [score.partition("(")[0] for score in (getattr(one, "score", ""), here.score)]
    kinds = [scores[name].needs == "number" for name in named if name in scores]
    return len(kinds) < 2 or kinds[0] == kinds[1]


@dataclass(frozen=True)
class Attempt:
    """What became of a method: the notes of each answer, or why there is none."""

    notes: tuple[Note, ...] = ()
    refusals: tuple[str, ...] = ()
    answers: int = 0

    @property
    def verdict(self) -> AdviceVerdict:
        if not self.answers:
            return "no"
        return "care" if self.refusals or self.cautions else "use"

    @property
    def cautions(self) -> tuple[Note, ...]:
        return tuple(note for note in unique(self.notes) if note.weight != "remark" and note.code not in OF_THE_RESULT)


def try_method(choice: Choice, tries: Iterable[Try], here: Situation, is_default: bool = False) -> MethodAdvice:
    """Run a method on several inputs and return its entry in a table of advice, with the notes of all results.

    Where it is refused on some of the inputs alone, that counts as a caution. A method that would resample many rows
    very often is not run.
    """
    draws = choice.value("draws")
    if here.rows > DRAWN_ROWS and draws:
        message = NOT_TRIED.format(draws=draws, rows=here.rows)
        return MethodAdvice(choice.spelling, choice.kind, "care", message, nearest_figures(choice.entry, here))
    start = time.perf_counter()
    notes: tuple[Note, ...] = ()
    refusals: dict[str, bool] = {}  # and whether the method reads something else
    answers = 0
    for one in tries:
        try:
            notes += one()
            answers += 1
        except (BadInput, Refused) as why:
            refusals[why.says] = getattr(why, "code", "") in ELSEWHERE
    seconds = time.perf_counter() - start if answers else None
    row = advice_on_entry(choice.entry, Attempt(notes, tuple(refusals), answers), here)
    elsewhere = not answers and all(refusals.values())
    return replace(row, name=choice.spelling, default=is_default, seconds=seconds, elsewhere=elsewhere)


def advice_on_entry(entry: Any, found: Attempt, here: Situation) -> MethodAdvice:
    """Return what became of a method, and what was measured of it."""
    assumed = ", ".join(ASSUMPTIONS_IN_SHORT[code] for code in entry.assumes)
    nothing = f"{ASSUMES}{assumed}" if assumed else "nothing speaks against it"
    why = "; ".join((*(note.says for note in found.cautions), *found.refusals)) or nothing
    return MethodAdvice(entry.name, entry.kind, found.verdict, why, nearest_figures(entry, here))


def assumption_notes(rows: Iterable[MethodAdvice]) -> tuple[Note, ...]:
    """Return the assumptions of the methods that may be used in full, with the names by which `explain` has them."""
    used = [row.why.removeprefix(ASSUMES) for row in rows if row.verdict == "use" and row.why.startswith(ASSUMES)]
    assumed = dict.fromkeys(one for text in used for one in text.split(", "))
    codes = {short: code for code, short in ASSUMPTIONS_IN_SHORT.items()}
    says = "; ".join(f"{short} ({codes[short]}): {ASSUMPTIONS[codes[short]]}" for short in assumed)
    return (Note("assumptions", "remark", says),) if says else ()


def make_advice(
    question: str, rows: Sequence[MethodAdvice], why: str = "", notes: tuple[Note, ...] = (), cannot: str = ""
) -> Advice:
    """Return the rows in order under one sentence; `why` is that of the default, `cannot` why none can be given."""
    # the default comes first where it may be used, then each by its verdict, and of equals those with figures first
    ordered = sorted(
        rows, key=lambda row: (not (row.default and row.verdict != "no"), ORDER.index(row.verdict), not row.measured)
    )
    best = next((row for row in ordered if row.verdict != "no"), None)
    if best is None or cannot:
        reason = cannot or next((row.why for row in ordered if row.default), ordered[0].why if ordered else "")
        says = f"{CANNOT}: {reason}."
    elif best.verdict == "use":
        says = f"Use {best.name}: {why if best.default and why else best.why}."
    else:
        says = f"Use {best.name}, with care: {best.why}."
    counts = {verdict: sum(row.verdict == verdict for row in ordered) for verdict in ORDER}
    others = sum(row.elsewhere for row in ordered)
    more = f", {others} of them for other evidence or another score" if others else ""
    many = (
        f"{plural(len(ordered), 'method')} tried here: {counts['use']} may be used, {counts['care']} with care,"
        f" {counts['no']} not{more}; to choose among them by what they answer makes it too good"
    )
    told = (*notes, *assumption_notes(ordered), Note("methods-tried", "remark", many))
    return Advice(question, says, tuple(ordered), unique(told))
