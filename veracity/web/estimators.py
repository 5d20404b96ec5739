"""The learners of scikit-learn: by kind, and the form of one from its parameters."""

from __future__ import annotations

import ast
import re
import warnings
from functools import cache
from importlib import import_module
from math import inf, nan
from typing import Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.core.suggest import nearest

KINDS = {"classifier": "Classifiers", "regressor": "Regressors"}
PARAMETER = re.compile(r"(?m)^    (\w+) ?: ?([^\n]*)\n((?:        [^\n]*\n|\n)+)")
WORDS = {"true": True, "false": False, "none": None, "inf": inf, "+inf": inf, "-inf": -inf, "nan": nan}
PLAIN = (bool, int, float, str, type(None))


class Parameter(NamedTuple):
    """What a learner can be told."""

    name: str
    default: Any
    says: str


@cache
def sklearn_learners() -> dict[str, list[str]]:
    """`module:Class` of every estimator that needs nothing to be made, by kind."""
    from sklearn.utils import all_estimators

    learners: dict[str, list[str]] = {}
    for kind, title in KINDS.items():
        learners[title] = []
        for name, one in all_estimators(type_filter=kind):
            module = one.__module__.partition("._")[0]  # the public one, where the class can be imported from it
            if _is_easy(one) and getattr(import_module(module), name, None) is one:
                learners[title].append(f"{module}:{name}")
    return learners


def _is_easy(one: Any) -> bool:
    """Whether it is made without a word, and is not about to go."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            one().get_params()
        except (TypeError, FutureWarning):
            return False
    return True


def is_known(text: str) -> bool:
    """Whether scikit-learn has a learner of that name."""
    return any(text in learners for learners in sklearn_learners().values())


def find_learner(text: str) -> str:
    """Return `module:Class(...)` for what was typed: a class of scikit-learn is found by its name alone."""
    typed = text.strip()
    if not typed:
        raise BadInput("name a learner, such as sklearn.naive_bayes:GaussianNB")
    if ":" in typed:
        return typed
    path, bracket, inside = typed.partition("(")
    module, _, name = path.strip().rpartition(".")
    places = {one.partition(":")[2]: one for learners in sklearn_learners().values() for one in learners}
    found = next((place for known, place in places.items() if known.lower() == name.lower()), "")
    if found and module in ("", found.partition(":")[0]):
        return f"{found}{bracket}{inside}"
    near = [places[known] for known in nearest(name, places, 0.6)]
    offer = f"did you mean {' or '.join(near)}?" if near else "write one such as sklearn.naive_bayes:GaussianNB"
    raise BadInput(f"{typed!r} is no learner of scikit-learn, and others are named by module:Class: {offer}")


def parameters_of(text: str) -> list[Parameter]:
    """The parameters of a learner of scikit-learn, with the first sentence of what its page says of each."""
    if not is_known(text):
        says = "fields are shown for those alone: write parameters into the text, as in module:Class(name=value)"
        raise BadInput(f"{text!r} is no learner of scikit-learn without parameters; {says}")
    module, _, name = text.partition(":")
    made = getattr(import_module(module), name)
    sentences = {}
    for found in PARAMETER.finditer(f"{made.__doc__ or ''}\n"):
        text = " ".join(found[3].split()).replace("``", "")
        sentences[found[1]] = re.split(r"(?<=\.)\s|:\s+-\s", text)[0][:200]
    given = made().get_params(deep=False).items()
    return [Parameter(name, value, sentences.get(name, "")) for name, value in given if isinstance(value, PLAIN)]


def value_of(typed: str) -> Any:
    """A value as Python or TOML would read it; any other text is itself."""
    if typed.strip().lower() in WORDS:
        return WORDS[typed.strip().lower()]
    try:
        return ast.literal_eval(typed.strip())
    except (ValueError, SyntaxError):
        return typed.strip()
