"""The libraries that a learner is made of, and their versions in this process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

ALWAYS = ("numpy", "sklearn")
NAMES = {"sklearn": "scikit-learn"}  # libraries that people know by another name than that of their modules


def library_versions(learner: Any) -> dict[str, str]:
    """Return the versions of numpy, scikit-learn and the packages of all classes of a learner, by their names."""
    packages = {*ALWAYS, *(kind.__module__.partition(".")[0] for kind in _classes(learner, set()))}
    found = {NAMES.get(package, package): _version(package) for package in sorted(packages - sys.stdlib_module_names)}
    return {name: version for name, version in found.items() if version}


def versions_text(learner: Any) -> str:
    """Return the same as one text, which is what a fit keeps."""
    return json.dumps(library_versions(learner), sort_keys=True)


def _classes(item: Any, seen: set[int]) -> Iterator[type]:
    """Every class of a learner and of its parts, in pipelines, wrappers and lists too."""
    if id(item) in seen or item is None or isinstance(item, (str, bytes, bool, int, float)):
        return
    seen.add(id(item))
    if isinstance(item, (list, tuple, set, frozenset)):
        parts = list(item)
    elif isinstance(item, Mapping):
        parts = list(item.values())
    else:
        yield item if isinstance(item, type) else type(item)
        parts = list(_parameters(item).values())
    for part in parts:
        yield from _classes(part, seen)


def _parameters(item: Any) -> Mapping[str, Any]:
    if isinstance(item, type) or not hasattr(item, "get_params"):
        return {}
    try:
        parameters: Mapping[str, Any] = item.get_params(deep=False)
    except Exception:  # whatever a learner of somebody else does when it is asked
        return {}
    return parameters


def _version(package: str) -> str:
    """What an imported package says of itself; else what is installed; nothing of a package that has no version."""
    said = getattr(sys.modules.get(package), "__version__", None)
    return said if isinstance(said, str) else _installed_version(package)


@cache
def _installed_version(package: str) -> str:
    try:
        return version(package)
    except (PackageNotFoundError, ValueError):
        names = packages_distributions().get(package, ())
        return version(names[0]) if names else ""
