"""Compare models or learners in pairs: one test of one pair, and several pairs as a family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from veracity.adjustments import Family, adjustments
from veracity.adjustments.adjust import adjust_family
from veracity.comparisons import comparisons
from veracity.comparisons.entry import Test, TestResult, mirrored
from veracity.comparisons.stated_value import Effect
from veracity.contests.score_sources import Source, data_sets_to_compare, make_source
from veracity.contests.sources import FIXED_MODELS, ComparisonSource, Pair, from_predictions, list_pairs
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
from veracity.intervals.compute import WRONG_SCORE, attach_interval, compute_limits, make_interval, require_numbers
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
class ComparisonSpec:
    """Settings of a comparison of two models: test, interval, confidence level, effect sizes, seed.

    With `anyway` a method is used also where it is refused as not valid.
    """

    test: Choice | None = None  # None: the default one of what is compared
    interval: MethodLike | None = None  # None: that of the test
    at: Confidence = field(default_factory=Confidence)
    seed: int = 0
    anyway: bool = False
    effects: tuple[Choice, ...] = ()
    alternative: str | None = None  # None: the test's own, which is two-sided but of one model

    def test_for(self, source: ComparisonSource) -> Choice:
        """Return the test; raise BadInput where it cannot be asked about the alternative."""
        test = comparisons.choose(source.default) if self.test is None else self.test
        test.check_alternative(self.alternative)
        return test


class Skipped(NamedTuple):
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

    Parameters
    ----------
    source
        A mapping of names to predictions of the same rows, runs, split scores, or a matrix of scores.
    score
        One score or several, which are then one family of tests; the default of the target unless said.
    using
        The test by its name; the default for this kind of score and rows unless said.
    pairs
        The pairs of names to be compared, [('a', 'b')]; all of them unless said.
    then
        How p-values are adjusted for the number of pairs: an adjustment such as 'holm', the default.
    interval
        The method of the interval by its name, such as 'wilson'; the default of the score unless said.
    alternative
        'two-sided', 'less' or 'greater', about the first score less the second, as in scipy.
    effect
        Effect sizes without a unit to be added, such as 'cohens_d', 'cliffs_delta' or 'a12'.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    data
        The name of a data set, or several: all unless said.
    by
        The design, where the runs have several.
    slices
        One label per row: models are compared on the rows of each label.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    anyway
        Go on where a method is refused as not valid here; the result carries a note that says so.

    Examples
    --------
    >>> old = vc.predictions(correct=[1, 0, 0, 1, 0, 1, 0, 1])
    >>> new = vc.predictions(correct=[1, 1, 1, 1, 0, 1, 1, 1])
    >>> found = vc.compare({"old": old, "new": new}, "error")
    >>> found.difference, found.p_value, found.using
    (0.375, 0.125, 'mcnemar_midp')
    """
    for option, value in (("data", data), ("by", by)):
        if value is not None and not isinstance(source, Runs):
            raise BadInput(f"`{option}=` chooses from runs, and these are none: leave it out")
    check_alternative(alternative)
    test = None if using is None else comparisons.choose(using)
    spec = ComparisonSpec(test, interval, Confidence(level), seed, anyway, choose_effects(effect), alternative)
    if isinstance(score, (list, tuple)):
        by_score = partial(_compare_by, source, spec=spec, pairs=pairs, data=data, by=by, slices=slices)
        return _compare_by_each(list(score), by_score, then)
    assert not isinstance(score, Sequence) or isinstance(score, str)
    return _compare_by(source, score, then, spec=spec, pairs=pairs, data=data, by=by, slices=slices)


def _compare_by(
    source: Source,
    score: MethodLike | None,
    then: MethodLike | None = None,
    *,
    spec: ComparisonSpec,
    pairs: Iterable[Sequence[str]] | None,
    data: str | Sequence[str] | None,
    by: str | None,
    slices: Any,
) -> Comparison | Comparisons:
    """Compare by one score: on each data set, on each slice, of all together, or pair by pair."""
    if isinstance(source, Runs) and not isinstance(data, str) and slices is None:
        source = source if data is None else source.only(data=data)
        if names := data_sets_to_compare(source, spec.test, data):
            return _compare_on_each(source, score, names, by, pairs, then, spec)
    compared = make_source(source, score, spec.test, data if isinstance(data, str) else None, by)
    test = spec.test_for(compared)
    if test.compares != 1:
        _check_two(compared)
    if slices is not None and (test.compares == 0 or isinstance(source, Runs) or compared.kind != FIXED_MODELS):
        what = f"{test.name} of all together" if test.compares == 0 else compared.kind
        raise BadInput(f"`slices=` compares pairs of fixed models by their predictions, not {what}")
    if test.compares == 0:
        return _compare_together(compared, spec, test, pairs, then)
    chosen = [(name, name) for name in compared.names] if test.compares == 1 else compared.pairs(pairs)
    if slices is not None:
        return _compare_slices(compared, spec, chosen, slices, then)
    check_pair_draws(test, len(chosen), spec.anyway)
    rows, skipped = _compare_pairs(compared, spec, chosen)
    if len(chosen) == 1 and pairs is None and rows:
        return rows[0]
    return _family(rows, skipped, then)


def _check_two(source: ComparisonSource) -> None:
    if len(source.names) < 2:
        way = "`using='one_sample(value=0.5)'`"
        alone = f": name another, or hold the one against a known value, {way}" if source.kind == FIXED_MODELS else ""
        raise BadInput(f"compare needs two models or learners, not {len(source.names)}{alone}")


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
        return ask(names[0], then)
    answers, refusals = ask_each(names, ask)
    if not answers:
        raise refusals[0][1]
    families = [Comparisons((one,)) if isinstance(one, Comparison) else one for one in answers]
    skipped = [Skipped(f"models by {name}", "", why) for name, why in refusals]
    most_tests = max(len(family) + family.refused for family in families)
    untested = sum(family.refused for family in families) + _count_refused(skipped) * most_tests
    together = adjust_comparisons([row for family in families for row in family.rows], then, untested=untested)
    notes = [note for family in families for note in family.notes if note.code == NOT_COMPARED]
    says = f"{len(names)} scores were asked for: p-values are adjusted over all pairs of all of them"
    note = Note("several-scores", "remark", says)
    return replace(together, notes=(*unique((*notes, *_skipped_notes(skipped))), note, *together.notes))


def _compare_pairs(
    source: ComparisonSource, spec: ComparisonSpec, pairs: Sequence[Pair]
) -> tuple[list[Comparison], list[Skipped]]:
    """Compare the pairs that can be compared; others are told by their reason, and by a learner that all share."""
    rows, refusals = ask_each(pairs, lambda pair: compare_pair(source, spec, *pair))
    by_reason: dict[str, list[tuple[Pair, VeracityError]]] = {}
    for pair, why in refusals:
        by_reason.setdefault(why.says, []).append((pair, why))
    skipped = []
    for same in by_reason.values():
        shared = [name for name in same[0][0] if all(name in pair for pair, _ in same)]
        what = shared[0] if len(same) > 1 and shared else "; ".join(f"{a} and {b}" for (a, b), _ in same)
        skipped.append(Skipped(what, source.data, same[0][1], len(same)))
    return rows, skipped


def _family(rows: list[Comparison], skipped: list[Skipped], then: MethodLike | None) -> Comparisons:
    """Adjust comparisons as one family; where there is none, the first refusal stands."""
    if not rows:
        raise skipped[0].why
    family = adjust_comparisons(rows, then, untested=_count_refused(skipped))
    return replace(family, notes=(*_skipped_notes(skipped), *family.notes))


def _skipped_notes(skipped: Sequence[Skipped]) -> tuple[Note, ...]:
    """Return a caution for each thing and reason, with all data sets where it is so."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in skipped:
        places.setdefault((one.what, one.why.says), []).append(one.data)
    on = [f" on {', '.join(data)}" if any(data) else "" for data in places.values()]
    told = zip(places, on, strict=True)
    return tuple(Note(NOT_COMPARED, "caution", f"{what} could not be compared{at}: {why}") for (what, why), at in told)


def _count_refused(skipped: Sequence[Skipped]) -> int:
    """Count the tests that the data refused, which are part of a family.

    A learner that failed everywhere, or has no such output, or a test that cannot read such a score was never to be
    tested, whatever the rows: its pairs are no part of it.
    """
    return sum(one.pairs for one in skipped if isinstance(one.why, Refused) and one.why.code != ALL_FAILED)


def _compare_on_each(
    runs: Runs,
    score: MethodLike | None,
    names: Sequence[str],
    by: str | None,
    pairs: Iterable[Sequence[str]] | None,
    then: MethodLike | None,
    spec: ComparisonSpec,
) -> Comparisons:
    """Compare the pairs on each data set, all as one family; a data set that gives no answer costs its own rows."""
    typed = None if pairs is None else list_pairs(pairs)
    rows: list[Comparison] = []
    skipped: list[Skipped] = []
    for name in names:
        chosen: list[Pair] = []
        try:
            source = make_source(runs, score, spec.test, name, by)
            test = spec.test_for(source)
            if test.compares != 2:
                raise BadInput(f"{test.name} is asked of one data set: `data={name!r}`")
            _check_two(source)
            chosen = source.pairs(typed)
            check_pair_draws(test, len(chosen) * len(names), spec.anyway)
        except (BadInput, Refused) as why:
            skipped.append(Skipped("the learners", name, why, len(chosen)))
        else:
            found, missed = _compare_pairs(source, spec, chosen)
            rows, skipped = rows + found, skipped + missed
    return _family(rows, skipped, then)


def _compare_together(
    source: ComparisonSource,
    spec: ComparisonSpec,
    test: Choice,
    pairs: Iterable[Sequence[str]] | None,
    then: MethodLike | None,
) -> Comparisons:
    """Test all models together, and then the pairs by the default test of two."""
    if test.reads is not Correctness:
        raise BadInput(f"{test.name} orders learners over many data sets: use `vc.rank(..., using={str(test)!r})`")
    chosen = source.pairs(pairs)
    result, _, notes = run_test(source, test, spec, *source.names[:2])
    omnibus = omnibus_of(test, result, notes + result.notes)
    differ = omnibus.rejects(spec.at.level)
    says = "some models differ" if differ else "not enough to conclude that any models differ, whatever a pair says"
    told = Note("omnibus", "remark" if differ else "caution", f"{omnibus.method}: {omnibus.result}, {says}")
    of_two = replace(spec, test=comparisons.choose(source.default))
    family = adjust_comparisons([compare_pair(source, of_two, a, b) for a, b in chosen], then)
    return replace(family, omnibus=omnibus, notes=(told, *omnibus.notes, *family.notes))


def omnibus_of(test: Choice, result: TestResult, notes: tuple[Note, ...]) -> Omnibus:
    """Return what a test of all models or learners together found, which is no posterior."""
    assert result.p_value is not None
    numbers = (result.statistic, result.degrees, result.p_value)
    return Omnibus(test.spelling, *numbers, notes, facts=result.facts, letter=test.letter)


def _compare_slices(
    source: ComparisonSource, spec: ComparisonSpec, pairs: list[Pair], slices: Any, then: MethodLike | None
) -> Comparisons:
    """Compare every pair on every slice as one family; a pair that is refused on a slice does not cost the others."""
    models, choice, test = source.input, source.choice, spec.test_for(source)
    assert choice is not None
    parts, *_ = [slice_rows(slices, "slices", len(p)) for p in models.values()]  # each model has a label for each row
    check_pair_draws(test, len(pairs) * len(parts), spec.anyway)
    level = 1 - spec.at.miss / len(parts)
    of_slice = replace(spec, test=test, at=Confidence(level))
    on_slice = {}
    for label, rows in parts:
        part = from_predictions({name: subset(p, rows) for name, p in models.items()}, choice, source.score)
        on_slice[label] = replace(part, data=label, notes=source.notes)
    places = [(label, pair) for label in on_slice for pair in pairs]
    found, refusals = ask_each(places, lambda place: compare_pair(on_slice[place[0]], of_slice, *place[1]))
    told = [(f"{label}, {a}" if a == b else f"{label}, {a} and {b}", why) for (label, (a, b)), why in refusals]
    if not found:
        place, first = told[0]
        says = f"no slice can be compared; {place}: {first.says}"
        raise Refused(says, first.code) if isinstance(first, Refused) else BadInput(says)
    family = adjust_comparisons([replace(one, level=spec.at.level) for one in found], then, untested=len(refusals))
    left_out = tuple(Note("left-out", "caution", f"{place}: {why.says}") for place, why in told)
    together = simultaneous_note(len(parts), level, spec.at.level, "pair")
    default = (source.default_note(*pairs[0]),) if spec.test is None else ()  # once for all slices
    return replace(family, notes=(together, *left_out, *family.notes, *default))


def adjust_comparisons(rows: list[Comparison], then: MethodLike | None, untested: int = 0) -> Comparisons:
    """Adjust the p-values of several comparisons together, as one family.

    A test that was refused counts as p = 1: what was refused because of the data would otherwise have made it smaller.
    """
    if all(one.p_value is None for one in rows):  # posteriors make no claims that add up
        if then is not None:
            raise BadInput("posterior probabilities are not adjusted: leave out `then=`")
        return Comparisons(tuple(rows))
    method = choose_adjustment(then, rows[0].claims)
    if method.pairs and any((one.data, one.score) != (rows[0].data, rows[0].score) for one in rows):
        raise BadInput(f"{method.name} reads a pair once, and these are of several slices or scores: use holm")
    if method.pairs and len({frozenset((one.a, one.b)) for one in rows}) < len(rows):
        raise BadInput(f"{method.name} reads every pair once: leave out those that are named twice")
    names = list(dict.fromkeys(name for one in rows for name in (one.a, one.b)))
    ends = (np.array([names.index(one.a) for one in rows]), np.array([names.index(one.b) for one in rows]))
    p = np.array([one.p_value for one in rows] + [1.0] * untested, float)
    adjusted, notes = adjust_family(Family(p) if untested else Family(p, *ends), method)
    judged = tuple(replace(one, adjusted_p_value=float(p)) for one, p in zip(rows, adjusted[: len(rows)], strict=True))
    notes = (*notes, *family_notes(len(rows) + untested, method, comparisons.choose(rows[0].using).entry, untested))
    return Comparisons(judged, notes, then=method.spelling, refused=untested)


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


def compare_pair(source: ComparisonSource, spec: ComparisonSpec, a: str, b: str) -> Comparison:
    """Compare a with b."""
    test = spec.test_for(source)
    result, evidence, notes = run_test(source, test, spec, a, b)
    result = result.for_alternative(spec.alternative or result.alternative, source.sign(test.reads))
    interval, interval_notes = _interval_of_pair(source, spec, test, result, evidence, a, b)
    difference = source.difference(a, b) if result.estimate is None else result.estimate
    counts = evidence if isinstance(evidence, Pairs) else None
    default = (source.default_note(a, b),) if spec.test is None else ()
    infinite: tuple[Note, ...] = ()
    if not isfinite(difference):  # which JSON cannot hold
        says = "undefined: scores are infinite on both sides" if isnan(difference) else "infinite, as some scores are"
        infinite = (Note("infinite", "remark", f"the difference is {says}"),)
    of_pair = source.notes + source.pair_notes(a, b) + notes + result.notes + interval_notes
    sizes, size_notes = effects_of_pair(source, spec.effects, a, b, spec.at)
    return Comparison(
        source.score,
        test.spelling,
        a,
        result.reference or b,
        difference,
        interval,
        result.p_value,
        result.statistic,
        result.df,
        n01=None if counts is None else int(counts.second_only),
        n10=None if counts is None else int(counts.first_only),
        better=source.better,
        notes=unique(of_pair + infinite + size_notes + default),
        probabilities=result.probabilities,
        level=spec.at.level,
        data=source.data,
        facts=source.pair_facts(a, b) + result.facts,
        claims=result.claims or _claim(result, source.better),
        alternative=result.alternative if test.alternatives else "",
        stated=bool(result.reference),
        posterior=result.posterior,
        effects=sizes,
        letter=test.letter,
    )


def _claim(result: TestResult, better: str) -> str:
    """Return what a small p-value is evidence for, where that is not a difference."""
    direction = DIRECTIONS.get(result.alternative, "")
    if not result.reference:
        return direction and f"that it is {direction}"
    quality = ("better" if direction == better else "worse") if better else direction
    return f"that it is {quality} than {result.reference}" if direction else f"that it differs from {result.reference}"


def run_test(
    source: ComparisonSource, test: Choice, spec: ComparisonSpec, a: str, b: str
) -> tuple[TestResult, Any, tuple[Note, ...]]:
    """Return the result of a test on a pair, the evidence it read, and the notes of its limits."""
    evidence, notes = read_evidence(source, test, spec, a, b)
    result: TestResult = test.with_seed(spec.seed)(evidence)
    notes += anyway_notes(test.name, notes + accept(result.notes, spec.anyway))
    if any(isnan(number) for number in (result.p_value or 0.0, *(result.probabilities or ()))):
        raise Refused(f"{test.name} has no answer here, whatever is accepted", "no-answer")
    return result, evidence, notes


def read_evidence(
    source: ComparisonSource, test: Choice, spec: ComparisonSpec, a: str, b: str
) -> tuple[Any, tuple[Note, ...]]:
    """Return what a test reads of a pair, with the notes of its limits; raise Refused where it is not valid.

    The source offers it, or another test that this one builds on finds it.
    """
    only, choice, notes = test.only, source.choice, tuple[Note, ...]()
    if only and choice is not None and not choice.is_one_of(*only):
        own = "your own " if choice.name in only else ""
        raise Refused(f"{test.name} compares {' or '.join(only)}, not {own}{source.score}", WRONG_SCORE)
    inner = _inner_test(test)
    if inner is None:
        evidence = source.read(test.entry, a, b)
    else:
        if inner.compares != 2 or _inner_test(inner) is not None:
            raise BadInput(f"{test.name}: of= names a test of a difference, not {inner}")
        result, _, notes = run_test(source, inner, spec, a, b)
        difference = source.difference(a, b) if result.estimate is None else result.estimate
        if not result.standard_error or isinstance(result.df, tuple):
            raise Refused(
                f"{inner} finds no standard error here, or the difference does not vary: {test.name} builds on"
                " tests such as paired_loss_t, paired_bootstrap and delong_test of models, corrected_t of learners",
                "no-standard-error",
            )
        evidence = Effect(difference, result.standard_error, result.df, source.better)
        notes += result.notes
    return evidence, notes + check(test.limits, evidence, spec.anyway)


def _inner_test(test: Choice) -> Choice | None:
    """Return the test that this one builds on, if it does."""
    return comparisons.choose(test.value("of")) if test.reads is Effect else None


def _interval_of_pair(
    source: ComparisonSource, spec: ComparisonSpec, test: Choice, result: TestResult, evidence: Any, a: str, b: str
) -> tuple[Interval | None, tuple[Note, ...]]:
    """Return the interval asked for, or the one that belongs to the test, or none and a note that says why."""
    level = spec.at.level
    if spec.interval is None:
        try:
            interval = _interval_of_test(source, spec, test, result, a, b)
        except Refused as why:
            return None, (Note("no-interval", "remark", f"no {test.interval or test} interval here: {why.says}"),)
        if interval is None:
            return None, ()
    else:
        at = Confidence(level, BOUNDED_SIDE[spec.alternative or "two-sided"])
        if isinstance(evidence, Scored):  # that of a model's score, less the value it is held against
            alone = attach_interval(evidence, spec.interval, at, spec.seed, spec.anyway)
            stated = evidence.value - (result.estimate or 0.0)
            return replace(alone, low=alone.low - stated, high=alone.high - stated, about=None), ()
        interval = _interval_by_name(source, spec, spec.interval, a, b, at)
    if result.p_value is None or result.claims or (0 in interval) != rejects(result.p_value, level):
        return interval, ()
    own = interval.method == test.spelling
    says = (
        f"{'its' if own else f'the {interval.method}'} interval {'holds' if 0 in interval else 'leaves out'} 0, but"
        f" {test} says p = {result.p_value:.3g}: they are of two {'laws' if own else 'methods'}, and the"
        " verdict is that of the p-value"
    )
    return interval, (Note("interval-contradicts", "remark", says),)


def _interval_of_test(
    source: ComparisonSource, spec: ComparisonSpec, test: Choice, result: TestResult, a: str, b: str
) -> Interval | None:
    """Return the interval that the test itself finds, or the one that belongs to it by name, if it has either."""
    at, limits = result.confidence(spec.at.level), result.confidence_interval(spec.at.level)
    if limits is None:
        return None if test.interval is None else _interval_by_name(source, spec, test.interval, a, b, at)
    accept(limits.notes, spec.anyway)
    if result.limits is not None and limits.low == limits.high:
        raise Refused("so many differences are alike that its width would be 0", "zero-width")
    assumes = (_inner_test(test) or test).assumes
    return _difference_interval(source, require_numbers(limits, test.spelling), at, test.spelling, assumes)


def _interval_by_name(
    source: ComparisonSource, spec: ComparisonSpec, name: MethodLike, a: str, b: str, at: Confidence
) -> Interval:
    choice = intervals.choose(name).with_seed(spec.seed)
    evidence = source.read(choice.entry, a, b)
    if choice.only and source.choice is not None and not source.choice.is_one_of(*choice.only):
        says = f"{choice.name} is an interval for {' and '.join(choice.only)}, not for {source.score}"
        raise Refused(f"{says}: leave out `interval=`, for that of the test", WRONG_SCORE)

    def compute(at: Confidence) -> Limits:
        return compute_limits(choice, evidence, at, spec.anyway)

    limits = (compute if source.sign(choice.reads) > 0 else mirrored(compute))(at)
    return _difference_interval(source, limits, at, choice.spelling, choice.assumes)


def _difference_interval(
    source: ComparisonSource, limits: Limits, at: Confidence, method: str, assumes: tuple[str, ...]
) -> Interval:
    """Return it clipped to what differences can be; a bound at one end has no other, and a note says so."""
    within = source.range
    if at.side != "two":
        note = Note("one-sided", "remark", f"the interval is one-sided: it bounds only the {at.side} end")
        limits, within = limits._replace(notes=(*limits.notes, note)), (-inf, inf)
    return make_interval(limits, at, method, assumes, within, ("the limits", "the differences that there can be"))


def choose_effects(names: MethodLike | Sequence[MethodLike] | None) -> tuple[Choice, ...]:
    """Return the effect sizes asked for: one by its name, or several."""
    if names is None:
        return ()
    several: Any = names if isinstance(names, (list, tuple)) else [names]
    return tuple(dict.fromkeys(effects.choose(name) for name in several))


def effects_of_pair(
    source: ComparisonSource, choices: tuple[Choice, ...], a: str, b: str, at: Confidence
) -> tuple[tuple[EffectSize, ...], tuple[Note, ...]]:
    """Return each with its limits, or a note in its place. Scores that correlate have no limits."""
    if not choices:
        return (), ()
    if a == b or PairedScores not in source.evidence:
        raise BadInput(f"{choices[0].name} is of {PairedScores.label}, and these are {source.kind}")
    notes: list[Note] = []

    def size(choice: Choice) -> EffectSize:
        scores: PairedScores = source.evidence[PairedScores](a, b)
        told = check(choice.limits, scores)
        value, limits = choice.entry(scores, at, **choice.given)
        low, high = (limits.low, limits.high) if scores.independent else (None, None)
        notes.extend(replace(note, says=f"{choice}: {note.says}") for note in (*told, *limits.notes))
        return EffectSize(choice.spelling, value, low, high, at.level)

    sizes, refusals = ask_each(choices, size)
    notes += [Note("no-effect", "caution", f"no {choice} here: {why.says}") for choice, why in refusals]
    return tuple(sizes), tuple(notes)
