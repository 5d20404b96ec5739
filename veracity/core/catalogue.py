"""All methods of one kind, found in the modules of a package; nothing registers anything."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeVar

from veracity.core import spelling
from veracity.core.bounds import check_parameters
from veracity.core.entry import Choice, Entry
from veracity.core.errors import BadInput
from veracity.core.suggest import offer

FEW = 6  # methods that bear a word, which tells nothing where more do
WORD = re.compile(r"[^\W_]+")
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

    @cached_property
    def spellings(self) -> dict[str, tuple[E, dict[str, Any]]]:
        """The entry, and the parameters implied, of everything that it may be typed as, folded."""
        spellings: dict[str, tuple[E, dict[str, Any]]] = {}
        for entry in self:
            for one in entry.known_as:
                other, _ = spellings.setdefault(spelling.fold(one.name), (entry, dict(one.arguments)))
                if other is not entry:
                    raise BadInput(f"the {self.kind.kind}s {other.name} and {entry.name} are both called {one.name!r}")
        return spellings

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.entries or spelling.fold(name) in self.spellings)

    def __getitem__(self, name: str) -> E:
        return self.resolve(name)[0]

    def resolve(self, name: str) -> tuple[E, dict[str, Any]]:
        """The entry that a name or an alias stands for, with the parameters that it implies."""
        if name in self.entries:
            return self.entries[name], {}
        folded = spelling.fold(name)
        if folded in self.spellings:
            return self.spellings[folded]
        near = offer(name, self.entries, self._sought_by(folded))
        raise BadInput(f"there is no {self.kind.kind} called {name!r}: {near}")

    def _sought_by(self, folded: str) -> dict[str, list[str]]:
        """Names of what is sought by a word, with or without "test" behind it, or bears it; by what they read."""
        kept = [entry for entry in self if not entry.is_discredited]
        meant = [entry for entry in kept if folded.removesuffix("test") in _folded(entry.sought_by, "test")]
        borne = {entry: WORD.findall(f"{entry.title} {entry.aliases} {entry.keywords}") for entry in kept}
        bearers = [entry for entry, words in borne.items() if folded in _folded(words)]
        sought: dict[str, list[str]] = {}
        for entry in meant or (bearers if len(bearers) <= FEW else ()):
            reads = getattr(entry, "reads", None)
            sought.setdefault(getattr(reads, "between", getattr(reads, "label", "")), []).append(entry.name)
        return sought

    def choose(self, asked: Any) -> Choice:
        """The choice that a text, an entry or a choice stands for."""
        if isinstance(asked, Choice):
            return asked
        if isinstance(asked, self.kind):
            return asked.choose()
        if not isinstance(asked, str):
            raise BadInput(f"name a {self.kind.kind} by its text, such as {next(iter(self.entries))!r}, not {asked!r}")
        choice = _choice_of_text(self, asked)
        if not choice.anyway:
            check_parameters(choice.name, choice.given)  # by the bounds of now
        return choice

    def label(self, asked: Any) -> str:
        """What results call it: as it was typed where that is its own name, else by its own name."""
        choice = self.choose(asked)
        own = isinstance(asked, str) and spelling.read(asked).name == choice.name
        return asked if own else choice.spelling

    def find_name(self, asked: Any, names: Iterable[str]) -> str | None:
        """The one of some names that is meant: this very text, the same in other letters, or of the same method."""
        names, typed = list(names), str(asked)
        if typed in names:
            return typed

        def canonical(name: Any) -> str | None:
            try:
                return self.choose(name).spelling
            except BadInput:
                return None

        plain = "(" not in typed and [name for name in names if spelling.fold(name) == spelling.fold(typed)]
        own = canonical(asked)
        alike = plain or [name for name in names if own is not None and canonical(name) == own]
        return alike[0] if len(alike) == 1 else None

    def read(self, text: spelling.Spelling) -> Choice:
        """The choice that a text stands for, once it is taken apart."""
        entry, implied = self.resolve(text.name)
        names = [parameter.name for parameter in entry.parameters]
        if len(text.positional) > len(names):
            raise BadInput(f"{entry.name} takes {len(names)} parameter(s), not {len(text.positional)}")
        pairs = [*zip(names, text.positional, strict=False), *text.arguments]
        given = {k: self.read(v) if isinstance(v, spelling.Spelling) else v for k, v in pairs}
        return entry.choose(**{**implied, **given})


def _folded(words: Iterable[str], ending: str = "") -> set[str]:
    return {spelling.fold(word).removesuffix(ending) for word in words}


@lru_cache(maxsize=1024)  # a text always means the same, and to find out costs more than many a method
def _choice_of_text(catalogue: Catalogue[Any], text: str) -> Choice:
    return catalogue.read(spelling.read(text))
