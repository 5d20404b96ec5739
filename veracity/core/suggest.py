"""What to say of a name that is not there: other spellings, the start of a name, or where else it is known."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping

from veracity.core.index import index, whereabouts

FEW = 12  # names that a sentence can hold
WORTH_NAMING = 0.2  # how much less alike than the nearest one another name may be
ALIKE = 0.75  # how alike a word must be to what others call a method


def nearest(name: str, names: Iterable[str], cutoff: float = 0.5) -> list[str]:
    """Return the few names that come closest, the most likely first; none that are less alike than the cutoff."""
    plain, forms = _plain(name), {_plain(each): each for each in names}
    if plain in forms:
        return [forms[plain]]
    begun = [each for each in forms if len(plain) > 2 and each.startswith(plain)]
    alike = difflib.get_close_matches(plain, forms, n=3, cutoff=cutoff)
    likeness = [difflib.SequenceMatcher(None, each, plain).ratio() for each in alike]
    alike = [each for each, like in zip(alike, likeness, strict=True) if like > max(likeness) - WORTH_NAMING]
    return [forms[each] for each in dict.fromkeys(begun + alike)][:3]


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def suggest(name: str, names: Iterable[str], otherwise: str | None = None) -> str:
    """Return what to say of a name that is not there: "did you mean auc?", else `otherwise`, else which there are."""
    names = list(names)
    near = nearest(name, names)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {', '.join(names)}" if otherwise is None else otherwise


def offer(name: str, names: Collection[str], sought: Mapping[str, Collection[str]] | None = None) -> str:
    """Those sought by that name, which is none of these; else where it is known, or the nearest; where all are listed.

    `sought` holds them by what they read.
    """
    kind = next((kind for kind, methods in index().items() if methods.keys() == set(names)), None)
    is_listed = kind is not None and len(names) > FEW
    every = f"`vc.catalogue({kind!r})` shows all {len(names)}" if is_listed else f"there are {', '.join(sorted(names))}"
    if sought:
        ways = [f"{' or '.join(each)}{f' ({reads})' if reads else ''}" for reads, each in sought.items()]
        return f"did you mean {', '.join(ways)}? {every}"
    places = whereabouts(name)
    if places:
        return f"it is {', and '.join(places)}{f'; {every}' if len(names) <= FEW else ''}"
    near = nearest(name, names)
    if not near or not difflib.get_close_matches(name.lower(), near, cutoff=ALIKE):
        called = {
            alias.partition("(")[0].lower(): own
            for methods in index().values()
            for own, one in methods.items()
            if own in names
            for alias in one.aliases
        }
        alike = difflib.get_close_matches(_plain(name), called, n=3, cutoff=ALIKE)
        near = [*dict.fromkeys(called[alias] for alias in alike)] or near
    if near:
        return f"did you mean {' or '.join(near)}? {every}"
    return f"{every}; `vc.search({name!r})` looks for the word everywhere"
