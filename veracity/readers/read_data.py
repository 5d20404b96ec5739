"""Data to learn from: arrays, frames, or a file whose target is one of its columns."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.spelling import read_call
from veracity.core.suggest import suggest
from veracity.core.words import brief
from veracity.evidence.labels import Places, as_labels, codes, distinct_labels, text_codes
from veracity.readers.cells import different_kinds
from veracity.readers.columns import Columns, as_label, check_complete, join_parts, mark_notes, read_columns
from veracity.readers.source import is_path, model_name, no_column
from veracity.records.arrays import Array, as_array, as_numbers, freeze, python_value
from veracity.records.data import Data

Kind = Literal["classes", "numbers"]
MAX_FRACTION_CLASSES = 20  # different values of floating point up to which they may still be classes
MAX_WHOLE_CLASSES = 100  # different whole numbers up to which they may be classes
PREFIX = "sklearn:"
BUILTIN = (
    *("load_breast_cancer", "load_diabetes", "load_digits", "load_iris", "load_wine"),
    *("make_blobs", "make_circles", "make_classification", "make_friedman1", "make_friedman2", "make_friedman3"),
    *("make_gaussian_quantiles", "make_hastie_10_2", "make_moons", "make_regression", "make_sparse_uncorrelated"),
    *("make_s_curve", "make_swiss_roll"),
)
OURS = ("return_X_y", "as_frame", "return_centers", "coef")  # they change what is returned


def data_of(
    X: Any,  # noqa: N803 (what everyone calls the features)
    y: Any,
    *,
    name: str = "data",
    positive: Any = None,
    groups: Any = None,
    weights: Any = None,
    time: Any = None,
    kind: str = "auto",
    meant: Kind | None = None,
    prepare: Any = "default",
) -> Data:
    """Features and target as they are, to be given to learners unchanged unless `prepare` is a transformer.

    X is an array, a sparse array, or a pandas, polars or Arrow frame. Unless `kind` says "classes" or "numbers", the
    target is numbers when it is of floating point and holds a fraction or more than 20 different values, and classes
    otherwise; whole numbers with more than 100 different values could be either, and are asked about. Where whole
    numbers are to be learned by learners that are `meant` for one kind only, they are of that kind, and with a positive
    class they are classes.
    """
    features, columns = _features(X, name)
    cells = {"target": y, "groups": groups, "weights": weights, "time": time}
    at = Places({role: f"{name}, {role}" for role in cells})
    about = {"columns": columns, "prepare": prepare}
    return _make_data(name, features, cells, at, positive, kind, meant if positive is None else "classes", **about)


def from_file(
    path: Any,
    *,
    target: str,
    positive: Any = None,
    groups: str | None = None,
    weights: str | None = None,
    time: str | None = None,
    leave_out: Iterable[str] = (),
    kind: str = "auto",
    meant: Kind | None = None,
    name: str | None = None,
    prepare: Any = "default",
    test: Any = None,
) -> Data:
    """Data from a file that `score` can read, or from a frame treated like one: all other columns are features.

    Columns of numbers stay numbers; text and true/false become categories. Missing cells are allowed in features. The
    default preparation of categories and missing cells happens inside each split; `prepare=None` or a transformer
    replaces it. The rows of a file named as `test` stand behind the others, for the design test_file.
    """
    columns, of_test = read_columns(path), None
    if test is not None:
        own, more = columns.rows, read_columns(test)
        for column in columns:
            if column not in more:
                says = f"{more.source.name} has no column {column!r}, which {columns.source.name} has"
                raise BadInput(f"{says}: give it the same")
        columns = join_parts([columns, more])
        of_test = freeze(np.arange(columns.rows) >= own)
    name = name or (model_name(path) if is_path(path) else "data")
    roles = {"target": target, "groups": groups, "weights": weights, "time": time}
    asked = {role: column for role, column in roles.items() if column is not None}
    used = dict.fromkeys((*asked.values(), *((leave_out,) if isinstance(leave_out, str) else leave_out)))
    for column in used:
        if column not in columns:
            raise no_column(columns.source, str(column), map(str, columns))
    names = [column for column in columns if column not in used]
    features, categorical = _cells(columns, names)
    at = Places({role: columns.source.column(str(column)) for role, column in asked.items()}, columns.source.first)
    check_complete(columns, asked.values())
    cells = {"weights": columns.weights} | {role: columns[column] for role, column in asked.items()}
    about = {"columns": tuple(map(str, names)), "categorical": categorical, "prepare": prepare, "test": of_test}
    numbers = [place for place in range(len(names)) if place not in categorical]
    marked = {"target": "class", "groups": "group"}
    about["notes"] = columns.notes + tuple(
        note
        for role, word in marked.items()
        if role in asked
        for note in mark_notes(columns[asked[role]], at[role], word)
    )
    about["incomplete"] = bool(np.isnan(features[:, numbers].astype(np.float64)).any())
    return _make_data(name, features, cells, at, positive, kind, meant if positive is None else "classes", **about)


def _make_data(
    name: str,
    features: Any,
    cells: Mapping[str, Any],
    at: Places,
    positive: Any,
    kind: str,
    meant: Kind | None,
    **about: Any,
) -> Data:
    rows = int(features.shape[0])
    known = _kind(cells["target"], kind, at, rows, meant)
    truth, classes, place = _target(cells["target"], known, positive, at)
    for role, read in (("groups", _groups), ("weights", _weights), ("time", _time)):
        about[role] = None if cells.get(role) is None else read(cells[role], at, rows)
    return Data(name, features, known, truth, classes, place, **about)


def _kind(y: Any, asked: str, at: Places, rows: int, meant: Kind | None = None) -> Kind:
    """Classes or numbers: as asked, else as meant where the values could be either, else by the rule of `data_of`."""
    array = one_per_row(as_labels(y, at["target"], at.first), "target", at, rows)
    if asked in ("classes", "numbers"):
        return asked  # type: ignore[return-value]
    if asked != "auto":
        raise BadInput(f"kind is 'auto', 'classes' or 'numbers', not {asked!r}")
    fractions = array.dtype.kind == "f" and bool((array % 1 != 0).any())
    whole = array.dtype.kind in "iuf" and not fractions  # which count things, measure them or name them
    if whole and meant == "numbers":
        return meant
    number = len(distinct_labels(array)) if whole else 0
    if whole and meant == "classes":
        if number > MAX_WHOLE_CLASSES:
            says = f"{at['target']} holds {number} different numbers, and the learners are classifiers"
            raise BadInput(f"{says}: use regressors, or say `kind='classes'`")
        return meant
    if array.dtype.kind == "f":
        return "numbers" if fractions or number > MAX_FRACTION_CLASSES else "classes"
    if number > MAX_WHOLE_CLASSES:
        way = "say `kind='numbers'` or `kind='classes'`"
        raise BadInput(f"{at['target']} holds {number} different whole numbers: {way}")
    return "classes"


def _target(y: Any, kind: Kind, positive: Any, at: Places) -> tuple[Array, tuple[Any, ...], int | None]:
    """Return the truth in codes or numbers, the classes in order, and the place of the positive one."""
    if kind == "numbers":
        if positive is not None:
            raise BadInput(f"{at['target']} is numeric: it has no positive class {positive!r}")
        return _numbers(y, "target", at), (), None
    array = as_labels(y, at["target"], at.first)
    if array.dtype.kind == "O":  # learners turn labels into an array, which would make 1 and '1' the same
        for row, item in enumerate(array):
            if not isinstance(python_value(item), (str, int, float)):
                raise BadInput(f"{at['target']}: row {row + at.first} holds a {type(item).__name__}, which is no label")
        kinds = ["text" if isinstance(item, str) else "a number" for item in array]
        if len(set(kinds)) > 1:
            raise different_kinds(at["target"], at.first, kinds)
    classes = distinct_labels(array)
    if len(classes) < 2:
        raise BadInput(f"{at['target']} holds only the class {classes[0]!r}: two are needed to learn anything")
    place = None
    if positive is not None:
        label = as_label(positive, array)
        if label not in classes:
            raise BadInput(f"the positive class {label!r} does not occur: {at['target']} holds {list(classes)[:20]}")
        place = classes.index(label)
    return freeze(codes(array, classes, at["target"], at.first)), classes, place


def one_per_row(array: Array, role: str, at: Places, rows: int) -> Array:
    """Return the array, if it is as long as the features."""
    if len(array) != rows:
        raise BadInput(f"{at[role]} has {len(array)} rows, but the features have {rows}: they must match")
    return array


def _groups(given: Any, at: Places, rows: int) -> Array:
    """Groups as codes."""
    return freeze(text_codes(one_per_row(as_labels(given, at["groups"], at.first), "groups", at, rows)))


def _weights(given: Any, at: Places, rows: int) -> Array:
    """Weights, each greater than 0."""
    array = one_per_row(_numbers(given, "weights", at), "weights", at, rows)
    if (array <= 0).any():
        row = int((array <= 0).argmax())
        raise BadInput(f"{at['weights']}: row {row + at.first} is {array[row]:g}; each must be greater than 0")
    return array


def _time(given: Any, at: Places, rows: int) -> Array:
    """Numbers that grow with time, from numbers or dates."""
    array = one_per_row(as_array(given, at["time"]), "time", at, rows)
    if array.dtype.kind in "iuf":
        return _numbers(array, "time", at)
    if array.dtype.kind != "M":
        times = []
        for row, item in enumerate(array):
            try:
                times.append(np.datetime64(str(item).strip(), "us"))
            except ValueError:
                held = f"{at['time']}: row {row + at.first} holds {brief(repr(python_value(item)))}"
                raise BadInput(f"{held}, which is neither a number nor a date such as 2024-03-31") from None
        array = np.array(times)
    if np.isnat(array).any():
        raise BadInput(f"{at['time']}: row {int(np.isnat(array).argmax()) + at.first} holds no time")
    return freeze(array.astype("datetime64[us]").astype(np.int64).astype(np.float64))


def _numbers(given: Any, role: str, at: Places) -> Array:
    numbers = as_numbers(given, at[role], at.first).astype(np.float64, copy=False)
    if numbers.ndim != 1:
        raise BadInput(f"{at[role]}: one number per row is needed, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax())
        raise BadInput(f"{at[role]}: row {row + at.first} is {numbers[row]}; every number must be finite")
    return freeze(numbers)


def _features(X: Any, name: str) -> tuple[Any, tuple[str, ...]]:  # noqa: N803
    """Return what learners will see, and the names of its columns."""
    if not isinstance(X, (np.ndarray, list, tuple)) and not hasattr(X, "tocsr"):
        import narwhals.stable.v1 as nw

        try:
            frame = nw.from_native(X, eager_only=True)
        except TypeError:
            pass  # what turns itself into an array
        else:
            if not frame.columns or not len(frame):
                raise BadInput(f"{name}: the frame of features has no {'rows' if frame.columns else 'columns'}")
            return (frame.to_numpy() if frame.implementation.is_pyarrow() else X), tuple(map(str, frame.columns))
    if hasattr(X, "tocsr"):
        array = X.tocsr()
    elif np.ma.is_masked(X):
        if X.dtype.kind not in "iuf":
            raise BadInput(f"{name}: a masked array of features must hold numbers")
        array = np.ma.filled(X.astype(float), np.nan)
    else:
        try:
            array = np.ma.getdata(np.asarray(X))
        except ValueError:
            raise BadInput(f"{name}: the rows of features are not all of the same length") from None
        if array.dtype.kind in "cV":
            raise BadInput(f"{name}: features are numbers or texts, not {array.dtype}")
    if array.ndim != 2:
        shape = "one number per row: write X.reshape(-1, 1)" if array.ndim == 1 else f"shape {array.shape}"
        raise BadInput(f"{name}: features have rows and columns, not {shape}")
    if 0 in array.shape:
        raise BadInput(f"{name}: features of shape {array.shape} leave nothing to learn from")
    rows = freeze(array) if isinstance(array, np.ndarray) else array
    return rows, tuple(f"x{place}" for place in range(array.shape[1]))


def _cells(columns: Columns, names: list[str]) -> tuple[Array, tuple[int, ...]]:
    """All features as one array: numbers, or objects where there are categories; and the places of categories."""
    if not names:
        raise BadInput(f"{columns.source.name} has no feature: every column has another role or is left out")
    parts = [_cell_column(columns, name) for name in names]
    categorical = tuple(place for place, part in enumerate(parts) if part.dtype.kind == "O")
    table = np.empty((len(parts[0]), len(parts)), object if categorical else np.float64)
    for place, part in enumerate(parts):
        table[:, place] = part
    return freeze(table), categorical


def _cell_column(columns: Columns, name: str) -> Array:
    """One feature: numbers with not-a-number where missing, or texts and truths with None where missing."""
    array = columns[name]
    if array.dtype.kind == "O":
        first = next((item for item in array if item is not None), None)
        if first is None:
            place, way = columns.source.column(str(name)), f"leave it out with leave_out={[str(name)]!r}"
            raise BadInput(f"{place} is empty in every row: {way}")
        if isinstance(first, (str, bool, np.bool_)):
            return array
    if array.dtype.kind in "OiufN":
        numbers = array.astype(np.float64)
        if np.isinf(numbers).any():
            row = int(np.isinf(numbers).argmax())
            raise BadInput(f"{columns.cell(name, row)} is {numbers[row]}; a number must be finite or missing")
        return numbers
    return array.astype(object)


def builtin(
    text: str, *, name: str | None = None, positive: Any = None, kind: str = "auto", meant: Kind | None = None
) -> Data:
    """Return a data set by text such as "sklearn:load_iris" or "sklearn:make_moons(n_samples=200, random_state=0)"."""
    if not text.startswith(PREFIX):
        raise BadInput(f"there is no built-in data {text!r}: write sklearn:load_iris, or name a file")
    call = read_call(text.removeprefix(PREFIX))
    if call is None:
        raise BadInput(f"cannot read {text[:60]!r}: write sklearn:load_iris or sklearn:make_moons(random_state=0)")
    maker, positional, given = call
    if maker not in BUILTIN:
        raise BadInput(f"there is no built-in data sklearn:{maker}: {suggest(maker, BUILTIN)}")
    if positional:
        raise BadInput(f"sklearn:{maker} takes its parameters by name, such as n_samples=200")
    from sklearn import datasets

    make = getattr(datasets, maker)
    known = [parameter for parameter in inspect.signature(make).parameters if parameter not in OURS]
    for parameter in given:
        if parameter not in known:
            raise BadInput(f"sklearn:{maker} has no parameter {parameter!r}: it takes {', '.join(known)}")
    if "random_state" in known and not isinstance(given.get("random_state"), int):
        raise BadInput(f"sklearn:{maker} makes other rows each time: give a random_state such as random_state=0")
    try:
        made = make(**given)
    except (TypeError, ValueError) as why:
        raise BadInput(f"sklearn:{maker} refuses its parameters: {' '.join(str(why).split())}") from None
    features, target = made if isinstance(made, tuple) else (made.data, made.target)
    name = name or maker.partition("_")[2]
    data = data_of(features, target, name=name, positive=positive, kind=kind, meant=meant)
    columns = getattr(made, "feature_names", None)
    return data if columns is None else replace(data, columns=tuple(map(str, columns)))
