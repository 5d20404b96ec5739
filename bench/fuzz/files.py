"""Small files in every dialect, whole and damaged, with the columns that Python's own csv and json find in them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from random import Random
from typing import Any

from bench.fuzz.case import Case
from bench.fuzz.damage import damaged
from bench.fuzz.scratch import folder, write
from veracity.readers.columns import read_columns

WORDS = (
    "a",
    "b",
    "x y",
    "",
    "é",
    "a,b",
    'q"q',
    '""',
    "#c",
    "% d",
    "  pad ",
    "a;b",
    "t\tt",
    "l\nm",
    "r\r\ns",
    "r\rs",
    "?",
    "{1}",
)
TEXTS = {
    "word": ("good", "bad", "good", "bad", "ugly"),
    "whole": ("0", "1", "2", "-7", "9223372036854775807"),
    "number": ("0.5", "0.25", "1e-3", "-2.5", "1", ""),
    "truth": ("true", "false", "True"),
    "code": ("01", "1", "12345678901234567890", "1_000", "NA", "nan", "0x1F", "2020-01-31"),
    "text": WORDS,
}
VALUES: dict[str, Sequence[Any]] = {
    "word": ("good", "bad", "\u2028", "\x85", "\U0001f600"),
    "whole": (0, 1, -3, 2**53 + 1),
    "huge": (2**64 - 1, 2**63, 5),
    "number": (0.5, 1e-300, 3, None),
    "truth": (True, False, None),
    "text": WORDS,
    "mixture": (1, "1", True),
    "nested": (1, [1], {"y": 2}),
}
SEPARATORS = ",;\t|"
RUINED = 0.4  # share of the files that are damaged


@dataclass(frozen=True)
class File:
    """Bytes, and their columns as an independent reader finds them (None where that finds none).

    What is `valid` must be accepted; anything else may be refused by a sentence. What is accepted has these columns.
    """

    name: str
    suffix: str
    body: bytes
    columns: dict[str, list[Any]] | None = None
    valid: bool = False


def case(random: Random) -> Case:
    """All columns of one file."""
    file = next(cases(random))
    name = f"case{file.suffix}"

    def ask() -> dict[str, list[Any]]:
        write(name, file.body)
        with chdir(folder()):
            return {column: cells.tolist() for column, cells in read_columns(name).items()}

    return Case(f"{file.name} {name}: {file.body!r}", ask, lambda found: difference(file, found), file.valid)


def cases(random: Random) -> Iterator[File]:
    """Files without end, more than half of them valid."""
    while True:
        file = random.choice([_csv_case, _csv_case, _json_case, _arff_case])(random)
        packed = random.random() < 0.05
        name, suffix = f"{file.name}{' packed' * packed}", f"{file.suffix}{'.gz' * packed}"
        yield File(name, suffix, gzip.compress(file.body) if packed else file.body, file.columns, file.valid)


MARKS = {"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"}


def _is_missing(cell: Any) -> bool:
    return cell is None or cell != cell


def difference(file: File, columns: Mapping[str, Sequence[Any]]) -> str:
    """What is wrong with columns that were read from a file; nothing where they are those that it holds."""
    if file.columns is None:
        return ""
    if list(columns) != list(file.columns):
        return f"columns {list(columns)}, not {list(file.columns)}"
    for name, cells in file.columns.items():
        if len(cells) != len(columns[name]):
            return f"{len(columns[name])} rows, not {len(cells)}"
        numbers = not any(isinstance(cell, str) for cell in columns[name])
        for row, (cell, expected) in enumerate(zip(columns[name], cells, strict=True)):
            if numbers and isinstance(expected, str) and expected.strip().lower() in MARKS and _is_missing(cell):
                continue  # "NA" among numbers is a missing cell
            if not _same(cell, expected):
                return f"column {name!r}, row {row}: {cell!r}, not {expected!r}"
    return ""


def _same(cell: Any, expected: Any) -> bool:
    """Whether a cell is what was written: a text may have been read as what it says."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return expected in (None, "") or str(expected).strip().lower().lstrip("+-") == "nan" or expected != expected
    if isinstance(expected, str) and isinstance(cell, bool):
        return expected.strip().lower() == str(cell).lower()
    if isinstance(expected, str) and not isinstance(cell, str):
        return type(cell)(expected.strip(' "')) == cell  # a blank before a quote belongs to no cell
    return (type(cell) is type(expected) and cell == expected) or (isinstance(cell, float) and float(expected) == cell)


def _csv_case(random: Random) -> File:
    separator = random.choice(SEPARATORS)
    body = _mark(random) + _csv_text(random, separator).encode()
    suffix = ".tsv" if separator == "\t" and random.random() < 0.5 else random.choice([".csv", ".csv", ".CSV"])
    ruin = random.random() < RUINED
    body = damaged(random, body) if ruin else body
    columns = _csv_columns(body, suffix)
    return File(f"delimited{' damaged' * ruin}", suffix, body, columns, columns is not None)


def _mark(random: Random) -> bytes:
    return random.choice([b"", b"", b"\xef\xbb\xbf"])


def _csv_text(random: Random, separator: str) -> str:
    """Rows with line ends of one kind or mixed, blank lines, quotes, and blanks after separators."""
    ends = random.choice([["\n"], ["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]])
    quoting = random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    pad = random.choice(["", "", "", " "])
    kinds = [random.choice(list(TEXTS)) for _ in range(random.choice([1, 2, 2, 3, 5]))]
    header = [random.choice(["y", "a b", "é", "#", 'q"', "n\nm"]) + str(place) for place in range(len(kinds))]
    rows = [header, *([random.choice(TEXTS[kind]) for kind in kinds] for _ in range(random.randint(0, 8) or 1))]
    parts = [random.choice(ends) * random.choice([0, 0, 0, 1, 2])]
    for row in rows:
        line = io.StringIO(newline="")
        csv.writer(line, delimiter=separator, quoting=quoting, lineterminator="").writerow(row)
        text = line.getvalue()
        if pad and '"' not in text:
            text = text.replace(separator, separator + pad)
        parts += [text, random.choice(ends) * random.choice([1, 1, 1, 1, 2])]
    if random.random() < 0.2:
        parts.pop()
    return "".join(parts)


def _csv_columns(body: bytes, suffix: str) -> dict[str, list[Any]] | None:
    """As Python reads them, blank lines left out; None where rows differ in length or a quote is out of place."""
    try:
        text = body.decode("utf-8-sig")
        signs = "\t" if suffix.startswith(".tsv") else SEPARATORS
        header, *rows = max((_rows_of(text, sign) for sign in signs), key=lambda rows: len(rows[0]))
    except (ValueError, csv.Error, IndexError):
        return None
    ragged = any(len(row) != len(header) and not (len(row) == len(header) + 1 and row[-1] == "") for row in rows)
    if ragged or not rows or len(set(header)) < len(header) or "\0" in text:
        return None
    return {name: [row[place] for row in rows] for place, name in enumerate(header)}


def _rows_of(text: str, separator: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if row]
    except csv.Error:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return [next(row for row in reader if row)]  # its header may still have the most cells


def _json_case(random: Random) -> File:
    end = random.choice(["\n", "\n", "\r\n", "\r", "\n\n"])
    likely = [kind for kind in VALUES if kind not in ("mixture", "nested") or random.random() < 0.1]
    kinds = {
        name: random.choice(likely)
        for name in random.sample(["y", "p", "a b", "é", "a/b", 'q"', ""], random.randint(1, 4))
    }
    lines = []
    for _ in range(random.randint(1, 8)):
        cells = [
            (key, random.choice(VALUES[kind])) for key, kind in kinds.items() if not lines or random.random() < 0.95
        ]
        if random.random() < 0.3 and lines:
            random.shuffle(cells)
        lines.append(json.dumps(dict(cells), ensure_ascii=random.random() < 0.5))
    body = _mark(random) + (end * random.choice([0, 0, 1]) + end.join(lines) + end * random.choice([0, 1, 1])).encode()
    ruin = random.random() < RUINED
    body = damaged(random, body) if ruin else body
    columns = _json_columns(body)
    return File(
        f"json lines{' damaged' * ruin}", random.choice([".jsonl", ".json"]), body, columns, columns is not None
    )


def _json_columns(body: bytes) -> dict[str, list[Any]] | None:
    """As Python reads them; None where a line is no object, a key comes twice, or a column is of several types."""
    try:
        text = body.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        rows = [
            json.loads(line, object_pairs_hook=_once, parse_constant=_no) for line in text.split("\n") if line.strip()
        ]
        keys = dict.fromkeys(key for row in rows for key in row)
    except (ValueError, TypeError, RecursionError):
        return None
    columns = {key: [row.get(key) for row in rows] for key in keys}
    return columns if columns and "\0" not in text and all(map(_one_type, columns.values())) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)


def _no(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _one_type(cells: list[Any]) -> bool:
    types = {type(cell) for cell in cells if cell is not None}
    if str in types:
        return len(types) == 1 and all(cell is None or cell.isprintable() or _encodable(cell) for cell in cells)
    whole = [cell for cell in cells if type(cell) is int]
    fits = not whole or (min(whole) >= -(2**63) and max(whole) < (2**63 if min(whole) < 0 else 2**64))
    return types <= {bool} or (types <= {int, float} and fits)


def _encodable(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def _arff_case(random: Random) -> File:
    """Declared columns; no independent reader knows them, so that a damaged file may say anything."""
    end = random.choice(["\n", "\n", "\r\n", "\r"])
    kinds = [random.choice(["numeric", "string", "nominal"]) for _ in range(random.randint(1, 4))]
    pools = {"numeric": (0, 1, -2, 0.5), "string": ("a", "b c", "it's", 'q"', "p%"), "nominal": ("good", "so so")}
    columns = {f"c {place}": [random.choice(pools[kind]) for _ in range(3)] for place, kind in enumerate(kinds)}
    declared = {"nominal": "{good, 'so so'}"}
    lines = ["% a comment", "@relation r", ""]
    lines += [f"@attribute '{name}' {declared.get(kind, kind)}" for name, kind in zip(columns, kinds, strict=True)]
    lines += ["@DATA", *(", ".join(map(_arff_word, row)) for row in zip(*columns.values(), strict=True)), "% end"]
    blank = random.choice(["", "", end])
    body = _mark(random) + (blank + end.join(lines) + random.choice(["", end])).encode()
    if random.random() < RUINED:
        return File("arff damaged", ".arff", damaged(random, body))
    return File("arff", ".arff", body, columns, True)


def _arff_word(cell: Any) -> str:
    return str(cell) if not isinstance(cell, str) else "'" + cell.replace("\\", "\\\\").replace("'", "\\'") + "'"
