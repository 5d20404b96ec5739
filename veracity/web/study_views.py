"""The views of a store: each is one verb, its finding, and the line that gives the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from veracity.api.curve import curve
from veracity.api.plot import plot
from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.contests.of_learners import OVER_SPLITS
from veracity.contests.rank import rank
from veracity.core.default_rule import first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, unique
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.evidence.split_scores import SplitScores
from veracity.findings.curve import Curve
from veracity.findings.ranking import Ranking
from veracity.findings.verdicts import Verdicts
from veracity.reports.answers import question_in_words
from veracity.reports.gather import gather_runs
from veracity.reports.material import Material
from veracity.reports.page import Grid, Section
from veracity.reports.report import Report, report
from veracity.reports.sections.confusion_matrices import confusion_section
from veracity.reports.sections.curve_charts import curve_section
from veracity.reports.sections.explorer import explorer_section
from veracity.reports.sections.splits_and_failures import split_section
from veracity.risk.estimate_run import with_positive
from veracity.risk.estimates import estimate
from veracity.risk.optimism import tuning_optimism
from veracity.scores import scores
from veracity.studies.evaluate import read_questions
from veracity.web.inquiry import Inquiry
from veracity.web.lines import Lines, Name, python_call
from veracity.web.shown import Shown, curve_points, show_finding, show_report

HEAVY = ("curves", "explorer", "confusion")  # sections that have a view of their own
MOST_VERDICTS = 20_000
WORDS = ("using", "then", "pairs", "control")


def overview(runs: Runs, asked: Inquiry) -> Shown:
    """The page of the study: ranking, pairs, estimates, tuning, splits, failures and how it was done."""
    names = list(asked.of(runs))
    words = {word: getattr(asked, word) for word in WORDS}
    questions = question_in_words(runs, names[0], **words) or _own_questions(asked)
    found: Report = report(runs, names, level=asked.level, questions=questions)
    how: dict[str, Any] = {"level": asked.changed_level}
    call = python_call("vc.report", Name("runs"), scores=names, **how, questions=questions)
    lines = asked.lines("report", (), call, {"scores": ",".join(names), **words, **how})
    ranking = found.material.ranking
    more = {} if ranking is None else {"axes": _drawing(ranking), "paper": ranking.to_paper}
    return show_report(found, lines, HEAVY, **more)


def _own_questions(asked: Inquiry) -> dict[str, Any] | None:
    """What the file asks that the study is called by; None where the store knows it."""
    return None if asked.study is None else read_questions(asked.where, asked.study)[1]


def _drawing(finding: Any) -> Callable[[], Any]:
    return lambda: plot(finding)


def ranking(runs: Runs, asked: Inquiry) -> Shown:
    """Learners over data sets: one test of all, then every pair."""
    if asked.using is not None and comparisons.choose(asked.using).entry.reads is SplitScores:
        return verdicts(runs, asked)
    score = asked.of(runs)[0]
    options: dict[str, Any] = {word: getattr(asked, word) for word in (*WORDS, "by")} | {"level": asked.changed_level}
    found = rank(runs, score, **{word: value for word, value in options.items() if value is not None})
    assert isinstance(found, Ranking)
    return show_finding(found, "Ranking", asked.ranking_lines(score, options), picture=True)


def verdicts(runs: Runs, asked: Inquiry) -> Shown:
    """Wins and losses on each data set against a base, as Weka's Experimenter prints them."""
    score = asked.of(runs)[0]
    using = asked.using if asked.using is not None and _is_split_test(asked.using) else _usual_split_test(runs, asked)
    options: dict[str, Any] = {"using": using, "then": asked.then, "control": asked.control, "by": asked.by}
    options |= {"level": asked.changed_level}
    number = len(runs.names) * len(runs.learner_names) * (len(runs.learner_names) - 1) // 2
    if number > MOST_VERDICTS:
        says = f"{number:,} verdicts take minutes, and nobody reads them: pick some learners or data sets"
        raise Refused(f"{says}, or run the command", "many-verdicts")
    found = rank(runs, score, **{word: value for word, value in options.items() if value is not None})
    assert isinstance(found, Verdicts)
    return show_finding(found.with_look(**dict(asked.look)), "Verdicts", asked.ranking_lines(score, options))


def _usual_split_test(runs: Runs, asked: Inquiry) -> str:
    """The test of splits that suits the design, as `compare` takes it."""
    design = runs.design(runs.names[0], runs.design_name(asked.by))
    return str(first_fit(OVER_SPLITS, len({design.splits[number].repeat for number in design.main_splits})).name)


def _is_split_test(name: str) -> bool:
    return bool(comparisons.choose(name).entry.reads is SplitScores)


def pairs(runs: Runs, asked: Inquiry) -> Shown:
    """Every pair on every data set, or over all of them, with the interval of its difference."""
    score = asked.of(runs)[0]
    two = [(asked.control, name) for name in runs.learner_names if name != asked.control] if asked.control else None
    several = list(asked.data) if len(asked.data) > 1 else None
    how = {"using": asked.using, "then": asked.then, "level": asked.changed_level, "by": asked.by}
    given: dict[str, Any] = {
        word: value for word, value in {**how, "pairs": two, "data": several}.items() if value is not None
    }
    call = python_call("vc.compare", Name("runs"), score=score, **given)
    named = [",".join(map(str, pair)) for pair in two or ()]
    found = compare(runs, score, **given)
    return show_finding(found, "Pairs", asked.lines("compare", (score,), call, {**how, "pair": named}), picture=True)


def estimates(runs: Runs, asked: Inquiry) -> Shown:
    """What each learner's score will be on new rows, each with its interval."""
    names = list(asked.of(runs))
    found = estimate(runs, names, level=asked.level)
    tuned = tuning_optimism(runs, found, level=asked.level)
    call = python_call("vc.estimate", Name("runs"), names=names, level=asked.changed_level)
    lines = asked.lines("estimate", tuple(names), call, {"level": asked.changed_level})
    if not tuned:
        return show_finding(found, "Estimates", lines)
    shown = show_finding(found, "Estimates", lines, tuning=tuned)
    return replace(shown, shape=lambda: {**found.to_json(), "tuning": tuned.choices()})


class Models(NamedTuple):
    """What the learners predicted of one data set, and which class was taken for positive."""

    data: str
    by_name: dict[str, Predictions]
    notes: tuple[Note, ...]
    positive: Any = None


def _models_of_one(runs: Runs, asked: Inquiry) -> Models:
    """Of the first data set that is meant."""
    data = next(iter(asked.data), runs.names[0])
    runs = runs.only((), data)
    found = Models(data, {}, runs.selection_notes)
    for name in runs.learner_names:
        run, more = with_positive(runs.run(name, by=asked.by).fresh, scores.choose("auc"))
        found = found._replace(notes=found.notes + more)
        if run.predictions is not None:
            found.by_name[name] = run.predictions
            found = found._replace(positive=run.predictions.classes[1]) if more else found
    if not found.by_name:
        raise BadInput(f"no learner has predictions of {data}: all its splits failed")
    return found


def curves(runs: Runs, asked: Inquiry) -> Shown:
    """How the learners trade one kind of mistake for the other on one data set."""
    models = _models_of_one(runs, asked)
    kind = asked.kind or ("residuals" if runs.kind(models.data) == "numbers" else "roc")
    found = curve(models.by_name, kind)
    found = replace(found, notes=unique((*models.notes, *found.notes)))
    read = {"data": (models.data,), "positive": models.positive}
    lines = asked.lines("curve", (), f"vc.curve(runs, {kind!r})", {"kind": kind, "by": asked.by}, **read)
    return _show_curve(found, lines, models)


def _show_curve(found: Curve, lines: Lines, models: Models) -> Shown:
    """The chart that was asked for, then all others, the explorer of thresholds and the confusion matrices."""
    page = report(found, title=f"{found.title} on {models.data}")
    beside = Material(page.material.title, "", "", models={models.data: models.by_name})
    more = tuple(filter(None, (part(beside) for part in (curve_section, explorer_section, confusion_section))))
    shown = show_report(page, lines, shape=found.to_json, tables=(curve_points(found),), axes=_drawing(found))
    asked_for = tuple(replace(one, key="asked", title=found.title) for one in shown.sections if one.key == "curves")
    return replace(shown, sections=(*asked_for, *more))


def splits(runs: Runs, asked: Inquiry) -> Shown:
    """The score of every split."""
    names = asked.of(runs)
    found = runs.scores(*names, by=asked.by)
    material = gather_runs(runs, list(names[:1]), None, asked.level, 0, {})
    drawn = split_section(material)
    call = f"runs.scores({', '.join(map(repr, names))}" + (f", by={asked.by!r})" if asked.by else ")")
    lines = asked.lines("scores", names, call, {"by": asked.by})
    shown = show_finding(found, "Scores of every split", lines)
    tables = Section("results", "Every split", tuple(Grid(table) for table in found.printed))
    return replace(shown, answer="", sections=(*((drawn,) if drawn else ()), tables))


VIEWS: dict[str, Callable[[Runs, Inquiry], Shown]] = {
    "overview": overview,
    "ranking": ranking,
    "verdicts": verdicts,
    "pairs": pairs,
    "estimates": estimates,
    "curves": curves,
    "splits": splits,
}
