"""What to say of a name that is not there: other spellings, the start of a name, or where else it is known."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from veracity.core.index import whereabouts


def nearest(name: str, names: Collection[str]) -> list[str]:
    """The few names that come closest, the most likely first."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    if plain in names:
        return [plain]
    begun = [each for each in names if len(plain) > 2 and each.startswith(plain)]
    alike = difflib.get_close_matches(plain, names, n=3, cutoff=0.5)
    return list(dict.fromkeys(begun + alike))[:3]


def offer(name: str, names: Collection[str]) -> str:
    """Where a name is known that is none of these; else the nearest of these, or all of them."""
    places = whereabouts(name)
    if places:
        return f"it is {' and '.join(places)}"
    near = nearest(name, names)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(names))}"
