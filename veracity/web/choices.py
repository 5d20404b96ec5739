"""What the form of a view offers: methods that can answer here, and those that cannot with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.method_refusals import AskedOf, method_refusals
from veracity.core.errors import VeracityError
from veracity.core.words import without_options
from veracity.curves import curves
from veracity.evidence.looks import uncounted
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.posthoc import posthocs
from veracity.risk.estimate_run import check_readable, with_positive
from veracity.risk.fold_scores import main_splits, split_scores
from veracity.scores import scores
from veracity.web.inquiry import FLAGS, Inquiry

# what each view asks
QUESTIONS: Mapping[str, AskedOf] = {"overview": "rank", "ranking": "rank", "verdicts": "verdicts", "pairs": "compare"}
METHODS = ("using", "pairs", "then")
ONE_TEST = "on one data set each pair of learners is tested by the test itself"


class Offered(NamedTuple):
    """A method that a field offers; `reason` says why it cannot answer here."""

    name: str
    title: str
    reason: str | None = None


def known_choices(runs: Runs) -> dict[str, Any]:
    """Return what there is to pick for a store, by the word of the address, before anything is known of what fits."""
    kinds = {runs.kind(name) for name in runs.names}
    of_matrix = [one for one in comparisons if one.reads is ScoreMatrix and one.compares in (0, 2)]
    of_pairs = [one for one in of_matrix if one.compares == 2]
    of_splits = [one for one in comparisons if one.reads is SplitScores]
    return {
        "score": _offered(one for one in scores if any(map(one.suits, kinds))),
        "using": _offered([*of_matrix, *of_splits]),
        "then": _offered([*adjustments, *posthocs]),
        "pairs": _offered([*of_pairs, *posthocs]),
        "kind": _offered(curves),
        "flags": FLAGS,
    }


def _offered(entries: Iterable[Any]) -> list[Offered]:
    return sorted(Offered(one.name, one.title) for one in entries)


def fitting_choices(runs: Runs, asked: Inquiry, words: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the same with the reason of each that cannot answer beside what is chosen already; those come last.

    `words` are the methods and the base learner that the view answered by.
    """
    runs = uncounted(runs)
    known = known_choices(runs)
    known["score"] = [one._replace(reason=_refusal_of_score(runs, one.name)) for one in known["score"]]
    if asked.view in QUESTIONS:
        question: AskedOf = "compare" if asked.view == "overview" and len(runs.names) == 1 else QUESTIONS[asked.view]
        chosen = {word: words.get(word) for word in (*METHODS, "control")}
        reasons = method_refusals(runs, question, asked.scores_of(runs)[0], **chosen)
        if question == "compare":
            reasons["pairs"] = dict.fromkeys((one.name for one in known["pairs"]), ONE_TEST)
        for word in METHODS:
            known[word] = [one._replace(reason=reasons.get(word, {}).get(one.name)) for one in known[word]]
    for word in {*known} - {"flags"}:
        known[word].sort(key=lambda one: one.reason is not None)
    return known


def _refusal_of_score(runs: Runs, name: str) -> str | None:
    """Why no data set has this score; a learner of each is tried on the first of its splits."""
    first: str | None = None
    for data in runs.names:
        try:
            choice = scores.choose(name)
            for learner in runs.learner_names:
                run = runs.run(learner, data, runs.designs[0])
                if run.predictions is not None:
                    check_readable(run, choice)
                    full, _ = with_positive(run, choice)
                    split_scores(choice, full, main_splits(full)[:1])
                    return None
        except VeracityError as why:
            first = first or without_options(why.says)
    return first
