"""Things that every worker needs, sent once: data and learners travel as parcels, fits refer to them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from veracity.core.environment import PrivateFolder, tell_no_room
from veracity.core.errors import BadInput
from veracity.learners.fingerprint import LIBRARIES

OPENED: dict[str, Any] = {}  # in a worker: parcels already read
LARGE: list[str] = []  # in a worker: those of them that take memory, the oldest first
KEPT = 4  # large data sets a worker keeps in memory
SMALL = 2**20  # bytes of what is always kept


@dataclass(frozen=True)
class Parcel:
    """A pickled thing: in a file that workers of this machine can read, or by itself."""

    name: str
    content: bytes | None = None  # None where `name` is the file

    def open(self) -> Any:
        """What is inside; read once per worker."""
        if self.name in OPENED:
            return OPENED[self.name]
        import cloudpickle

        content = Path(self.name).read_bytes() if self.content is None else self.content
        if len(content) > SMALL:
            LARGE.append(self.name)
            for name in LARGE[:-KEPT]:
                OPENED.pop(name, None)  # the thread that watches the parent forgets too
            del LARGE[:-KEPT]
        OPENED[self.name] = thing = cloudpickle.loads(content)
        return thing


class SharedFiles:
    """A folder of parcels, which vanish with it."""

    def __init__(self) -> None:
        self.folder = PrivateFolder()
        self.path = self.folder.path
        self.number = 0

    def pack(self, thing: Any, everything: bool = False) -> Parcel:
        """A parcel in a file of its own."""
        self.number += 1
        path = self.path / f"{self.number}.pickle"
        content = pickle_bytes(thing, everything)
        with tell_no_room():
            path.write_bytes(content)
        return Parcel(str(path))

    def close(self) -> None:
        self.folder.close()


def pickle_bytes(thing: Any, everything: bool) -> bytes:
    """With the code that a worker cannot import by itself; `everything`: with all code that is no library's."""
    import cloudpickle

    with _by_value(everything):
        try:
            content: bytes = cloudpickle.dumps(thing)
        except Exception as why:  # whatever an object says when it is pickled
            raise BadInput(f"a learner or its data cannot be sent to a worker: {type(why).__name__}: {why}") from None
    return content


@contextmanager
def _by_value(everything: bool) -> Iterator[None]:
    """A learner defined in a script or a test is no module that another process finds: its code goes with it."""
    import cloudpickle

    before = cloudpickle.list_registry_pickle_by_value()
    found = (sys.modules[name] for name in _own_modules(frozenset(sys.modules)))
    own = [each for each in found if is_own(each) and each.__name__ not in before]
    added = [module for module in own if everything or not _is_importable(module)]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)


@lru_cache(maxsize=1)
def _own_modules(names: frozenset[str]) -> list[str]:
    """Looked for anew whenever modules were imported: it takes longer than to pack what is small."""
    return [name for name in names if is_own(sys.modules[name])]


def is_own(module: Any) -> bool:
    """Whether a module is the user's own code, no library's and not ours."""
    if not isinstance(module, ModuleType) or module.__name__.partition(".")[0] in ("veracity", "__main__"):
        return False
    file = getattr(module, "__file__", None)
    known = sys.modules.get(module.__name__) is module
    return known and isinstance(file, str) and file.endswith(".py") and not file.startswith(LIBRARIES)


def _is_importable(module: ModuleType) -> bool:
    """Whether a fresh process with the same search path can import it, from the outermost package on."""
    spec, name = None, ""
    try:
        for step in module.__name__.split("."):
            where = None if spec is None else list(spec.submodule_search_locations or ())
            name = f"{name}.{step}" if name else step
            spec = PathFinder.find_spec(name, where)
            if spec is None:
                return False
    except (ImportError, ValueError, AttributeError):
        return False
    return spec is not None and spec.origin == module.__file__


def forget() -> None:
    """In a worker: let go of parcels whose files are gone."""
    for name in list(OPENED):
        if not Path(name).exists():
            OPENED.pop(name, None)


def content_of(thing: Any) -> Any:
    """The thing itself, whether it came as a parcel or already unpacked."""
    return thing.open() if isinstance(thing, Parcel) else thing
