"""What is wrong with a file as a whole is one sentence."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import threading
from pathlib import Path

import pandas
import pytest

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers import source
from veracity.readers.columns import read_columns
from veracity.readers.source import open_source


def said(path, names=("y",)) -> str:
    with pytest.raises(BadInput) as caught:
        read_columns(path, list(names))
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 600
    return text.replace(str(Path(path).parent) + "/", "")


def test_missing_file(tmp_path):
    (tmp_path / "preds.csv").write_text("y\n1\n")
    assert said(tmp_path / "perds.csv") == "there is no file perds.csv: did you mean preds.csv?"
    assert said(tmp_path / "other") == "there is no file other"
    assert "no file" in said(tmp_path / "nowhere" / "a.csv")


def test_directory(tmp_path):
    assert said(tmp_path).endswith("is a directory: name a file in it")


def test_no_permission(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("y\n1\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert said(tmp_path / "a.csv") == "cannot read a.csv: Permission denied"


def test_a_name_that_no_file_can_have():
    assert said("a\0b.csv") == r"'a\x00b.csv' cannot be the name of a file"


@pytest.mark.parametrize(
    "body", [b"", b"\n \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"\xef\xbb\xbf \r\n\r", b"\n" * 70_000]
)
@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl", "a.arff", "a.txt"])
def test_empty_file(tmp_path, name, body):
    (tmp_path / name).write_bytes(body)
    assert said(tmp_path / name) == f"{name} is empty"


def test_broken_gzip(tmp_path):
    packed = gzip.compress(b"y,s\n" + b"1,2\n" * 100_000)
    (tmp_path / "a.csv.gz").write_bytes(packed[: len(packed) // 2])
    assert said(tmp_path / "a.csv.gz") == "a.csv.gz is a broken gzip file: it ends early or its bytes were changed"
    changed = bytearray(packed)
    changed[50:60] = b"0123456789"
    (tmp_path / "a.csv.gz").write_bytes(changed)
    assert "broken gzip file" in said(tmp_path / "a.csv.gz")
    (tmp_path / "a.csv.gz").write_bytes(b"y,s\n1,2\n")
    assert said(tmp_path / "a.csv.gz") == "a.csv.gz is not a gzip file although its name ends in .gz"


def test_a_small_file_that_unpacks_to_a_huge_one(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"1" * (1 << 20)) * 300)
    assert (tmp_path / "a.csv.gz").stat().st_size < 1 << 20
    says = "a.csv.gz unpacks to more than 268,435,456 bytes, 100 times its size or more"
    assert said(tmp_path / "a.csv.gz") == f"{says}: if that is meant, unpack it first (gunzip)"


def test_packed_and_repetitive_is_read(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"y,s\n" + b"1,2\n" * 200_000))
    assert len(read_columns(tmp_path / "a.csv.gz", ["y"])["y"]) == 200_000


@pytest.mark.parametrize(
    ("pack", "packer"),
    [(bz2.compress, "bzip2"), (lzma.compress, "xz"), (lambda body: gzip.compress(gzip.compress(body)), "gzip twice")],
)
def test_other_packers_are_named(tmp_path, pack, packer):
    (tmp_path / "a.csv").write_bytes(pack(b"y,s\n1,2\n"))
    assert said(tmp_path / "a.csv") == f"a.csv is compressed by {packer}: unpack it first, or compress it by gzip"


def test_not_text(tmp_path):
    (tmp_path / "a.csv").write_text("y,s\n1,2\n", encoding="utf-16")
    assert said(tmp_path / "a.csv") == "a.csv is UTF-16 text: save it as UTF-8"
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04\0\0\0\0")
    assert said(tmp_path / "a.xlsx").startswith("a.xlsx is neither text nor Parquet")


def test_content_tells_more_than_the_name(tmp_path):
    pandas.DataFrame({"y": [1, 2]}).to_parquet(tmp_path / "a.csv")
    assert read_columns(tmp_path / "a.csv", ["y"])["y"].tolist() == [1, 2]
    (tmp_path / "a.dat").write_text('{"y": 3}\n')
    assert read_columns(tmp_path / "a.dat", ["y"])["y"].tolist() == [3]


def test_named_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("y,s\n1,2\n3,4\n"))
    writer.start()
    assert read_columns(pipe, ["y"])["y"].tolist() == [1, 3]
    writer.join()


def test_brief_keeps_a_sentence_short():
    assert brief("x" * 10_000_000) == "x" * 57 + "..."
    assert brief("a\nb") == "a b"


def test_a_stream_that_is_no_table_is_refused_at_its_start():
    with pytest.raises(BadInput, match="/dev/zero is neither text nor Parquet"), open_source("/dev/zero"):
        pass


def test_a_stream_without_end_is_refused_at_a_stated_length(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "LONGEST_STREAM", 3 << 20)
    with subprocess.Popen(["yes", "a,b"], stdout=subprocess.PIPE) as endless:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(endless.stdout))
        with pytest.raises(BadInput, match="standard input sends more than 3,145,728 bytes"), open_source("-"):
            pass
        endless.kill()
