"""What a text such as "sklearn.svm" and "SVC" names, or a sentence with names that are near."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Iterable
from typing import Any

from veracity.core.errors import BadInput

DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def found(module: str, name: str) -> Any:
    """The attribute of the module."""
    loaded = _module(module)
    if hasattr(loaded, name):
        return getattr(loaded, name)
    public = [each for each in dir(loaded) if not each.startswith("_")]
    raise BadInput(f"the module {module} has no {name}{_near(name, public) or _elsewhere(name)}")


def _module(name: str) -> Any:
    if not DOTTED.fullmatch(name):
        raise BadInput(f"{name!r} is not the name of a module: write module:Class")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as why:
        if why.name is None or not f"{name}.".startswith(f"{why.name}."):
            raise BadInput(
                f"the module {name} cannot be imported: it needs {why.name}, which is not installed"
            ) from None
        raise BadInput(f"there is no module {why.name}{_near(why.name, _beside(why.name))}") from None
    except Exception as why:
        raise BadInput(f"the module {name} cannot be imported: {type(why).__name__}: {why}") from None


def _beside(name: str) -> list[str]:
    """Modules in the same package, or at the top."""
    parent = name.rpartition(".")[0]
    if not parent:
        return [each.name for each in pkgutil.iter_modules() if not each.name.startswith("_")]
    path = getattr(importlib.import_module(parent), "__path__", [])
    return [f"{parent}.{each.name}" for each in pkgutil.iter_modules(path) if not each.name.startswith("_")]


def _near(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(names), n=3, cutoff=0.6)
    return f": did you mean {' or '.join(near)}?" if near else ""


def _elsewhere(name: str) -> str:
    """Where scikit-learn keeps a class of this name."""
    from sklearn.utils import all_estimators

    for known, kind in all_estimators():
        if known == name:
            return f": did you mean {kind.__module__.partition('._')[0]}:{name}?"
    return ""
