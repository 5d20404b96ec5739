"""A request as the views see it: what was asked, and what the server knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from urllib.parse import parse_qsl, urlencode

from veracity.core.confidence import Confidence, typed_level
from veracity.core.errors import BadInput
from veracity.core.spelling import split_spellings
from veracity.web.children import Children
from veracity.web.live import Pollers
from veracity.web.memory import Memory
from veracity.web.open_stores import OpenStores
from veracity.web.places import Folder
from veracity.web.uploads import Uploads

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Bench:
    """What one server shows and holds: nothing of it outlives it but files."""

    folder: Folder
    read_only: bool = False
    trust_here: bool = False
    memory: Memory = field(default_factory=Memory)
    stores: OpenStores = field(init=False)
    uploads: Uploads = field(default_factory=Uploads)
    children: Children = field(default_factory=Children)
    pollers: Pollers = field(default_factory=Pollers)
    writing: Lock = field(default_factory=Lock)  # of study files

    def __post_init__(self) -> None:
        object.__setattr__(self, "stores", OpenStores(self.folder.address))


@dataclass(frozen=True, eq=False)
class Asked:
    """One request."""

    bench: Bench
    path: str
    names: Mapping[str, str] = field(default_factory=dict)  # parts of the path
    query: Pairs = ()
    method: str = "GET"
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def every(self, name: str) -> tuple[str, ...]:
        """All values of a word of the address, without empty ones."""
        return tuple(value for key, value in self.query if key == name and value)

    def one(self, name: str) -> str | None:
        """The value of a word of the address, the last where there are several."""
        return next(reversed(self.every(name)), None)

    def methods(self, name: str) -> tuple[str, ...]:
        """All methods that a word of the address names, by several values or by one with commas."""
        return tuple(method for text in self.every(name) for method in split_spellings(text))

    @property
    def level(self) -> float | None:
        """The level that is picked; one that is surely meant as an alpha is refused as on the command line."""
        text = self.one("level")
        if text is None:
            return None
        try:
            level = float(text)
        except ValueError:
            raise BadInput(f"level is a number, not {text!r}") from None
        return Confidence(typed_level(level)).level

    @property
    def form(self) -> Form:
        """The fields of a form."""
        try:
            return Form(tuple(parse_qsl(self.body.decode("utf-8"), keep_blank_values=True, max_num_fields=5_000)))
        except ValueError:
            raise BadInput("the fields of this form cannot be read") from None

    def address(self, path: str | None = None, **changes: str | Sequence[str] | None) -> str:
        """This address with some words changed; None takes a word away."""
        kept = [(key, value) for key, value in self.query if key not in changes and value]
        for key, value in changes.items():
            kept += [(key, one) for one in ([value] if isinstance(value, str) else value or ())]
        query = urlencode(kept)
        return (self.path if path is None else path) + (f"?{query}" if query else "")


@dataclass(frozen=True)
class Form:
    """Fields that were filled in."""

    fields: Pairs

    def get(self, name: str, usual: str = "") -> str:
        return next((value for key, value in self.fields if key == name), usual).replace("\r\n", "\n")

    def has(self, name: str) -> bool:
        return any(key == name for key, _ in self.fields)

    def every(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key == name and value]
