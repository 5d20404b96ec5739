"""All methods of one kind, found in the modules of a package; nothing registers anything."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Generic, TypeVar

from veracity.core import spelling
from veracity.core.entry import Choice, Entry
from veracity.core.errors import BadInput
from veracity.core.nearest import nearest

E = TypeVar("E", bound=Entry)


class Catalogue(Generic[E]):
    """The entries defined in the modules of one package, by name; `first` names modules that a reader wants first."""

    def __init__(self, package: str, kind: type[E], first: tuple[str, ...] = ()) -> None:
        self.package = package
        self.kind = kind
        self.first = first

    @cached_property
    def entries(self) -> dict[str, E]:
        package = importlib.import_module(self.package)
        modules = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
        entries: dict[str, E] = {}
        for name in dict.fromkeys((*self.first, *modules)):
            module = importlib.import_module(f"{self.package}.{name}")
            for item in vars(module).values():
                own = isinstance(item, self.kind) and item.__module__ == module.__name__
                if own and entries.setdefault(item.name, item) is not item:
                    raise BadInput(f"two {self.kind.kind}s are called {item.name!r}")
        return entries

    def __iter__(self) -> Iterator[E]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __getitem__(self, name: str) -> E:
        if name in self.entries:
            return self.entries[name]
        near = nearest(name, self.entries)
        offer = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(self.entries))}"
        raise BadInput(f"there is no {self.kind.kind} called {name!r}: {offer}")

    def choose(self, asked: Any) -> Choice:
        """The choice that a text, an entry or a choice stands for."""
        if isinstance(asked, Choice):
            return asked
        if isinstance(asked, self.kind):
            return asked.choose()
        if not isinstance(asked, str):
            raise BadInput(f"name a {self.kind.kind} by its text, such as {next(iter(self.entries))!r}, not {asked!r}")
        return self._choice(spelling.read(asked))

    def _choice(self, text: spelling.Spelling) -> Choice:
        entry = self[text.name]
        names = [parameter.name for parameter in entry.parameters]
        if len(text.positional) > len(names):
            raise BadInput(f"{entry.name} takes {len(names)} parameter(s), not {len(text.positional)}")
        pairs = [*zip(names, text.positional, strict=False), *text.arguments]
        return entry.choose(**{k: self._choice(v) if isinstance(v, spelling.Spelling) else v for k, v in pairs})
