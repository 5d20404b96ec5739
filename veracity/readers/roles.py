"""Which columns are what, by names that everybody uses: those of score tables, and those that tell folds or models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.origin import DRAWN, IN_NAME, TRAINING
from veracity.readers.cells import as_number
from veracity.readers.columns import Columns
from veracity.readers.source import no_column, quote_names
from veracity.scores import scores

SYNONYMS = {  # names of columns in small letters and digits alone, of truths the most usual first
    "truth": "y ytrue truth true target gold goldlabel groundtruth actual expected reference outcome observed obs label"
    " labels class category answer",
    "label": "yhat ypred pred preds predicted prediction predictions predictedclass predclass predictedlabel predlabel"
    " output response guess",
    "correct": "correct iscorrect right acc accuracy exactmatch em hit passed pass",
    "loss": "loss nll logloss crossentropy xent squarederror absoluteerror",
    "model": "model models modelname modelid learner learnerid algorithm alg classifier estimator method system engine"
    " keyscheme",
    "rows": "id rowid row item itemid question questionid qid doc docid example exampleid sample sampleid index uid",
    "dataset": "dataset data db task taskid problem keydataset",
    "fold": "fold folds foldid foldindex cvfold split cvsplit resample resampling id2 keyfold",
    "repeat": "repeat rep repetition cvrepeat run keyrun",
    "part": "set subset part partition sample phase stage",  # where a value says that rows trained
    "resample": "id idx",  # only where values say so
    "train": "train ntrain trainsize trainrows trainingrows numberoftraininginstances",
    "test": "test ntest testsize testrows numberoftestinginstances",
}
WORDS = {role: tuple(names.split()) for role, names in SYNONYMS.items()}
SCORE_NAMES = ("score", "value", "result")  # of columns of scores
MAX_CELLS_SEEN = 100_000  # of a column that may tell folds, spread over the whole of it
OF_RESAMPLE = re.compile(r"(fold|repeat|bootstrap|resample|split|slice)\W*\d+", re.IGNORECASE)


def letters(name: Any) -> str:
    """Return the letters and digits of a name, in small letters."""
    return "".join(sign for sign in str(name).lower() if sign.isalnum())


def is_called(name: Any, *roles: str) -> bool:
    """Return whether a name is usual for a column of one of these roles."""
    word = letters(name)
    return any(word in WORDS[role] for role in roles)


@dataclass(frozen=True)
class Roles:
    """The columns of a score table by their role; a size may be one number for all splits."""

    dataset: str | None = None
    learner: str | None = None
    repeat: str | None = None
    fold: str | None = None
    train: Any = None
    test: Any = None

    @property
    def columns(self) -> set[str]:
        """The names of columns that have a role."""
        return {name for name in vars(self).values() if isinstance(name, str)}

    @property
    def splits(self) -> bool:
        """Whether columns tell splits apart."""
        return self.repeat is not None or self.fold is not None


def guess_roles(columns: Columns, given: Mapping[str, Any]) -> Roles:
    """Return the roles given, checked, and those that the other columns' names tell."""
    taken = {name for name in given.values() if isinstance(name, str)}
    for name in taken:
        if name not in columns:
            raise no_column(columns.source, name, columns)
    found: dict[str, Any] = {}
    for role in (field.name for field in fields(Roles)):
        called = (name for name in columns if name not in taken)
        guess = next((name for name in called if is_called(name, "model" if role == "learner" else role)), None)
        found[role] = guess if given.get(role) is None else given[role]
    return Roles(**found)


def guess_value_column(columns: Columns, roles: Roles, score: str | None) -> str:
    """Return the column with the scores of a long table."""
    others = [name for name in columns if name not in roles.columns]
    if score is not None and (name := score if score in columns else scores.find_name(score, others)) is not None:
        return name
    usual = [name for name in others if str(name).lower() in SCORE_NAMES]
    if len(usual) == 1 or len(others) == 1:
        return (usual or others)[0]
    if score is not None:
        raise no_column(columns.source, score, others)
    way = "name the column with the scores, `score=`"
    raise BadInput(f"{columns.source.name}: {way}; there are {quote_names(others)}")


def guess_dataset_column(columns: Columns, roles: Roles) -> str | None:
    """Return the first column of texts, which are not mostly numbers with a slip among them."""
    for name in columns:
        cells = columns[name]
        if name in roles.columns or cells.dtype.kind not in "OUT":
            continue
        if 2 * sum(as_number(cell) is None for cell in cells.tolist()) > len(cells):
            return name
    return None


def guess_counters(columns: Columns, dataset: str | None) -> list[str]:
    """Return the columns before the names of the data sets that only count rows."""
    names = list(columns)
    before = names[: names.index(dataset)] if dataset in names else []
    counts = [np.arange(columns.rows) + start for start in (0, 1)]
    return [
        name
        for name in before
        if columns[name].dtype.kind in "iu" and any(np.array_equal(columns[name], count) for count in counts)
    ]


def with_split_columns(wanted: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return the columns wanted, and those of a table that may tell folds, repeats or models apart."""
    known = list(known)
    roles = ("fold", "repeat", "resample", "part", "model")
    more = [name for name in known if is_called(name, *roles) and known.count(name) == 1]
    return list(dict.fromkeys([*wanted, *more]))


def split_notes(columns: Columns, roles: Mapping[str, str], others: Iterable[str] = ()) -> tuple[Note, ...]:
    """Return a caution where a column that nobody named looks like the folds, repeats or models of predictions."""
    taken = {*roles.values(), *others}
    unused = {}
    for name in (name for name in columns if name not in taken):
        cells = columns[name]
        some = cells[:: max(1, len(cells) // MAX_CELLS_SEEN)].tolist()
        unused[name] = [cell for cell in dict.fromkeys(some) if cell is not None]
    place = columns.source.name
    for name, distinct in unused.items():
        if is_called(name, "fold", "part") and any(str(cell).lower() in TRAINING for cell in distinct):
            says = (
                f"the column {name} says which rows trained a model: these are no test of it, so leave out their lines"
            )
            return (Note("looks-like-splits", "caution", f"{place}: {says}"),)
    several = {name: distinct for name, distinct in unused.items() if len(distinct) > 1}
    model = next((name for name in several if is_called(name, "model")), None)
    if model is not None and "model" not in roles:
        says = (
            f"the column {model} looks as if these rows were of {len(several[model])} models, and they are taken for "
            f"one model's: give `model={model!r}` if each has its own, with `rows=COLUMN` if they share items"
        )
        return (Note("looks-like-models", "caution", f"{place}: {says}"),)
    folds = (
        name
        for name, distinct in several.items()
        if is_called(name, "fold")
        or (is_called(name, "resample") and all(OF_RESAMPLE.match(str(cell)) for cell in distinct))
    )
    fold = next(folds, None)
    repeat = next((name for name in several if is_called(name, "repeat")), None)
    names = {role: name for role, name in {"fold": fold, "repeat": repeat}.items() if name is not None}
    ways = [f"`{role}={name!r}`" for role, name in names.items() if role not in roles]
    if not ways:
        return ()
    names_of_folds = [] if fold is None else list(map(str, several[fold]))
    come_again = any(names_of_folds and all(map(form.match, names_of_folds)) for form in (IN_NAME, DRAWN))
    if (repeat is not None or come_again) and "rows" not in roles:
        ways.append("`rows=COLUMN`")
    looks = f"columns {' and '.join(names.values())} look" if len(names) > 1 else f"column {fold or repeat} looks"
    says = (
        f"the {looks} as if several models had predicted these rows, which are taken for one model's: give "
        f"{' '.join(ways)} if each fold had its own; leave out rows that trained it"
    )
    return (Note("looks-like-splits", "caution", f"{place}: {says}"),)
