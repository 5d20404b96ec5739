"""One method tried on what there is: refused, given with cautions, or given; which is the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from veracity.advice.nearest_figures import Situation, nearest_figures
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, unique
from veracity.core.references import ASSUMPTIONS, ASSUMPTIONS_IN_SHORT
from veracity.core.words import plural
from veracity.findings.advice import ORDER, Advice, AdviceVerdict, MethodAdvice

# codes of refusals of what a method does not read at all
ELSEWHERE = ("wrong-evidence", "wrong-score", "of-a-learner", "several-models", "one-model")
OF_THE_RESULT = ("omnibus", "better-taken")  # cautions about what a test found, and about the scores themselves
DRAWN_ROWS = 20_000  # of evidence: on more, a method that draws is not tried
NOT_TRIED = "it draws {draws:,} times of {rows:,} rows, which was not tried here; nothing else speaks against it"
CANNOT = "This cannot be concluded from this data"
ASSUMES = "assumes "  # before the assumptions of a method


@dataclass(frozen=True)
class Attempt:
    """What became of a method: the notes of each answer, or why there is none."""

    notes: tuple[Note, ...] = ()
    refusals: tuple[str, ...] = ()
    answers: int = 0
    seconds: float = 0.0
    elsewhere: bool = False  # whether it was refused because it reads something else

    @property
    def verdict(self) -> AdviceVerdict:
        if not self.answers:
            return "no"
        return "care" if self.refusals or self.cautions else "use"

    @property
    def cautions(self) -> tuple[Note, ...]:
        return tuple(note for note in unique(self.notes) if note.weight != "remark" and note.code not in OF_THE_RESULT)


def attempt(tries: Iterable[Callable[[], tuple[Note, ...]]]) -> Attempt:
    """Each try gives the notes of an answer, or is refused; a refusal beside an answer is a caution of the verb's."""
    start = time.perf_counter()
    notes: tuple[Note, ...] = ()
    refusals: dict[str, bool] = {}
    answers = 0
    for one in tries:
        try:
            notes += one()
            answers += 1
        except (BadInput, Refused) as why:
            refusals[why.says] = getattr(why, "code", "") in ELSEWHERE
    elsewhere = not answers and all(refusals.values())
    return Attempt(notes, tuple(refusals), answers, time.perf_counter() - start, elsewhere)


def draws_too_often(choice: Choice, rows: int) -> bool:
    """Whether a method draws so often of so many rows that trying it takes long."""
    return rows > DRAWN_ROWS and bool(choice.value("draws"))


def advice_on(choice: Choice, found: Attempt, here: Situation, default: bool = False) -> MethodAdvice:
    """A row of the table, of a method with its parameters."""
    row = advice_on_entry(choice.entry, found, here)
    seconds = found.seconds if found.answers else None
    return replace(row, name=choice.spelling, default=default, seconds=seconds, elsewhere=found.elsewhere)


def advice_on_entry(entry: Any, found: Attempt, here: Situation) -> MethodAdvice:
    """What became of a method, and what was measured of it."""
    why = "; ".join((*(note.says for note in found.cautions), *found.refusals)) or _assumptions(entry)
    return MethodAdvice(entry.name, entry.kind, found.verdict, why, nearest_figures(entry, here))


def not_tried(choice: Choice, rows: int, here: Situation) -> MethodAdvice:
    """A row for a method that draws too often to be tried."""
    says = NOT_TRIED.format(draws=choice.value("draws"), rows=rows)
    figures = nearest_figures(choice.entry, here)
    return MethodAdvice(choice.spelling, choice.kind, "care", says, figures)


def _assumptions(entry: Any) -> str:
    assumed = [ASSUMPTIONS_IN_SHORT[code] for code in entry.assumes]
    return f"{ASSUMES}{', '.join(assumed)}" if assumed else "nothing speaks against it"


def assumption_notes(rows: Iterable[MethodAdvice]) -> tuple[Note, ...]:
    """What the assumptions of the methods that may be used are in full, with the names by which `explain` has them."""
    used = [row.why.removeprefix(ASSUMES) for row in rows if row.verdict == "use" and row.why.startswith(ASSUMES)]
    assumed = dict.fromkeys(one for text in used for one in text.split(", "))
    codes = {short: code for code, short in ASSUMPTIONS_IN_SHORT.items()}
    says = "; ".join(f"{short} ({codes[short]}): {ASSUMPTIONS[codes[short]]}" for short in assumed)
    return (Note("assumptions", "remark", says),) if says else ()


def in_order(rows: Iterable[MethodAdvice]) -> tuple[MethodAdvice, ...]:
    """The default first where it may be used; then by verdict, and of equals those with figures first."""
    return tuple(
        sorted(
            rows,
            key=lambda row: (not (row.default and row.verdict != "no"), ORDER.index(row.verdict), not row.measured),
        )
    )


def make_advice(
    question: str, rows: Sequence[MethodAdvice], why: str = "", notes: tuple[Note, ...] = (), cannot: str = ""
) -> Advice:
    """The rows in order under one sentence; `why` is that of the default, `cannot` why nothing can be concluded."""
    ordered = in_order(rows)
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
