"""Compare models or learners in pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from veracity.comparisons import comparisons
from veracity.contests.compare_pair import Question, choose_effects, judge_pair, run_test
from veracity.contests.make_source import Source, make_contest, places_to_compare, refuse_choice
from veracity.contests.pairwise import adjust_comparisons, check_pair_draws
from veracity.contests.sources import Contest, Models, list_pairs
from veracity.core.arguments import Column, verb
from veracity.core.confidence import Confidence, check_alternative
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, Weight, unique
from veracity.evidence.labels import simultaneous_note, slice_rows
from veracity.evidence.looks import counts_as_look
from veracity.evidence.predictions import subset
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Correctness
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.significance import Omnibus

ALL_FAILED = "all-failed"  # the code of a refusal: a learner has no split to compare
NOT_COMPARED = "not-compared"  # the code of the note about pairs that have no answer


class Lost(NamedTuple):
    """What could not be compared, where, why, and how many pairs that is."""

    what: str
    data: str
    why: BadInput | Refused
    pairs: int = 1


def lost_pairs(refusals: Sequence[tuple[tuple[str, str], BadInput | Refused]], data: str) -> list[Lost]:
    """Pairs of one data set; those that one learner loses for one reason are told as that learner."""
    reasons: dict[str, list[tuple[tuple[str, str], BadInput | Refused]]] = {}
    for pair, why in refusals:
        reasons.setdefault(why.says, []).append((pair, why))
    return [_of_one_reason([pair for pair, _ in each], data, each[0][1]) for each in reasons.values()]


def _of_one_reason(pairs: list[tuple[str, str]], data: str, why: BadInput | Refused) -> Lost:
    everywhere = [name for name in pairs[0] if all(name in pair for pair in pairs)]
    if len(pairs) > 1 and everywhere:
        return Lost(everywhere[0], data, why, len(pairs))
    return Lost("; ".join(f"{a} and {b}" for a, b in pairs), data, why, len(pairs))


def lost_notes(lost: Sequence[Lost]) -> tuple[Note, ...]:
    """A caution for each thing and reason, with all data sets where it is so."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in lost:
        places.setdefault((one.what, one.why.says), []).append(one.data)
    return tuple(
        Note(NOT_COMPARED, "caution", f"{what} could not be compared{_on(data)}: {why}")
        for (what, why), data in places.items()
    )


def _on(data: list[str]) -> str:
    return f" on {', '.join(data)}" if any(data) else ""


def refused_tests(lost: Sequence[Lost]) -> int:
    """How many tests the data refused, which are part of a family.

    A learner that failed everywhere, or has no such output, or a test that cannot read such a score was never to be
    tested, whatever the rows: its pairs are no part of it.
    """
    return sum(one.pairs for one in lost if isinstance(one.why, Refused) and one.why.code != ALL_FAILED)


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
        ask_one = partial(compare, source, **how)
        return _compare_by_each(list(score), ask_one, then)
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
        places = places_to_compare(source, using, data)
        if places:
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
    each, lost = _judge_pairs(contest, question, chosen)
    if len(chosen) == 1 and pairs is None and each:
        return each[0]
    return _family(each, lost, then)


def _check_two(contest: Contest) -> None:
    if len(contest.names) < 2:
        way = "`using='one_sample(value=0.5)'`"
        alone = f": name another, or hold the one against a known value, {way}" if isinstance(contest, Models) else ""
        raise BadInput(f"compare needs two models or learners, not {len(contest.names)}{alone}")


def _compare_by_each(
    names: list[MethodLike], ask: Callable[..., Comparison | Comparisons], then: MethodLike | None
) -> Comparison | Comparisons:
    """The pairs by each score, all as one family; a score that cannot be compared costs its own rows."""
    if not names or len(set(map(str, names))) < len(names):
        raise BadInput(f"`score=` names {'a score twice' if names else 'no score'}: name each once")
    if len(names) == 1:
        return ask(names[0], then=then)
    each: list[Comparison] = []
    notes: tuple[Note, ...] = ()
    lost: list[Lost] = []
    tests = [0]  # of each score
    for name in names:
        try:
            found = ask(name)
        except (BadInput, Refused) as why:
            lost.append(Lost(f"models by {name}", "", why))
        else:
            rows = (found,) if isinstance(found, Comparison) else found.rows
            refused = 0 if isinstance(found, Comparison) else found.refused
            each += rows
            notes += () if isinstance(found, Comparison) else found.notes
            tests.append(len(rows) + refused)
    if not each:
        raise lost[0].why
    notes = unique(tuple(note for note in notes if note.code == NOT_COMPARED) + lost_notes(lost))
    says = f"{len(names)} scores were asked for: p-values are adjusted over all pairs of all of them"
    together = Note("several-scores", "remark", says)
    untested = sum(tests) - len(each) + refused_tests(lost) * max(tests)
    return with_notes(adjust_comparisons(each, then, untested=untested), (*notes, together))


def _judge_pairs(
    contest: Contest, question: Question, pairs: Sequence[tuple[str, str]]
) -> tuple[list[Comparison], list[Lost]]:
    """The pairs that can be judged, and the others."""
    each: list[Comparison] = []
    refusals: list[tuple[tuple[str, str], BadInput | Refused]] = []
    for a, b in pairs:
        try:
            each.append(judge_pair(contest, question, a, b))
        except (BadInput, Refused) as why:
            refusals.append(((a, b), why))
    return each, lost_pairs(refusals, contest.data)


def _family(each: list[Comparison], lost: list[Lost], then: MethodLike | None) -> Comparisons:
    """What was judged as one family; where nothing was, the first refusal stands."""
    if not each:
        raise lost[0].why
    return with_notes(adjust_comparisons(each, then, untested=refused_tests(lost)), lost_notes(lost))


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
    """The pairs on each data set, all as one family; a data set that gives no answer costs its own rows."""
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
            found, missed = _judge_pairs(contest, question, chosen)
        except (BadInput, Refused) as why:
            lost.append(Lost("the learners", name, why, len(chosen)))
        else:
            each, lost = each + found, lost + missed
    return _family(each, lost, then)


def with_notes(family: Comparisons, notes: tuple[Note, ...]) -> Comparisons:
    """The same with more said of it, first."""
    return replace(family, notes=(*notes, *family.notes)) if notes else family


def _compare_together(
    contest: Contest, question: Question, pairs: Iterable[Sequence[str]] | None, then: MethodLike | None
) -> Comparisons:
    """A test of all models, and then of the pairs by the default test of two."""
    test = question.test
    if test.reads is not Correctness:
        way = f"`vc.rank(..., using={str(test)!r})`"
        raise BadInput(f"{test.name} orders learners over many data sets: use {way}")
    chosen = contest.pairs(pairs)
    verdict, _, notes = run_test(contest, test, question, *contest.names[:2])
    assert verdict.p_value is not None  # no posterior is of several models together
    numbers = (verdict.statistic, verdict.degrees, verdict.p_value)
    omnibus = Omnibus(test.spelling, *numbers, notes + verdict.notes, facts=verdict.facts, letter=test.letter)
    of_two = replace(question, test=comparisons.choose(contest.default))
    family = adjust_comparisons([judge_pair(contest, of_two, a, b) for a, b in chosen], then)
    return replace(
        family, omnibus=omnibus, notes=(_omnibus_note(omnibus, question.at.level), *omnibus.notes, *family.notes)
    )


def _compare_slices(
    contest: Models, question: Question, pairs: list[tuple[str, str]], slices: Any, then: MethodLike | None
) -> Comparisons:
    """Every pair on every slice as one family; a pair that cannot be compared on a slice does not cost the others."""
    parts, *_ = [slice_rows(slices, "slices", len(p)) for p in contest.models.values()]
    check_pair_draws(question.test, len(pairs) * len(parts), question.anyway)
    level = 1 - question.at.miss / len(parts)
    each: list[Comparison] = []
    refusals: list[tuple[str, BadInput | Refused]] = []
    for label, rows in parts:
        here = contest.on({name: subset(p, rows) for name, p in contest.models.items()}, label)
        for a, b in pairs:
            try:
                one = judge_pair(here, replace(question, at=Confidence(level), by_default=False), a, b)
                each.append(replace(one, level=question.at.level))
            except (BadInput, Refused) as why:
                refusals.append((f"{label}, {a}" if a == b else f"{label}, {a} and {b}", why))
    if not each:
        place, first = refusals[0]
        says = f"no slice can be compared; {place}: {first.says}"
        raise (Refused(says, first.code) if isinstance(first, Refused) else BadInput(says)) from None
    family = adjust_comparisons(each, then, untested=len(refusals))
    left = tuple(Note("left-out", "caution", f"{place}: {why.says}") for place, why in refusals)
    together = simultaneous_note(len(parts), level, question.at.level, "pair")
    usual = (contest.usual.note(contest.number(*pairs[0])),) if question.by_default else ()  # once for all slices
    return replace(family, notes=(together, *left, *family.notes, *usual))


def _omnibus_note(omnibus: Omnibus, level: float) -> Note:
    differ = omnibus.rejects(level)
    says = "some models differ" if differ else "not enough to conclude that any models differ, whatever a pair says"
    weight: Weight = "remark" if differ else "caution"
    return Note("omnibus", weight, f"{omnibus.method}: {omnibus.result}, {says}")
