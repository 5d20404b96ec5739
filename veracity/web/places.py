"""The folder that is served: its studies and stores, files that are written whole, files that are brought."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import sqlite3
import tempfile
import time
import tomllib
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from urllib.parse import quote

from veracity.core.environment import PrivateFolder
from veracity.core.errors import BadInput
from veracity.stores.open_store import named_store

STUDY = ".toml"
TABLES = (".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".arff", ".gz")
DEPTH = 3  # folders below the first that are looked into
MOST = 500  # files that are looked at
ADDRESS = "database"  # the name of the one store that is no file


class NotThere(BadInput):
    """What was asked for does not exist here."""


@dataclass(frozen=True)
class Place:
    """A study: its file, where there is one, and the store of its results, which may not be there yet."""

    name: str
    study: Path | None
    store: str
    problem: str = ""  # why its results cannot be looked at

    @property
    def shown_store(self) -> str:
        """Where the results are, without a password."""
        from veracity.stores.open_store import shown_address

        return shown_address(self.store) if "://" in self.store else self.store

    @property
    def chosen_by(self) -> Path | None:
        """The study file that says what of the store is meant, where the study is called by it."""
        return self.study if self.name.lower().endswith(STUDY) else None

    @property
    def log(self) -> Path | None:
        """The file that holds what its run says: beside the store, or beside the study where that is a database."""
        beside = self.store if "://" not in self.store else self.study
        return None if beside is None else Path(f"{beside}.log")


@dataclass(frozen=True)
class Folder:
    """A folder, and the address of a database where one was given."""

    root: Path
    address: str | None = None

    def inside(self, name: str) -> Path:
        """The path of a name, after all links; one that leads out of the folder is refused."""
        self._check_there()
        if "\0" in name:
            raise NotThere("a name holds no zero byte")
        path = (self.root / name).resolve()
        if path != self.root and self.root not in path.parents:
            raise NotThere(f"{name!r} is outside the folder of this workbench")
        return path

    def data_file(self, folder: Path, named: str) -> Path:
        """Return the path of a table that a study in a folder names; what would keep a reader waiting is refused."""
        if named == "-":
            raise BadInput("a study reads files, and - is standard input: save the table as a file and name that")
        path = self.inside(os.path.relpath(folder / named, self.root))
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError):  # which its reader tells
            return path
        if not (S_ISREG(mode) or S_ISDIR(mode)):
            raise BadInput(
                f"{named} is no file but a pipe or a device: save what comes from it as a file and name that"
            )
        return path

    def place(self, name: str) -> Place:
        """A study by the name of its file or of its store."""
        if name == ADDRESS and self.address is not None:
            return Place(name, None, self.address)
        path = self.inside(name)
        if path.suffix.lower() == STUDY:
            if not path.is_file():
                raise NotThere(f"there is no study {name!r} in this folder")
            return Place(name, path, self._store_of(path))
        if not is_store(path):
            raise NotThere(f"there is no store {name!r} in this folder")
        return Place(name, self._study_of(path), str(path))

    def place_or_problem(self, name: str) -> Place:
        """The same; of a study whose results cannot be looked at, its file and the reason."""
        try:
            return self.place(name)
        except BadInput as why:
            study = self.inside(name)
            if study.suffix.lower() != STUDY or not study.is_file():
                raise
            return Place(name, study, "", why.says)

    def _study_of(self, store: Path) -> Path | None:
        """The study file of the same name, unless it keeps its results elsewhere."""
        beside = store.with_suffix(STUDY)
        if not self._is_inside(beside):
            return None
        known = self.place_or_problem(beside.relative_to(self.root).as_posix())
        return beside if known.store == str(store) else None

    def _store_of(self, study: Path) -> str:
        """What a study names; else that of its name, or results.db where this is the only study beside it."""
        seen = study.stat()
        named = _named_store(study, seen.st_mtime_ns, seen.st_size)
        if named is not None:
            return self.store_inside(named)
        own, usual = study.with_suffix(".db"), study.with_name("results.db")
        alone = sum(path.suffix.lower() == STUDY for path in study.parent.iterdir()) == 1
        chosen = usual if not own.exists() and usual.exists() and alone else own
        return self.store_inside(str(chosen))

    def store_inside(self, where: str) -> str:
        """The address of a database as it is, the path of a file after all links."""
        return where if "://" in where else str(self.inside(os.path.relpath(where, self.root)))

    def _is_inside(self, path: Path) -> bool:
        return path.is_file() and self.root in path.resolve().parents

    def studies(self) -> list[Place]:
        """Every study once: a store that belongs to a file goes with it; of a database its own alone."""
        if self.address is not None:
            return [self.place(ADDRESS)]
        names = list(self._names())
        files = [self.place_or_problem(name) for name in names if name.lower().endswith(STUDY) and self._is_study(name)]
        known = {place.store for place in files}
        stores = [name for name in names if is_store(self.inside(name)) and str(self.inside(name)) not in known]
        return sorted((*files, *map(self.place, stores)), key=lambda place: place.name)

    def stores(self) -> list[str]:
        """The files that are stores."""
        return [] if self.address is not None else [name for name in self._names() if is_store(self.inside(name))]

    def _is_study(self, name: str) -> bool:
        """Tell whether a file names learners, be it with mistakes, or has no keys but those of a study."""
        from veracity.studies.study_file import StudyPart

        try:
            text = self.inside(name).read_text("utf-8", "replace")
            return "[learners" in text or tomllib.loads(text).keys() <= StudyPart.model_fields.keys()
        except (OSError, ValueError, RecursionError):
            return False

    def tables(self) -> list[str]:
        """Files that may hold predictions, data or scores."""
        names = () if self.address is not None else self._names()
        return [name for name in names if Path(name).suffix.lower() in TABLES]

    def _check_there(self) -> None:
        if not self.root.is_dir():
            raise NotThere(f"the folder {self.root.name} is not there any more: put it back, and look again")

    def _names(self) -> Iterator[str]:
        """The names of all files, not those of hidden ones or of links that lead out."""
        self._check_there()
        number = 0
        for folder, folders, files in os.walk(self.root):
            here = Path(folder)
            deep = len(here.relative_to(self.root).parts)
            folders[:] = sorted(one for one in folders if not one.startswith(".") and deep < DEPTH)
            for file in sorted(files):
                if not file.startswith(".") and self._is_inside(here / file):
                    yield (here / file).relative_to(self.root).as_posix()
                    number += 1
                if number == MOST:
                    return


@lru_cache(MOST)
def _named_store(study: Path, *_seen: int) -> str | None:
    """What a study file names for a store, read when the file is another than it was."""
    return named_store(study)


def is_store(path: Path) -> bool:
    """Whether a file is a store, be it a damaged one.

    Only SQLite may open it: whoever else closes a file of a store takes back the locks that this process has on it, and
    then a run that ends removes the log from which its watchers read.
    """
    return path.is_file() and schema_of(path) != ""


def schema_of(path: Path) -> str | None:
    """The version of a store's tables, seen without touching it; empty for another database, None where it is lost."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=1)) as connection:
            tables = {row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")}
            if "veracity_about" not in tables:
                return ""
            found = connection.execute("select value from veracity_about where name = 'schema'").fetchone()
    except UnicodeDecodeError:
        return None
    except sqlite3.Error as why:
        return "" if getattr(why, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB else None
    return None if found is None else str(found[0])


def folder_of(target: str) -> Folder:
    """What `veracity serve` is told to show: a folder, or a study or store with the folder that it lies in."""
    if "://" in target:
        return Folder(Path.cwd().resolve(), target)
    path = Path(target).resolve()
    if path.is_dir():
        return Folder(path)
    if path.is_file() and (path.suffix.lower() == STUDY or is_store(path)):
        return Folder(path.parent)
    what = "is neither a folder, a study file nor a store" if path.exists() else "is not there"
    raise BadInput(f"{target} {what}: name a folder, a study.toml or a store")


PART = ".veracity-"  # begins the name of a file that is being written
OLD = 3600.0  # seconds after which nobody is at work on one any more
NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def replace_file(path: Path, text: str) -> None:
    """The new text in place of the old in one step."""
    try:
        with _part_beside(path) as part:
            part.write_bytes(text.encode())
            part.chmod(0o644 if not path.exists() else path.stat().st_mode & 0o777)
            _reach_disk(part)
            part.replace(path)
    except OSError as why:
        raise BadInput(f"{path.name} cannot be written: {why.strerror}") from None


def add_file(source: Path, path: Path) -> None:
    """A copy in one step; a file that is there already is left as it is, and raises FileExistsError."""
    with _part_beside(path) as part:
        shutil.copyfile(source, part)
        part.chmod(0o644)
        _reach_disk(part)
        try:
            os.link(part, path)
        except OSError as why:
            if why.errno not in NO_LINKS:
                raise
            if path.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            part.rename(path)


@contextmanager
def _part_beside(path: Path) -> Iterator[Path]:
    """A file in the same folder that no list shows; it is gone at the end, and so are those that kills have left."""
    for left in path.parent.glob(f"{PART}*"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - OLD:
                left.unlink()
    handle, name = tempfile.mkstemp(prefix=PART, dir=path.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _reach_disk(part: Path) -> None:
    """What is renamed before its content is written may be empty after a crash."""
    with part.open("rb") as file:
        os.fsync(file.fileno())


MAX_UPLOADS = 100  # files that are kept
KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Upload:
    """A file by the name that its owner knows."""

    key: str
    name: str
    path: Path


class Uploads:
    """The files by their keys; names are never paths."""

    def __init__(self) -> None:
        self._folder: PrivateFolder | None = None
        self._files: dict[str, Upload] = {}

    async def keep(self, name: str, parts: AsyncIterator[bytes]) -> Upload:
        """Write a file as it comes; what breaks off is not kept."""
        upload = self._new(name)
        try:
            with upload.path.open("wb") as file:
                async for part in parts:
                    file.write(part)
        except BaseException:
            upload.path.unlink(missing_ok=True)
            raise
        self._files[upload.key] = upload
        return upload

    def keep_text(self, name: str, text: str) -> Upload:
        """The same of a text that was typed."""
        upload = self._new(name)
        upload.path.write_text(text, "utf-8")
        self._files[upload.key] = upload
        return upload

    def _new(self, name: str) -> Upload:
        last = Path(name).suffix.lower()
        endings = "".join(Path(name).suffixes[-2:]).lower() if last == ".gz" else last
        if last not in TABLES or not re.fullmatch(r"[a-z.]+", endings):
            raise BadInput(f"{name!r}: bring a table that ends in {' '.join(TABLES)}")
        if len(self._files) >= MAX_UPLOADS:
            raise BadInput(f"{MAX_UPLOADS} files were brought already: start the workbench anew, which lets them go")
        self._folder = self._folder or PrivateFolder()
        key = secrets.token_hex(8)
        return Upload(key, name, self._folder.path / f"{key}{endings}")

    def move(self, upload: Upload, folder: Folder) -> None:
        """Put a file into the folder of the workbench, where nothing is overwritten."""
        if Path(upload.name).name != upload.name or upload.name.startswith("."):
            raise BadInput(f"{upload.name!r} is no plain name for a file")
        try:
            add_file(upload.path, folder.inside(upload.name))
        except FileExistsError:
            raise BadInput(f"{upload.name} lies in the folder already: give yours another name") from None

    def __getitem__(self, key: str) -> Upload:
        if not KEY.fullmatch(key) or key not in self._files:
            raise NotThere("this file is not here any more: bring it again")
        return self._files[key]
