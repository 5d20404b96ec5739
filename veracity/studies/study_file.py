"""A study file: what may stand in it, checked key by key, and the parts of a study that it stands for."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import ValidationInfo

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.contests.rank import check_verdict_options, procedure
from veracity.core.catalogue import Catalogue
from veracity.core.confidence import Alternative
from veracity.core.errors import BadInput, Mistake, Mistakes, VeracityError
from veracity.core.spelling import read as read_spelling
from veracity.core.suggest import suggest
from veracity.learners.from_text import NOTHING, Reach, canonical_text
from veracity.learners.inspection import target_kind
from veracity.posthoc import posthocs
from veracity.readers.source import near_names
from veracity.records.data import Data
from veracity.risk.designs import choose_by
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.stores.open_store import place_of_store
from veracity.studies.parse import as_tuple, check_name, learner_table, parse_design, parse_learner, parse_table

REFUSED = "refused"  # the type of mistakes that a function of veracity found in a value of the right shape
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


@dataclass
class Reading:
    """The tables of a file, the folder of its data, what it may import, and the learners that were made so far."""

    tables: Mapping[str, Any]
    folder: Path
    reach: Reach
    learners: list[Any] = field(default_factory=list)


def _refuse(why: str) -> PydanticCustomError:
    return PydanticCustomError(REFUSED, "{why}", {"why": why})


def checked(check: Callable[[Any, Reading], Any]) -> AfterValidator:
    """Check a value of the right shape by a function; what it refuses is a mistake at the place of the value."""

    def validate(value: Any, info: ValidationInfo[Any]) -> Any:
        try:
            check(value, info.context)
        except VeracityError as why:
            raise _refuse(why.says) from None
        return value

    return AfterValidator(validate)


def choosing(choose: Callable[[str], Any]) -> AfterValidator:
    """Check that a text names a method."""
    return checked(lambda text, _: choose(text))


def _posthoc_or(others: Catalogue[Any], text: str) -> Any:
    """A post hoc test, which shares ranks or decides by itself, or a method of another kind."""
    return (posthocs if read_spelling(text).name in posthocs else others).choose(text)


def _check_design(text: str, reading: Reading) -> None:
    """Check the name of a design or an estimator, or a splitter by its module and class."""
    design = parse_design(text, reading.reach)
    if isinstance(design, str):
        choose_by(design)


def _check_learners(names: list[str], reading: Reading) -> None:
    """Learners that a question names are learners of the study."""
    known = reading.tables.get("learners")
    missing = [repr(name) for name in names if isinstance(known, dict) and name not in known]
    if missing:
        raise BadInput(f"there is no learner called {' or '.join(missing)}: there are {', '.join(known or ())}")


def _make_learner(part: LearnerPart, reading: Reading) -> None:
    reading.learners.append(parse_learner("", _plain(part), reading.reach))


def _label(given: Any) -> Any:
    if given is None or isinstance(given, (str, int, float, bool)):
        return given
    raise ValueError("this must be the label of a class")


def _text_as(key: str) -> BeforeValidator:
    """A text is short for a table with one key."""
    return BeforeValidator(lambda given: {key: given} if isinstance(given, str) else given)


several = BeforeValidator(lambda given: [given] if isinstance(given, str) else given)  # a text is short for a list
Score = Annotated[str, choosing(scores.choose)]
Test = Annotated[str, choosing(comparisons.choose)]
Adjustment = Annotated[str, choosing(partial(_posthoc_or, adjustments))]
TestOfPairs = Annotated[str, choosing(partial(_posthoc_or, comparisons))]
Pair = Annotated[list[str], Field(min_length=2, max_length=2), checked(_check_learners)]


class Part(BaseModel):
    """Keys that are not declared are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class DataPart(Part):
    """One data set: `"sklearn:load_iris"`, a file's name, or a table."""

    file: str | None = None
    test: str | None = None  # another file, whose rows test what those of the first train
    target: str | None = None
    positive: Annotated[Any, AfterValidator(_label)] = None
    groups: str | None = None
    weights: str | None = None
    time: str | None = None
    leave_out: Annotated[list[str], several] = []
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

    score: Score | None = None  # default_score unless said
    using: Test | None = None
    then: Adjustment | None = None
    pairs: TestOfPairs | None = None
    control: Annotated[str, checked(lambda name, reading: _check_learners([name], reading))] | None = None
    level: float = Field(0.95, gt=0, lt=1)

    @model_validator(mode="after")
    def words_agree(self) -> Self:
        """Refuse words that are each right by itself and contradict each other."""
        try:
            if self.using is not None:
                check_verdict_options(comparisons.choose(self.using), pairs=self.pairs)
            procedure(self.pairs, self.then)
        except VeracityError as why:
            raise _refuse(why.says) from None
        return self


class Compare(Part):
    """Is one learner better than another?"""

    # one or several; default_score unless said
    score: Annotated[list[Score], several, Field(min_length=1)] | None = None
    using: Test | None = None  # that of the splits unless said
    alternative: Alternative | None = None  # about the first score less the second
    then: Adjustment | None = None
    pairs: list[Pair] | None = None
    level: float = Field(0.95, gt=0, lt=1)


class Questions(Part):
    """What is asked of the results."""

    rank: Rank | None = None
    compare: Compare | None = None


class StudyPart(Part):
    """The whole file."""

    notes: str = ""  # whatever its reader should know
    # where results are kept: a file from the folder of this one, or an address
    store: Annotated[str, checked(lambda store, reading: place_of_store(store, reading.folder))] | None = None
    seed: int = 0
    by: Annotated[list[Annotated[str, checked(_check_design)]], several, Field(min_length=1)]
    scores: Annotated[list[Score], several] = []
    data: Annotated[dict[str, Annotated[DataPart, _text_as("file")]], Field(min_length=1)]
    learners: Annotated[dict[str, Annotated[LearnerPart, _text_as("use"), checked(_make_learner)]], Field(min_length=1)]
    questions: Questions = Questions()
    checks: Annotated[list[Annotated[str, choosing(check_name)]], several] = []
    final: bool = False
    timeout: Annotated[float | None, Field(gt=0, strict=False)] = None
    prepare: Annotated[Any, checked(lambda given, reading: _preparation(given, reading.reach))] = "default"


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


def read_part(path: str | Path) -> StudyPart:
    """Return a file as records; nothing that it names is imported or opened."""
    return _checked_parts(str(path), Reading(read_file(path), Path(path).resolve().parent, NOTHING))[0]


def parts_of_tables(
    where: str, tables: Mapping[str, Any], folder: Path, reach: Reach
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return what `Study` is made from, as the tables of a file describe it, and the texts of the file."""
    part, learners, data = _checked_parts(where, Reading(tables, folder, reach))
    made = {name: getattr(part, name) for name in ("by", "seed", "scores", "checks", "final", "timeout", "notes")}
    questions = with_scores(part.questions, (table.kind for table in data.values()))
    made |= {"data": data, "learners": learners, "questions": questions}
    return {**made, "prepare": _preparation(part.prepare, reach)}, source_texts(part)


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


def _checked_parts(where: str, reading: Reading) -> tuple[StudyPart, dict[str, Any], dict[str, Data]]:
    """Return a file as records, its learners and its data sets; or raise all its mistakes, section by section."""
    part, errors = None, []
    try:
        part = StudyPart.model_validate(reading.tables, context=reading)
    except ValidationError as why:
        errors = sorted(why.errors(include_url=False), key=lambda error: error["type"] == REFUSED)
    data, mistakes = _make_tables(reading)
    mistakes = [Mistake(_path_text(error["loc"], reading.tables), _says(error)) for error in errors] + mistakes
    if part is None or mistakes:
        sections = list(reading.tables)  # what is missing comes first

        def section(mistake: Mistake) -> int:
            name = mistake.path.partition(".")[0].partition("[")[0]
            return sections.index(name) if name in sections else -1

        raise Mistakes(where, sorted(dict.fromkeys(mistakes), key=section))
    return part, dict(zip(part.learners, reading.learners, strict=True)), data


def _make_tables(reading: Reading) -> tuple[dict[str, Data], list[Mistake]]:
    """Make the data sets that have the right shape, or would have it without keys that nobody knows."""
    section = reading.tables.get("data")
    made: dict[str, Data] = {}
    mistakes = []
    for name, given in section.items() if isinstance(section, dict) and reading.reach is not NOTHING else ():
        table = {"file": given} if isinstance(given, str) else given
        if isinstance(table, dict):
            table = {key: value for key, value in table.items() if key in DataPart.model_fields}
        try:
            part = _plain(DataPart.model_validate(table))
            made[name] = parse_table(name, part, folder=reading.folder, meant=target_kind(reading.learners))
        except ValidationError:
            continue  # which is a mistake of the whole file
        except VeracityError as why:
            mistakes.append(Mistake(f"data.{name}", why.says))
    return made, mistakes


def _path_text(place: tuple[str | int, ...], given: Any) -> str:
    """`compare.pairs[0]`, as one would point at it; a text that is short for a list or a table is one place."""
    text = ""
    for step in place:
        if isinstance(given, str):
            break
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
        try:
            given = given[step]
        except (KeyError, IndexError, TypeError):  # a key that is missing
            given = None
    return text


def _says(error: Any) -> str:
    kind, given, key = error["type"], error.get("input"), str(error["loc"][-1])
    if kind == REFUSED:
        return str(error["ctx"]["why"])
    if kind == "extra_forbidden":
        models: dict[str, type[BaseModel]] = {
            "data": DataPart,
            "questions": Questions,
            "rank": Rank,
            "compare": Compare,
        }
        path = [str(step) for step in error["loc"][:-1]]
        model = models.get(path[1] if len(path) == 2 and path[0] == "questions" else "".join(path[:1]), StudyPart)
        return f"there is no such key: {suggest(key, list(model.model_fields))}"
    if kind == "missing":
        return "this is needed" + (f", for example {EXAMPLES[key]}" if key in EXAMPLES else "")
    if kind == "too_short" and given in ([], {}):
        return "name at least one"
    if kind in WANTED:
        return f"this must be {WANTED[kind]}, not {given!r}"
    text = error["msg"].removeprefix("Value error, ")
    return f"{text[:1].lower()}{text[1:]}, not {given!r}"


def _plain(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(exclude_none=True, exclude_defaults=True)


def _preparation(given: Any, reach: Reach) -> Any:
    """`"default"`, `"none"` or the text of a transformer."""
    if given in ("default", "none", False):
        return "default" if given == "default" else None
    if not isinstance(given, str):
        known = "'default', 'none' or a transformer such as 'sklearn.preprocessing:StandardScaler'"
        raise BadInput(f"this is {known}, not {given!r}")
    return parse_learner("", given, reach, needs=("fit", "transform"))
