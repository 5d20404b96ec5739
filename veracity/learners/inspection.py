"""Read from a learner what its fit takes, which target it is for, which parts of it tune themselves, and versions."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any, Literal

from veracity.core.errors import BadInput
from veracity.learners.seeding import unfitted_copy

OFFERED = ("sample_weight", "groups", "time", "rows", "positive", "validation", "validation_weight")
TELLING = ("__sklearn_tags__", "_estimator_type")  # how learners tell their target, in versions of scikit-learn
ALWAYS = ("numpy", "sklearn")
NAMES = {"sklearn": "scikit-learn"}  # libraries that people know by another name than that of their modules


def fit_keywords(learner: Any) -> dict[str, str]:
    """Return, for each thing offered that the learner's fit names, the keyword to pass it by."""
    if is_pipeline(learner):
        step, last = learner.steps[-1]
        return {name: f"{step}__{keyword}" for name, keyword in fit_keywords(last).items()}
    fit = getattr(learner, "fit", None)
    return {name: name for name in _parameters(getattr(fit, "__func__", fit))}


@lru_cache(maxsize=256)  # as reading a signature takes longer than some fits
def _parameters(fit: Any) -> tuple[str, ...]:
    try:
        names = inspect.signature(fit).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(name for name in OFFERED if name in names)


def is_pipeline(learner: Any) -> bool:
    """Return whether this is scikit-learn's chain of transformers with a learner at its end."""
    return hasattr(learner, "steps") and type(learner).__module__ == "sklearn.pipeline"


def last_step(model: Any) -> Any:
    """Return the learner at the end of a pipeline; any other learner is that itself."""
    while is_pipeline(model):
        model = model.steps[-1][1]
    return model


def target_kind(learners: Iterable[Any]) -> Literal["classes", "numbers"] | None:
    """Return numbers if every learner is a regressor, classes if every one is a classifier; None if they differ."""
    kinds: set[Literal["classes", "numbers"] | None] = set()
    for learner in learners:
        kind: Literal["classes", "numbers"] | None = None
        if any(hasattr(learner, word) for word in TELLING):
            from sklearn.base import is_classifier, is_regressor

            with suppress(Exception):  # whatever a learner of one's own does when asked, it can still be fitted
                kind = "numbers" if is_regressor(learner) else "classes" if is_classifier(learner) else None
        kinds.add(kind)
    return kinds.pop() if len(kinds) == 1 else None


def tuning_parts(learner: Any) -> dict[str, Any]:
    """Return the parts that tune themselves, however deep, by their names; the learner itself has none."""
    inside = learner.get_params(deep=True) if hasattr(learner, "get_params") else {}
    return {name: part for name, part in {"": learner, **inside}.items() if getattr(part, "tunes", False) is True}


def with_inner_design(learner: Any, inner: str) -> Any:
    """Return the learner with the inner design of a nested one in every part that tunes itself.

    Such a part says so by `tunes = True` and has a parameter `by`, which may not say otherwise; all others are the
    learner itself, unchanged.
    """
    tuning = {name: part.by for name, part in tuning_parts(learner).items()} if inner else {}
    other = next((by for by in tuning.values() if by is not None and str(by) != inner), None)
    if other is not None:
        raise BadInput(
            f"a nested design says inner={inner}, and the tuned learner by={other!s}: leave out the learner's own, or "
            "use the outer design alone"
        )
    unset = [f"{name}__by" if name else "by" for name, by in tuning.items() if by is None]
    return unfitted_copy(learner).set_params(**dict.fromkeys(unset, inner)) if unset else learner


def library_versions(learner: Any) -> dict[str, str]:
    """Return the versions of numpy, scikit-learn and the packages of all classes of a learner, by their names."""
    packages = {*ALWAYS, *(kind.__module__.partition(".")[0] for kind in _classes(learner, set()))}
    found = {NAMES.get(package, package): _version(package) for package in sorted(packages - sys.stdlib_module_names)}
    return {name: version for name, version in found.items() if version}


def versions_text(learner: Any) -> str:
    """Return the same as one text, which is what a fit keeps."""
    return json.dumps(library_versions(learner), sort_keys=True)


def _classes(item: Any, seen: set[int]) -> Iterator[type]:
    """Find every class of a learner and of its parts, in pipelines, wrappers and lists too."""
    if id(item) in seen or item is None or isinstance(item, (str, bytes, bool, int, float)):
        return
    seen.add(id(item))
    parts: Iterable[Any] = ()
    if isinstance(item, (list, tuple, set, frozenset)):
        parts = item
    elif isinstance(item, Mapping):
        parts = item.values()
    else:
        yield item if isinstance(item, type) else type(item)
        if hasattr(item, "get_params") and not isinstance(item, type):
            try:
                parts = item.get_params(deep=False).values()
            except Exception:  # whatever a learner of somebody else does when it is asked
                parts = ()
    for part in parts:
        yield from _classes(part, seen)


def _version(package: str) -> str:
    """Return what an imported package says of itself, else what is installed; nothing where there is no version."""
    said = getattr(sys.modules.get(package), "__version__", None)
    return said if isinstance(said, str) else _installed_version(package)


@cache
def _installed_version(package: str) -> str:
    try:
        return version(package)
    except (PackageNotFoundError, ValueError):
        names = packages_distributions().get(package, ())
        return version(names[0]) if names else ""
