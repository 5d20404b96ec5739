"""Data sets that come with scikit-learn: loaded from the package or made from a seed, never downloaded."""

from __future__ import annotations

import difflib
import inspect
from dataclasses import replace
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.literals import read_call
from veracity.readers.read_data import data_of
from veracity.readers.target import Kind
from veracity.records.data import Data

PREFIX = "sklearn:"
NAMES = (
    *("load_breast_cancer", "load_diabetes", "load_digits", "load_iris", "load_wine"),
    *("make_blobs", "make_circles", "make_classification", "make_friedman1", "make_friedman2", "make_friedman3"),
    *("make_gaussian_quantiles", "make_hastie_10_2", "make_moons", "make_regression", "make_sparse_uncorrelated"),
    *("make_s_curve", "make_swiss_roll"),
)
OURS = ("return_X_y", "as_frame", "return_centers", "coef")  # they change what is returned


def builtin(
    text: str, *, name: str | None = None, positive: Any = None, kind: str = "auto", meant: Kind | None = None
) -> Data:
    """A data set by text such as "sklearn:load_iris" or "sklearn:make_moons(n_samples=200, random_state=0)"."""
    if not text.startswith(PREFIX):
        raise BadInput(f"there is no built-in data {text!r}: write sklearn:load_iris, or name a file")
    call = read_call(text.removeprefix(PREFIX))
    if call is None:
        raise BadInput(f"cannot read {text[:60]!r}: write sklearn:load_iris or sklearn:make_moons(random_state=0)")
    maker, positional, given = call
    if maker not in NAMES:
        near = difflib.get_close_matches(maker, NAMES, n=3, cutoff=0.5)
        offer = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(NAMES)}"
        raise BadInput(f"there is no built-in data sklearn:{maker}: {offer}")
    if positional:
        raise BadInput(f"sklearn:{maker} takes its parameters by name, such as n_samples=200")
    features, target, columns = _called(maker, given)
    name = name or maker.split("_", 1)[1]
    made = data_of(features, target, name=name, positive=positive, kind=kind, meant=meant)
    return made if columns is None else replace(made, columns=tuple(map(str, columns)))


def _called(name: str, given: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Features, target and the names of the features where there are any."""
    from sklearn import datasets

    maker = getattr(datasets, name)
    _checked(name, maker, given)
    try:
        made = maker(**given)
    except (TypeError, ValueError) as why:
        raise BadInput(f"sklearn:{name} refuses its parameters: {' '.join(str(why).split())}") from None
    if isinstance(made, tuple):
        return made[0], made[1], None
    return made.data, made.target, getattr(made, "feature_names", None)


def _checked(name: str, maker: Any, given: dict[str, Any]) -> None:
    known = [each for each in inspect.signature(maker).parameters if each not in OURS]
    for parameter in given:
        if parameter not in known:
            raise BadInput(f"sklearn:{name} has no parameter {parameter!r}: it takes {', '.join(known)}")
    if "random_state" in known and not isinstance(given.get("random_state"), int):
        raise BadInput(f"sklearn:{name} makes other rows each time: give a random_state such as random_state=0")
