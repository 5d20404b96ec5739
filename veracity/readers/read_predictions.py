"""Predictions out of a file or a frame, so that every sentence names the file, the column and the row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.arguments import Column, Label, Table, verb
from veracity.core.errors import BadInput
from veracity.core.missing import is_mark
from veracity.core.notes import Note
from veracity.core.words import brief
from veracity.evidence.align_models import align_models, mean_over_tries, split_models
from veracity.evidence.columns import EACH_CLASS, known_labels
from veracity.evidence.graded import graded
from veracity.evidence.labels import Places
from veracity.evidence.make_predictions import predictions, with_origin
from veracity.evidence.predictions import Predictions
from veracity.readers.clean_columns import Notation, clean_columns
from veracity.readers.columns import Columns, as_label, mark_notes, read_columns
from veracity.readers.guess_predictions import guess_predictions
from veracity.readers.layouts import FILTERS, refuse_filters, refuse_layout
from veracity.readers.roles import split_notes, with_split_columns
from veracity.readers.source import is_path, quote_names
from veracity.records.arrays import Array, as_numbers, python_value

OUTPUTS = ("label", "value", "number", "correct", "loss", "grade")  # and proba, which may have several columns
ABOUT_ROWS = ("weights", "counts", "groups", "rows", "item", "fold", "repeat", "model")
ROLES = ("truth", *OUTPUTS, *ABOUT_ROWS)
READY = {"correct", "loss", "grade"}  # which need no truth
SAID = {"label", "proba", "value", "number"}
NOT_OF_GRADES = ("rows", "weights", "counts", "fold", "positive", "classes", "threshold")
KINDS = dict.fromkeys(("value", "number", "loss", "weights", "counts"), "number")
KINDS |= dict.fromkeys(("correct", "grade"), "answer")
NOTATION = ("missing", "percent", "decimal")
Asked = Mapping[str, Any]  # the arguments of `read_predictions`, without those that were not given


@verb
def read_predictions(
    source: Table,
    *,
    truth: str | int | None = None,
    label: str | int | None = None,
    proba: str | int | Mapping[Any, Any] | None = None,
    value: str | int | None = None,
    number: str | int | None = None,
    correct: str | int | None = None,
    loss: str | int | None = None,
    grade: str | int | None = None,
    item: str | int | None = None,
    model: str | int | None = None,
    positive: Label = None,
    classes: Column = None,
    weights: str | int | None = None,
    counts: str | int | None = None,
    groups: str | int | None = None,
    rows: str | int | None = None,
    fold: str | int | None = None,
    repeat: str | int | None = None,
    threshold: float | None = None,
    labelled: str = "all",
    missing: str = "refuse",
    percent: bool = False,
    decimal: str = ".",
    name: str = "model",
) -> Predictions | dict[str, Predictions]:
    """Predictions from named columns of a file's path, `-`, a frame, or a list of them that are parts of one table.

    `proba` is the column of the positive class, or a mapping from each class to its column. Labels given as text
    (`positive`, `classes`, the keys of `proba`) are read in the type of the truth column. In JSON lines `a.b` is the
    key b inside a. `correct` (0/1) or `loss` stand for truth and prediction.

    A table in long form has a row for each item and model: `model` names the column of models, `rows` that of items,
    and the models come back by name, over the same rows. Of an item that a model tried several times the mean of
    `correct` or `loss` stands for it, as a loss (score mean): items stay the unit, and that is told. Rows with missing
    cells are refused, or left out and counted with `missing="drop"`, and so are items that not all models have.
    `grade` and `item` (with `repeat`, `groups` and `model`, where there are such columns) read what `graded` makes:
    higher is better, and no other role goes with them.
    `percent=True` reads 93 % (and probabilities up to 100) as 0.93, `decimal=","` reads 0,93.

    Parameters
    ----------
    source
        The path of a file, '-' for standard input, a frame, a mapping of columns, or a list of files.
    truth
        The column of the truth.
    label
        The column of predicted classes.
    proba
        The column of the positive class, or a mapping from each class to its column.
    value
        The column of decision values.
    number
        The column of predicted numbers.
    correct
        The column that is 1 where the model was right.
    loss
        The column of losses.
    grade
        The column of grades, higher is better; see graded.
    item
        The column that says which item a grade is of.
    model
        The column that tells models apart, in a table with a row for each item and model.
    positive
        The class that scores of one class are about, named by its label and never guessed.
    classes
        All classes in their order; sorted, as they come in the truth, unless given.
    weights
        The column of sampling weights.
    counts
        The column of repeats.
    groups
        The column of groups.
    rows
        The column of row ids.
    fold
        The column of folds.
    repeat
        The column of repeats of a cross-validation; of grades, of the answers to an item.
    threshold
        The probability or decision value from which on a row is called positive.
    labelled
        'all', 'positives' or 'some', as in predictions.
    missing
        'refuse' rows with missing cells, or 'drop' them and say how many.
    percent
        Read 93 %, and probabilities up to 100, as 0.93.
    decimal
        ',' where numbers of a file are written 0,93.
    name
        What the result is called in tables.

    Examples
    --------
    >>> log = {"truth": [0, 1, 1], "said": [0, 1, 0]}
    >>> vc.read_predictions(log, truth="truth", label="said", positive=1)
    Predictions(3 rows, 2 classes, label)
    """
    asked = {
        role: said for role, said in locals().items() if said is not None and role not in ("source", "name")
    }  # all other arguments
    _check_named(source, asked)
    table = read_table(source, [asked])
    return predictions_of(table, asked, name) if model is None else models_of(table, asked)


def _check_named(source: Any, asked: Asked) -> None:
    """Without a column that is needed, the columns that there are, with a guess, of a file."""
    check_grade_roles(asked)
    ready = asked.keys() & READY
    if ready or (asked.keys() & SAID and ("truth" in asked or asked["labelled"] == "some")):
        return
    what = "what the model said, label=, proba=, value= or number=" if "truth" in asked else "the truth, truth="
    says = f"name the column with {what}"
    if not is_path(source):  # refused with what it is, where another tool made it
        read_columns(source, columns_to_read(source, [asked]))
    guess = guess_predictions(str(source), {}) if is_path(source) and source != "-" else None
    if guess is None:
        raise BadInput(says)
    says = f"{says}; {source} has {quote_names(guess.names)}"
    if guess.advice:
        raise BadInput(f"{says}; {guess.advice}")
    roles = dict.fromkeys(role for role, _ in guess.options)
    first = [f"{role}={dict(reversed(guess.options))[role]!r}" for role in roles]  # one model of several
    raise BadInput(f"{says}; perhaps: read_predictions({', '.join([repr(str(source)), *first])})" if first else says)


@verb
def read_column(source: Table, name: str) -> Array:
    """One column of a file or a frame, such as the labels that `slices` takes; missing cells are refused.

    Parameters
    ----------
    source
        A file's path, or a frame.
    name
        The column.

    Examples
    --------
    >>> vc.read_column({"country": ["DE", "FR"], "p": [0.2, 0.7]}, "country").tolist()
    ['DE', 'FR']
    """
    return read_table(source, [{}], name)[name]


def read_table(source: Any, models: Sequence[Asked], *more: str) -> Columns:
    """Return the columns of all models and some more, read at once and clean."""
    return clean_table(read_columns(source, columns_to_read(source, models, *more)), models, *more)


def columns_to_read(source: Any, models: Sequence[Asked], *more: str) -> Callable[[Iterable[str]], list[str]]:
    """Return what chooses the columns of all models among those of a table, and refuses the tables of other tools."""
    names = [*columns_of_models(models), *more]
    first = source[0] if isinstance(source, (list, tuple)) and source else source
    place = ("standard input" if first == "-" else str(first)) if is_path(first) else "the frame"

    def choose(known: Iterable[str]) -> list[str]:
        known = list(known)
        layouts = [refuse_layout(known, place, asked) for asked in models]
        items = [name for name in FILTERS if name in known] if any(layouts) else []
        return with_split_columns([*names, *items], known)

    return choose


def clean_table(columns: Columns, models: Sequence[Asked], *more: str) -> Columns:
    """Return the columns of all models as they are asked to be read, without missing cells."""
    kinds: dict[str, str] = {}
    for asked in models:
        refuse_filters(columns, asked)
        kinds |= {asked[role]: kind for role, kind in KINDS.items() if role in asked}
        kinds |= dict.fromkeys(_chances_of(asked).values(), "chance")
        if "number" in asked and "truth" in asked:
            kinds[asked["truth"]] = "number"
    how = Notation(**{name: models[0][name] for name in NOTATION if name in models[0]})
    unlabelled = [asked["truth"] for asked in models if asked.get("labelled", "all") != "all" and "truth" in asked]
    names = [name for name in columns_of_models(models) if name not in unlabelled]
    truths = [asked["truth"] for asked in models if "truth" in asked and "number" not in asked]
    return clean_columns(columns, [*names, *more], kinds, how, truths)


def columns_of_models(models: Sequence[Asked]) -> list[str]:
    """Return the names of all columns in which models, or what is known of their rows, stand."""
    several = ((*(asked[role] for role in ROLES if role in asked), *_chances_of(asked).values()) for asked in models)
    return list(dict.fromkeys(column for names in several for column in names))


def _chances_of(asked: Asked) -> dict[Any, Any]:
    proba = asked.get("proba")
    return dict(proba) if isinstance(proba, Mapping) else {} if proba is None else {None: proba}


def predictions_of(columns: Columns, asked: Asked, name: str) -> Predictions:
    """Return the predictions of clean columns."""
    if "grade" in asked:
        return _graded_models(columns, asked, name)[name]
    chances = _chances_of(asked)
    roles = {role: asked[role] for role in ROLES if role in asked}
    at = places_of_roles(columns, roles, list(chances.values()))
    given: dict[str, Any] = {role: columns[column] for role, column in roles.items() if role != "model"}
    given |= {"positive": asked.get("positive"), "classes": asked.get("classes")}
    truth = given.get("truth")
    if asked.get("labelled", "all") != "all":  # the labels that there are tell of which type the others are
        truth = np.array([], object) if truth is None else known_labels(truth)
    if "number" not in asked and truth is not None:
        given |= labels_in_type(given["positive"], given["classes"], truth)
    given |= _class_columns(columns, chances, {**given, "truth": truth}, at) if chances else {}
    if columns.weights is not None and "weights" not in asked:
        given["weights"] = columns.weights
    given |= {word: asked[word] for word in ("threshold", "labelled") if word in asked}
    p = predictions(given.pop("truth", None), **given, name=name, places=at)
    notes = columns.notes + _mark_notes(columns, asked, p) + split_notes(columns, roles, chances.values())
    return replace(p, notes=p.notes + notes)


def _mark_notes(columns: Columns, asked: Asked, p: Predictions) -> tuple[Note, ...]:
    """Return what to say of marks such as NA that count as classes or groups; of labels where the truth has none."""

    notes: tuple[Note, ...] = ()
    for role, counts_as in (("truth", "class"), ("label", "class"), ("groups", "group")):
        if role in asked and (role == "groups" or (any(map(is_mark, p.classes)) and not notes)):
            notes += mark_notes(columns[asked[role]], columns.source.column(str(asked[role])), counts_as)
    return notes


def models_of(columns: Columns, asked: Asked, same_rows: bool = True) -> dict[str, Predictions]:
    """The models of clean columns in long form; those of folds are matched by their splits when they are compared."""
    if "grade" in asked:
        return _graded_models(columns, asked)
    of_all = {role: column for role, column in asked.items() if role not in ("fold", "repeat")}
    source, model = columns.source, asked["model"]
    whole = predictions_of(columns, of_all, "model")
    codes = columns.codes(model)
    members = split_models(whole, codes.texts, codes.of_row, source.column(str(model)), source.first)
    splits = {role: columns[asked[role]] for role in ("fold", "repeat") if role in asked}
    if not same_rows and not splits:
        return {name: one.predictions for name, one in members.items()}
    if not splits:
        return align_models(mean_over_tries(members), asked.get("missing", "refuse"))
    at = places_of_roles(columns, {role: asked[role] for role in ROLES if role in asked}, [])
    models = {}
    for name, one in members.items():
        fold, repeat = (splits[role][one.rows] if role in splits else None for role in ("fold", "repeat"))
        models[name] = with_origin(one.predictions, fold, repeat, at)
    return models


def check_grade_roles(asked: Asked) -> None:
    """Refuse grades without the column of their items, and what has no place beside them."""
    if "grade" not in asked:
        if "item" in asked:
            says = "`item=` says what each grade is of, but no grades are named, `grade=`"
            raise BadInput(f"{says}: ids of anything else are `rows=`")
        return
    if "item" not in asked:
        raise BadInput("name the column that says which item, such as a question, each grade is of, `item=`")
    for role in (*SAID, "truth", "correct", "loss", *NOT_OF_GRADES):
        if role in asked:
            raise BadInput(f"`grade=` says how good each answer is, so `{role}=` has no place beside it")
    if asked.get("labelled", "all") != "all":
        raise BadInput("`labelled=` is of classes: leave it out beside `grade=`")


def _graded_models(columns: Columns, asked: Asked, name: str = "model") -> dict[str, Predictions]:
    """Return the models of clean columns of grades, by their names or by the name of one."""
    given = {role: columns[asked[role]] for role in ("grade", "item", "repeat", "groups", "model") if role in asked}
    at = places_of_roles(columns, {role: asked[role] for role in given}, [])
    found: Any = graded(**given, name=name, missing=asked.get("missing", "refuse"), places=at)
    return {
        model: replace(p, notes=p.notes + columns.notes + _mark_notes(columns, asked, p))
        for model, p in (found if "model" in given else {name: found}).items()
    }


def labels_in_type(positive: Any, classes: Any, truth: Array) -> dict[str, Any]:
    """Return the positive class and the classes in the type of the truth column."""
    return {
        "positive": None if positive is None else as_label(positive, truth),
        "classes": None if classes is None else tuple(as_label(each, truth) for each in classes),
    }


def places_of_roles(columns: Columns, asked: Mapping[str, str], chances: Sequence[str]) -> Places:
    """Return how sentences name the columns."""
    source = columns.source
    names = {role: source.column(str(column)) for role, column in asked.items()}
    if len(chances) == 1:
        names["proba"] = source.column(str(chances[0]))
    elif chances:
        names["proba"] = f"{source.name}, columns {brief(', '.join(map(str, chances)))}"
    names.setdefault("weights", f"{source.name}, weights in braces")
    return Places(names, first=source.first)


def _class_columns(
    columns: Columns, chances: Mapping[Any, str], given: Mapping[str, Any], at: Places
) -> dict[str, Any]:
    """Return the classes, the positive one and the probabilities, in the order of the classes."""
    truth, classes, positive = given.get("truth"), given["classes"], given["positive"]
    if truth is None:
        return {"proba": columns[next(iter(chances.values()))]}  # refused with what it lacks
    keys = [None if key is None else as_label(key, truth) for key in chances]
    by_class = dict(zip(keys, chances.values(), strict=True))
    if len(by_class) < len(chances):
        raise BadInput(f"{at['proba']}: each class has one column, but a class was given two")
    if len(keys) == 1:
        if keys[0] is not None and positive is not None and keys[0] != positive:
            says = f"{at['proba']} holds the probability of {keys[0]!r}, but positive is {positive!r}"
            raise BadInput(f"{says}: name the same class")
        return {"positive": positive if keys[0] is None else keys[0], "proba": columns[by_class[keys[0]]]}
    order = tuple(sorted(keys, key=lambda key: (type(key).__name__, key))) if classes is None else tuple(classes)
    if set(order) != set(by_class):
        says = f"a column is needed for each of the classes {brief(str(list(order)))}, and no other"
        raise BadInput(f"{at['proba']}: {says}")
    unknown = [each for each in map(python_value, np.unique(truth[: 10**6])) if each not in order]
    if unknown:
        held = f"{at['truth']} holds {brief(repr(unknown[0]))}"
        raise BadInput(f"{held}, but probabilities are given for {brief(str(list(order)))}: {EACH_CLASS}")
    parts = [
        as_numbers(columns[by_class[key]], columns.source.column(str(by_class[key])), columns.source.first)
        for key in order
    ]
    return {"classes": order, "proba": np.column_stack(parts)}
