"""Predictions of a study as one file: Parquet, CSV or ARFF."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.run import Run
from veracity.tables.exports import arff_lines, write_csv

ENDINGS = (".parquet", ".csv", ".arff")
AT_ONCE = 10_000  # rows of a text file that are in memory


def write_predictions(runs: Iterable[Run], path: Path) -> None:
    """One row per test prediction: data, learner, design, split, row, truth, and what was said.

    Runs are written one by one into parts that are then joined, so that memory does not grow with the study.
    """
    import duckdb

    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise BadInput(f"predictions are written to a file that ends in {' or '.join(ENDINGS)}, not to {path.name!r}")
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as database:
        parts = 0
        for number, run in enumerate(runs):
            if run.predictions is not None:
                database.register("source", _columns(run))
                _copy(database, "select * from source", Path(folder, f"{number:09}.parquet"))
                database.unregister("source")
                parts += 1
        if not parts:
            raise BadInput("there is no prediction to write: no split of any run succeeded")
        query = f"select * from read_parquet({_quoted(Path(folder, '*.parquet'))}, union_by_name=true)"
        if ending == ".parquet":
            _copy(database, query, path)
            return
        kinds = {name: kind for name, kind, *_ in database.execute(f"describe {query}").fetchall()}
        texts: dict[str, Any] = dict.fromkeys(kinds, ())
        if ending == ".arff":  # where texts are nominal
            texts |= {name: _texts(database, query, name) for name, kind in kinds.items() if kind == "VARCHAR"}
        rows = _rows(database.execute(query))
        try:
            with path.open("w", encoding="utf-8", newline="") as out:
                if ending == ".csv":
                    write_csv(out, list(kinds), rows)
                else:
                    out.writelines(arff_lines("predictions by veracity", texts, rows))
        except OSError as why:
            raise BadInput(f"cannot write {path}: {why.strerror}") from None


def _rows(result: Any) -> Iterator[list[Any]]:
    """Give row by row; a number that does not exist is None."""
    while rows := result.fetchmany(AT_ONCE):
        yield from ([None if cell != cell else cell for cell in row] for row in rows)


def _texts(database: Any, query: str, name: str) -> list[str]:
    quoted = '"' + name.replace('"', '""') + '"'
    texts = database.execute(f"select distinct {quoted} from ({query}) where {quoted} is not null order by 1")
    return [text for (text,) in texts.fetchall()]


def write_columns(columns: dict[str, Any], path: str | Path) -> None:
    """Columns as one Parquet file; a number that does not exist is null."""
    import duckdb

    quoted = {name: '"' + name.replace('"', '""') + '"' for name in columns}
    cells = (
        f"case when {word} = 'nan'::double then null else {word} end as {word}"
        if columns[name].dtype.kind == "f"
        else word
        for name, word in quoted.items()
    )
    with duckdb.connect() as database:
        database.register("source", columns)
        _copy(database, f"select {', '.join(cells)} from source", path)


def _quoted(path: str | Path) -> str:
    """A path as a text of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def _copy(database: Any, query: str, path: str | Path) -> None:
    """What a query gives, as a Parquet file."""
    import duckdb

    try:
        database.execute(f"copy ({query}) to {_quoted(path)} (format parquet)")
    except duckdb.IOException as why:
        raise BadInput(f"cannot write {path}: {str(why).splitlines()[0]}") from None


def _columns(run: Run) -> dict[str, Any]:
    p = run.predictions
    assert p is not None
    labels = np.array(p.classes, object) if p.kind == "classes" else None
    columns: dict[str, Any] = {
        "data": np.full(len(p), run.data, object),
        "learner": np.full(len(p), run.learner, object),
        "design": np.full(len(p), run.design.name, object),
        "split": np.array(p.splits),
        "row": np.array(p.rows),
        "truth": np.array(p.truth) if labels is None else labels[p.truth].astype(str),
    }
    if p.number is not None:
        columns["predicted"] = np.array(p.number)
    if labels is not None and p.label is not None:
        columns["predicted_class"] = labels[p.label].astype(str)
    if p.value is not None:
        columns["value"] = np.array(p.value)
    for index, label in enumerate(p.classes if p.proba is not None else ()):
        columns[f"probability {label}"] = np.array(p.probability(index))
    return columns
