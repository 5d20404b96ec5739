"""Result files of Weka's Experimenter, .arff and .csv: one row per data set, run, fold and scheme."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.readers.arff import TornError, unquote, words
from veracity.readers.cells import as_number
from veracity.readers.columns import Columns, names_of
from veracity.readers.source import Source, no_column, quote_names
from veracity.scores import scores

KEYS = ("Key_Dataset", "Key_Scheme")
SIZES = ("Number_of_training_instances", "Number_of_testing_instances")
OPTIONS, VERSION = "Key_Scheme_options", "Key_Scheme_version_ID"
USUAL = ("Percent_correct", "Root_mean_squared_error")  # for classes, for numbers
HIGHER = (
    *("correct", "kappa", "true_positive", "true_negative", "precision", "recall", "f_measure", "matthews"),
    *("area_under", "correlation", "gain", "information", "coverage"),
)
JAVA_CLASS = re.compile(r"(?:[A-Za-z_]\w*\.)+[A-Z_]\w*(?:\$\w+)?")  # and not a name of ours such as "tree 0.5"
LOWER = ("incorrect", "unclassified", "error", "false_positive", "false_negative", "scheme_entropy", "time", "size")


def is_result(columns: Any) -> bool:
    """Return whether these are the columns of a result file."""
    return all(key in columns for key in KEYS)


def direction(measure: str) -> str | None:
    """Return the direction of a measure of Weka's, where its name tells it."""
    name = measure.lower()
    if any(word in name for word in LOWER):
        return "lower"
    return "higher" if any(word in name for word in HIGHER) else None


def is_result_csv(file: Source) -> bool:
    """Return whether a file is Weka's CSV, which quotes as ARFF does and not as CSV does."""
    if file.format != "csv" or file.path is None:
        return False
    with file.path.open(encoding="utf-8-sig", errors="replace") as lines:
        header = next((line for line in lines if line.strip()), "")
        return is_result([unquote(word.strip()) for word in header.split(",")])


def read_result_csv(file: Source) -> Columns:
    """Return all columns of Weka's CSV: keys are texts; others are numbers where every cell that is there is one."""
    assert file.path is not None
    with file.path.open(encoding="utf-8-sig", errors="replace") as text:
        first, *lines = [(number, line) for number, line in enumerate(text, 1) if line.strip()]
    header = [unquote(word) for word in words(first[1])]
    rows = []
    for number, line in lines:
        try:
            cells = words(line)
        except TornError as torn:
            raise BadInput(f"{file.name}: line {number} {torn}") from None
        if len(cells) != len(header):
            raise BadInput(f"{file.name}: line {number} has {len(cells)} cells, but the header has {len(header)}")
        rows.append([None if word == "?" else unquote(word) for word in cells])
    if not rows:
        raise BadInput(f"{file.name} has a header but no rows")
    arrays = {}
    for name, column in zip(header, zip(*rows, strict=True), strict=True):
        read = list(map(as_number, column))
        exact = name.startswith("Key_") or None in read  # a version has more digits than a float
        arrays[name] = np.array(column, object) if exact else np.array(read, float)
    return Columns(arrays, file)


def measure_of(columns: Columns, score: str | None) -> str:
    """Return the column of the measure asked for; the usual one when none is."""
    measures = [name for name in columns if not name.startswith("Key_") and columns[name].dtype.kind in "iuf"]
    measure = next((name for name in USUAL if name in columns), None) if score is None else score
    if measure is None:
        raise BadInput(f"{columns.source.name}: name a measure, `score=`; there are {quote_names(measures)}")
    found = measure if measure in columns else scores.find_name(measure, measures)
    if found is None:
        raise no_column(columns.source, measure, measures)
    return found


def schemes(columns: Columns) -> list[str]:
    """A name for each row's scheme: its class; where that is not enough its options, its package, its version too."""
    classes = names_of(columns, KEYS[1])
    rows = len(classes)
    options, versions = (
        [" ".join(str(cell or "").split()) for cell in columns[name].tolist()] if name in columns else [""] * rows
        for name in (OPTIONS, VERSION)
    )
    full = list(zip(classes, options, versions, strict=True))
    short = [name.rpartition(".")[2] if JAVA_CLASS.fullmatch(name) else name for name in classes]
    forms = (
        dict(zip(full, short, strict=True)),
        {key: f"{name} {key[1]}".strip() for key, name in zip(full, short, strict=True)},
        {key: f"{key[0]} {key[1]}".strip() for key in full},
        {key: " ".join(filter(None, key)) for key in full},
    )
    names = {key: next(form[key] for form in forms if list(form.values()).count(form[key]) == 1) for key in forms[0]}
    return [names[key] for key in full]
