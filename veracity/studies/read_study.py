"""From a study file to the parts of a study: every mistake is found before any is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.pair_plan import procedure
from veracity.contests.rank import check_verdict_options
from veracity.core.errors import BadInput, VeracityError
from veracity.core.mistakes import Mistake, Mistakes
from veracity.core.spelling import read as read_spelling
from veracity.learners.from_text import learner_from_text
from veracity.learners.target_kind import meant_for
from veracity.posthoc import posthocs
from veracity.records.data import Data
from veracity.risk.design_for import choose_by
from veracity.running.checks import ASKED as CHECKS
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.studies.parse import design_of, importable, learner_of, listed, table_of
from veracity.studies.study_file import DataPart, LearnerPart, Questions, checked, read_file


def study_parts(path: str | Path) -> dict[str, Any]:
    """What `Study` is made from, as a file describes it."""
    given = read_file(path)
    importable(Path(path).resolve().parent)
    part, mistakes = checked(given)
    found = Found(given, Path(path).resolve().parent)
    mistakes += found.mistakes
    if part is None or mistakes:
        raise Mistakes(str(path), sorted(dict.fromkeys(mistakes), key=lambda one: _place(given, one.path)))
    return {
        "data": found.data,
        "learners": found.learners,
        "by": part.by,
        "seed": part.seed,
        "scores": part.scores,
        "questions": _scored(part.questions, found.data),
        "checks": part.checks,
        "final": part.final,
        "timeout": part.timeout,
        "prepare": found.prepare,
    }


def _scored(questions: Questions, data: Mapping[str, Data]) -> dict[str, Any]:
    """What is asked, by the default score of the data sets where the file names none."""
    score = default_score(*(table.kind for table in data.values()))
    return {verb: {"score": score, **asked} for verb, asked in questions.model_dump(exclude_none=True).items()}


def _place(given: Mapping[str, Any], path: str) -> int:
    """Mistakes are told in the order of the file's sections; what is missing comes first."""
    names = list(given)
    first = path.partition(".")[0].partition("[")[0]
    return names.index(first) if first in names else -1


class Found:
    """What the parts of a file stand for; those that are sound are looked at even where others are not."""

    def __init__(self, given: Mapping[str, Any], folder: Path) -> None:
        self.given = given
        self.mistakes: list[Mistake] = []
        self.prepare = self._tried("prepare", lambda: _preparation(given.get("prepare", "default")))
        self.learners = self._each("learners", LearnerPart, lambda name, part: learner_of(name, _plain(part)))
        meant = meant_for(self.learners.values())
        self.data = self._each(
            "data", DataPart, lambda name, part: table_of(name, _plain(part), folder=folder, meant=meant)
        )
        self._all("by", _design)
        self._all("scores", scores.choose)
        self._all("checks", _known_check)
        self._questions()

    def _tried(self, path: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except VeracityError as why:
            self.mistakes.append(Mistake(path, str(why)))
            return None

    def _each(self, section: str, kind: type[BaseModel], make: Callable[[str, Any], Any]) -> dict[str, Any]:
        """The sound entries of a table, made; a mistake of shape is told by the check of shapes."""
        found = {}
        for name, part in _sound(self.given.get(section), kind):
            found[name] = self._tried(f"{section}.{name}", partial(make, name, part))
        return found

    def _all(self, section: str, check: Callable[[str], Any]) -> None:
        given = self.given.get(section, ())
        for number, text in enumerate(listed(given)):
            if isinstance(text, str):
                place = section if isinstance(given, str) else f"{section}[{number}]"
                self._tried(place, partial(check, text))

    def _questions(self) -> None:
        questions = self.given.get("questions")
        for name, asked in questions.items() if isinstance(questions, dict) else ():
            for key, check in ASKED.items() if isinstance(asked, dict) else ():
                if isinstance(asked.get(key), str):
                    self._tried(f"questions.{name}.{key}", partial(check, asked[key]))
            self._pairs(f"questions.{name}", asked if isinstance(asked, dict) else {})
        self._ranked(questions.get("rank") if isinstance(questions, dict) else None)

    def _ranked(self, asked: Any) -> None:
        """Where each word of a ranking is right by itself, they must agree."""
        words = [asked.get(key) for key in ("using", "pairs", "then")] if isinstance(asked, dict) else [False]
        wrong = any(mistake.path.startswith("questions.rank") for mistake in self.mistakes)
        if not wrong and all(word is None or isinstance(word, str) for word in words):
            self._tried("questions.rank", partial(_ranking, *words))

    def _pairs(self, path: str, asked: Mapping[str, Any]) -> None:
        """Learners that a question names are learners of the study."""
        pairs = asked.get("pairs")
        named = [(f"{path}.control", asked.get("control"))]
        for number, pair in enumerate(pairs if isinstance(pairs, list) else ()):
            named += [(f"{path}.pairs[{number}]", learner) for learner in (pair if isinstance(pair, list) else ())]
        known = self.given.get("learners")
        for place, learner in named:
            if isinstance(learner, str) and isinstance(known, dict) and learner not in known:
                says = f"there is no learner called {learner!r}: there are {', '.join(known)}"
                self.mistakes.append(Mistake(place, says))


def _ranking(using: str | None, pairs: str | None, then: str | None) -> None:
    if using is not None:
        check_verdict_options(comparisons.choose(using), pairs=pairs, then=then)
    procedure(pairs, then)


def _adjusts(text: str) -> Any:
    """An adjustment, or a post hoc test that decides by itself."""
    name = read_spelling(text).name
    return posthocs.choose(text) if name in posthocs else adjustments.choose(text)


def _judges(text: str) -> Any:
    """How pairs are tested: by ranks that all learners share, or two learners at a time."""
    name = read_spelling(text).name
    return posthocs.choose(text) if name in posthocs else comparisons.choose(text)


ASKED: dict[str, Callable[[str], Any]] = {
    "score": scores.choose,
    "using": comparisons.choose,
    "then": _adjusts,
    "pairs": _judges,
}


def _sound(section: Any, kind: type[BaseModel]) -> Iterator[tuple[str, BaseModel]]:
    """The entries that have the right shape, or would have it without keys that nobody knows."""
    text = "use" if kind is LearnerPart else "file"
    for name, given in section.items() if isinstance(section, dict) else ():
        table = {text: given} if isinstance(given, str) else given
        if kind is DataPart and isinstance(table, dict):
            table = {key: value for key, value in table.items() if key in kind.model_fields}
        try:
            yield name, kind.model_validate(table)
        except ValidationError:
            continue


def _plain(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(exclude_none=True, exclude_defaults=True)


def _design(text: str) -> Any:
    """A design or an estimator by its name, or a splitter by its module and class."""
    made = design_of(text)
    return choose_by(made) if isinstance(made, str) else made


def _known_check(name: str) -> None:
    if name not in CHECKS:
        raise BadInput(f"there is no check called {name!r}: there are {', '.join(CHECKS)}")


def _preparation(given: Any) -> Any:
    """`"default"`, `"none"` or the text of a transformer."""
    if given in ("default", "none", False):
        return "default" if given == "default" else None
    if not isinstance(given, str):
        raise BadInput(
            f"this is 'default', 'none' or a transformer such as 'sklearn.preprocessing:StandardScaler', not {given!r}"
        )
    return learner_from_text(given, needs=("fit", "transform"))
