"""A test of two learners on the splits of one data set, asked of every pair on every data set, as Weka does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from veracity.comparisons import comparisons
from veracity.contests.judge import Question, judge_pair
from veracity.contests.judge_family import adjust_comparisons, other_pairs
from veracity.contests.of_learners import Tables
from veracity.core.confidence import Confidence
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, unique
from veracity.core.words import phrase, template
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitTable
from veracity.findings.comparison import Comparison
from veracity.findings.verdicts import Verdicts

COMPARE = phrase("compare(..., data=...)", "veracity compare")
NO_SPLITS = "this table holds one score per data set and learner: give those of the splits, a row for each"


def verdicts(
    matrix: ScoreMatrix,
    using: MethodLike = "corrected_t",
    *,
    control: str | None = None,
    then: MethodLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    anyway: bool = False,
) -> Verdicts:
    """Win, tie or loss of every pair of learners on every data set, from the scores of its splits.

    With a `control` only its pairs are tested; without, the printed table holds the others against the first learner.
    `then` adjusts the p-values of all tested pairs on all data sets as one family; without it, as in Weka, none is.
    """
    test = comparisons.choose(using)
    if matrix.without_splits:
        raise Refused(matrix.without_splits, "wrong-design")
    if matrix.splits is None or not any(cell for row in matrix.splits for cell in row):
        why = next((template(note.says) for note in matrix.notes if note.code == "no-sizes"), NO_SPLITS)
        raise Refused(f"{test.entry.name} reads scores on splits: {why}", "no-splits")
    if len(matrix.learners) < 2:
        raise BadInput(f"there is one learner, {matrix.learners[0]}: verdicts need two")
    control = None if control is None else matrix.learner(control)
    tested = [pair for pair in combinations(matrix.learners, 2) if control in (None, *pair)]
    question = Question(test, None, Confidence(level), seed, anyway)
    rows = tuple(pair for at in range(len(matrix)) for pair in _judge(matrix, at, tested, question))
    if any(row.probabilities is not None for row in rows):
        raise BadInput(f"{test.entry.name} gives probabilities and no verdicts: {COMPARE} tells them")
    if all(row.p_value is None for row in rows):  # no pair has an answer, so there is nothing to tally
        note = rows[0].notes[0]
        raise Refused(note.says, note.code)
    rows, adjusted, spelled = (rows, (), "") if then is None else _adjust(rows, then)
    notes = unique((*matrix.notes, *adjusted, *_pair_notes(rows)))
    return Verdicts(matrix, rows, control or matrix.learners[0], notes, spelled, control)


def _adjust(rows: tuple[Comparison, ...], then: MethodLike) -> tuple[tuple[Comparison, ...], tuple[Note, ...], str]:
    """All rows that have a p-value as one family, to which the others belong as tests that found nothing."""
    tested = [row for row in rows if row.p_value is not None]
    family = adjust_comparisons(tested, then, untested=len(rows) - len(tested))
    judged = iter(family.rows)
    return tuple(row if row.p_value is None else next(judged) for row in rows), family.notes, family.then


def _judge(matrix: ScoreMatrix, at: int, pairs: Sequence[tuple[str, str]], question: Question) -> Iterator[Comparison]:
    """The pairs on one data set."""
    assert matrix.splits is not None
    there = {name: cell for name, cell in zip(matrix.learners, matrix.splits[at], strict=True) if cell is not None}
    contest = Tables(SplitTable(there, matrix.better, matrix.score))
    contest.data = matrix.datasets[at]
    for a, b in pairs:
        try:
            if a not in there or b not in there:
                raise Refused(f"{a if a not in there else b} has no scores", "no-scores")
            yield judge_pair(contest, question, a, b)
        except Refused as why:
            yield _tie(contest, question, a, b, why)


def _tie(contest: Tables, question: Question, a: str, b: str, why: Refused) -> Comparison:
    """A pair on which the test cannot be had: a tie, and a note that says why."""
    both = a in contest.names and b in contest.names
    difference = contest.difference(a, b) if both else float("nan")
    note = Note(why.code, "refuse", why.says)
    using = question.test.spelling
    return Comparison(
        contest.score,
        using,
        a,
        b,
        difference,
        None,
        None,
        better=contest.better,
        notes=(note,),
        level=question.at.level,
        data=contest.data,
    )


def _pair_notes(rows: tuple[Comparison, ...]) -> tuple[Note, ...]:
    """What was said of pairs, once for all of them; a refusal names the first place and becomes a caution."""
    notes: list[Note] = []
    refused = [(row, note) for row in rows for note in row.notes if note.weight == "refuse"]
    for code in dict.fromkeys(note.code for _, note in refused):
        (row, note), *others = [one for one in refused if one[1].code == code]
        more = f" and {other_pairs(len(others))}" if others else ""
        place = f"{row.a} and {row.b} on {row.data}{more}"
        notes.append(Note(code, "caution", f"no verdict for {place}, counted as ties: {template(note.says)}"))
    return unique((*notes, *(note for row in rows for note in row.all_notes if note.weight != "refuse")))
