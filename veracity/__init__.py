"""How good a learned model really is, how sure that is, and whether one learner is really better than another."""

import re as _re
from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import Any as _Any

# The stub that editors and type checkers read is the one list of public names.
_STUB = _Path(__file__).with_suffix(".pyi").read_text("utf-8")
_HOME = {
    name: module for module, name in _re.findall(r"^from (veracity\.\S+) import \S+ as (\S+)$", _STUB, _re.MULTILINE)
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> _Any:
    """Import a public name when it is first used: `import veracity` alone loads no numpy."""
    if name == "lab":  # a room of its own, with names of its own
        return _import_module("veracity.lab")
    if name not in _HOME:
        raise AttributeError(f"veracity has no {name!r}: it has {', '.join(__all__)}")
    globals()[name] = getattr(_import_module(_HOME[name]), name)
    return globals()[name]


def __dir__() -> list[str]:
    return __all__
