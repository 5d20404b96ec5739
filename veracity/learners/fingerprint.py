"""What a learner is: a digest of its class and parameters that is the same in every process, and a line for a reader.

Numbers, texts, arrays and containers count by what they hold, whatever the order of a dict or a set. A learner with
`get_params` counts by its class and parameters, any other object by its class and the state it would be copied with.
Functions and classes count by module and name, and those that are not installed with a library by their code too, so
that editing one's own learner makes it another learner. What else such code calls is not looked at.
"""

from __future__ import annotations

import copyreg
import functools
import hashlib
import inspect
import os
import re
import struct
import sys
import sysconfig
import textwrap
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.learners.seeding import shares_state

_FOLDERS = {  # veracity too, so that a checkout gives the same digests as what is installed
    *(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")),
    *(path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")),  # of the user, or shared
    str(Path(__file__).parents[1]),
}
LIBRARIES = tuple(f"{Path(folder).absolute()}{os.sep}" for folder in _FOLDERS)  # as files of modules are named
LONGEST = 160  # characters of the line
PART = 80  # characters of each part of a learner that chooses for itself, so that no part hides the others
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # where an object lies in memory says nothing of what it is


def fingerprint(learner: Any) -> str:
    """The digest; a learner that holds something which cannot be described is refused with a sentence."""
    try:
        return _Walk().of(learner).hex()
    except Exception as why:  # whatever an object says when it is asked for its state
        reason = f"{type(why).__name__}: {str(why).splitlines()[0] if str(why) else 'no reason given'}"
        says = f"the parameters of {type(learner).__name__} cannot be described the same way twice ({reason})"
        raise BadInput(f"{says}: give parameters that can be pickled") from None


def _digest(kind: str, *parts: bytes) -> bytes:
    """Parts are framed by their lengths, so that no two contents run together."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (kind.encode(), *parts):
        digest.update(struct.pack(">Q", len(part)))
        digest.update(part)
    return digest.digest()


class _Walk:
    """One walk over a learner; an object inside itself counts by how far up it was met."""

    def __init__(self) -> None:
        self.above: list[int] = []
        self.whole = False  # inside a frozen learner, what it has learned counts too

    def of(self, item: Any) -> bytes:
        if item is None or isinstance(item, (bool, int, float, complex, str, bytes, np.generic)):
            value = item.item() if isinstance(item, np.generic) else item
            text = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
            return _digest(type(value).__name__, text)
        if id(item) in self.above:
            return _digest("itself", str(len(self.above) - self.above.index(id(item))).encode())
        self.above.append(id(item))
        try:
            return self._compound(item)
        finally:
            self.above.pop()

    def _compound(self, item: Any) -> bytes:
        kind = type(item)
        if kind in (list, tuple):
            return _digest(kind.__name__, *map(self.of, item))
        if kind in (set, frozenset):
            return _digest(kind.__name__, *sorted(map(self.of, item)))
        if kind is dict:
            return self._pairs("dict", item.items())
        if kind is np.ndarray:
            return self._array(item)
        if isinstance(item, types.CodeType):
            held = (item.co_consts, item.co_names, item.co_varnames, item.co_freevars)
            return _digest("code", item.co_code, self.of(held))
        if isinstance(item, types.FunctionType):
            return self._function(item)
        if isinstance(item, type):
            return self._class(item)
        if isinstance(item, types.MethodType):
            return _digest("method", self.of(item.__self__), self.of(item.__func__))
        if isinstance(item, functools.partial):
            return _digest("partial", self.of(item.func), self.of(item.args), self.of(item.keywords))
        if not self.whole and shares_state(item):
            self.whole = True
            try:
                return self._state(item)
            finally:
                self.whole = False
        if hasattr(item, "get_params") and not self.whole:
            return self._pairs("learner", [("", kind), *item.get_params(deep=False).items()])
        return self._state(item)

    def _pairs(self, kind: str, pairs: Iterable[tuple[Any, Any]]) -> bytes:
        return _digest(kind, *sorted(self.of(key) + self.of(value) for key, value in pairs))

    def _array(self, array: Any) -> bytes:
        head = f"{array.dtype.descr}{array.shape}".encode()
        if array.dtype.names:  # field by field, since the bytes between fields mean nothing
            return _digest("array", head, *(self._array(array[name]) for name in array.dtype.names))
        if array.dtype.hasobject:
            return _digest("array", head, *map(self.of, array.ravel().tolist()))
        return _digest("array", head, np.ascontiguousarray(array).tobytes())

    def _state(self, item: Any) -> bytes:
        """What a copy of the object would be made from, which unlike a pickle does not depend on shared parts."""
        reducer = copyreg.dispatch_table.get(type(item))
        reduced: Any = item.__reduce_ex__(4) if reducer is None else reducer(item)
        if isinstance(reduced, str):  # a global object, known by its name
            return _digest("named", str(getattr(item, "__module__", "")).encode(), reduced.encode())
        parts = [list(part) if isinstance(part, Iterator) else part for part in reduced]
        return _digest("object", self.of(type(item)), *map(self.of, parts))

    def _function(self, function: types.FunctionType) -> bytes:
        name = _full_name(function)
        if _in_library(function):
            return _digest("function", name)
        text = None if function.__name__ == "<lambda>" else _source(function)  # two lambdas may share a line
        body = self.of(function.__code__) if text is None else text
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        rest = (function.__defaults__, function.__kwdefaults__, cells)
        return _digest("function", name, body, self.of(rest))

    def _class(self, kind: type) -> bytes:
        if _in_library(kind):
            return _digest("class", _full_name(kind))
        parents, text = [self.of(parent) for parent in kind.__bases__], _source(kind)
        if text is None:  # a class typed at a prompt has no source: its functions and constants stand for it
            described = (types.FunctionType, bool, int, float, str, tuple, type(None))
            own = {name: item for name, item in vars(kind).items() if isinstance(item, described) and name != "__doc__"}
            text = self._pairs("members", own.items())
        return _digest("class", _full_name(kind), *parents, text)


def _full_name(item: Any) -> bytes:
    return f"{item.__module__}:{item.__qualname__}".encode()


def _in_library(item: Any) -> bool:
    """Whether a function or class belongs to Python or an installed library, and so changes with its version only."""
    try:
        return inspect.getfile(item).startswith(LIBRARIES)
    except (TypeError, OSError):
        return item.__module__ != "__main__"  # compiled


def _source(item: Any) -> bytes | None:
    try:
        return textwrap.dedent(inspect.getsource(item)).encode()
    except (OSError, TypeError):
        return None


def describe(learner: Any) -> str:
    """Class and parameters as the learner prints itself; of one that chooses, what it chooses, from what and how.

    That is `tuned(inner learner, grid=..., by=..., score=..., rule=...)`, without what was left open.
    """
    if getattr(learner, "chooses", False) is not True:
        return _line(learner, LONGEST)
    given = {name: part for name, part in learner.get_params(deep=False).items() if part is not None}
    inner = _line(given.pop("learner"), PART)
    declared = [name for name in vars(learner) if name in given]  # `get_params` sorts by name
    parts = [inner, *(f"{name}={_line(given[name], PART)}" for name in declared)]
    return f"{type(learner).__name__.lower()}({', '.join(parts)})"


def _line(item: Any, longest: int) -> str:
    """An object as it prints itself, in one line that is safe to keep and no longer than so many characters."""
    try:
        text = repr(item)
    except Exception:  # whatever an object of somebody else does when it is printed
        text = type(item).__name__
    plain = "".join(letter if letter.isprintable() else " " for letter in ADDRESS.sub("", text))
    text = " ".join(plain.split())
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
