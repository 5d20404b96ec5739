"""The views of a store: each is one verb, its finding, and the line that gives the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veracity.api.plot import plot
from veracity.api.slices import slices
from veracity.comparisons import comparisons
from veracity.contests.compare import compare
from veracity.contests.rank import rank
from veracity.contests.score_sources import OVER_SPLITS
from veracity.core.default_rule import first_fit
from veracity.core.errors import BadInput, Refused
from veracity.evidence.runs import Runs
from veracity.evidence.split_scores import SplitScores
from veracity.findings.comparison import Comparison
from veracity.findings.ranking import Ranking
from veracity.findings.verdicts import Verdicts
from veracity.readers.read_predictions import read_column
from veracity.reports.answers import question_in_words, questions_about, questions_of_store
from veracity.reports.gather import gather_runs
from veracity.reports.page import Grid, Section
from veracity.reports.report import Report, report
from veracity.reports.sections.splits_and_failures import split_section
from veracity.risk.estimates import estimate
from veracity.risk.optimism import tuning_optimism
from veracity.studies.evaluate import read_questions
from veracity.studies.study_file import data_files
from veracity.web.inquiry import USUAL_LEVEL, Inquiry
from veracity.web.lines import Name, float_text, pair_text, python_call
from veracity.web.shown import Shown, show_finding, show_report
from veracity.web.study_curves import curves
from veracity.web.study_record import asked_before, failed_fits, questions_asked, tuning

HEAVY = ("curves", "explorer", "confusion")  # sections that have a view of their own
OF_VERDICTS = ("significance_only", "learners")  # looks that a ranking has not
MOST_VERDICTS = 20_000
MOST_SLICES = 60  # that somebody looks at
WORDS = ("using", "then", "pairs", "control")


def overview(runs: Runs, asked: Inquiry) -> Shown:
    """The page of the study: ranking, pairs, estimates, tuning, splits, failures and how it was done."""
    names = list(asked.scores) or None
    words = {word: getattr(asked, word) for word in WORDS}
    if words["using"] is not None and _is_split_test(words["using"]):
        words["pairs"] = None  # each pair is tested by it already
    own = questions_about(_own_questions(runs, asked), asked.scores, asked.picked_level)
    questions = question_in_words(runs, asked.scores_of(runs)[0], **words) or own
    words_answered = _words_of(questions, asked.scores_of(runs), asked.level)
    level = float(words_answered["level"])  # also of the estimates, where the study asks at another than the usual one
    found: Report = report(runs, names, level=level, questions=questions)
    how: dict[str, Any] = {"level": level if level != USUAL_LEVEL or asked.picked_level else None}
    call = python_call("vc.report", Name("runs"), scores=names, **how, questions=questions)
    lines = asked.lines("report", (), call, {"scores": ",".join(names or ()) or None, **words, **how})
    ranking = found.material.ranking
    more = {} if ranking is None else {"axes": _drawing(ranking), "paper": ranking.to_paper}
    shown = show_report(found, lines, HEAVY, **more)
    return replace(shown, sections=(*shown.sections, *asked_before(runs)), words=words_answered, test=_test_of(found))


def _test_of(found: Report) -> str:
    """The test of all learners, or of pairs."""
    m = found.material
    pairs = (*(m.verdicts or ()), *m.comparisons)
    return m.ranking.omnibus.method if m.ranking is not None else next((one.using for one in pairs), "")


def _own_questions(runs: Runs, asked: Inquiry) -> dict[str, Any]:
    """What the file asks that the study is called by, or the study that the store knows."""
    return questions_of_store(runs) if asked.study is None else read_questions(asked.where, asked.study)[1]


def _words_of(questions: Mapping[str, Any], names: Sequence[str], level: float) -> dict[str, str]:
    """What an overview answered, by the fields of its form: the score of the question stands before the others."""
    question = {"level": level, **(questions.get("rank") or questions.get("compare") or {})}
    of = question.get("score", names[0])
    first = [str(one) for one in (of if isinstance(of, list | tuple) else [of])]
    picked = {word: question[word] if isinstance(question.get(word), str) else "" for word in WORDS}
    every = ", ".join(dict.fromkeys((*first, *map(str, names))))
    return {"score": every, "level": float_text(question["level"]), **picked}


def _drawing(finding: Any) -> Callable[[], Any]:
    return lambda: plot(finding)


def ranking(runs: Runs, asked: Inquiry) -> Shown:
    """Learners over data sets: one test of all, then every pair."""
    if asked.using is not None and _is_split_test(asked.using):
        return verdicts(runs, asked)
    score = asked.scores_of(runs)[0]
    options: dict[str, Any] = {word: getattr(asked, word) for word in WORDS} | {"level": asked.changed_level}
    found = rank(runs, score, **{word: value for word, value in options.items() if value is not None})
    assert isinstance(found, Ranking)
    look = {word: value for word, value in asked.look if word not in OF_VERDICTS}
    shown = found.with_look(**look) if look else found
    page = show_finding(shown, "Ranking", asked.ranking_lines(score, options, look), picture=True)
    return replace(page, test=found.omnibus.method)


def verdicts(runs: Runs, asked: Inquiry) -> Shown:
    """Wins and losses on each data set against a base, as Weka's Experimenter prints them."""
    score = asked.scores_of(runs)[0]
    using = asked.using if asked.using is not None and _is_split_test(asked.using) else _usual_split_test(runs)
    options: dict[str, Any] = {"using": using, "then": asked.then, "control": asked.control}
    options |= {"level": asked.changed_level}
    learners = len(runs.learner_names)
    number = len(runs.names) * (learners - 1) * (learners if asked.control is None else 2) // 2
    if number > MOST_VERDICTS:
        says = f"{number:,} verdicts take minutes, and nobody reads them: pick some learners or data sets"
        raise Refused(f"{says}, or run the command", "many-verdicts")
    found = rank(runs, score, **{word: value for word, value in options.items() if value is not None})
    assert isinstance(found, Verdicts)
    shown = show_finding(found.with_look(**dict(asked.look)), "Verdicts", asked.ranking_lines(score, options))
    return replace(shown, words={"using": str(using), "pairs": ""}, test=str(using))


def _usual_split_test(runs: Runs) -> str:
    """The test of splits that suits the design, as `compare` takes it."""
    design = runs.design(runs.names[0], runs.design_name(None))
    return str(first_fit(OVER_SPLITS, len({design.splits[number].repeat for number in design.main_splits})).name)


def _is_split_test(name: str) -> bool:
    return bool(comparisons.choose(name).reads is SplitScores)


def pairs(runs: Runs, asked: Inquiry) -> Shown:
    """Every pair on every data set, or over all of them, with the interval of its difference."""
    score = asked.scores_of(runs)[0]
    two = [(asked.control, name) for name in runs.learner_names if name != asked.control] if asked.control else None
    several = list(asked.data) if len(asked.data) > 1 else None
    how = {"using": asked.using, "then": asked.then, "level": asked.changed_level}
    given: dict[str, Any] = {
        word: value for word, value in {**how, "pairs": two, "data": several}.items() if value is not None
    }
    call = python_call("vc.compare", Name("runs"), score=score, **given)
    named = [pair_text(*pair) for pair in two or ()]
    found = compare(runs, score, **given)
    shown = show_finding(found, "Pairs", asked.lines("compare", (score,), call, {**how, "pair": named}), picture=True)
    return replace(shown, test=next(iter([found] if isinstance(found, Comparison) else found)).using)


def estimates(runs: Runs, asked: Inquiry) -> Shown:
    """What each learner's score will be on new rows, each with its interval."""
    names = list(asked.scores_of(runs))
    found = estimate(runs, names, level=asked.level)
    tuned = tuning_optimism(runs, found, level=asked.level)
    call = python_call("vc.estimate", Name("runs"), names=names, level=asked.changed_level)
    lines = asked.lines("estimate", tuple(names), call, {"level": asked.changed_level})
    if not tuned:
        return show_finding(found, "Estimates", lines)
    shown = show_finding(found, "Estimates", lines, tuning=tuned)
    return replace(shown, shape=lambda: {**found.to_json(), "tuning": tuned.choices()})


def splits(runs: Runs, asked: Inquiry) -> Shown:
    """The score of every split."""
    names = asked.scores_of(runs)
    found = runs.scores(*names)
    material = gather_runs(runs, list(names[:1]), None, asked.level, 0, {})
    drawn = split_section(material)
    lines = asked.lines("scores", names, f"runs.scores({', '.join(map(repr, names))})", {})
    shown = show_finding(found, "Scores of every split", lines)
    tables = Section("results", "Every split", tuple(Grid(table) for table in found.printed))
    return replace(shown, answer="", sections=(*((drawn,) if drawn else ()), tables))


def by_slices(runs: Runs, asked: Inquiry) -> Shown:
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
    how = {"level": asked.changed_level}
    names = list(asked.scores_of(runs))
    found = slices(runs.only(data=data), labels, names, level=asked.level)
    reads = [python_call("vc.read_column", file, asked.slices) for file in asked.files]
    column = reads[0] if len(reads) == 1 else f"[*{', *'.join(reads)}]"
    call = python_call("vc.slices", Name("runs"), Name(column), names=names, **how)
    lines = asked.lines("estimate", tuple(names), call, {"slices": asked.slices, **how}, data=(data,))
    shown = show_finding(found, f"{data} by {asked.slices}", lines)
    return replace(shown, shape=lambda: {"by": asked.slices, **found.to_json()})


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
VIEWS: dict[str, Callable[[Runs, Inquiry], Shown]] = {
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
