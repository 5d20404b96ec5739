"""The views of a store: each is one function, its result, and the call that gives the same elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.contests.ledger import ledger
from veracity.contests.rank import rank
from veracity.contests.score_sources import OVER_SPLITS
from veracity.core.entry import first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import unique
from veracity.curves.from_predictions import curve
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import SplitScores
from veracity.findings.comparison import Comparison
from veracity.findings.curve import Curve
from veracity.findings.ranking import Ranking
from veracity.findings.run_results import failures
from veracity.plots.plot import plot
from veracity.readers.read_predictions import read_column
from veracity.reports.gather import gather_runs, question_in_words, questions_about, questions_of_store
from veracity.reports.material import Material
from veracity.reports.page import Grid, Section
from veracity.reports.report import Report, report
from veracity.reports.sections.predictions import confusion_section, curve_section, explorer_section
from veracity.reports.sections.results import split_section
from veracity.risk.breakdowns import slices
from veracity.risk.estimate_run import with_positive
from veracity.risk.estimates import estimate
from veracity.risk.selection_bias import optimism, tuning_optimism
from veracity.scores import scores
from veracity.studies.evaluate import read_questions
from veracity.studies.study_file import data_files
from veracity.tables.table import Column, Table
from veracity.web.calls import Call, Source, Written, float_text, pair_text, python_call
from veracity.web.view import USUAL_LEVEL, Inquiry, View, view_of_curve, view_of_report, view_of_result

HEAVY = ("curves", "explorer", "confusion")  # sections that have a view of their own
OF_VERDICTS = ("significance_only", "learners")  # looks that a ranking has not
MOST_VERDICTS = 20_000
MOST_SLICES = 60  # that somebody looks at
WORDS = ("using", "then", "pairs", "control")


def overview(runs: Runs, asked: Inquiry) -> View:
    """The page of the study: ranking, pairs, estimates, tuning, splits, failures and how it was done."""
    names = list(asked.scores) or None
    words = {word: getattr(asked, word) for word in WORDS}
    if words["using"] is not None and _is_split_test(words["using"]):
        words["pairs"] = None  # each pair is tested by it already
    # those of the file that the study is called by, or of the study that the store knows
    saved = questions_of_store(runs) if asked.study is None else read_questions(asked.where, asked.study)[1]
    own = questions_about(saved, asked.scores, asked.picked_level)
    questions = question_in_words(runs, asked.scores_of(runs)[0], **words) or own
    words_answered = _words_of(questions, asked.scores_of(runs), asked.level)
    level = float(words_answered["level"])  # also of the estimates, where the study asks at another than the usual one
    how = {"level": level if level != USUAL_LEVEL or asked.picked_level else None}
    named = {"scores": names, **how, "questions": questions}
    typed = {"scores": ",".join(names or ()) or None, **words, **how}
    call = Call(report, asked.source(runs), named=named, options=typed)
    found: Report = call.run()
    m = found.material
    compared = next(iter((*(m.verdicts or ()), *m.comparisons)), None)
    test = m.ranking.omnibus.method if m.ranking is not None else compared.using if compared is not None else ""
    more = {} if m.ranking is None else {"draw": partial(plot, m.ranking), "own_forms": {"tex": m.ranking.to_paper}}
    view = view_of_report(found, call, HEAVY, **more)
    return replace(view, sections=(*view.sections, *asked_before(runs)), words=words_answered, test=test)


def _words_of(questions: Mapping[str, Any], names: Sequence[str], level: float) -> dict[str, str]:
    """What an overview answered, by the fields of its form: the score of the question stands before the others."""
    question = {"level": level, **(questions.get("rank") or questions.get("compare") or {})}
    of = question.get("score", names[0])
    first = [str(one) for one in (of if isinstance(of, list | tuple) else [of])]
    picked = {word: question[word] if isinstance(question.get(word), str) else "" for word in WORDS}
    every = ", ".join(dict.fromkeys((*first, *map(str, names))))
    return {"score": every, "level": float_text(question["level"]), **picked}


def ranking(runs: Runs, asked: Inquiry) -> View:
    """Learners over data sets: one test of all, then every pair."""
    if asked.using is not None and _is_split_test(asked.using):
        return verdicts(runs, asked)
    score = asked.scores_of(runs)[0]
    options: dict[str, Any] = {word: getattr(asked, word) for word in WORDS} | {"level": asked.changed_level}
    look = {word: value for word, value in asked.look if word not in OF_VERDICTS}
    call = _rank_call(asked.source(runs), {"score": score, **options}, look)
    found: Ranking = call.run()
    return replace(view_of_result(found, "Ranking", call, picture=True), test=found.omnibus.method)


def _rank_call(source: Source, named: Mapping[str, Any], look: Mapping[str, Any]) -> Call:
    """Return `veracity rank` with the look of its table, where it has one."""
    typed = {"columns" if word == "learners" else word: value for word, value in look.items()}
    return Call(rank, source, named=named, look=look, options={**named, **typed})


def verdicts(runs: Runs, asked: Inquiry) -> View:
    """Wins and losses on each data set against a base, as Weka's Experimenter prints them."""
    using = asked.using
    if using is None or not _is_split_test(using):  # that which suits the design, as `compare` takes it
        design = runs.design(runs.names[0], runs.design_name(None))
        repeats = len({design.splits[number].repeat for number in design.main_splits})
        using = str(first_fit(OVER_SPLITS, repeats).name)
    learners = len(runs.learner_names)
    number = len(runs.names) * (learners - 1) * (learners if asked.control is None else 2) // 2
    if number > MOST_VERDICTS:
        says = f"{number:,} verdicts take minutes, and nobody reads them: pick some learners or data sets"
        raise Refused(f"{says}, or run the command", "many-verdicts")
    options = {"using": using, "then": asked.then, "control": asked.control, "level": asked.changed_level}
    call = _rank_call(asked.source(runs), {"score": asked.scores_of(runs)[0], **options}, dict(asked.look))
    view = view_of_result(call.run(), "Verdicts", call)
    return replace(view, words={"using": using, "pairs": ""}, test=using)


def _is_split_test(name: str) -> bool:
    return bool(comparisons.choose(name).reads is SplitScores)


def pairs(runs: Runs, asked: Inquiry) -> View:
    """Every pair on every data set, or over all of them, with the interval of its difference."""
    score = asked.scores_of(runs)[0]
    two = [(asked.control, name) for name in runs.learner_names if name != asked.control] if asked.control else None
    several = list(asked.data) if len(asked.data) > 1 else None
    how = {"using": asked.using, "then": asked.then, "level": asked.changed_level}
    named = {"score": score, **how, "pairs": two, "data": several}
    typed = {**how, "pair": [pair_text(*pair) for pair in two or ()]}
    call = Call(compare, asked.source(runs), named=named, words=(score,), options=typed)
    found = call.run()
    view = view_of_result(found, "Pairs", call, picture=True)
    return replace(view, test=next(iter([found] if isinstance(found, Comparison) else found)).using)


def estimates(runs: Runs, asked: Inquiry) -> View:
    """What each learner's score will be on new rows, each with its interval."""
    names = list(asked.scores_of(runs))
    how = {"level": asked.changed_level}
    call = Call(estimate, asked.source(runs), named={"names": names, **how}, words=tuple(names), options=how)
    found = call.run()
    tuned = tuning_optimism(runs, found, level=asked.level)
    if not tuned:
        return view_of_result(found, "Estimates", call)
    view = view_of_result(found, "Estimates", call, tuning=tuned)
    return replace(view, to_json=lambda: {**found.to_json(), "tuning": tuned.choices()})


def splits(runs: Runs, asked: Inquiry) -> View:
    """The score of every split."""
    names = asked.scores_of(runs)
    call = Call(Runs.scores, asked.source(runs), names, verb="export", words=names, options={"scores": True})
    found = call.run()
    material = gather_runs(runs, list(names[:1]), None, asked.level, 0, {})
    drawn = split_section(material)
    view = view_of_result(found, "Scores of every split", call)
    tables = Section("results", "Every split", tuple(Grid(table) for table in found.printed))
    return replace(view, answer="", sections=(*((drawn,) if drawn else ()), tables))


def by_slices(runs: Runs, asked: Inquiry) -> View:
    """One data set, each learner on each slice, with intervals that hold together."""
    if asked.study is None:
        raise Refused("a store keeps no columns of the data, and no study file lies beside it", "no-columns")
    data = next((name for name in asked.data or runs.names if data_files(asked.study, name)), None)
    if data is None:
        raise Refused("these data sets are built in and have no file with columns to slice by", "no-columns")
    if asked.slices is None:
        raise BadInput(f"pick the column that slices the rows of {data}")
    labels = [label for file in asked.files for label in read_column(file, asked.slices)]
    if len(set(labels)) > MOST_SLICES:
        raise Refused(
            f"{asked.slices} has {len(set(labels))} values, more slices than {MOST_SLICES}: pick another", "many"
        )
    reads = [python_call("vc.read_column", file, asked.slices) for file in asked.files]
    column = Written(labels, reads[0] if len(reads) == 1 else f"[*{', *'.join(reads)}]")
    how = {"level": asked.changed_level}
    names = list(asked.scores_of(runs))
    source = asked.source(runs.only(data=data), data=(data,))
    typed = {"slices": asked.slices, **how}
    call = Call(slices, source, (column,), {"names": names, **how}, verb="estimate", words=tuple(names), options=typed)
    found = call.run()
    view = view_of_result(found, f"{data} by {asked.slices}", call)
    return replace(view, to_json=lambda: {"by": asked.slices, **found.to_json()})


def curves(runs: Runs, asked: Inquiry) -> View:
    """How the learners trade one kind of mistake for the other on one data set: all of them on one chart.

    The chart that was asked for comes first, then all others, the explorer of thresholds and the confusion matrices.
    """
    data = next(iter(asked.data), runs.names[0])
    runs = runs.only((), data)
    models, notes, positive = {}, runs.selection_notes, None
    for name in runs.learner_names:
        run, more = with_positive(runs.run(name).fresh, scores.choose("auc"))
        notes += more
        if run.predictions is not None:
            models[name] = run.predictions
            positive = run.predictions.classes[1] if more else positive
    if not models:
        raise BadInput(f"no learner has predictions of {data}: all its splits failed")
    kind = asked.kind or ("residuals" if runs.kind(data) == "numbers" else "roc")
    call = Call(curve, asked.source(models, (data,), positive), (kind,), options={"kind": kind})
    found: Curve = call.run()
    found = replace(found, notes=unique((*notes, *found.notes)))
    title = f"{found.title} on {data}"
    page = report(found, title=title)
    beside = Material(title, "", "", models={data: models})
    more_sections = filter(None, (part(beside) for part in (curve_section, explorer_section, confusion_section)))
    view = view_of_curve(found, page, call)
    own = tuple(replace(one, key="asked", title=title) for one in view.sections if one.key == "curves")
    return replace(view, answer="", sections=(*own, *more_sections))


def failed_fits(runs: Runs, asked: Inquiry) -> View:
    """What failed, by reason, with where it struck and a traceback."""
    call = Call(failures, asked.source(runs), verb="status", options={"failures": True})
    return view_of_result(call.run(), "Failures", call)


def tuning(runs: Runs, asked: Inquiry) -> View:
    """What learners that tune themselves chose in each split, and how much too good the winning score is."""
    if not tunes(runs):
        raise Refused("no learner of this study tunes itself: give one a grid in Set up", "nothing-tuned")
    how, first = {"level": asked.changed_level}, asked.scores[:1]
    options = {**how, "optimism": True}
    call = Call(optimism, asked.source(runs), first, how, verb="estimate", words=first, options=options)
    found = call.run()
    content = found.to_json()
    notes = [*(note.to_json() for note in runs.selection_notes), *content["notes"]]  # as the command says them
    return replace(view_of_result(found, "Tuning", call), to_json=lambda: {**content, "notes": notes})


def tunes(runs: Runs) -> bool:
    """Whether some learner of the study chooses its own settings."""
    stored = runs.store.study().get("learners", {})
    parts = (stored.get(name) for name in runs.learner_names)
    return any(isinstance(part, dict) and "settings" in part for part in parts)


def questions_asked(runs: Runs, asked: Inquiry) -> View:
    """Everything that was asked of the store, whatever is picked here, and what claims are worth after it."""
    source = Source(runs, "runs", python_call("vc.read_runs", asked.where), (asked.where,))
    call = Call(ledger, source, named={"level": asked.changed_level})
    view = view_of_result(call.run(), "Ledger", call)
    return replace(view, sections=(*view.sections, *asked_before(runs)))


def asked_before(runs: Runs) -> tuple[Section, ...]:
    """The questions that were asked of the test rows of hold-outs, this one among them."""
    rows = tuple(
        (data, question, times)
        for data in runs.names
        for by in runs.designs
        for question, times in runs.questions(data, by).items()
    )
    if not rows:
        return ()
    columns = (Column("data", "left"), Column("question", "left"), Column("times"))
    table = Table(columns, rows, "What is chosen by the answers is too good on these rows")
    return (Section("asked", "Questions asked of the same test rows", (Grid(table),)),)


HEEDED = {  # the words of the address that each view heeds, beside learners and data sets
    "overview": ("score", *WORDS, "level", "by"),
    "ranking": ("score", *WORDS, "level", "by", "look"),
    "verdicts": ("score", "using", "then", "control", "level", "by", "look"),
    "pairs": ("score", "using", "then", "control", "level", "by"),
    "estimates": ("score", "level", "by"),
    "curves": ("kind", "by"),
    "slices": ("score", "slices", "level", "by"),
    "splits": ("score", "by"),
    "tuning": ("score", "level", "by"),
    "failures": ("by",),
    "ledger": ("level",),
}
VIEWS: dict[str, Callable[[Runs, Inquiry], View]] = {
    "overview": overview,
    "ranking": ranking,
    "verdicts": verdicts,
    "pairs": pairs,
    "estimates": estimates,
    "curves": curves,
    "slices": by_slices,
    "splits": splits,
    "tuning": tuning,
    "failures": failed_fits,
    "ledger": questions_asked,
}
