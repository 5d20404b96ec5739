"""One pair, one test: from evidence to a comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, isnan
from typing import Any

from veracity.comparisons import comparisons
from veracity.comparisons.entry import Verdict
from veracity.comparisons.stated_value import Effect
from veracity.contests.sources import Contest
from veracity.core.confidence import BOUNDED_SIDE, Confidence, rejects
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, accept, anyway_notes, check, unique
from veracity.effects import effects
from veracity.evidence.same_rows import PairedScores, Pairs
from veracity.findings.comparison import DIRECTIONS, Comparison
from veracity.findings.interval import Interval, Limits
from veracity.findings.significance import EffectSize
from veracity.intervals import intervals
from veracity.intervals.compute import attach_interval, compute_limits, make_interval, require_numbers
from veracity.intervals.scored import Scored

Found = tuple[tuple[EffectSize, ...], tuple[Note, ...]]


def choose_effects(asked: MethodLike | Sequence[MethodLike] | None) -> tuple[Choice, ...]:
    """Those asked for: one by its name, or several."""
    if asked is None:
        return ()
    several: Any = asked if isinstance(asked, (list, tuple)) else [asked]
    return tuple(dict.fromkeys(effects.choose(one) for one in several))


def effects_of_pair(contest: Contest, asked: tuple[Choice, ...], a: str, b: str, at: Confidence) -> Found:
    """Each with its limits; one that cannot be had leaves a note in its place."""
    if not asked:
        return (), ()
    if a == b or PairedScores not in contest.gives():
        raise BadInput(f"{asked[0].name} is of {PairedScores.label}, and these are {contest.what}")
    found, notes = [], list[Note]()
    for choice in asked:
        try:
            one, more = _effect(choice, contest.gives()[PairedScores](a, b), at)
        except Refused as why:
            notes.append(Note("no-effect", "caution", f"no {choice} here: {why.says}"))
        else:
            found.append(one)
            notes += more
    return tuple(found), tuple(notes)


def _effect(choice: Choice, pairs: PairedScores, at: Confidence) -> tuple[EffectSize, tuple[Note, ...]]:
    """Scores that are correlated have a size and no limits."""
    notes = check(choice.limits, pairs)
    value, limits = choice.entry(pairs, at, **choice.given)
    low, high = (limits.low, limits.high) if pairs.independent else (None, None)
    told = tuple(Note(note.code, note.weight, f"{choice}: {note.says}") for note in (*notes, *limits.notes))
    return EffectSize(choice.spelling, value, low, high, at.level), told


@dataclass(frozen=True)
class Question:
    """The test, the interval asked for, how sure, and what a refusal may be overridden by."""

    test: Choice
    interval: MethodLike | None
    at: Confidence
    seed: int = 0
    anyway: bool = False
    by_default: bool = False  # whether the test is the usual one, which nobody has named
    effects: tuple[Choice, ...] = ()
    alternative: str | None = None  # None: the test's own, which is two-sided but of one model

    def __post_init__(self) -> None:
        self.test.check_alternative(self.alternative)

    def sure(self, alternative: str) -> Confidence:
        """Return the level and the side of the interval that belongs to an alternative."""
        return replace(self.at, side=BOUNDED_SIDE[alternative])


def judge_pair(contest: Contest, question: Question, a: str, b: str) -> Comparison:
    """Compare a with b."""
    verdict, evidence, notes = run_test(contest, question.test, question, a, b)
    verdict = verdict.towards(question.alternative or verdict.alternative, contest.sign(question.test.reads))
    verdict = verdict.with_least_p
    interval, more = _interval(contest, question, verdict, evidence, a, b)
    difference = contest.difference(a, b) if verdict.difference is None else verdict.difference
    counts = evidence if isinstance(evidence, Pairs) else None
    usual = (contest.usual.note(contest.number(a, b)),) if question.by_default else ()
    of_pair = contest.source_notes + contest.notes(a, b)
    sizes, told = effects_of_pair(contest, question.effects, a, b, question.at)
    return Comparison(
        contest.score,
        question.test.spelling,
        a,
        verdict.against or b,
        difference,
        interval,
        verdict.p_value,
        verdict.statistic,
        verdict.df,
        n01=None if counts is None else int(counts.second_only),
        n10=None if counts is None else int(counts.first_only),
        better=contest.better if contest.judges else "",
        notes=unique(of_pair + notes + verdict.notes + more + _infinity_note(difference) + told + usual),
        probabilities=verdict.probabilities,
        level=question.at.level,
        data=contest.data,
        facts=contest.facts(a, b) + verdict.facts,
        claims=verdict.claims or _claim(verdict, contest.better if contest.judges else ""),
        alternative=verdict.alternative if question.test.alternatives else "",
        stated=bool(verdict.against),
        posterior=verdict.posterior,
        effects=sizes,
        letter=question.test.letter,
    )


def _claim(verdict: Verdict, better: str) -> str:
    """Return what a small p-value is evidence for, where that is not a difference."""
    direction = DIRECTIONS.get(verdict.alternative, "")
    if not verdict.against:
        return direction and f"that it is {direction}"
    quality = ("better" if direction == better else "worse") if better else direction
    return f"that it is {quality} than {verdict.against}" if direction else f"that it differs from {verdict.against}"


def _infinity_note(difference: float) -> tuple[Note, ...]:
    """A difference that is no number is told, as JSON cannot hold it."""
    if isfinite(difference):
        return ()
    says = "undefined: scores are infinite on both sides" if isnan(difference) else "infinite, as some scores are"
    return (Note("infinite", "remark", f"the difference is {says}"),)


def run_test(
    contest: Contest, test: Choice, question: Question, a: str, b: str
) -> tuple[Verdict, Any, tuple[Note, ...]]:
    """The verdict of a test on a pair, the evidence it read, and the notes of its limits."""
    evidence, notes = read_evidence(contest, test, question, a, b)
    verdict: Verdict = test.with_seed(question.seed)(evidence)
    notes += anyway_notes(test.name, notes + accept(verdict.notes, question.anyway))
    if any(isnan(number) for number in (verdict.p_value or 0.0, *(verdict.probabilities or ()))):
        raise Refused(f"{test.name} has no answer here, whatever is accepted", "no-answer")
    return verdict.with_least_p, evidence, notes


def read_evidence(contest: Contest, test: Choice, question: Question, a: str, b: str) -> tuple[Any, tuple[Note, ...]]:
    """Return what a test reads of a pair, with the notes of its limits; raise Refused where it is not valid."""
    only, choice = test.only, contest.choice
    if only and choice is not None and not choice.is_one_of(*only):
        own = "your own " if choice.name in only else ""
        raise Refused(f"{test.name} compares {' or '.join(only)}, not {own}{contest.score}", "wrong-score")
    evidence, notes = _evidence_for(contest, test, question, a, b)
    return evidence, notes + check(test.limits, evidence, question.anyway)


def _evidence_for(contest: Contest, test: Choice, question: Question, a: str, b: str) -> tuple[Any, tuple[Note, ...]]:
    """What the source offers, or what another test found, with its notes."""
    inner = _inner(test)
    if inner is None:
        return contest.evidence(test.entry, a, b), ()
    if inner.compares != 2 or _inner(inner) is not None:
        raise BadInput(f"{test.name}: of= names a test of a difference, not {inner}")
    verdict, _, notes = run_test(contest, inner, question, a, b)
    difference = contest.difference(a, b) if verdict.difference is None else verdict.difference
    if not (verdict.standard_error and isinstance(verdict.df, (int, float, type(None)))):
        raise Refused(
            f"{inner} finds no standard error here, or the difference does not vary: {test.name} builds on"
            " tests such as paired_loss_t, paired_bootstrap and delong_test of models, corrected_t of learners",
            "no-standard-error",
        )
    better = contest.better if contest.judges else ""
    return Effect(difference, verdict.standard_error, verdict.df, better), notes + verdict.notes


def _inner(test: Choice) -> Choice | None:
    """The test that this one builds on, if it does."""
    return comparisons.choose(test.value("of")) if test.reads is Effect else None


def _interval(
    contest: Contest, question: Question, verdict: Verdict, evidence: Any, a: str, b: str
) -> tuple[Interval | None, tuple[Note, ...]]:
    """The interval asked for, or the one that belongs to the test, or none and a note that says why."""
    name, at = question.test.interval, question.sure(verdict.alternative)
    asked_at = question.sure(question.alternative or "two-sided")
    try:
        if question.interval is not None and isinstance(evidence, Scored):
            return _interval_of_one(question, verdict, evidence, asked_at), ()
        if question.interval is not None:
            other = _interval_by_name(contest, question, question.interval, a, b, asked_at)
            return other, _contradiction_note(question, verdict, other)
        own = _own_interval(contest, question, verdict, at if verdict.sure is None else verdict.sure(at))
        if own is None and name is not None:
            own = _interval_by_name(contest, question, name, a, b, at)
        return own, () if own is None else _contradiction_note(question, verdict, own)
    except Refused as why:
        if question.interval is not None:
            raise
        return None, (Note("no-interval", "remark", f"no {name or question.test} interval here: {why.says}"),)


def _contradiction_note(question: Question, verdict: Verdict, interval: Interval) -> tuple[Note, ...]:
    """Of a test whose interval follows another law, 0 may lie inside where the p-value rejects, or the reverse."""
    if verdict.p_value is None or verdict.claims:
        return ()
    if (0 in interval) != rejects(verdict.p_value, question.at.level):
        return ()
    own = interval.method == question.test.spelling
    says = (
        f"{'its' if own else f'the {interval.method}'} interval {'holds' if 0 in interval else 'leaves out'} 0, but"
        f" {question.test} says p = {verdict.p_value:.3g}: they are of two {'laws' if own else 'methods'}, and the"
        " verdict is that of the p-value"
    )
    return (Note("interval-contradicts", "remark", says),)


def _own_interval(contest: Contest, question: Question, verdict: Verdict, at: Confidence) -> Interval | None:
    """The interval that the test itself has found."""
    inner = _inner(question.test)
    assumes = question.test.assumes if inner is None else inner.assumes
    if verdict.limits is not None:
        limits = _turned(verdict.limits, contest.sign(question.test.reads), at)
        accept(limits.notes, question.anyway)
        if limits.low == limits.high:
            raise Refused("so many differences are alike that its width would be 0", "zero-width")
    elif verdict.standard_error and verdict.difference is not None:
        half = verdict.standard_error * (at.t(verdict.df) if isinstance(verdict.df, (int, float)) else at.z)
        limits = Limits(verdict.difference - half, verdict.difference + half)
    else:
        return None
    method = question.test.spelling
    return _difference_interval(require_numbers(limits, method), at, method, assumes, contest.range)


def _interval_by_name(
    contest: Contest, question: Question, name: MethodLike, a: str, b: str, at: Confidence
) -> Interval:
    choice = intervals.choose(name).with_seed(question.seed)
    evidence = contest.evidence(choice.entry, a, b)

    def compute(at: Confidence) -> Limits:
        return compute_limits(choice, evidence, at, question.anyway)

    limits = _turned(compute, contest.sign(choice.reads), at)
    return _difference_interval(limits, at, choice.spelling, choice.assumes, contest.range)


def _turned(compute: Callable[[Confidence], Limits], sign: int, at: Confidence) -> Limits:
    """Return the limits of the difference as the score tells it, of evidence that may have the other sign."""
    limits = compute(at if sign > 0 else at.mirrored)
    low, high = sorted((sign * limits.low, sign * limits.high))
    return limits._replace(low=low, high=high)


def _interval_of_one(question: Question, verdict: Verdict, scored: Scored, at: Confidence) -> Interval:
    """That of a model's score by itself, less the value that it is compared with."""
    alone = attach_interval(scored, question.interval, at, question.seed, question.anyway)
    stated = scored.value - (verdict.difference or 0.0)
    return replace(alone, low=alone.low - stated, high=alone.high - stated, about=None)


def _difference_interval(
    limits: Limits, at: Confidence, method: str, assumes: tuple[str, ...], within: tuple[float, float]
) -> Interval:
    """Clipped to what differences can be; one that is bounded at one end only has no other, and a note says so."""
    if at.side != "two":
        note = Note("one-sided", "remark", f"the interval is one-sided: it bounds only the {at.side} end")
        limits, within = limits._replace(notes=(*limits.notes, note)), (-inf, inf)
    return make_interval(limits, at, method, assumes, within, ("the limits", "the differences that there can be"))
