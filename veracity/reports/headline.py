"""The question that a page opens with and its answer, for all learners and data sets that the page is about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from veracity.contests.compare import NOT_COMPARED
from veracity.core.errors import Refused
from veracity.core.index import display_name
from veracity.core.notes import Note
from veracity.core.words import percent, plural, without_options
from veracity.evidence.runs import Runs
from veracity.findings.comparison import DIRECTIONS, Comparison
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.estimates import Estimate, Estimates
from veracity.findings.ranking import Ranking
from veracity.reports.material import SCORE, show_comparison, show_estimates, show_ranking, show_verdicts

FEW = 4  # places whose numbers, or pairs whose names, fit into a sentence
DATA_SETS, SLICES = "data sets", "slices"  # what the parts of a page are
NOT_ANSWERED = "not-answered"  # the code of the note about a question that was refused
UNTESTED = "Which learner is best was not tested."


@dataclass(frozen=True)
class Answers:
    """Comparisons and a ranking; a question that was refused is a note."""

    comparisons: tuple[Comparison, ...] = ()
    ranking: Ranking | None = None
    verdicts: Verdicts | None = None  # of each data set, where a test of splits ranks
    notes: tuple[Note, ...] = ()

    def with_deviations(self) -> Answers:
        """The same with standard deviations and counts of splits in its tables of scores, or why there are none."""
        wanted = {"ranking": self.ranking, "verdicts": self.verdicts}
        there: dict[str, Any] = {name: one for name, one in wanted.items() if one is not None}
        try:
            return replace(self, **{name: one.with_look(deviations=True, counts=True) for name, one in there.items()})
        except Refused as why:
            return replace(self, notes=(*self.notes, Note("no-deviations", "caution", why.says)))


def headline(runs: Runs, score: str, estimates: Estimates, answers: Answers) -> tuple[str, str]:
    """Answer by the ranking where there is one, else by the comparisons, else by the estimates of the first score."""
    shown = show_estimates(estimates).rows
    ranking = answers.verdicts if answers.ranking is None else answers.ranking
    if ranking is not None:
        return headline_of_ranking(ranking)
    if answers.comparisons:
        pairs = tuple(map(show_comparison, answers.comparisons))
        return headline_of_pairs(pairs, shown, runs.names, notes=answers.notes)
    refused = [without_options(note.says) for note in answers.notes if note.code == NOT_ANSWERED]
    untested = " ".join(f"{says[:1].upper()}{says[1:].rstrip('.')}." for says in refused) or UNTESTED
    return headline_of_learners(shown, display_name(score, *SCORE), untested=untested)


def headline_of_ranking(ranking: Ranking | Verdicts) -> tuple[str, str]:
    """Ask which learner is best; tell who ranks best and from whom it can be told apart, or who wins most often."""
    shown = show_ranking(ranking) if isinstance(ranking, Ranking) else show_verdicts(ranking)
    matrix, over = shown.matrix, _places_phrase(shown.matrix.datasets)
    question = f"Which of {len(matrix.learners)} learners has the best {matrix.score} {over}?"
    return question, shown.conclusion() if isinstance(shown, Ranking) else shown.sentence()


def headline_of_pairs(
    pairs: Sequence[Comparison],
    estimates: Iterable[Estimate] = (),
    names: Sequence[str] = (),
    parts: str = DATA_SETS,
    notes: Sequence[Note] = (),
) -> tuple[str, str]:
    """One comparison answers for itself; of several, the best estimate and in how many pairs there is evidence.

    `notes` say which learners and pairs could not be compared.
    """
    question, answer = _headline_of_compared(pairs, estimates, names, parts)
    lost = [without_options(note.says) for note in notes if note.code == NOT_COMPARED]
    more = [f"{plural(len(lost) - FEW, 'other such note')} below."] if len(lost) > FEW else []
    return question, " ".join([answer, *(f"{says.rstrip('.')}." for says in lost[:FEW]), *more])


def _headline_of_compared(
    pairs: Sequence[Comparison], estimates: Iterable[Estimate], names: Sequence[str], parts: str
) -> tuple[str, str]:
    first, places = pairs[0], list(dict.fromkeys(pair.data for pair in pairs if pair.data)) or names
    on = f" {_places_phrase(places, parts=parts)}" if places else ""
    learners = list(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)))
    if len(pairs) == 1:
        return _pair_question(first, on), first.sentence()
    where = places or [""]  # of models the rows are those of a file
    compared = [row for row in estimates if row.asked == first.score and row.learner in learners and row.data in where]
    scores = list(dict.fromkeys(pair.score for pair in pairs))
    two = len(learners) == 2
    kind = "learners" if places and parts == DATA_SETS else "models"
    who = f"{first.a} and {first.b}" if two else f"{len(learners)} {kind}"
    answer = f"{_evidence(pairs)}."
    if not all(pair.better for pair in pairs):
        question = f"Do {who} differ in {' or '.join(scores)}{on}?"
    elif len(scores) > 1:
        question = f"Which of {who} is better by {' or '.join(scores)}{on}?"
    else:
        question = f"Which of {who} has the {'better' if two else 'best'} {first.score}{on}?"
        if best := _best(compared):
            return question, f"{best}{answer}"
    return question, f"{answer[:1].upper()}{answer[1:]}"


def _pair_question(pair: Comparison, on: str) -> str:
    if pair.one_sided and not pair.stated:
        return f"Is the {pair.score} of {pair.a} {DIRECTIONS[pair.alternative]} than that of {pair.b}{on}?"
    if pair.claims:
        return f"Is there evidence {pair.claims}{on}?"
    if not pair.better:
        return f"Do {pair.a} and {pair.b} differ in {pair.score}{on}?"
    return f"Which of {pair.a} and {pair.b} has the better {pair.score}{on}?"


def _best(rows: Sequence[Estimate]) -> str:
    """The best estimate, where all are of one data set by one design; learners that share it are all named."""
    known = [row for row in rows if math.isfinite(row.value)]
    if not known or len({(row.data, row.by) for row in rows}) > 1:
        return ""
    best = (min if known[0].better == "lower" else max)(known, key=lambda row: row.value)
    names = [row.learner for row in known if row.value == best.value]
    return f"{' and '.join(names)} {'have' if len(names) > 1 else 'has'} the best estimate, {_value_text(best)}; "


def _evidence(pairs: Sequence[Comparison]) -> str:
    first = pairs[0]
    if all(pair.p_value is None for pair in pairs):
        return f"the probabilities of all {len(pairs)} pairs are below ({first.using})"
    several, scores = (len({getattr(pair, what) for pair in pairs}) > 1 for what in ("data", "score"))
    apart = [
        f"{pair.a} and {pair.b}{f' by {pair.score}' * scores}{f' on {pair.data}' * several}"
        for pair in pairs
        if pair.rejected
    ]
    which = f" ({'; '.join(apart)})" if 0 < len(apart) <= FEW else ""
    over = "" if first.adjusted_p_value is None else " over all pairs"
    claims = first.claims or "that they differ"
    return (
        f"there is enough evidence {claims} in {len(apart) or 'none'} of {len(pairs)} pairs{which},"
        f" by {', '.join(dict.fromkeys(pair.using for pair in pairs))} at {1 - first.level:.2g}{over}"
    )


def headline_of_slices(rows: Sequence[Estimate], models: Sequence[str]) -> tuple[str, str]:
    """The range over the models on each slice of their rows, by the first score."""
    score, slices = rows[0].asked, len({row.data for row in rows})
    who = f"do {', '.join(models)}" if len(models) > 1 else f"does {models[0] if models else 'the model'}"
    return f"What {score} {who} have on each of {slices} slices?", _ranges([row for row in rows if row.asked == score])


def headline_of_learners(
    estimates: Iterable[Estimate], score: str, sliced: bool = False, untested: str = UNTESTED
) -> tuple[str, str]:
    """A single estimate is the answer; of several none is, and the range on each data set is told.

    `untested` says that no learner is told to be the best, or why.
    """
    rows = [row for row in estimates if row.asked == score]
    if len(rows) == 1:
        (row,) = rows
        on = f" of {row.data}" if row.data else ""
        undefined = f"It is {str(row).removeprefix(f'{row.asked} ')}"
        known = f"About {_value_text(row)}" if math.isfinite(row.value) else undefined
        return f"What {score} will {row.learner} have on new rows{on}?", f"{known} ({row.answers})."
    learners, data, designs = (
        list(dict.fromkeys(getattr(row, label) for row in rows)) for label in ("learner", "data", "by")
    )
    who = f"do {len(learners)} learners" if len(learners) != 1 else f"does {learners[0]}"
    by = f" by {len(designs)} designs" if len(designs) > 1 else ""
    parts = DATA_SETS if any(designs) and not sliced else SLICES  # parts of ready-made predictions are rows of a file
    question = f"What {score} {who} have {_places_phrase(data, 'on', parts) if any(data) else 'on new rows'}{by}?"
    not_best = [untested] if len(learners) > 1 else []
    without = [name for name in learners if all(math.isnan(row.value) for row in rows if row.learner == name)]
    if without and len(learners) > 1:
        not_best.append(f"{', '.join(without)} {'has' if len(without) == 1 else 'have'} no {score}.")
    return question, " ".join([_ranges(rows), *not_best]) if rows else "Nothing could be estimated."


def _ranges(rows: Sequence[Estimate]) -> str:
    """From the best to the worst estimate on each data set by each design, where these are few."""
    several = len({row.by for row in rows}) > 1
    places: dict[str, list[Estimate]] = {}
    for row in rows:
        places.setdefault(" by ".join(part for part in (row.data, row.by if several else "") if part), []).append(row)
    if len(places) > FEW:
        return "All estimates with their intervals are below."
    return f"{'; '.join(f'{place}: {_range(rows_there)}' for place, rows_there in places.items())}."


def _range(rows: Sequence[Estimate]) -> str:
    known = sorted((row for row in rows if math.isfinite(row.value)), key=lambda row: row.value)
    if not known:
        return "undefined"
    if len(rows) == 1:
        return _value_text(rows[0])
    ends = (known[0], known[-1]) if rows[0].better == "lower" else (known[-1], known[0])
    return " to ".join(f"{row.value:.4g} ({row.learner})" for row in dict.fromkeys(ends))


def _value_text(row: Estimate) -> str:
    return f"{row.value:.4g}" + (f", {percent(row.interval.level)} interval {row.interval}" if row.interval else "")


def _places_phrase(data: Sequence[str], several: str = "over", parts: str = DATA_SETS) -> str:
    return f"on {data[0]}" if len(data) == 1 else f"{several} {len(data)} {parts}"
