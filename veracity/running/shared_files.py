"""Send data and learners to workers once: they travel as parcels, and fits refer to them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from veracity.core.errors import BadInput
from veracity.learners.fingerprint import LIBRARIES

MAX_LARGE_PARCELS = 4  # that a worker keeps in memory
LARGE_BYTES = 2**20
OPENED: dict[str, Any] = {}  # in a worker: parcels already read
_LARGE: list[str] = []  # in a worker: those of them that take memory, the oldest first


@dataclass(frozen=True)
class Parcel:
    """A pickled object: in a file that workers of this machine can read, or by itself."""

    name: str
    content: bytes | None = None  # None where `name` is the file

    def open(self) -> Any:
        """Return the object; a worker reads it once."""
        if self.name not in OPENED:
            import cloudpickle

            content = Path(self.name).read_bytes() if self.content is None else self.content
            if len(content) > LARGE_BYTES:
                _LARGE.append(self.name)
                for name in _LARGE[:-MAX_LARGE_PARCELS]:
                    OPENED.pop(name, None)  # the thread that watches the parent forgets too
                del _LARGE[:-MAX_LARGE_PARCELS]
            OPENED[self.name] = thing = cloudpickle.loads(content)
            return thing
        return OPENED[self.name]


def pickle_bytes(thing: Any, everything: bool = False) -> bytes:
    """Pickle an object with the code that a worker cannot import; `everything`: with all code that is no library's."""
    import cloudpickle

    before = cloudpickle.list_registry_pickle_by_value()
    own = [module for module in own_modules() if module.__name__ not in before]
    added = [module for module in own if everything or not _is_importable(module)]
    for module in added:  # a script or a test is no module that another process finds
        cloudpickle.register_pickle_by_value(module)
    try:
        content: bytes = cloudpickle.dumps(thing)
    except Exception as why:  # whatever an object says when it is pickled
        raise BadInput(f"a learner or its data cannot be sent to a worker: {type(why).__name__}: {why}") from None
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)
    return content


def own_modules() -> list[ModuleType]:
    """Return the imported modules that are the user's own code, no library's and not ours."""
    return [module for name in _own_names(frozenset(sys.modules)) if _is_own(module := sys.modules[name])]


@lru_cache(maxsize=1)
def _own_names(names: frozenset[str]) -> list[str]:
    """Look through the modules only where some were imported since: it takes longer than to pack what is small."""
    return [name for name in names if _is_own(sys.modules[name])]


def _is_own(module: Any) -> bool:
    if not isinstance(module, ModuleType) or module.__name__.partition(".")[0] in ("veracity", "__main__"):
        return False
    file = getattr(module, "__file__", None)
    known = sys.modules.get(module.__name__) is module
    return known and isinstance(file, str) and file.endswith(".py") and not file.startswith(LIBRARIES)


def _is_importable(module: ModuleType) -> bool:
    """Return whether a new process with the same search path can import a module, from the outermost package on."""
    where, spec, name = None, None, ""
    try:
        for step in module.__name__.split("."):
            name = f"{name}.{step}".removeprefix(".")
            spec = PathFinder.find_spec(name, where)
            where = list(getattr(spec, "submodule_search_locations", None) or ())
    except (ImportError, ValueError, AttributeError):
        return False
    return spec is not None and spec.origin == module.__file__


def forget() -> None:
    """Let go of parcels whose files are gone, in a worker that waits for the next study."""
    for name in list(OPENED):
        if not Path(name).exists():
            OPENED.pop(name, None)


def content_of(thing: Any) -> Any:
    """Return the object itself, whether it came as a parcel or already unpacked."""
    return thing.open() if isinstance(thing, Parcel) else thing
