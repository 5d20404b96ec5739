"""Which modules a text may name, by who wrote it and what is asked.

What is typed in Python may name all that Python finds. A study file, and a word on the command line, may name what is
installed; what lies in the same or the current folder only where that is trusted. A plan imports scikit-learn alone,
and whoever reads results imports nothing.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, all_suffixes
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.learners.fingerprint import LIBRARIES

TRUST = "`trust_here=True`"


@dataclass(frozen=True)
class Reach:
    """The one library that may be imported, any if it is None; and the folder that needs trust, none if it is None."""

    library: str | None = None
    folder: Path | None = None
    trusted: bool = False

    def covers(self, module: str) -> bool:
        """Whether a module may be imported at all."""
        return self.library is None or _top(module) == self.library

    def allow(self, module: str) -> None:
        """Make a module of a folder that is trusted importable, and refuse one of a folder that is not."""
        if self.folder is None:
            return
        folder = self.folder.resolve()
        if self.trusted:
            if str(folder) not in sys.path:
                sys.path.append(str(folder))  # last, so that nothing that is installed is shadowed
            return
        for place in dict.fromkeys((folder, Path.cwd())):
            if _lies_in(_top(module), place):
                says = f"the module {_top(module)} is not installed, but lies in {place}"
                raise BadInput(f"{says}: if you trust the code there, say so with {TRUST}")


ANY, NOTHING, PLAN = Reach(), Reach(""), Reach("sklearn")


class Unseen:
    """A learner or transformer that is known by its text alone: it can be counted, and is never called."""

    def __init__(self, text: str) -> None:
        self.text = text

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803 (the name that everybody uses)
        raise BadInput(f"{self.text} was not looked at, and cannot be fitted: run the study")

    predict = transform = fit

    def __repr__(self) -> str:
        return self.text


def _top(module: str) -> str:
    return module.partition(".")[0]


def _lies_in(module: str, folder: Path) -> bool:
    """Whether Python would take a module from a folder, or could if the folder were on its path."""
    spec = _spec(module)
    if spec is None:
        return (folder / module).is_dir() or any((folder / f"{module}{ending}").exists() for ending in all_suffixes())
    return any(place.parent.resolve() == folder and not _installed(place) for place in _places(spec))


def _spec(module: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(module)  # of a module at the top, which imports nothing
    except ValueError:  # a module that was made by hand
        return None


def _places(spec: ModuleSpec) -> Iterator[Path]:
    """The file of a module, or the folders of a package."""
    if spec.submodule_search_locations:
        yield from map(Path, spec.submodule_search_locations)
    elif spec.has_location and spec.origin:
        yield Path(spec.origin)


def _installed(place: Path) -> bool:
    return any(place.is_relative_to(library) for library in LIBRARIES)
