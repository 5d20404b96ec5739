"""Which tests, post hoc tests and adjustments can answer a question about these runs or scores, and why others cannot.

A refusal is found without the whole answer: a method that draws random numbers is held against its conditions alone,
any other is tried on single pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, Literal

import numpy as np

from veracity.adjustments import Adjustment, Family, adjustments
from veracity.comparisons import comparisons
from veracity.comparisons.entry import Test
from veracity.contests.compare import ComparisonSpec, check_pair_draws, read_evidence, run_test
from veracity.contests.rank import (
    OF_ALL_LEARNERS,
    PairPlan,
    check_limits,
    handle_missing,
    plan_pairs,
    sole_test,
    test_of_all,
)
from veracity.contests.score_sources import (
    data_sets_to_compare,
    from_matrix,
    from_split_scores,
    make_source,
    read_matrix,
)
from veracity.contests.sources import ComparisonSource
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike, first_fit
from veracity.core.errors import BadInput, Refused, ask_each
from veracity.core.notes import check
from veracity.core.words import without_options
from veracity.evidence.looks import uncounted
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Correctness
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores, SplitTable
from veracity.posthoc import Posthoc, posthocs

AskedOf = Literal["rank", "compare", "verdicts"]
Reasons = dict[str, str | None]  # by the name of a method; None where it can answer
MAX_PAIRS_TRIED = 50
USUAL = Confidence()


@dataclass(frozen=True)
class Chosen:
    """What is chosen already; methods of an option are judged beside the choices of the others."""

    using: MethodLike | None = None
    pairs: MethodLike | None = None
    then: MethodLike | None = None
    control: str | None = None

    @property
    def tests_splits(self) -> bool:
        return self.using is not None and comparisons.choose(self.using).reads is SplitScores


def method_refusals(
    source: Any,
    question: AskedOf,
    score: MethodLike | None = None,
    *,
    using: MethodLike | None = None,
    pairs: MethodLike | None = None,
    then: MethodLike | None = None,
    control: str | None = None,
    by: str | None = None,
) -> dict[str, Reasons]:
    """Return for every method of every option the sentence why it cannot answer here, or None where it can.

    `question` is "rank" (options using, pairs, then), "compare" (using, then) or "verdicts" (using, then): what
    `rank` and `compare` are asked of `source`, and `rank` by a test of splits. `using`, `pairs`, `then` and `control`
    are what is chosen already. The sentences name neither arguments nor options of the command line. Nothing of this
    counts as a look at a store.
    """
    source = uncounted(source) if isinstance(source, Runs) else source
    chosen = Chosen(using, pairs, then, control)
    if question == "compare":
        return _of_compare(source, score, chosen, by)
    matrix = read_matrix(source, score, None, by)
    if question == "verdicts":
        return {
            "using": _reasons(comparisons, lambda entry: _check_split_test(matrix, entry)),
            "then": _reasons(_adjusting(), lambda entry: _check_adjustment_of_verdicts(matrix, entry)),
        }
    then_of = _check_adjustment_of_verdicts if chosen.tests_splits else _check_adjustment
    return {
        "using": _reasons(comparisons, lambda entry: _check_test_of_all(matrix, entry, chosen)),
        "pairs": _reasons([*comparisons, *posthocs], lambda entry: _check_pair_test(matrix, entry, chosen)),
        "then": _reasons(_adjusting(), lambda entry: then_of(matrix, entry, chosen)),
    }


def _adjusting() -> list[Adjustment | Posthoc]:
    return [*adjustments, *posthocs]


def _reasons(entries: Iterable[Any], check_entry: Callable[[Any], str | None]) -> Reasons:
    """The refusal of each method, by its name."""
    entries = list(entries)
    answers, _ = ask_each(entries, check_entry, lambda _, why: without_options(why.says))
    return dict(zip((entry.name for entry in entries), answers, strict=True))


def _check_test_of_all(matrix: ScoreMatrix, test: Test | Choice, chosen: Chosen) -> None:
    test = test.choose() if isinstance(test, Test) else test
    entry = test.entry
    if entry.reads is SplitScores:
        if chosen.pairs is not None:
            raise BadInput(f"{entry.name} tests every pair by itself on every data set: no other test of pairs is made")
        return _check_split_test(matrix, entry)
    if entry.reads is not ScoreMatrix or entry.compares != 0:
        what = "two learners" if entry.compares == 2 else "one model"
        raise BadInput(
            f"{entry.name} is a test of {what}, and a ranking first tests all learners together over the data sets"
            if entry.compares
            else f"{entry.name} reads {entry.reads.label}, and a ranking scores on several data sets"
        )
    if len(matrix) < 2:
        raise BadInput("one data set says nothing about others: a ranking is over several")
    whole, _ = handle_missing(matrix, test, anyway=False)
    if test.value("draws"):
        check_limits(whole, test, anyway=False)
    else:
        test_of_all(whole, test, 0, anyway=False)
    return None


def _check_pair_test(matrix: ScoreMatrix, entry: Test | Posthoc, chosen: Chosen) -> None:
    if chosen.tests_splits:
        raise BadInput(f"{chosen.using} tests every pair by itself on every data set: no other test of pairs is made")
    if isinstance(entry, Posthoc) and entry.alone:
        raise BadInput(f"{entry.name} tests and adjusts all pairs at once: it takes the place of the adjustment")
    if isinstance(entry, Test) and (entry.reads is not ScoreMatrix or entry.compares != 2):
        raise BadInput(f"{entry.name} is no test of two learners over several data sets")
    if isinstance(entry, Test) and entry.is_posterior:
        raise BadInput(f"{entry.name} gives posterior probabilities, and a ranking adjusts p-values")
    alone = sole_test(chosen.then)
    if alone is not None and getattr(entry, "about", None) != alone.about:
        raise BadInput(f"{alone.name} tests all pairs by their {alone.about}, and {entry.name} does not")
    _check_pairs(_whole(matrix, chosen), plan_pairs(matrix, entry.choose(), chosen.then, chosen.control))


def _check_adjustment(matrix: ScoreMatrix, entry: Adjustment | Posthoc, chosen: Chosen) -> None:
    if isinstance(entry, Posthoc) and not entry.alone:
        raise BadInput(f"{entry.name} tests pairs and adjusts nothing: it takes the place of the test of pairs")
    if isinstance(entry, Posthoc) and entry.asks == "control" and chosen.control is None:
        raise BadInput(f"{entry.name} compares all learners with one of them, the control, and none is chosen")
    if isinstance(entry, Posthoc) and entry.asks == "all" and chosen.control is not None:
        raise BadInput(f"{entry.name} tests all pairs, and with a control only its pairs are tested")
    whole = _whole(matrix, chosen)
    plan = plan_pairs(matrix, chosen.pairs, entry.choose(), chosen.control)
    entry.check_cost(Family(np.ones(len(plan.pairs)), *plan.columns))
    if isinstance(entry, Posthoc):
        _check_pairs(whole, plan)


def _whole(matrix: ScoreMatrix, chosen: Chosen) -> ScoreMatrix:
    """The table as pairs are tested on it, beside the test of all learners; refuses where not even the default can."""
    if chosen.using is not None:
        return handle_missing(matrix, comparisons.choose(chosen.using), anyway=False)[0]
    usual = comparisons.choose(first_fit(OF_ALL_LEARNERS, matrix).name)
    _check_test_of_all(matrix, usual, chosen)
    return handle_missing(matrix, usual, anyway=False)[0]


def _check_pairs(matrix: ScoreMatrix, plan: PairPlan) -> None:
    """A ranking has every pair or none."""
    if isinstance(plan.test.entry, Posthoc):
        check(plan.test.limits, matrix)
        plan.test.function(matrix, *plan.columns, USUAL.miss)
        return
    source = from_matrix(matrix)
    for a, b in plan.pairs[:MAX_PAIRS_TRIED]:
        _try_test(source, plan.test, a, b)


def _check_split_test(matrix: ScoreMatrix, entry: Test) -> None:
    if entry.reads is not SplitScores:
        raise BadInput(f"{entry.name} is no test of two learners on the splits of one data set")
    if entry.is_posterior:
        raise BadInput(f"{entry.name} gives posterior probabilities and neither wins nor losses")
    if matrix.without_splits:
        raise Refused(matrix.without_splits, "wrong-design")
    if matrix.splits is None or not any(cell for row in matrix.splits for cell in row):
        raise BadInput(f"{entry.name} reads the scores of splits, and here is one score per data set and learner")
    _check_any(_tables(matrix), entry.choose())


def _tables(matrix: ScoreMatrix) -> list[tuple[ComparisonSource, list[tuple[str, str]]]]:
    """The splits of every data set, and the pairs that have some there."""
    assert matrix.splits is not None
    found: list[tuple[ComparisonSource, list[tuple[str, str]]]] = []
    for row in matrix.splits:
        there = {name: cell for name, cell in zip(matrix.learners, row, strict=True) if cell is not None}
        if len(there) > 1:
            found.append(
                (from_split_scores(SplitTable(there, matrix.better, matrix.score)), list(combinations(there, 2)))
            )
    return found


def _check_adjustment_of_verdicts(matrix: ScoreMatrix, entry: Adjustment | Posthoc, _: Chosen = Chosen()) -> None:
    _check_adjustment_of_pairs(entry, list(combinations(matrix.learners, 2)), len(matrix))


def _check_adjustment_of_pairs(entry: Adjustment | Posthoc, pairs: list[tuple[str, str]], places: int) -> None:
    if isinstance(entry, Posthoc):
        raise BadInput(f"{entry.name} is of the pairs of a ranking, and here each pair is tested by itself")
    if entry.pairs and places > 1:
        raise BadInput(f"{entry.name} reads every pair of learners once, and here they are tested on several data sets")
    names = sorted({name for pair in pairs for name in pair})
    first, second = (np.array([names.index(pair[end]) for pair in pairs] * places, int) for end in (0, 1))
    entry.check_cost(Family(np.ones(len(first)), first, second))


def _of_compare(source: Any, score: MethodLike | None, chosen: Chosen, by: str | None) -> dict[str, Reasons]:
    made: dict[tuple[str, ...], list[ComparisonSource]] = {}

    def sources_for(using: MethodLike | None) -> list[ComparisonSource]:
        """What `compare` asks a test of: runs on several data sets all together, or on each."""
        places = tuple(data_sets_to_compare(source, using, None)) if isinstance(source, Runs) else ()
        if places not in made:
            made[places] = [make_source(source, score, using, place, by) for place in places or (None,)]
        return made[places]

    def check_test(entry: Test) -> None:
        if entry.compares == 0 and entry.reads is not Correctness:
            raise BadInput(f"{entry.name} tests all learners together, which is what a ranking does")
        test = entry.choose()
        each = sources_for(test)
        if entry.compares == 0 and len(each) > 1:
            raise BadInput(f"{entry.name} tests the models of one data set, and here are several")
        _check_any([(one, _pairs(one, chosen.control, test)) for one in each], test)

    def check_adjustment(entry: Adjustment | Posthoc) -> None:
        each = sources_for(chosen.using)
        test = comparisons.choose(each[0].default if chosen.using is None else chosen.using)
        if test.is_posterior:
            raise BadInput(f"{test.name} gives posterior probabilities, which are not adjusted")
        _check_adjustment_of_pairs(entry, _pairs(each[0], chosen.control, test), len(each))

    return {"using": _reasons(comparisons, check_test), "then": _reasons(_adjusting(), check_adjustment)}


def _pairs(source: ComparisonSource, control: str | None, test: Choice) -> list[tuple[str, str]]:
    if test.compares == 1:
        return [(name, name) for name in source.names]
    pairs = [pair for pair in combinations(source.names, 2) if control is None or control in pair]
    check_pair_draws(test, len(pairs), anyway=False)
    return pairs


def _check_any(places: list[tuple[ComparisonSource, list[tuple[str, str]]]], test: Choice) -> None:
    """Raise the first refusal where no pair can be tested; the first pairs of all data sets are tried first."""
    first: BadInput | Refused | None = None
    most = max((len(pairs) for _, pairs in places), default=0)
    in_turn = ((source, pairs[at]) for at in range(most) for source, pairs in places if at < len(pairs))
    for source, pair in islice(in_turn, MAX_PAIRS_TRIED):
        try:
            return _try_test(source, test, *pair)
        except (BadInput, Refused) as why:
            first = first or why
    raise first or Refused("no two learners have scores on the same data set", "no-scores")


def _try_test(source: ComparisonSource, test: Choice, a: str, b: str) -> None:
    """Raise what the test refuses of a pair; one that draws is only held against its conditions."""
    spec = ComparisonSpec(test)
    if test.value("draws"):
        read_evidence(source, test, spec, a, b)
    else:
        run_test(source, test, spec, a, b)
