"""What a user may give as data, as learners, as designs and as lists of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.learners.from_text import (
    ANY,
    NEEDED,
    NOTHING,
    SPLITS,
    Reach,
    Unseen,
    canonical_text,
    check_learner,
    learner_from_table,
    learner_from_text,
    modules_of,
    read_class_text,
)
from veracity.readers.read_data import PREFIX, builtin, data_of, from_file
from veracity.records.data import Data
from veracity.running.checks import CHECKS

WRITE = "write { file = 'data.csv', target = 'y' }, or 'sklearn:load_iris'"
FOREVER = 1e7  # seconds: a longer timeout is none, and more than a timer can be set to
RETRY = ("failed",)
TUNING = ("by", "score", "rule", "order", "se", "seed")  # how a learner is tuned; other keys are its parameters


def as_tuple(given: Any) -> tuple[Any, ...]:
    """One thing or several, as several."""
    return tuple(given) if isinstance(given, (list, tuple, set, frozenset)) else (given,)


def parse_seed(given: Any) -> int:
    """A whole number."""
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise BadInput(f"seed is a whole number, not {given!r}")
    return int(given)


def parse_timeout(given: Any) -> float | None:
    """Seconds, or None where there is no limit."""
    if given is not None and not (isinstance(given, (int, float)) and given > 0):
        raise BadInput(f"timeout is a number of seconds larger than 0, not {given!r}")
    return None if given is None or given > FOREVER else given


def check_name(name: Any) -> None:
    """Refuse a check that there is not."""
    if name not in CHECKS:
        raise BadInput(f"there is no check called {name!r}: there are {', '.join(CHECKS)}")


def retries_failed(given: Any) -> bool:
    """Whether fits that failed are tried again."""
    if set(as_tuple(given)) - set(RETRY):
        raise BadInput(f"retry is 'failed' or nothing, not {given!r}")
    return bool(as_tuple(given))


def parse_tables(data: Any, prepare: Any = "default", **kinds: Any) -> dict[str, Data]:
    """Data sets by name; one alone, or a list of them, go by their own names. `kinds` is kind= and meant=."""
    if not isinstance(data, Mapping):
        pair = isinstance(data, tuple) and not isinstance(data[0], (str, Data))
        given = [data] if pair or isinstance(data, (Data, str, Path)) else data
        return {table.name: table for table in (parse_table("", one, prepare, **kinds) for one in given)}
    return {str(name): parse_table(str(name), one, prepare, **kinds) for name, one in data.items()}


def parse_table(name: str, given: Any, prepare: Any = "default", folder: Path | None = None, **kinds: Any) -> Data:
    """One data set: made already, `"sklearn:load_iris"`, a table with file= and target=, or a pair of X and y.

    What a table says of its kind comes before what is said of all.
    """
    if isinstance(given, Data):
        table = replace(given, name=name) if name else given
    elif isinstance(given, Mapping):
        table = _table_from_mapping(name, {**kinds, **given}, folder)
    elif isinstance(given, (str, Path)):
        table = _table_from_mapping(name, {**kinds, "file": str(given)}, folder)
    elif isinstance(given, tuple) and len(given) == 2:
        table = data_of(*given, name=name or "data", **kinds)
    else:
        raise BadInput(f"the data set {name!r} is a {type(given).__name__}: give Data, (X, y), a text or a table")
    return table if isinstance(prepare, str) and prepare == "default" else replace(table, prepare=prepare)


def _table_from_mapping(name: str, given: Mapping[str, Any], folder: Path | None) -> Data:
    roles = {key: value for key, value in given.items() if value is not None}
    file = roles.pop("file", None)
    if file is None:
        raise BadInput(f"no file is named: {WRITE}")
    if str(file).startswith(PREFIX):
        if "test" in roles:
            raise BadInput(f"{file} is built in and has no test file: name a file, or use `by='holdout'`")
        strange = [key for key in roles if key not in ("positive", "kind", "meant")]
        if strange:
            raise BadInput(f"{strange[0]} names a column of a file, but {file} is built in")
        return builtin(file, name=name or None, **roles)
    if "target" not in roles:
        raise BadInput(f"the column to be predicted is not named: {WRITE}")
    if "test" in roles and "-" in (file, roles["test"]):
        raise BadInput("standard input is one table: name two files, or leave out test")
    if folder is not None and "test" in roles:
        roles["test"] = folder / roles["test"]
    if folder is not None and file == "-":
        raise BadInput("standard input is not kept for the next run: save the table, and name its file")
    path = file if folder is None else folder / file
    return from_file(path, name=name or None, **roles)


def parse_learners(learners: Any, reach: Reach = ANY) -> dict[str, Any]:
    """Learners by name; one alone, or a list of them, go by their classes."""
    if isinstance(learners, Mapping):
        return {str(name): parse_learner(str(name), one, reach) for name, one in learners.items()}
    by_name: dict[str, Any] = {}
    for one in as_tuple(learners):
        learner = parse_learner("", one, reach)
        name = type(learner).__name__
        if name in by_name:
            raise BadInput(f"two learners are called {name}: give a mapping of names to learners")
        by_name[name] = learner
    return by_name


def parse_learner(name: str, given: Any, reach: Reach = ANY, needs: tuple[str, ...] = NEEDED) -> Any:
    """One learner: an object with fit and predict, a text, or a table with use= or tune= and parameters."""
    if not isinstance(given, (str, Mapping)):
        return check_learner(given, name)
    table = learner_table(given)
    if not all(map(reach.covers, modules_of(table))):
        return Unseen(canonical_text(table))
    if "tune" not in table:
        return learner_from_table(table, needs=needs, reach=reach)
    from veracity.tuning.tuned import tuned

    if "grid" not in table:
        raise BadInput("grid is not there: name the values to try, such as grid = { C = [0.1, 1, 10] }")
    rest = {key: value for key, value in table.items() if key not in ("tune", "grid", *TUNING)}
    learner = learner_from_table({**table["tune"], **rest}, reach=reach)
    return tuned(learner, table["grid"], **{key: table[key] for key in TUNING if key in table})


def learner_table(given: str | Mapping[str, Any]) -> dict[str, Any]:
    """A learner as a table in which every text that names a class is called "use"."""
    table: dict[str, Any] = {"use": given} if isinstance(given, str) else dict(given)
    if not isinstance(table.get("tune", {}), Mapping):
        table["tune"] = {"use": table["tune"]}
    return table


def parse_design(given: Any, reach: Reach = ANY) -> Any:
    """A splitter for the text of one, `"sklearn.model_selection:GroupKFold(n_splits=3)"`; anything else as it is."""
    if not isinstance(given, str) or ":" not in given.partition("(")[0]:
        return given
    if not reach.covers(read_class_text(given).module):
        if reach is NOTHING:
            return Unseen(canonical_text({"use": given}))
        says = f"a plan imports {reach.library} alone, and so cannot know the splits of {given}"
        raise BadInput(f"{says}: run the study, or plan with one that is made, Study.read(path).plan()")
    return learner_from_text(given, needs=SPLITS, reach=reach)
