"""Where a table comes from: a file, standard input or a frame, opened and recognised, or a sentence why not."""

from __future__ import annotations

import difflib
import glob
import gzip
import os
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from veracity.core.bounds import UNPACKED_RATIO, unpacked_limit
from veracity.core.errors import BadInput
from veracity.core.suggest import nearest
from veracity.core.words import brief, plural
from veracity.evidence.columns import EACH_CLASS
from veracity.records.arrays import FirstRow, RowNames

ENDINGS = {f".{name}": name for name in ("csv", "tsv", "parquet", "json", "arff")} | {
    ".jsonl": "json",
    ".ndjson": "json",
}
HEAD = 65_536  # bytes that are enough to recognise a format
MARK = b"\xef\xbb\xbf"  # of the byte order, which UTF-8 does not need
GZIP = b"\x1f\x8b"
LONGEST_STREAM = 1 << 36  # bytes that are taken from a pipe
PACKERS = {rb"BZh.1AY&SY": "bzip2", rb"\xfd7zXZ": "xz", rb"\x28\xb5\x2f\xfd": "zstd", rb"\x1f\x8b": "gzip twice"}
Wanted = Sequence[str] | Callable[[Sequence[str]], list[str]] | None


@dataclass(frozen=True)
class Source:
    """A table's name in sentences, its format, and the plain file on disk that holds it (None for a frame)."""

    name: str
    format: str
    path: Path | None = None
    rows: RowNames | None = None  # where they are not numbered as they stand there

    @property
    def first(self) -> FirstRow:
        """The number of the first row in sentences, or the names of all."""
        if self.rows is not None:
            return self.rows
        return 0 if self.format == "frame" else 1

    def column(self, name: str) -> str:
        """Return how a sentence names one of its columns."""
        return f"{self.name}, column {brief(name)}"


def names_wanted(known: list[str], wanted: Wanted) -> list[str]:
    """Return the columns wanted of those that there are: all, some by name, or as a function of the names tells."""
    if wanted is None:
        return known
    return wanted(known) if callable(wanted) else list(wanted)


def quote_names(names: Iterable[str], like: str = "", most: int = 12) -> str:
    """Names in quotes, those most like `like` first, cut where there are many."""
    known = list(names)
    if like:
        known.sort(key=lambda name: -difflib.SequenceMatcher(None, like.lower(), name[:200].lower()).ratio())
    shown = ", ".join(f"'{brief(name)}'" for name in known[:most])
    return shown if len(known) <= most else f"{shown} and {len(known) - most} more"


def no_column(source: Source, asked: str, names: Iterable[str]) -> BadInput:
    """Return the sentence for a column that is not there."""
    known, says = list(names), f"{source.name} has no column '{brief(asked)}'"
    parts = [part.rpartition("=")[2].strip() for part in asked.split(",")]
    if len(parts) > 1 and set(parts) <= set(known):
        way = f"name each by itself, and for probabilities of several classes {EACH_CLASS}"
        return BadInput(f"{says}, which are {len(parts)} in one: {way}")
    return BadInput(f"{says}: there are {quote_names(known, asked)}")


def places_of(source: Source, names: list[str], asked: Iterable[str]) -> dict[str, int]:
    """Return where columns stand among those of a file, of which there may be very many."""
    places, numbers = {name: place for place, name in enumerate(names)}, Counter(names)
    asked = list(asked)
    for name in asked:
        if name not in places:
            raise no_column(source, name, names)
        if numbers[name] > 1:
            raise BadInput(f"{source.name} has {numbers[name]} columns called '{brief(name)}': rename all but one")
    return {name: places[name] for name in asked}


def is_path(source: Any) -> bool:
    """Return whether a source is the name of a file, or `-` for standard input."""
    return isinstance(source, (str, Path))


@contextmanager
def open_source(given: str | Path) -> Iterator[Source]:
    """Open the plain file behind a path or `-`; compressed and streamed input is kept in a scratch file meanwhile."""
    with ExitStack() as stack:
        if str(given) == "-":
            name = "standard input"
            plain = _scratch_file(sys.stdin.buffer, name, stack)
        else:
            name = str(given)
            plain = _plain_file(Path(given), name, stack)
        head = _head(plain, name)
        if head[:2] == GZIP:
            packed: Any = stack.enter_context(gzip.open(plain, "rb"))
            plain = _scratch_file(packed, name, stack, plain.stat().st_size)
            head = _head(plain, name)
        elif name.endswith(".gz"):
            raise BadInput(f"{name} is not a gzip file although its name ends in .gz")
        yield Source(name, _format(name, head), plain)


def _plain_file(path: Path, name: str, stack: ExitStack) -> Path:
    try:
        stream = stack.enter_context(path.open("rb"))
    except IsADirectoryError:
        raise BadInput(f"{name} is a directory: name a file in it") from None
    except FileNotFoundError:
        files = files_matching(name)
        if not files:
            raise BadInput(f"there is no file {name}{near_names(path)}") from None
        # where one file is read nobody knows whether several are models
        way = f"name one of them, such as {files[0]}, or from Python read each of glob.glob({name!r}) by itself"
        raise BadInput(f"there is no file {name}, which is a pattern of {plural(len(files), 'file')}: {way}") from None
    except OSError as why:
        raise BadInput(f"cannot read {brief(name, 200)}: {why.strerror or type(why).__name__}") from None
    except ValueError:
        raise BadInput(f"{brief(name)!r} cannot be the name of a file") from None
    return path.absolute() if path.is_file() else _scratch_file(stream, name, stack)


def files_matching(name: str) -> list[str] | None:
    """Return the files that a pattern stands for, as a shell has it, in order of their names; None of another name."""
    if not any(sign in name for sign in "*?[") or os.path.exists(name):  # noqa: PTH110, for names of any length
        return None
    found = glob.glob(name, recursive=True)  # noqa: PTH207, which refuses a**b and takes hidden files
    return sorted(file for file in found if Path(file).is_file())


def expand_patterns(files: str | Path | Sequence[Any]) -> list[Any]:
    """Return the files that paths and patterns stand for, those of a pattern in order of their names."""
    paths: list[Any] = []
    for each in [files] if isinstance(files, (str, Path)) else files:
        matches = files_matching(str(each)) if is_path(each) else None
        if matches == []:
            raise BadInput(f"no file matches {brief(str(each))}")
        paths += [each] if matches is None else matches
    if not paths:
        raise BadInput("give at least one file of predictions")
    return list(dict.fromkeys(paths)) if all(map(is_path, paths)) else paths


def unique_names(files: Sequence[Any]) -> dict[str, Any]:
    """Return a name for each file: its stem; where that is not enough its ending too, or the directories before it."""
    if not files:
        raise BadInput("give at least one file")
    stems = [model_name(each) if is_path(each) else "frame" for each in files]
    paths = [Path(str(each)).absolute() if is_path(each) else Path("frame") for each in files]
    names = stems
    for depth in range(max(len(path.parts) for path in paths)):
        if len(set(names)) == len(names):
            break
        longer = ["/".join((*path.parts[-depth - 1 : -1], model_name(path))) if depth else path.name for path in paths]
        names = [new if stems.count(stem) > 1 else stem for stem, new in zip(stems, longer, strict=True)]
    return {  # what is still the same (frames have no names of their own) has a number behind
        name if names.count(name) == 1 else f"{name} {names[: place + 1].count(name)}": files[place]
        for place, name in enumerate(names)
    }


def model_name(path: str | Path) -> str:
    """Return what a file's model is called: the file's name without its endings."""
    name = Path(str(path).removesuffix(".gz")).stem
    return "standard input" if str(path) == "-" else name


def near_names(path: Path) -> str:
    """Return what to say of a file that is not there: those that are nearly so called."""
    try:
        names = [each.name for each in path.absolute().parent.iterdir()]
    except OSError:
        return f": its directory {path.parent} cannot be read"
    near = [str(path.with_name(name)) for name in nearest(path.name, names, 0.6)]
    return f": did you mean {' or '.join(near)}?" if near else ""


def _scratch_file(stream: IO[bytes], name: str, stack: ExitStack, packed: int | None = None) -> Path:
    """Write a stream to a scratch file, since most formats are read from more than one place.

    One that never ends, or is no table, must not fill the disk.
    """
    limit = LONGEST_STREAM if packed is None else unpacked_limit(packed)
    scratch = stack.enter_context(tempfile.NamedTemporaryFile(prefix="veracity-"))  # noqa: SIM115
    try:
        while part := stream.read(1 << 20):
            if not scratch.tell() and part.strip() and part[:2] != GZIP:
                _format(name, part[:HEAD].removeprefix(MARK))
            if scratch.tell() + len(part) > limit and packed is None:
                raise BadInput(f"{name} sends more than {limit:,} bytes: save it as a file first, if it ends")
            if scratch.tell() + len(part) > limit:
                says = f"unpacks to more than {limit:,} bytes, {UNPACKED_RATIO} times its size or more"
                raise BadInput(f"{name} {says}: if that is meant, unpack it first (gunzip)")
            scratch.write(part)
        scratch.flush()
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadInput(f"{name} is a broken gzip file: it ends early or its bytes were changed") from None
    except OSError as why:
        raise BadInput(f"cannot read {name}: {why.strerror or type(why).__name__}") from None
    return Path(scratch.name)


def _head(path: Path, name: str) -> bytes:
    """Return the first bytes that say something, without a byte order mark."""
    with path.open("rb") as stream:
        head = stream.read(HEAD).removeprefix(MARK)
        while head and not head.strip():
            head = stream.read(HEAD)
    if not head:
        raise BadInput(f"{name} is empty")
    return head


def _format(name: str, head: bytes) -> str:
    """By content where that is certain, else by the name's ending, else by the look of the first lines."""
    if head[:4] == b"PAR1":
        return "parquet"
    by_name = ENDINGS.get(Path(name.removesuffix(".gz")).suffix.lower(), "")
    if by_name == "parquet":
        raise BadInput(f"{name} is not a Parquet file: it does not start with the bytes PAR1")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadInput(f"{name} is UTF-16 text: save it as UTF-8")
    for start, packer in PACKERS.items():
        if re.match(start, head):
            raise BadInput(f"{name} is compressed by {packer}: unpack it first, or compress it by gzip")
    if b"\0" in head:
        raise BadInput(f"{name} is neither text nor Parquet: veracity reads CSV, TSV, Parquet, JSON lines and ARFF")
    if by_name:
        return by_name
    head = head.lstrip()
    if head[:1] == b"%" or head[:9].lower() in (b"@relation", b"@attribut"):
        return "arff"
    if head[:1] in (b"{", b"["):
        return "json"
    first = next(line for line in head.splitlines() if line.strip())
    return "tsv" if b"\t" in first and b"," not in first else "csv"
