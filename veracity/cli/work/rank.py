"""The work of `veracity rank`: learners of a store or of a table of scores, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from veracity.cli.output import Result, page_of, paper_files
from veracity.cli.work.curve import save_picture
from veracity.cli.work.stored import is_stored, read_score_table, read_stored
from veracity.comparisons import comparisons
from veracity.contests.rank import rank
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.findings.ranking import Ranking
from veracity.findings.verdicts import Verdicts
from veracity.readers.join_files import expand_patterns

LOOK = ("deviations", "counts", "average", "significance_only", "sort", "digits")
ASKED = ("using", "then", "pairs", "control", "effect", "intervals", "level", "seed", "anyway")


def rank_files(patterns: Sequence[str], given: Mapping[str, Any]) -> Result:
    """A ranking; or, by a test of splits, the verdicts of every data set."""
    if given["using"] is not None:
        comparisons.choose(given["using"])
    Confidence(given["level"])
    how = {name: given[name] for name in ASKED if given[name] not in (None, ())}
    twice = next((file for file in patterns if list(patterns).count(file) > 1), None)
    if twice is not None:
        raise BadInput(f"{twice} is named twice: name each file once")
    stored = next((file for file in patterns if is_stored(file)), None)
    if stored is not None and len(patterns) > 1:
        raise BadInput(f"rank reads one store, or tables of scores, and {stored} is one among others: name it alone")
    if stored is not None:
        runs = read_stored(stored, given).runs
        score = given["score"] or next(iter(runs.asked_scores), None)
        answer = rank(runs, score, better=given["better"], by=given["by"], **how)
    else:
        answer = rank(read_score_table(expand_patterns(patterns), given), **how)
    look = {name: given[name] for name in LOOK if given[name] not in (None, False)}
    if isinstance(answer, Verdicts):
        answer = answer.with_look(**look)
    elif set(look) - {"deviations"}:
        word = next(name for name in look if name != "deviations").replace("_", "-")
        raise BadInput(f"--{word} is for the table of a test on each data set: name one, such as --using corrected_t")
    parts: Any = {"figure": partial(_draw, answer), "files": paper_files(answer)}
    if isinstance(answer, Verdicts):
        parts["report"] = partial(page_of, answer, "Verdicts")
        return Result("Verdicts", answer.tables, answer.to_json, answer.sentence(), **parts)
    scores = answer.scores_table(given["deviations"])
    parts |= {"report": partial(page_of, answer, "Ranking"), "brief": answer.printed}
    if given["deviations"]:
        parts["brief"] = (scores, *answer.printed[-2:])  # in place of the scores without them
    return Result("Ranking", (scores, *answer.tables), answer.to_json, answer.conclusion(), **parts)


def _draw(answer: Ranking | Verdicts, out: str) -> None:
    """The critical-difference diagram of a ranking."""
    if isinstance(answer, Verdicts):
        raise BadInput(f"--out {out}: verdicts for each data set have no diagram; write them as a table, or as .json")
    save_picture(answer, out)
