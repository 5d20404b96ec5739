"""The work of `veracity rank`: learners of a store or of a table of scores, ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from veracity.api.plot import plot
from veracity.cli.arguments import files_and_scores
from veracity.cli.output import page_of, paper_forms
from veracity.cli.work.stored import is_stored, read_score_table, read_stored
from veracity.comparisons import comparisons
from veracity.contests.rank import rank
from veracity.contests.score_sources import matrix_of_runs
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, VeracityError
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.ranking import Ranking
from veracity.readers.source import expand_patterns
from veracity.reports.output import Output
from veracity.scores import scores

LOOK = ("deviations", "counts", "average", "significance_only", "sort", "digits", "swap", "columns")
COLUMNS = ("data", "data set")
Measure = Callable[[str], ScoreMatrix]  # of the same learners and data sets, by its name
SOURCES = "a store, such as results.db, or a table of scores, such as results.csv"
ASKED = ("using", "then", "pairs", "control", "effect", "intervals", "level", "seed", "anyway")


def rank_files(words: Sequence[str], given: Mapping[str, Any]) -> Output:
    """A ranking; or, by a test of splits, the verdicts of every data set."""
    patterns, named = files_and_scores(words, reads=SOURCES)
    given = {**given, "score": _one_score([*named, *filter(None, [given["score"]])])}
    if given["using"] is not None:
        comparisons.choose(given["using"])
    Confidence(given["level"])
    how = {name: given[name] for name in ASKED if given[name] not in (None, ())}
    stored = next((file for file in patterns if is_stored(file)), None)
    if stored is not None and len(patterns) > 1:
        raise BadInput(f"rank reads one store, or tables of scores, and {stored} is one among others: name it alone")
    if stored is not None:
        runs = read_stored(stored, given).runs
        score = given["score"] or next(iter(runs.asked_scores), None)
        answer = rank(runs, score, better=given["better"], by=given["by"], **how)
        measure: Measure = lambda name: matrix_of_runs(runs, scores.choose(name), scores.label(name), given["by"])  # noqa: E731
    else:
        files = expand_patterns(patterns)
        answer = rank(read_score_table(files, given), **how)
        measure = lambda name: read_score_table(files, {**given, "score": name})  # noqa: E731
    look = {name: given[name] for name in LOOK if given[name] or (name == "digits" and given[name] is not None)}
    answer = _with_look(answer, look, measure)
    parts: Any = {"draw": partial(_draw, answer), "own_forms": paper_forms(answer)}
    if isinstance(answer, Verdicts):
        parts["page"] = partial(page_of, answer, "Verdicts")
        return Output("Verdicts", answer.tables, answer.to_json, answer.sentence(), **parts)
    parts |= {"page": partial(page_of, answer, "Ranking"), "brief": answer.printed}
    return Output("Ranking", (answer.scores_table(), *answer.tables), answer.to_json, answer.conclusion(), **parts)


def _one_score(named: Sequence[str]) -> str | None:
    """The score that is named, beside the file or by --score."""
    if len(named) > 1:
        raise BadInput(f"learners are ranked by one score, and {len(named)} are named: {', '.join(named)}")
    return named[0] if named else None


def _with_look(answer: Ranking | Verdicts, look: dict[str, Any], measure: Measure) -> Ranking | Verdicts:
    """With the table that was asked for; what orders the data sets may be another measure, which is read then."""
    for word in ("significance_only", "columns"):
        if isinstance(answer, Ranking) and word in look:
            option = f"--{word.replace('_', '-')}"
            raise BadInput(f"{option} is for a test on each data set: name one, such as --using corrected_t")
    if "columns" in look:
        look["learners"] = look.pop("columns")
    if "sort" in look:
        look |= {"measures": _measures(answer.matrix, look["sort"].removeprefix("-"), measure)}
    return answer.with_look(**look) if look else answer


def _measures(matrix: ScoreMatrix, name: str, measure: Measure) -> dict[str, ScoreMatrix]:
    """The measure of this name, unless it is that of a learner or of the data sets."""
    if name in COLUMNS:
        return {}
    try:
        matrix.learner(name)
    except BadInput as why:
        try:
            return {name: measure(name)}
        except VeracityError as other:
            raise BadInput(f"--sort: {why.says}; nor is it a measure: {other.says}") from None
    return {}


def _draw(answer: Ranking | Verdicts) -> Any:
    """The critical-difference diagram of a ranking."""
    if isinstance(answer, Verdicts):
        raise BadInput("verdicts for each data set have no diagram; write them to --out as a table, or as .json")
    return plot(answer)
