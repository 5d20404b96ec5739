"""Every format gives back what was written, with its types."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys

import numpy as np
import pandas
import pytest

from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns
from veracity.readers.relation import Codes

NAMES = ["id", "y", "word", "flag", "p", "code"]


def write(frame: pandas.DataFrame, path) -> None:
    ending = path.name.removesuffix(".gz").rpartition(".")[2]
    if ending == "parquet":
        frame.to_parquet(path)
        return
    if ending in ("csv", "tsv"):
        text = frame.to_csv(index=False, sep="\t" if ending == "tsv" else ",", lineterminator="\n")
    elif ending == "arff":
        text = as_arff(frame)
    else:
        text = "".join(json.dumps(row) + "\n" for row in frame.to_dict("records"))
    path.write_bytes(gzip.compress(text.encode()) if path.name.endswith(".gz") else text.encode())


def as_arff(frame: pandas.DataFrame) -> str:
    kinds = {
        "id": "numeric",
        "y": "INTEGER",
        "word": "{malignant,'benign, or so'}",
        "flag": "{True,False}",
        "p": "real",
    }
    head = [f"@ATTRIBUTE {name} {kinds.get(name, 'string')}" for name in frame.columns]
    rows = [
        ",".join(f"'{cell}'" if " " in str(cell) else str(cell) for cell in row)
        for row in frame.itertuples(index=False)
    ]
    return "\n".join(["% made here", "@relation cancer", *head, "", "@data", *rows]) + "\n"


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "ndjson", "json", "csv.gz", "tsv.gz", "jsonl.gz"])
def test_formats_give_back_what_was_written(frame, tmp_path, ending):
    write(frame, tmp_path / f"preds.{ending}")
    found = read_columns(tmp_path / f"preds.{ending}", NAMES)
    for name in NAMES:
        assert found[name].dtype.kind == {"id": "i", "y": "i", "flag": "b", "p": "f"}.get(name, "O"), name
        np.testing.assert_array_equal(found[name], frame[name])
    assert found.missing == {}


@pytest.mark.parametrize("ending", ["arff", "arff.gz"])
def test_arff_gives_back_what_was_written(frame, tmp_path, ending):
    write(frame, tmp_path / f"preds.{ending}")
    found = read_columns(tmp_path / f"preds.{ending}")
    assert list(found) == NAMES
    for name in NAMES:
        expected = frame[name].astype(str) if name == "flag" else frame[name]
        np.testing.assert_array_equal(found[name], expected)


@pytest.mark.parametrize(
    "name",
    ["a*b.csv", "a?.csv", "a[1].csv", 'it\'s "so".csv', "y=1.csv", "{a,b}.csv", "-x.csv", "back\\slash.csv", "é ü.csv"],
)
def test_any_name_is_one_file(tmp_path, name):
    (tmp_path / name).write_text("y,s\n1,2\n")
    (tmp_path / "ab.csv").write_text("y,s\n7,7\n")
    assert read_columns(tmp_path / name, ["y"])["y"].tolist() == [1]


def test_a_directory_like_a_partition_adds_no_column(tmp_path):
    (tmp_path / "y=5").mkdir()
    pandas.DataFrame({"s": [1.0]}).to_parquet(tmp_path / "y=5" / "a.parquet")
    with pytest.raises(BadInput, match=r"has no column 'y': there are 's'"):
        read_columns(tmp_path / "y=5" / "a.parquet", ["y"])


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "arff", "csv.gz"])
def test_standard_input_is_recognised(frame, tmp_path, monkeypatch, ending):
    write(frame, tmp_path / f"preds.{ending}")
    stream = io.TextIOWrapper(io.BytesIO((tmp_path / f"preds.{ending}").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    found = read_columns("-", ["y", "p"])
    np.testing.assert_array_equal(found["y"], frame["y"])
    assert found.source.name == "standard input"
    assert found.source.column("y") == "standard input, column y"


def test_standard_input_of_a_process(frame):
    program = "from veracity.readers.columns import read_columns; print(read_columns('-', ['y'])['y'].sum())"
    text = frame.to_csv(index=False).encode()
    run = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, check=True)
    assert int(run.stdout) == frame["y"].sum()
    assert run.stderr == b""


def imported_by(program, *words):
    """Which of the libraries of frames a program has imported at its end."""
    told = "; import sys; print([m for m in ('pandas', 'polars', 'pyarrow', 'narwhals') if m in sys.modules])"
    return subprocess.check_output([sys.executable, "-c", program + told, *words], text=True)


def test_only_the_asked_libraries_are_imported(frame, tmp_path):
    write(frame, tmp_path / "a.csv")
    program = "import sys; from veracity.readers.columns import read_columns; read_columns(sys.argv[1], ['y', 'word'])"
    by_itself = "import duckdb; duckdb.sql('select $y', params={'y': 1})"  # before 2.0 this imports what it finds
    assert imported_by(program, tmp_path / "a.csv") == imported_by(by_itself)


def test_missing_column_lists_the_nearest_first(tmp_path):
    names = [f"feature {i}" for i in range(30)] + ["p_spam"]
    (tmp_path / "a.csv").write_text(",".join(names) + "\n" + ",".join("1" * 31) + "\n")
    with pytest.raises(BadInput, match=r"a\.csv has no column 'p_span': there are 'p_spam', 'feature .* and 19 more$"):
        read_columns(tmp_path / "a.csv", ["p_span"])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_of_few_texts_is_also_codes(tmp_path, monkeypatch, ending):
    monkeypatch.setattr("veracity.readers.relation.MAX_CODED_TEXTS", 15)
    words = ["b", "a", "it's", 'say "so"', "ü"] * 5
    table = pandas.DataFrame({"few": words, "many": [f"t{k}" for k in range(25)], "gaps": [None, *words[1:]]})
    path = tmp_path / f"a.{ending}"
    {"csv": lambda: table.to_csv(path, index=False), "parquet": lambda: table.to_parquet(path)}[ending]()
    found = read_columns(path)
    assert [name for name, held in found.arrays.items() if isinstance(held, Codes)] == ["few"]
    codes = found.codes("few")
    assert codes.texts[codes.of_row].tolist() == found["few"].tolist() == words
    assert sorted(codes.texts) == sorted(words[:5])
    codes = found.codes("many")
    assert codes.texts[codes.of_row].tolist() == table["many"].tolist()
    assert found["many"].tolist() == table["many"].tolist()
    assert found["gaps"].tolist() == [None, *words[1:]]
    assert found.missing == {"gaps": 0}
