"""From runs, each read once, or from models and their estimates to the material of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from threading import Lock
from typing import Any

import numpy as np

from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.index import display_name
from veracity.evidence.labels import SIMULTANEOUS
from veracity.evidence.predictions import Predictions, subset
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.estimates import Estimates
from veracity.reports.answers import Answers, answer_questions, compare_models, questions_about, questions_of_store
from veracity.reports.display import DESIGN, order_of_estimates, show_comparison, show_estimates
from veracity.reports.headline import headline, headline_of_learners, headline_of_pairs, headline_of_slices
from veracity.reports.material import Failure, Material, Strip
from veracity.reports.provenance import facts_of_study, methods_of, versions
from veracity.risk.estimate_run import check_readable, with_positive
from veracity.risk.estimates import estimate, scorecard
from veracity.risk.fold_scores import main_splits, split_scores
from veracity.risk.optimism import tuning_optimism
from veracity.scores import scores
from veracity.scores.default import default_score_of

Models = Predictions | Mapping[str, Predictions]
Scores = MethodLike | Iterable[MethodLike]
SHOWN = (  # of all predictions
    "The explorer and confusion matrices show each row once, by the first repeat of {}: every row is predicted by a"
    " model that had not seen it. Curves of several such models are a thin line for each fold and their average."
    " Of two classes of which none was named positive, the last in order is taken."
)
USUAL_LEVEL = 0.95
NAMED = 6  # learners or models that a title names
FEW = 4  # data sets, or models, that are all named
ROOM = 256 * 2**20  # bytes of predictions that are held; what has no room is read again for each question


def gather_runs(
    runs: Runs,
    names: Scores | None,
    title: str | None,
    level: float,
    seed: int,
    questions: Mapping[str, Any] | None,
    deviations: bool = False,
) -> Material:
    """Estimates, answers to what was asked, and what the page shows of every run; `deviations` over splits if asked."""
    runs = RunsReadOnce.from_runs(replace(runs, asker=None if runs.asker is None else "report"))
    asked = _scores_asked(runs, names)
    estimates = estimate(runs, asked, level=level, seed=seed, deviations=deviations)
    runs = replace(runs, learner_names=_best_first(estimates, runs.learner_names))
    if questions is None:
        picked_scores, picked_level = asked if names is not None else (), level if level != USUAL_LEVEL else None
        questions = questions_about(questions_of_store(runs), picked_scores, picked_level)
    answers = answer_questions(runs, asked[0], questions, level, seed)
    answers = answers.with_deviations() if deviations else answers
    question, answer = headline(runs, scores.label(asked[0]), estimates, answers)
    parts = _parts_of_runs(runs, asked[0])
    data = ", ".join(runs.names) if len(runs.names) <= FEW else f"{len(runs.names)} data sets"
    return Material(
        title or f"{_all_named(runs.learner_names, 'learners')} on {data}",
        question,
        answer,
        estimates,
        answers.comparisons,
        answers.ranking,
        answers.verdicts,
        shown=SHOWN.format(display_name(runs.as_typed(runs.designs[0]), *DESIGN)),
        tuning=tuning_optimism(runs, estimates, level=level, seed=seed),
        about=(*facts_of_study(runs), *_fact_of_failures(parts["failed"])),
        methods=methods_of(estimates, (*answers.comparisons, *(answers.verdicts or ())), answers.ranking),
        notes=runs.notes + answers.notes,
        **parts,
    )


def _fact_of_failures(failed: Sequence[Failure]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """That nothing failed; what did has a section of its own."""
    return () if failed else (("Failures", ("No split failed.",)),)


def _best_first(estimates: Estimates, names: Sequence[str]) -> tuple[str, ...]:
    """Learners in the order of their rank, so that of each pair the first is the better one; others last."""
    return tuple(dict.fromkeys((*order_of_estimates(estimates), *names)))


def _scores_asked(runs: Runs, names: Scores | None) -> list[MethodLike]:
    if names is None:
        return list(runs.asked_scores) or [default_score_of(runs)]
    return [names] if isinstance(names, MethodLike) else list(names)


def _parts_of_runs(runs: Runs, score: MethodLike) -> dict[str, Any]:
    """In one pass, each run while it is at hand: test predictions of the first design, scores of splits, failures."""
    models: dict[str, dict[str, Predictions]] = {}
    strips, failed = [], []
    choice = scores.choose(score)
    for run in runs:
        if run.failed:
            lost = (run.design.name, run.failed, len(run.design), run.reason)
            failed.append(Failure(run.data, run.learner, *lost))
        if run.predictions is None:
            continue
        if run.design.name == runs.designs[0]:
            models.setdefault(run.data, {})[run.learner] = _first_repeat(run)
        if len(run.design) > 1 and _has_score(run, choice):
            full, _ = with_positive(run, choice)
            values = split_scores(choice, full, main_splits(full)).values
            strips.append(Strip(run.data, run.learner, scores.label(score), values))
    return {"models": models, "strips": tuple(strips), "failed": tuple(failed)}


def _has_score(run: Run, choice: Choice) -> bool:
    """Whether the learner tells what the score needs; the estimates say why not."""
    try:
        check_readable(run, choice)
    except (BadInput, Refused):
        return False
    return True


def _first_repeat(run: Run) -> Predictions:
    """Each row once, predicted by the first repeat."""
    run, _ = with_positive(run, scores.choose("auc"))
    p = run.predictions
    assert p is not None and p.splits is not None
    first = run.design.splits[0].repeat
    wanted = [number for number in run.design.main_splits if run.design.splits[number].repeat == first]
    return subset(p, np.isin(p.splits, wanted))


def _all_named(names: Sequence[str], what: str) -> str:
    """Every name, or how many there are: a part of them would say that it is all."""
    return ", ".join(names) if len(names) <= NAMED else f"{len(names)} {what}"


def gather_models(source: Models, names: Scores | None, title: str | None, level: float, seed: int) -> Material:
    """The scores asked for of one model or of several by name, or all that they allow."""
    models = dict(source) if isinstance(source, Mapping) else {source.name: source}
    at: Any = {"level": level, "seed": seed}
    estimates = scorecard(source, **at) if names is None else estimate(source, names, **at)
    title = title or _all_named(list(filter(None, models)), "models") or "How good is the model?"
    return gather_estimates(estimates, models, title, **at)


def gather_estimates(
    estimates: Estimates, models: Mapping[str, Predictions], title: str, level: float = 0.95, seed: int = 0
) -> Material:
    """Estimates, with the curves of the models that they are of and, of several, the comparison by the first score."""
    shown, order = show_estimates(estimates), order_of_estimates(estimates)
    names = [name for name in order if name]
    models = {name: models[name] for name in _best_first(estimates, list(models)) if name in models}
    answers = compare_models(models, estimates.rows[0].asked, level, seed) if len(models) > 1 else Answers()
    if answers.comparisons:
        question, answer = headline_of_pairs(tuple(map(show_comparison, answers.comparisons)), shown.rows)
    elif estimates.designs:
        sliced = any(note.code == SIMULTANEOUS for note in estimates.notes)
        question, answer = headline_of_learners(shown.rows, shown.rows[0].asked, sliced)
    elif len(estimates.parts) > 1:
        question, answer = headline_of_slices(shown.rows, names)
    else:
        are = f"are {', '.join(names)}" if len(names) > 1 else f"is {names[0] if names else 'the model'}"
        firsts = [next(row for row in shown if row.learner == name) for name in order[:FEW]]
        question = f"How good {are}?"
        answer = "; ".join(f"{row.learner}: {row}" if row.learner else str(row) for row in firsts)
    rows = {": ".join(filter(None, (row.data, f"{row.rows:g}"))): None for row in estimates if not estimates.designs}
    return Material(
        title,
        question,
        answer or "Nothing could be estimated.",
        estimates,
        answers.comparisons,
        models={"": models} if models else {},
        about=((("Rows", tuple(rows)),) if rows else ()) + (versions(),),
        methods=methods_of(estimates, answers.comparisons),
        notes=answers.notes,
    )


@dataclass(frozen=True, eq=False, repr=False)
class RunsReadOnce(Runs):
    """The same runs, each held from the first reading on as long as there is room.

    The first to come stay: all are asked for in the same order again and again, so that whoever gave way to the next
    would be read each time.
    """

    held: dict[tuple[str, str, str], Run] = field(default_factory=dict)
    room: list[int] = field(default_factory=lambda: [ROOM])  # bytes that are left
    holding: Any = field(default_factory=Lock)  # several questions may read the same runs at once

    @classmethod
    def from_runs(cls, runs: Runs) -> RunsReadOnce:
        return cls(**{one.name: getattr(runs, one.name) for one in fields(runs)})

    def read_together(self, data: str, by: str, learners: Sequence[str]) -> Iterator[Run]:
        held = {learner: self.held.get((learner, data, by)) for learner in learners}
        others = super().read_together(data, by, [learner for learner, run in held.items() if run is None])
        for learner in learners:
            run = held[learner] = held[learner] or self._hold(next(others))
            yield run

    def _hold(self, run: Run) -> Run:
        place = run.learner, run.data, run.design.name
        with self.holding:
            if place not in self.held and self.room[0] >= size(run):
                self.room[0] -= size(run)
                self.held[place] = run
            return self.held.get(place, run)


def size(run: Run) -> int:
    """Bytes of its predictions."""
    parts = () if run.predictions is None else vars(run.predictions).values()
    return sum(part.nbytes for part in parts if isinstance(part, np.ndarray))
