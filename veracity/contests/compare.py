"""Compare models or learners in pairs: one test of one pair, and several pairs as a family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from veracity.adjustments import Family, adjustments
from veracity.adjustments.adjust import adjust_family
from veracity.comparisons import comparisons
from veracity.comparisons.entry import Test, Verdict
from veracity.comparisons.stated_value import Effect
from veracity.contests.score_sources import Source, make_contest, places_to_compare, refuse_choice
from veracity.contests.sources import Contest, Models, list_pairs
from veracity.core.arguments import Column, verb
from veracity.core.bounds import ANYWAY, PAIR_DRAWS, check_bound
from veracity.core.confidence import BOUNDED_SIDE, Confidence, check_alternative, rejects
from veracity.core.entry import Choice, DefaultRule, Entry, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError, ask_each
from veracity.core.notes import Note, accept, always, anyway_notes, check, unique
from veracity.core.spelling import fold
from veracity.effects.effect_sizes import effects
from veracity.evidence.labels import simultaneous_note, slice_rows
from veracity.evidence.looks import counts_as_look
from veracity.evidence.predictions import subset
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Correctness, PairedScores, Pairs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import DIRECTIONS, Comparison, Comparisons
from veracity.findings.interval import Interval, Limits
from veracity.findings.significance import EffectSize, Omnibus
from veracity.intervals import intervals
from veracity.intervals.compute import attach_interval, compute_limits, make_interval, require_numbers
from veracity.intervals.scored import Scored

ALL_FAILED = "all-failed"  # the code of a refusal: a learner has no split to compare
NOT_COMPARED = "not-compared"  # the code of the note about pairs that have no answer
UNADJUSTED = {"none", "no", "raw", "unadjusted", "uncorrected"}
ADJUSTMENT = DefaultRule(
    "the p-values of several pairs",
    "holm",
    always,
    "holds however the tests depend on each other, and finds all that bonferroni finds and more",
)


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


class Lost(NamedTuple):
    """What could not be compared, on which data set, why, and how many pairs that is."""

    what: str
    data: str
    why: VeracityError
    pairs: int = 1


@verb
@counts_as_look
def compare(
    source: Source,
    score: MethodLike | Sequence[MethodLike] | None = None,
    *,
    using: MethodLike | None = None,
    pairs: Iterable[Sequence[str]] | None = None,
    then: MethodLike | None = None,
    interval: MethodLike | None = None,
    alternative: str | None = None,
    effect: MethodLike | Sequence[MethodLike] | None = None,
    level: float = 0.95,
    data: str | Sequence[str] | None = None,
    by: str | None = None,
    slices: Column = None,
    seed: int = 0,
    anyway: bool = False,
) -> Comparison | Comparisons:
    """Compare two models or learners: difference, interval, p-value and one plain sentence.

    `source` is a mapping of models to predictions, runs, split scores or a matrix of scores. More than two are
    compared in pairs (all, or `pairs`), with p-values adjusted by `then` (holm unless another is named). A test of
    several models together, such as cochran_q, comes before the pairs. `slices` (one label per row) compares models on
    each slice of their rows: p-values are adjusted over all of them, intervals hold together (Bonferroni).

    Runs on several data sets are compared on each (or each of `data`), as one family, by a test of splits; over all of
    them by one that reads a score of each, such as wilcoxon, which is the default from six data sets on.

    `alternative` is "two-sided", "less" or "greater", about the score of the first less that of the second, as in
    scipy: "less" asks whether it lies below 0, and the interval then has an upper end alone. Unless it is named, tests
    are two-sided; one_sample asks whether the model is better.

    `effect` adds standardised effect sizes, such as "cohens_d", "cliffs_delta" or "a12", each with its interval.

    Several scores, in a list, are one family too: p-values are adjusted over all pairs of all of them.
    """
    refuse_choice(source, data=data, by=by)
    check_alternative(alternative)
    if isinstance(score, (list, tuple)):
        how: Any = {"using": using, "pairs": pairs, "interval": interval, "level": level, "data": data, "by": by}
        how |= {"alternative": alternative, "slices": slices, "effect": effect, "seed": seed, "anyway": anyway}
        return _compare_by_each(list(score), partial(compare, source, **how), then)
    assert not isinstance(score, Sequence) or isinstance(score, str)
    ask = partial(
        Question,
        interval=interval,
        at=Confidence(level),
        seed=seed,
        anyway=anyway,
        by_default=using is None,
        effects=choose_effects(effect),
        alternative=alternative,
    )
    if isinstance(source, Runs) and not isinstance(data, str) and slices is None:
        source = source if data is None else source.only(data=data)
        if places := places_to_compare(source, using, data):
            return _compare_on_each(source, score, places, by, using, pairs, then, ask)
    contest = make_contest(source, score, using, data if isinstance(data, str) else None, by)
    question = ask(comparisons.choose(contest.default if using is None else using))
    number = question.test.compares
    if number != 1:
        _check_two(contest)
    if slices is not None and (number == 0 or isinstance(source, Runs) or not isinstance(contest, Models)):
        what = f"{question.test.name} of all together" if number == 0 else contest.what
        raise BadInput(f"`slices=` compares pairs of fixed models by their predictions, not {what}")
    if number == 0:
        return _compare_together(contest, question, pairs, then)
    chosen = [(name, name) for name in contest.names] if number == 1 else contest.pairs(pairs)
    if slices is not None and isinstance(contest, Models):
        return _compare_slices(contest, question, chosen, slices, then)
    check_pair_draws(question.test, len(chosen), anyway)
    each, lost = _compare_pairs(contest, question, chosen)
    if len(chosen) == 1 and pairs is None and each:
        return each[0]
    return _family(each, lost, then)


def _check_two(contest: Contest) -> None:
    if len(contest.names) < 2:
        way = "`using='one_sample(value=0.5)'`"
        alone = f": name another, or hold the one against a known value, {way}" if isinstance(contest, Models) else ""
        raise BadInput(f"compare needs two models or learners, not {len(contest.names)}{alone}")


def check_pair_draws(test: Choice, pairs: int, anyway: bool) -> None:
    """Refuse a test of pairs by random draws where pairs are so many that it would take hours."""
    draws = 0 if anyway or not test.accepts("draws") else pairs * (test.value("draws") or 0)
    if draws:  # the words cost more than many a test
        cost = f"{pairs:,} pairs by {test} are {draws:,} draws"
        check_bound(draws, PAIR_DRAWS, cost, f"name fewer pairs or a control, or say `{ANYWAY}=True`")


def _compare_by_each(
    names: list[MethodLike], ask: Callable[..., Comparison | Comparisons], then: MethodLike | None
) -> Comparison | Comparisons:
    """Compare by each score, all as one family; a score that cannot be compared costs its own rows."""
    if not names or len(set(map(str, names))) < len(names):
        raise BadInput(f"`score=` names {'a score twice' if names else 'no score'}: name each once")
    if len(names) == 1:
        return ask(names[0], then=then)
    answers, refusals = ask_each(names, ask)
    if not answers:
        raise refusals[0][1]
    families = [Comparisons((one,)) if isinstance(one, Comparison) else one for one in answers]
    each = [row for family in families for row in family.rows]
    lost = [Lost(f"models by {name}", "", why) for name, why in refusals]
    notes = [note for family in families for note in family.notes if note.code == NOT_COMPARED]
    says = f"{len(names)} scores were asked for: p-values are adjusted over all pairs of all of them"
    together = Note("several-scores", "remark", says)
    most_tests = max(len(family) + family.refused for family in families)
    untested = sum(family.refused for family in families) + _count_refused(lost) * most_tests
    family = adjust_comparisons(each, then, untested=untested)
    return replace(family, notes=(*unique((*notes, *_lost_notes(lost))), together, *family.notes))


def _compare_pairs(
    contest: Contest, question: Question, pairs: Sequence[tuple[str, str]]
) -> tuple[list[Comparison], list[Lost]]:
    """Compare the pairs that can be compared; others are told by their reason, and by a learner that all share."""
    each, refusals = ask_each(pairs, lambda pair: judge_pair(contest, question, *pair))
    by_reason: dict[str, list[tuple[tuple[str, str], VeracityError]]] = {}
    for refusal in refusals:
        by_reason.setdefault(refusal[1].says, []).append(refusal)
    lost = []
    for alike in by_reason.values():
        lost_pairs = [pair for pair, _ in alike]
        shared = [name for name in lost_pairs[0] if all(name in pair for pair in lost_pairs)]
        what = shared[0] if len(alike) > 1 and shared else "; ".join(f"{a} and {b}" for a, b in lost_pairs)
        lost.append(Lost(what, contest.data, alike[0][1], len(alike)))
    return each, lost


def _family(each: list[Comparison], lost: list[Lost], then: MethodLike | None) -> Comparisons:
    """Adjust comparisons as one family; where there is none, the first refusal stands."""
    if not each:
        raise lost[0].why
    family = adjust_comparisons(each, then, untested=_count_refused(lost))
    return replace(family, notes=(*_lost_notes(lost), *family.notes))


def _lost_notes(lost: Sequence[Lost]) -> tuple[Note, ...]:
    """A caution for each thing and reason, with all data sets where it is so."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in lost:
        places.setdefault((one.what, one.why.says), []).append(one.data)
    notes = []
    for (what, why), data in places.items():
        on = f" on {', '.join(data)}" if any(data) else ""
        notes.append(Note(NOT_COMPARED, "caution", f"{what} could not be compared{on}: {why}"))
    return tuple(notes)


def _count_refused(lost: Sequence[Lost]) -> int:
    """Count the tests that the data refused, which are part of a family.

    A learner that failed everywhere, or has no such output, or a test that cannot read such a score was never to be
    tested, whatever the rows: its pairs are no part of it.
    """
    return sum(one.pairs for one in lost if isinstance(one.why, Refused) and one.why.code != ALL_FAILED)


def _compare_on_each(
    runs: Runs,
    score: MethodLike | None,
    places: Sequence[str],
    by: str | None,
    using: MethodLike | None,
    pairs: Iterable[Sequence[str]] | None,
    then: MethodLike | None,
    ask: Callable[[Choice], Question],
) -> Comparisons:
    """Compare the pairs on each data set, all as one family; a data set that gives no answer costs its own rows."""
    asked = None if pairs is None else list_pairs(pairs)
    each: list[Comparison] = []
    lost: list[Lost] = []
    for name in places:
        chosen: list[tuple[str, str]] = []
        try:
            contest = make_contest(runs, score, using, name, by)
            question = ask(comparisons.choose(using or contest.default))
            if question.test.compares != 2:
                raise BadInput(f"{question.test.name} is asked of one data set: `data={name!r}`")
            _check_two(contest)
            chosen = contest.pairs(asked)
            check_pair_draws(question.test, len(chosen) * len(places), question.anyway)
        except (BadInput, Refused) as why:
            lost.append(Lost("the learners", name, why, len(chosen)))
        else:
            found, missed = _compare_pairs(contest, question, chosen)
            each, lost = each + found, lost + missed
    return _family(each, lost, then)


def _compare_together(
    contest: Contest, question: Question, pairs: Iterable[Sequence[str]] | None, then: MethodLike | None
) -> Comparisons:
    """Test all models together, and then the pairs by the default test of two."""
    test = question.test
    if test.reads is not Correctness:
        raise BadInput(f"{test.name} orders learners over many data sets: use `vc.rank(..., using={str(test)!r})`")
    chosen = contest.pairs(pairs)
    verdict, _, notes = run_test(contest, test, question, *contest.names[:2])
    assert verdict.p_value is not None  # no posterior is of several models together
    numbers = (verdict.statistic, verdict.degrees, verdict.p_value)
    omnibus = Omnibus(test.spelling, *numbers, notes + verdict.notes, facts=verdict.facts, letter=test.letter)
    differ = omnibus.rejects(question.at.level)
    says = "some models differ" if differ else "not enough to conclude that any models differ, whatever a pair says"
    told = Note("omnibus", "remark" if differ else "caution", f"{omnibus.method}: {omnibus.result}, {says}")
    of_two = replace(question, test=comparisons.choose(contest.default))
    family = adjust_comparisons([judge_pair(contest, of_two, a, b) for a, b in chosen], then)
    return replace(family, omnibus=omnibus, notes=(told, *omnibus.notes, *family.notes))


def _compare_slices(
    contest: Models, question: Question, pairs: list[tuple[str, str]], slices: Any, then: MethodLike | None
) -> Comparisons:
    """Compare every pair on every slice as one family; a pair that is refused on a slice does not cost the others."""
    parts, *_ = [slice_rows(slices, "slices", len(p)) for p in contest.models.values()]
    check_pair_draws(question.test, len(pairs) * len(parts), question.anyway)
    level = 1 - question.at.miss / len(parts)
    of_slice = replace(question, at=Confidence(level), by_default=False)
    here = {
        label: contest.on({name: subset(p, rows) for name, p in contest.models.items()}, label) for label, rows in parts
    }
    places = [(label, pair) for label in here for pair in pairs]
    found, refusals = ask_each(places, lambda place: judge_pair(here[place[0]], of_slice, *place[1]))
    told = [(f"{label}, {a}" if a == b else f"{label}, {a} and {b}", why) for (label, (a, b)), why in refusals]
    if not found:
        place, first = told[0]
        says = f"no slice can be compared; {place}: {first.says}"
        raise Refused(says, first.code) if isinstance(first, Refused) else BadInput(says)
    each = [replace(one, level=question.at.level) for one in found]
    family = adjust_comparisons(each, then, untested=len(refusals))
    left = tuple(Note("left-out", "caution", f"{place}: {why.says}") for place, why in told)
    together = simultaneous_note(len(parts), level, question.at.level, "pair")
    usual = (contest.usual.note(contest.number(*pairs[0])),) if question.by_default else ()  # once for all slices
    return replace(family, notes=(together, *left, *family.notes, *usual))


def adjust_comparisons(each: list[Comparison], then: MethodLike | None, untested: int = 0) -> Comparisons:
    """Adjust the p-values of several comparisons together, as one family.

    A test that was refused counts as p = 1: what was refused because of the data would otherwise have made it smaller.
    """
    if all(one.p_value is None for one in each):  # posteriors make no claims that add up
        if then is not None:
            raise BadInput("posterior probabilities are not adjusted: leave out `then=`")
        return Comparisons(tuple(each))
    method = choose_adjustment(then, each[0].claims)
    if method.pairs and any((one.data, one.score) != (each[0].data, each[0].score) for one in each):
        raise BadInput(f"{method.name} reads a pair once, and these are of several slices or scores: use holm")
    if method.pairs and len({frozenset((one.a, one.b)) for one in each}) < len(each):
        raise BadInput(f"{method.name} reads every pair once: leave out those that are named twice")
    names = list(dict.fromkeys(name for one in each for name in (one.a, one.b)))
    ends = (np.array([names.index(one.a) for one in each]), np.array([names.index(one.b) for one in each]))
    p = np.array([one.p_value for one in each] + [1.0] * untested, float)
    adjusted, notes = adjust_family(Family(p) if untested else Family(p, *ends), method)
    rows = tuple(replace(one, adjusted_p_value=float(p)) for one, p in zip(each, adjusted[: len(each)], strict=True))
    notes = (*notes, *family_notes(len(each) + untested, method, comparisons.choose(each[0].using).entry, untested))
    return Comparisons(rows, notes, then=method.spelling, refused=untested)


def choose_adjustment(then: MethodLike | None, claims: str = "") -> Choice:
    """The adjustment asked for, holm without any; one that reasons about equality is not for other claims."""
    if isinstance(then, str) and fold(then) in UNADJUSTED:
        raise BadInput(f"{then!r} is no adjustment: leave it out, each p-value as it is stands beside the adjusted one")
    choice = adjustments.choose(ADJUSTMENT.name if then is None else then)
    if claims and choice.pairs:
        raise BadInput(f"{choice.name} uses that equality is transitive, and these tests claim {claims}: use holm")
    return choice


def family_notes(size: int, then: Choice, test: Entry, untested: int = 0) -> Iterator[Note]:
    """How large the family is, how it was adjusted, and what that takes for granted."""
    says = f"{size} comparisons are one family" if size > 1 else "one comparison is a family by itself"
    counts = "counts" if untested == 1 else "count"
    refused = f"; {untested} of them refused, which {counts} as p = 1" if untested else ""
    yield Note("family", "remark", f"{says}, adjusted by {then.spelling}{refused}")
    # means are equal or not, and medians of the differences of two learners by themselves need not be transitive
    tests_pairs_alone = isinstance(test, Test) and test.reads is ScoreMatrix and "COMM" not in test.assumes
    if "LOGIC" in then.assumes and tests_pairs_alone:
        says = (
            f"{then.name} uses that equality is transitive, which {test.name} of pairs grants only if learners "
            "differ by a shift alike on all data sets: holm needs nothing"
        )
        yield Note("transitive", "caution", says)
    if then.controls != "family-wise error":
        yield Note("controls", "remark", f"{then.name} controls the {then.controls}")


def judge_pair(contest: Contest, question: Question, a: str, b: str) -> Comparison:
    """Compare a with b."""
    test = question.test
    verdict, evidence, notes = run_test(contest, test, question, a, b)
    verdict = verdict.towards(question.alternative or verdict.alternative, contest.sign(test.reads)).with_least_p
    interval, more = _interval(contest, question, verdict, evidence, a, b)
    difference = contest.difference(a, b) if verdict.difference is None else verdict.difference
    counts = evidence if isinstance(evidence, Pairs) else None
    usual = (contest.usual.note(contest.number(a, b)),) if question.by_default else ()
    of_pair = contest.source_notes + contest.notes(a, b)
    sizes, told = effects_of_pair(contest, question.effects, a, b, question.at)
    return Comparison(
        contest.score,
        test.spelling,
        a,
        verdict.against or b,
        difference,
        interval,
        verdict.p_value,
        verdict.statistic,
        verdict.df,
        n01=None if counts is None else int(counts.second_only),
        n10=None if counts is None else int(counts.first_only),
        better=contest.direction,
        notes=unique(of_pair + notes + verdict.notes + more + _infinity_note(difference) + told + usual),
        probabilities=verdict.probabilities,
        level=question.at.level,
        data=contest.data,
        facts=contest.facts(a, b) + verdict.facts,
        claims=verdict.claims or _claim(verdict, contest.direction),
        alternative=verdict.alternative if test.alternatives else "",
        stated=bool(verdict.against),
        posterior=verdict.posterior,
        effects=sizes,
        letter=test.letter,
    )


def _claim(verdict: Verdict, better: str) -> str:
    """Return what a small p-value is evidence for, where that is not a difference."""
    direction = DIRECTIONS.get(verdict.alternative, "")
    if not verdict.against:
        return direction and f"that it is {direction}"
    quality = ("better" if direction == better else "worse") if better else direction
    return f"that it is {quality} than {verdict.against}" if direction else f"that it differs from {verdict.against}"


def _infinity_note(difference: float) -> tuple[Note, ...]:
    """Tell of a difference that is no number, as JSON cannot hold it."""
    if isfinite(difference):
        return ()
    says = "undefined: scores are infinite on both sides" if isnan(difference) else "infinite, as some scores are"
    return (Note("infinite", "remark", f"the difference is {says}"),)


def run_test(
    contest: Contest, test: Choice, question: Question, a: str, b: str
) -> tuple[Verdict, Any, tuple[Note, ...]]:
    """Return the verdict of a test on a pair, the evidence it read, and the notes of its limits."""
    evidence, notes = read_evidence(contest, test, question, a, b)
    verdict: Verdict = test.with_seed(question.seed)(evidence)
    notes += anyway_notes(test.name, notes + accept(verdict.notes, question.anyway))
    if any(isnan(number) for number in (verdict.p_value or 0.0, *(verdict.probabilities or ()))):
        raise Refused(f"{test.name} has no answer here, whatever is accepted", "no-answer")
    return verdict.with_least_p, evidence, notes


def read_evidence(contest: Contest, test: Choice, question: Question, a: str, b: str) -> tuple[Any, tuple[Note, ...]]:
    """Return what a test reads of a pair, with the notes of its limits; raise Refused where it is not valid.

    The source offers it, or another test that this one builds on finds it.
    """
    only, choice, notes = test.only, contest.choice, tuple[Note, ...]()
    if only and choice is not None and not choice.is_one_of(*only):
        own = "your own " if choice.name in only else ""
        raise Refused(f"{test.name} compares {' or '.join(only)}, not {own}{contest.score}", "wrong-score")
    inner = _inner_test(test)
    if inner is None:
        evidence = contest.evidence(test.entry, a, b)
    else:
        if inner.compares != 2 or _inner_test(inner) is not None:
            raise BadInput(f"{test.name}: of= names a test of a difference, not {inner}")
        verdict, _, notes = run_test(contest, inner, question, a, b)
        difference = contest.difference(a, b) if verdict.difference is None else verdict.difference
        if not (verdict.standard_error and isinstance(verdict.df, (int, float, type(None)))):
            raise Refused(
                f"{inner} finds no standard error here, or the difference does not vary: {test.name} builds on"
                " tests such as paired_loss_t, paired_bootstrap and delong_test of models, corrected_t of learners",
                "no-standard-error",
            )
        evidence = Effect(difference, verdict.standard_error, verdict.df, contest.direction)
        notes += verdict.notes
    return evidence, notes + check(test.limits, evidence, question.anyway)


def _inner_test(test: Choice) -> Choice | None:
    """The test that this one builds on, if it does."""
    return comparisons.choose(test.value("of")) if test.reads is Effect else None


def _interval(
    contest: Contest, question: Question, verdict: Verdict, evidence: Any, a: str, b: str
) -> tuple[Interval | None, tuple[Note, ...]]:
    """The interval asked for, or the one that belongs to the test, or none and a note that says why."""
    test, asked, at = question.test, question.interval, question.sure(verdict.alternative)
    asked_at = question.sure(question.alternative or "two-sided")
    if asked is not None and isinstance(evidence, Scored):  # that of a model's score, less the value it is held against
        alone = attach_interval(evidence, asked, asked_at, question.seed, question.anyway)
        stated = evidence.value - (verdict.difference or 0.0)
        return replace(alone, low=alone.low - stated, high=alone.high - stated, about=None), ()
    try:
        if asked is not None:
            found = _interval_by_name(contest, question, asked, a, b, asked_at)
        else:
            own = _own_interval(contest, question, verdict, at if verdict.sure is None else verdict.sure(at))
            if own is None and test.interval is None:
                return None, ()
            found = own or _interval_by_name(contest, question, test.interval, a, b, at)
    except Refused as why:
        if asked is not None:
            raise
        return None, (Note("no-interval", "remark", f"no {test.interval or test} interval here: {why.says}"),)
    return found, _contradiction_note(question, verdict, found)


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
    test, inner = question.test, _inner_test(question.test)
    if verdict.limits is not None:
        limits = _turned(verdict.limits, contest.sign(test.reads), at)
        accept(limits.notes, question.anyway)
        if limits.low == limits.high:
            raise Refused("so many differences are alike that its width would be 0", "zero-width")
    elif verdict.standard_error and verdict.difference is not None:
        half = verdict.standard_error * (at.t(verdict.df) if isinstance(verdict.df, (int, float)) else at.z)
        limits = Limits(verdict.difference - half, verdict.difference + half)
    else:
        return None
    assumes = test.assumes if inner is None else inner.assumes
    return _difference_interval(contest, require_numbers(limits, test.spelling), at, test.spelling, assumes)


def _interval_by_name(
    contest: Contest, question: Question, name: MethodLike, a: str, b: str, at: Confidence
) -> Interval:
    choice = intervals.choose(name).with_seed(question.seed)
    evidence = contest.evidence(choice.entry, a, b)
    compute = partial(compute_limits, choice, evidence, anyway=question.anyway)
    limits = _turned(compute, contest.sign(choice.reads), at)
    return _difference_interval(contest, limits, at, choice.spelling, choice.assumes)


def _turned(compute: Callable[[Confidence], Limits], sign: int, at: Confidence) -> Limits:
    """Return the limits of the difference as the score tells it, of evidence that may have the other sign."""
    limits = compute(at if sign > 0 else at.mirrored)
    low, high = sorted((sign * limits.low, sign * limits.high))
    return limits._replace(low=low, high=high)


def _difference_interval(
    contest: Contest, limits: Limits, at: Confidence, method: str, assumes: tuple[str, ...]
) -> Interval:
    """Clipped to what differences can be; one that is bounded at one end only has no other, and a note says so."""
    within = contest.range
    if at.side != "two":
        note = Note("one-sided", "remark", f"the interval is one-sided: it bounds only the {at.side} end")
        limits, within = limits._replace(notes=(*limits.notes, note)), (-inf, inf)
    return make_interval(limits, at, method, assumes, within, ("the limits", "the differences that there can be"))


def choose_effects(asked: MethodLike | Sequence[MethodLike] | None) -> tuple[Choice, ...]:
    """Those asked for: one by its name, or several."""
    if asked is None:
        return ()
    several: Any = asked if isinstance(asked, (list, tuple)) else [asked]
    return tuple(dict.fromkeys(effects.choose(one) for one in several))


def effects_of_pair(
    contest: Contest, asked: tuple[Choice, ...], a: str, b: str, at: Confidence
) -> tuple[tuple[EffectSize, ...], tuple[Note, ...]]:
    """Each with its limits; one that cannot be had leaves a note in its place. Scores that correlate have no limits."""
    if not asked:
        return (), ()
    gives = contest.gives()
    if a == b or PairedScores not in gives:
        raise BadInput(f"{asked[0].name} is of {PairedScores.label}, and these are {contest.what}")
    notes: list[Note] = []

    def size(choice: Choice) -> EffectSize:
        pairs: PairedScores = gives[PairedScores](a, b)
        told = check(choice.limits, pairs)
        value, limits = choice.entry(pairs, at, **choice.given)
        low, high = (limits.low, limits.high) if pairs.independent else (None, None)
        notes.extend(replace(note, says=f"{choice}: {note.says}") for note in (*told, *limits.notes))
        return EffectSize(choice.spelling, value, low, high, at.level)

    found, refusals = ask_each(asked, size)
    notes += [Note("no-effect", "caution", f"no {choice} here: {why.says}") for choice, why in refusals]
    return tuple(found), tuple(notes)
