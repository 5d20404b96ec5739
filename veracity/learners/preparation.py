"""What is done to the columns of a file before a learner sees them, fitted on training rows only."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.records.data import Data

MANY = 0.5  # different values in more than this share of rows are names of rows, not categories
WANTS_NUMBERS = re.compile(r"could not convert string|invalid literal for|Invalid classes inferred|'str'|\bstr\b|<U\d")
FEW = 20  # so many are never too many


def with_preparation(learner: Any, data: Data) -> Any:
    """The learner behind the preparation of this data; the learner itself where nothing is to be prepared."""
    by_default = _is_prepared_by_default(data)
    if not by_default and (data.prepare is None or isinstance(data.prepare, str)):
        return learner
    from sklearn.pipeline import Pipeline

    prepare = default_preparation(data) if by_default else data.prepare
    return Pipeline([("prepare", prepare), ("learner", learner)])


def default_preparation(data: Data) -> Any:
    """Categories one-hot, a missing one a category of its own; missing numbers the median, with an indicator."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    numbers = [place for place in range(len(data.columns)) if place not in data.categorical]
    median = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    steps = [("numbers", median, numbers), ("categories", indicators, list(data.categorical))]
    return ColumnTransformer([step for step in steps if step[2]], sparse_threshold=0)


def preparation_notes(data: Data) -> tuple[Note, ...]:
    """What a reader of the results must know of the preparation."""
    if not _is_prepared_by_default(data):
        return ()
    steps, notes = [], []
    if data.categorical:
        names = [data.columns[place] for place in data.categorical]
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        encoded = "one-hot encoded (a missing cell is a category of its own, a new one is ignored)"
        steps.append(f"column{'s'[: len(names) > 1]} {shown} {encoded}")
    if data.incomplete:
        steps.append("missing numbers set to the median with an indicator")
    for place in data.categorical:
        number = len(set(data.column(place).tolist()))
        if number > max(FEW, MANY * len(data)):
            held = f"{data.name}: column {data.columns[place]} holds {number} different values in {len(data)} rows"
            says = f"{held}; leave it out if it names rows rather than describes them"
            notes.append(Note("many-categories", "caution", says))
    says = f"{data.name}: {' and '.join(steps)}, learned from training rows only"
    return (Note("prepared", "remark", says), *notes)


def advice_on_texts(why: BaseException, data: Data) -> str:
    """The way out for a learner that wants numbers and met texts; nothing where that is not why it failed."""
    if not isinstance(why, (ValueError, TypeError)):
        return ""
    says, wanted = str(why), WANTS_NUMBERS.search(str(why)) is not None
    texts = [label for label in data.classes if isinstance(label, str)]
    if texts and (any(repr(label) in says for label in texts) or (wanted and not _has_texts(data))):
        return (
            "its classes are texts and this learner wants numbers: encode them before,"
            " y = LabelEncoder().fit_transform(y), or name a column of whole numbers"
        )
    if wanted and _has_texts(data):
        return (
            "some features are texts and this learner wants numbers: put an OrdinalEncoder or OneHotEncoder before it"
            " in a pipeline (those of a file are one-hot encoded unless prepare=None)"
        )
    return ""


def _has_texts(data: Data) -> bool:
    if data.categorical or hasattr(data.features, "tocsr"):
        return bool(data.categorical)
    return np.asarray(data.take(np.arange(1))).dtype.kind in ("O", "U", "S")


def _is_prepared_by_default(data: Data) -> bool:
    if isinstance(data.prepare, str) and data.prepare != "default":
        raise BadInput(f"{data.name}: prepare is 'default', None or a transformer, not {data.prepare!r}")
    return isinstance(data.prepare, str) and (data.incomplete or bool(data.categorical))
