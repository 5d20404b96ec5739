"""Data sets that come with scikit-learn: loaded from the package or made from a seed, never downloaded."""

from __future__ import annotations

import difflib
import inspect
from typing import Any

from veracity.core import spelling
from veracity.core.errors import BadInput
from veracity.readers.data import data_of
from veracity.records.data import Data

PREFIX = "sklearn:"
NAMES = (
    *("load_breast_cancer", "load_diabetes", "load_digits", "load_iris", "load_wine"),
    *("make_blobs", "make_circles", "make_classification", "make_friedman1", "make_friedman2", "make_friedman3"),
    *("make_gaussian_quantiles", "make_hastie_10_2", "make_moons", "make_regression", "make_sparse_uncorrelated"),
    *("make_s_curve", "make_swiss_roll"),
)
OURS = ("return_X_y", "as_frame", "return_centers", "coef")  # they change what is returned


def builtin(text: str, *, name: str | None = None, positive: Any = None, kind: str = "auto") -> Data:
    """A data set by text such as "sklearn:load_iris" or "sklearn:make_moons(n_samples=200, random_state=0)"."""
    if not text.startswith(PREFIX):
        raise BadInput(f"there is no built-in data {text!r}: write sklearn:load_iris, or name a file")
    said = spelling.read(text.removeprefix(PREFIX))
    if said.name not in NAMES:
        near = difflib.get_close_matches(said.name, NAMES, n=3, cutoff=0.5)
        offer = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(NAMES)}"
        raise BadInput(f"there is no built-in data sklearn:{said.name}: {offer}")
    from sklearn import datasets

    maker = getattr(datasets, said.name)
    _checked(said, maker)
    features, target, columns = _called(said, maker)
    made = data_of(features, target, name=name or said.name.split("_", 1)[1], positive=positive, kind=kind)
    return made if columns is None else _named(made, columns)


def _checked(said: spelling.Spelling, maker: Any) -> None:
    if said.positional:
        raise BadInput(f"sklearn:{said.name} takes its parameters by name, such as n_samples=200")
    known = [each for each in inspect.signature(maker).parameters if each not in OURS]
    given = dict(said.arguments)
    for parameter in given:
        if parameter not in known:
            raise BadInput(f"sklearn:{said.name} has no parameter {parameter!r}: it takes {', '.join(known)}")
    if "random_state" in known and not isinstance(given.get("random_state"), int):
        raise BadInput(f"sklearn:{said.name} makes other rows each time: give a random_state such as random_state=0")


def _called(said: spelling.Spelling, maker: Any) -> tuple[Any, Any, Any]:
    try:
        made = maker(**dict(said.arguments))
    except (TypeError, ValueError) as why:
        raise BadInput(f"sklearn:{said.name} refuses its parameters: {' '.join(str(why).split())}") from None
    if isinstance(made, tuple):
        return made[0], made[1], None
    return made.data, made.target, getattr(made, "feature_names", None)


def _named(data: Data, columns: Any) -> Data:
    from dataclasses import replace

    return replace(data, columns=tuple(map(str, columns)))
