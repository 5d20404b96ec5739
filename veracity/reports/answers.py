"""What a study was asked, answered: the rankings and comparisons of its file, or those that suit its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.ranking import Ranking

NOT_ANSWERED = "not-answered"  # the code of the note about a question that was refused
FEWEST = 3  # data sets from which on learners are ranked over them


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
        says = f"the models were not compared: {why.says}"
        return Answers(notes=(Note(NOT_ANSWERED, "caution", says),))
    return Answers((found,)) if isinstance(found, Comparison) else Answers(tuple(found), notes=found.notes)


def suggest_questions(runs: Runs, score: MethodLike) -> dict[str, Any]:
    """Several learners are ranked over several data sets, and compared on a single one."""
    if len(runs.learner_names) < 2 or len(runs.designs) != 1:
        return {}
    if len(runs.names) >= FEWEST and len(runs.learner_names) > 2:
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
