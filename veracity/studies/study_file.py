"""A study file: what may stand in it, checked key by key, and the parts of a study that it stands for."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.rank import check_verdict_options, procedure
from veracity.core.catalogue import Catalogue
from veracity.core.confidence import Alternative
from veracity.core.errors import BadInput, Mistake, Mistakes, VeracityError
from veracity.core.spelling import read as read_spelling
from veracity.core.suggest import suggest
from veracity.learners.class_text import canonical_text
from veracity.learners.from_text import NOTHING, Reach
from veracity.learners.inspection import target_kind
from veracity.posthoc import posthocs
from veracity.readers.source import near_names
from veracity.risk.designs import choose_by
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.stores.open_store import KEY as STORE
from veracity.stores.open_store import place_of_store
from veracity.studies.parse import as_tuple, check_name, learner_table, parse_design, parse_learner, parse_table

Texts = Annotated[list[str], BeforeValidator(lambda given: [given] if isinstance(given, str) else given)]
Place = tuple[str | int, ...]
EXAMPLES = {
    "by": 'by = "kfold(k=10)"',
    "data": 'iris = "sklearn:load_iris" under [data]',
    "learners": 'nb = "sklearn.naive_bayes:GaussianNB" under [learners]',
}
WANTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "list_type": "a text or a list of texts",
    "dict_type": "a table",
    "model_type": "a text or a table",
    "model_attributes_type": "a text or a table",
    "greater_than": "larger than 0",
}


class Part(BaseModel):
    """Keys that are not declared are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _text_as(key: str) -> BeforeValidator:
    """A text is short for a table with one key."""
    return BeforeValidator(lambda given: {key: given} if isinstance(given, str) else given)


def _label(given: Any) -> Any:
    if given is None or isinstance(given, (str, int, float, bool)):
        return given
    raise ValueError("this must be the label of a class")


class DataPart(Part):
    """One data set: `"sklearn:load_iris"`, a file's name, or a table."""

    file: str | None = None
    test: str | None = None  # another file, whose rows test what those of the first train
    target: str | None = None
    positive: Annotated[Any, AfterValidator(_label)] = None
    groups: str | None = None
    weights: str | None = None
    time: str | None = None
    leave_out: Texts = []
    kind: Literal["classes", "numbers"] | None = None


class LearnerPart(BaseModel):
    """One learner: its text, `{use = ..., parameters}` or `{tune = ..., grid = ..., by = ...}`, where what is tuned is
    a text or a table with `use`; other keys are parameters.
    """

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    use: str | None = None
    tune: str | dict[str, Any] | None = None


class Rank(Part):
    """Which learner is best over all data sets?"""

    score: str | None = None  # default_score unless said
    using: str | None = None
    then: str | None = None
    pairs: str | None = None
    control: str | None = None
    level: float = Field(0.95, gt=0, lt=1)


class Compare(Part):
    """Is one learner better than another?"""

    score: Annotated[Texts, Field(min_length=1)] | None = None  # one or several; default_score unless said
    using: str | None = None  # that of the splits unless said
    alternative: Alternative | None = None  # about the first score less the second
    then: str | None = None
    pairs: list[Annotated[list[str], Field(min_length=2, max_length=2)]] | None = None
    level: float = Field(0.95, gt=0, lt=1)


class Questions(Part):
    """What is asked of the results."""

    rank: Rank | None = None
    compare: Compare | None = None


class StudyPart(Part):
    """The whole file."""

    notes: str = ""  # whatever its reader should know
    store: str | None = None  # where results are kept: a file from the folder of this one, or an address
    seed: int = 0
    by: Annotated[Texts, Field(min_length=1)]
    scores: Texts = []
    data: Annotated[dict[str, Annotated[DataPart, _text_as("file")]], Field(min_length=1)]
    learners: Annotated[dict[str, Annotated[LearnerPart, _text_as("use")]], Field(min_length=1)]
    questions: Questions = Questions()
    checks: Texts = []
    final: bool = False
    timeout: Annotated[float | None, Field(gt=0, strict=False)] = None
    prepare: Any = "default"


def read_file(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file, not yet checked."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        raise BadInput(f"there is no study file {path}{near_names(Path(path))}") from None
    except tomllib.TOMLDecodeError as why:
        raise BadInput(f"{path} is not TOML: {str(why)[:1].lower()}{str(why)[1:]}") from None
    except (OSError, TypeError, ValueError) as why:
        reason = getattr(why, "strerror", None) or "it is not text" * isinstance(why, UnicodeDecodeError)
        raise BadInput(f"the study file {path} cannot be read: {reason or 'name it by its path'}") from None


def data_files(path: str | Path, name: str) -> list[Path]:
    """The files that the rows of a data set come from, in their order; one that is built in has none."""
    part = read_file(path).get("data", {}).get(name, {})
    given = [part] if isinstance(part, str) else [part.get(word) for word in ("file", "test")]
    folder = Path(path).parent
    return [folder / file for file in given if isinstance(file, str) and not file.startswith("sklearn:")]


def validate(tables: Mapping[str, Any]) -> tuple[StudyPart | None, list[Mistake]]:
    """The file as records where it has the right shape, and all mistakes of shape."""
    try:
        return StudyPart.model_validate(tables), []
    except ValidationError as why:
        return None, [Mistake(_path_text(one["loc"]), _says(one, one["loc"])) for one in why.errors(include_url=False)]


def _path_text(place: Place) -> str:
    """`compare.pairs[0]`, as one would point at it."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _says(error: Any, place: Place) -> str:
    kind, given = error["type"], error.get("input")
    if kind == "extra_forbidden":
        return f"there is no such key: {suggest(str(place[-1]), _known_keys(place))}"
    if kind == "missing":
        return "this is needed" + (f", for example {EXAMPLES[str(place[-1])]}" if place[-1] in EXAMPLES else "")
    if kind == "too_short" and given in ([], {}):
        return "name at least one"
    if kind in WANTED:
        return f"this must be {WANTED[kind]}, not {given!r}"
    text = error["msg"].removeprefix("Value error, ")
    return f"{text[:1].lower()}{text[1:]}, not {given!r}"


def _known_keys(place: Place) -> list[str]:
    models: dict[str, type[BaseModel]] = {"data": DataPart, "rank": Rank, "compare": Compare, "questions": Questions}
    if len(place) == 1:
        return list(StudyPart.model_fields)
    model = models.get(str(place[1])) if place[0] == "questions" and len(place) == 3 else models.get(str(place[0]))
    return list((model or StudyPart).model_fields)


def study_parts(path: str | Path, reach: Reach) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """What `Study` is made from, as a file describes it, and the texts of the file."""
    return parts_of_tables(str(path), read_file(path), Path(path).resolve().parent, reach)


def parts_of_tables(
    where: str, given: Mapping[str, Any], folder: Path, reach: Reach
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """The same of a file's tables, which need not be saved yet; `folder` is where its data lie."""
    part, parts = _checked_parts(where, given, folder, reach)
    made = {
        "data": parts.data,
        "learners": parts.learners,
        "by": part.by,
        "seed": part.seed,
        "scores": part.scores,
        "questions": with_scores(part.questions, (table.kind for table in parts.data.values())),
        "checks": part.checks,
        "final": part.final,
        "timeout": part.timeout,
        "prepare": parts.prepare,
        "notes": part.notes,
    }
    return made, source_texts(part)


def read_parts(path: str | Path, reach: Reach) -> tuple[StudyPart, FileParts]:
    """A file as records, and what its parts stand for; or all its mistakes."""
    return _checked_parts(str(path), read_file(path), Path(path).resolve().parent, reach)


def _checked_parts(where: str, given: Mapping[str, Any], folder: Path, reach: Reach) -> tuple[StudyPart, FileParts]:
    part, mistakes = validate(given)
    parts = FileParts(given, folder, reach)
    mistakes += parts.mistakes
    if part is None or mistakes:
        raise Mistakes(where, sorted(dict.fromkeys(mistakes), key=lambda one: _place(given, one.path)))
    return part, parts


def source_texts(part: StudyPart) -> dict[str, dict[str, str]]:
    """The canonical texts of the data sets and learners of a file, which a store keeps."""
    return {
        "data": {name: canonical_text(_plain(one)) for name, one in part.data.items()},
        "learners": {name: canonical_text(learner_table(_plain(one))) for name, one in part.learners.items()},
    }


def with_scores(questions: Questions, kinds: Iterable[str]) -> dict[str, Any]:
    """What is asked, by the default score of the data sets where the file names none."""
    every, usual = questions.model_dump(exclude_none=True), default_score(*kinds)
    for asked in every.values():
        named = as_tuple(asked.get("score", usual))
        asked["score"] = named[0] if len(named) == 1 else list(named)
    return every


def _place(given: Mapping[str, Any], path: str) -> int:
    """Mistakes are told in the order of the file's sections; what is missing comes first."""
    names = list(given)
    first = path.partition(".")[0].partition("[")[0]
    return names.index(first) if first in names else -1


class FileParts:
    """What the parts of a file stand for; those that are sound are looked at even where others are not."""

    def __init__(self, given: Mapping[str, Any], folder: Path, reach: Reach) -> None:
        self.given = given
        self.mistakes: list[Mistake] = []
        self.prepare = self._try("prepare", lambda: _preparation(given.get("prepare", "default"), reach))
        self.learners = self._make_each(
            "learners", LearnerPart, lambda name, part: parse_learner(name, _plain(part), reach)
        )
        meant = target_kind(self.learners.values())
        if reach is not NOTHING:
            self.data = self._make_each(
                "data", DataPart, lambda name, part: parse_table(name, _plain(part), folder=folder, meant=meant)
            )
        if isinstance(given.get(STORE), str):
            self._try(STORE, lambda: place_of_store(given[STORE], folder))
        self._check_all("by", partial(_design, reach=reach))
        self._check_all("scores", scores.choose)
        self._check_all("checks", check_name)
        self._check_questions()

    def _try(self, path: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except VeracityError as why:
            self.mistakes.append(Mistake(path, why.says))
            return None

    def _make_each(self, section: str, kind: type[BaseModel], make: Callable[[str, Any], Any]) -> dict[str, Any]:
        """The sound entries of a table, made; a mistake of shape is told by the check of shapes."""
        sound = _sound_entries(self.given.get(section), kind)
        return {name: self._try(f"{section}.{name}", partial(make, name, part)) for name, part in sound}

    def _check_all(self, section: str, check: Callable[[str], Any]) -> None:
        given = self.given.get(section, ())
        for number, text in enumerate(as_tuple(given)):
            if isinstance(text, str):
                place = section if isinstance(given, str) else f"{section}[{number}]"
                self._try(place, partial(check, text))

    def _check_questions(self) -> None:
        questions = self.given.get("questions")
        for name, asked in questions.items() if isinstance(questions, dict) else ():
            for key, check in CHOOSERS.items() if isinstance(asked, dict) else ():
                texts = asked.get(key)
                for place, text in enumerate(texts if isinstance(texts, list) else [texts]):
                    where = f"questions.{name}.{key}{f'[{place}]' * isinstance(texts, list)}"
                    if isinstance(text, str):
                        self._try(where, partial(check, text))
            self._check_pairs(f"questions.{name}", asked if isinstance(asked, dict) else {})
        self._check_ranking(questions.get("rank") if isinstance(questions, dict) else None)

    def _check_ranking(self, asked: Any) -> None:
        """Where each word of a ranking is right by itself, they must agree."""
        words = [asked.get(key) for key in ("using", "pairs", "then")] if isinstance(asked, dict) else [False]
        wrong = any(mistake.path.startswith("questions.rank") for mistake in self.mistakes)
        if not wrong and all(word is None or isinstance(word, str) for word in words):
            self._try("questions.rank", partial(_ranking, *words))

    def _check_pairs(self, path: str, asked: Mapping[str, Any]) -> None:
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
        check_verdict_options(comparisons.choose(using), pairs=pairs)
    procedure(pairs, then)


def _posthoc_or(others: Catalogue[Any], text: str) -> Any:
    """A post hoc test, which shares ranks or decides by itself, or a method of another kind."""
    return (posthocs if read_spelling(text).name in posthocs else others).choose(text)


CHOOSERS: dict[str, Callable[[str], Any]] = {
    "score": scores.choose,
    "using": comparisons.choose,
    "then": partial(_posthoc_or, adjustments),
    "pairs": partial(_posthoc_or, comparisons),
}


def _sound_entries(section: Any, kind: type[BaseModel]) -> Iterator[tuple[str, BaseModel]]:
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


def _design(text: str, reach: Reach) -> Any:
    """A design or an estimator by its name, or a splitter by its module and class."""
    design = parse_design(text, reach)
    return choose_by(design) if isinstance(design, str) else design


def _preparation(given: Any, reach: Reach) -> Any:
    """`"default"`, `"none"` or the text of a transformer."""
    if given in ("default", "none", False):
        return "default" if given == "default" else None
    if not isinstance(given, str):
        known = "'default', 'none' or a transformer such as 'sklearn.preprocessing:StandardScaler'"
        raise BadInput(f"this is {known}, not {given!r}")
    return parse_learner("", given, reach, needs=("fit", "transform"))
