"""Gather the material of a page: numbers, answers and provenance, from runs that are read once or from models."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core import spelling
from veracity.core.catalogue import Catalogue
from veracity.core.entry import MethodLike
from veracity.core.environment import version_of
from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.index import display_name
from veracity.core.notes import Note
from veracity.designs import designs
from veracity.evidence.labels import SIMULTANEOUS
from veracity.evidence.predictions import Predictions, subset
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.estimates import Estimates
from veracity.findings.interval import Interval
from veracity.findings.ranking import Ranking
from veracity.intervals import intervals
from veracity.learners.fingerprint import describe
from veracity.posthoc import posthocs
from veracity.reports.headline import (
    NOT_ANSWERED,
    Answers,
    headline,
    headline_of_learners,
    headline_of_pairs,
    headline_of_slices,
)
from veracity.reports.material import (
    DESIGN,
    Failure,
    Material,
    Strip,
    order_of_estimates,
    show_comparison,
    show_estimates,
)
from veracity.risk import estimators
from veracity.risk.estimate_run import check_readable, with_positive
from veracity.risk.estimates import estimate, scorecard
from veracity.risk.fold_scores import main_splits, split_scores
from veracity.risk.selection_bias import tuning_optimism
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
MIN_RANKED_DATA = 3  # data sets from which on learners are ranked over them
LIBRARIES = ("veracity", "numpy", "scipy", "scikit-learn")


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
    asked: list[MethodLike]
    if names is None:
        asked = list(runs.asked_scores) or [default_score_of(runs)]
    else:
        asked = [names] if isinstance(names, MethodLike) else list(names)
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
        about=(*facts_of_study(runs), *(() if parts["failed"] else (("Failures", ("No split failed.",)),))),
        methods=methods_of(estimates, (*answers.comparisons, *(answers.verdicts or ())), answers.ranking),
        notes=runs.notes + answers.notes,
        **parts,
    )


def _best_first(estimates: Estimates, names: Sequence[str]) -> tuple[str, ...]:
    """Learners in the order of their rank, so that of each pair the first is the better one; others last."""
    return tuple(dict.fromkeys((*order_of_estimates(estimates), *names)))


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
        if len(run.design) > 1:
            try:
                check_readable(run, choice)
            except (BadInput, Refused):  # the learner does not tell what the score needs: the estimates say why
                continue
            full, _ = with_positive(run, choice)
            values = split_scores(choice, full, main_splits(full)).values
            strips.append(Strip(run.data, run.learner, scores.label(score), values))
    return {"models": models, "strips": tuple(strips), "failed": tuple(failed)}


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


def answer_questions(
    runs: Runs, score: MethodLike, questions: Mapping[str, Any], level: float = 0.95, seed: int = 0
) -> Answers:
    """The questions given; without any, those that the runs suggest."""
    every: dict[str, Any] = dict(questions) or suggest_questions(runs, score)
    results: dict[str, Any] = {}
    notes: tuple[Note, ...] = ()
    for verb, question in every.items():
        try:
            results[verb] = _ask(runs, verb, question, score, level, seed)
        except VeracityError as why:
            notes += (Note(NOT_ANSWERED, "caution", f"the question {verb} was not answered: {why.says}"),)
    pairs, ranking = results.get("compare", ()), results.get("rank")
    comparisons = (pairs,) if isinstance(pairs, Comparison) else tuple(pairs)
    notes += pairs.notes if isinstance(pairs, Comparisons) else ()
    if isinstance(ranking, Verdicts):
        return Answers(comparisons, verdicts=ranking, notes=notes)
    return Answers(comparisons, ranking, notes=notes)


def compare_models(models: Mapping[str, Predictions], score: MethodLike, level: float, seed: int) -> Answers:
    """Models of the same rows, each against each; where they cannot be compared a note says why."""
    from veracity.contests.compare import compare

    try:
        found = compare(models, score, level=level, seed=seed)
    except VeracityError as why:
        return Answers(notes=(Note(NOT_ANSWERED, "caution", f"the models were not compared: {why.says}"),))
    return Answers((found,)) if isinstance(found, Comparison) else Answers(tuple(found), notes=found.notes)


def suggest_questions(runs: Runs, score: MethodLike) -> dict[str, Any]:
    """Several learners are ranked over several data sets, and compared on a single one."""
    if len(runs.learner_names) < 2 or len(runs.designs) != 1:
        return {}
    if len(runs.names) >= MIN_RANKED_DATA and len(runs.learner_names) > 2:
        return {"rank": {"score": score}}
    return {"compare": {"score": score}} if len(runs.names) == 1 else {}


def question_in_words(runs: Runs, score: MethodLike, **words: str | None) -> dict[str, Any] | None:
    """What `using`, `then`, `pairs` and `control` ask of runs, over data sets or on a single one; None without any."""
    given: dict[str, Any] = {word: text for word, text in words.items() if text is not None}
    if not given:
        return None
    if len(runs.names) > 1:
        return {"rank": {"score": score, **given}}
    if "pairs" in given:
        says = f"`pairs=` is the test of pairs of a ranking over data sets, and here is one, {runs.names[0]}"
        raise BadInput(f"{says}: name the test as `using=`")
    control = given.pop("control", None)
    others = [name for name in runs.learner_names if name != control]
    return {
        "compare": {"score": score, **given, **({"pairs": [(control, name) for name in others]} if control else {})}
    }


def questions_of_store(runs: Runs) -> dict[str, Any]:
    """Return the questions of the study that the store was made by."""
    return dict(runs.store.study().get("questions") or {})


def questions_about(
    questions: Mapping[str, Any], scores: Sequence[MethodLike] = (), level: float | None = None
) -> dict[str, Any]:
    """Return the questions of a study with the scores and the level that somebody picked in place of their own.

    A ranking is by one score, the first; a comparison that names several is by all that were picked.
    """
    changed: dict[str, Any] = {}
    for verb, question in questions.items():
        of = list(scores) if isinstance(question.get("score"), list | tuple) else next(iter(scores), None)
        picked = {"score": of or None, "level": level}
        changed[verb] = {**question, **{word: value for word, value in picked.items() if value is not None}}
    return changed


def _ask(runs: Runs, verb: str, question: dict[str, Any], score: MethodLike, level: float, seed: int) -> Any:
    options: dict[str, Any] = {"level": level, "seed": seed, **question}
    of = options.pop("score", score)
    if verb == "rank":
        from veracity.contests.rank import rank

        return rank(runs, of, **options)
    from veracity.contests.compare import compare

    on_each = {"data": runs.names} if len(runs.names) > 1 else {}
    return compare(runs, of, **{**on_each, **options})


def facts_of_study(runs: Runs) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Data and learners with fingerprints, designs, seed and versions."""
    study = runs.store.study()
    facts = {name: study["data"][name] for name in runs.names}
    data = tuple(f"{name}: {of['rows']} rows, fingerprint {of['fingerprint']}" for name, of in facts.items())
    learners = []
    for name in runs.learner_names:  # what it is as far as the store or this process knows, and its fingerprint
        stored = study["learners"][name]
        known = stored.get("text") or (describe(runs.learners[name]) if name in runs.learners else "")
        learners.append(f"{name}: {f'{known}, ' if known else ''}fingerprint {stored['fingerprint']}")
    by = tuple(runs.as_typed(name) for name in runs.designs)
    notes = tuple(line for line in study.get("words", "").splitlines() if line.strip())
    # as each fit was stored with them, whoever writes the page
    found = (f"{name} {' and '.join(known)}" for name, known in runs.store.versions_at(set(runs.places())).items())
    fits = f"fits: {', '.join(found) or 'versions unknown, as an older veracity made them'}"
    libraries = ("Versions", (fits, f"estimates and this page: {versions()[1][0]}"))
    made = (("Data", data), ("Learners", tuple(learners)), ("Designs", by), ("Seed", (str(runs.seed),)), libraries)
    return (("Notes", notes), *made) if notes else made


@cache  # they are read from files, and a process keeps the libraries with which it began
def versions() -> tuple[str, tuple[str, ...]]:
    """The libraries of this process, which makes estimates and pages of stored predictions."""
    libraries = [*(f"{name} {version_of(name)}" for name in LIBRARIES), f"Python {platform.python_version()}"]
    return "Versions", (", ".join(libraries),)


def methods_of(
    estimates: Estimates | None, compared: Iterable[Comparison] = (), ranking: Ranking | None = None
) -> tuple[Any, ...]:
    """The entries behind some results, each once, by kind."""
    used: list[tuple[Catalogue[Any], str]] = []  # where it stands, and how it was typed
    for row in estimates or ():
        used += [(scores, row.score), (estimators, row.by), (designs, row.by), (intervals, _method(row.interval))]
    for one in compared:
        used += [(scores, one.score), (comparisons, one.using), (intervals, _method(one.interval))]
    if ranking is not None:
        pairs = posthocs if _name(ranking.judged_by) in posthocs else comparisons
        used += [(scores, ranking.matrix.score), (comparisons, ranking.omnibus.method), (pairs, ranking.judged_by)]
        used += [(adjustments, ranking.then), (posthocs, ranking.then)]
    return entries(used)


def entries(used: Iterable[tuple[Catalogue[Any], str]]) -> tuple[Any, ...]:
    """The entries of some texts that were typed, each once; a text that names none is left out."""
    named = dict.fromkeys((catalogue, _name(text)) for catalogue, text in used)
    return tuple(catalogue[name] for catalogue, name in named if name in catalogue)


def _method(interval: Interval | None) -> str:
    """The method of an interval, which for a comparison may be the test itself."""
    return "" if interval is None else interval.method


def _name(text: str) -> str:
    try:
        return spelling.read(text).name
    except BadInput:  # the text of a foreign splitter, or a score that is only a heading
        return ""
