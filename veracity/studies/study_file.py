"""What may stand in a study file, checked key by key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from veracity.core.confidence import Alternative
from veracity.core.errors import BadInput, Mistake
from veracity.core.suggest import suggest
from veracity.readers.source import near_names

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
