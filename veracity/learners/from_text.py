"""Learners from text, "module:Class" or "module:Class(param=value)", and from tables with "use" and parameters.

Parameters are literals, never evaluated. One that is itself a table with "use" is a learner or transformer in turn, so
that pipelines and learners inside learners can be written in a study file.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Mapping
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.spelling import read_call

EXAMPLE = "sklearn.naive_bayes:GaussianNB"
NEEDED = ("fit", "predict")
DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def learner_from_text(text: str, /, *, needs: tuple[str, ...] = NEEDED, **parameters: Any) -> Any:
    """The learner that a text names, with more parameters if given; `needs` are the methods it must have."""
    return check_learner(_call(text, parameters), text, needs)


def learner_from_table(table: Mapping[str, Any], /, *, needs: tuple[str, ...] = NEEDED) -> Any:
    """The learner that a table with "use" and parameters stands for."""
    return check_learner(_from_table(table), str(table.get("use")), needs)


def check_learner(learner: Any, name: str = "", needs: tuple[str, ...] = NEEDED) -> Any:
    """The learner itself, or a sentence that says what it lacks."""
    called = f"learner {name!r}" if name else "the learner"
    if inspect.isclass(learner):
        raise BadInput(f"{called} is the class {learner.__name__}: give an object of it, {learner.__name__}()")
    missing = [method for method in needs if not _has(learner, method)]
    if missing:
        lacks, needed = " and no ".join(missing), " and ".join(needs)
        raise BadInput(f"{called} is a {type(learner).__name__}, which has no {lacks}: {needed} are needed")
    return learner


def _has(learner: Any, method: str) -> bool:
    """A stacked learner can say only after its fit whether it predicts: there its class is believed."""
    return callable(getattr(learner, method, None)) or (method == "predict" and hasattr(type(learner), method))


def _from_table(table: Mapping[str, Any]) -> Any:
    if not isinstance(table.get("use"), str):
        here = ", ".join(map(str, table)) or "nothing"
        raise BadInput(f"a learner given as a table needs use = {EXAMPLE!r}, and here has {here}")
    return _call(table["use"], {key: value for key, value in table.items() if key != "use"})


def _call(text: str, more: Mapping[str, Any]) -> Any:
    """Import what the text names and call it with its parameters."""
    module, colon, rest = text.strip().partition(":")
    if not colon:
        raise BadInput(f"cannot read the learner {_short(text)}: write module:Class, such as {EXAMPLE}")
    call = read_call(rest)
    if call is None:
        says = f"write module:Class or module:Class(param=value) with plain values, such as {EXAMPLE}"
        raise BadInput(f"cannot read the learner {_short(text)}: {says}")
    name, positional, arguments = call
    twice = [key for key in more if key in arguments]
    if twice:
        raise BadInput(f"{_short(text)}: the parameter {twice[0]!r} is given twice")
    maker = _attribute(module, name)
    place = f"{module}:{name}"
    if not callable(maker):
        if arguments or more or positional:
            raise BadInput(f"{place} is a {type(maker).__name__} and not a class: it takes no parameters")
        return maker
    given = {key: _value(value) for key, value in {**arguments, **more}.items()}
    _check_parameters(maker, given, place)
    try:
        return maker(*map(_value, positional), **given)
    except (TypeError, ValueError) as why:
        raise BadInput(f"{place} refuses its parameters: {' '.join(str(why).split())}") from None


def _value(value: Any) -> Any:
    """A parameter, with what it nests made; a pair of a name and something made is a step, and steps are tuples."""
    if isinstance(value, Mapping):
        return _from_table(value) if "use" in value else {key: _value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [_value(part) for part in value]
        step = len(parts) >= 2 and isinstance(parts[0], str) and hasattr(parts[1], "fit")
        return tuple(parts) if step or isinstance(value, tuple) else parts
    return value


def _check_parameters(maker: Any, given: Mapping[str, Any], place: str) -> None:
    try:
        parameters = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        return
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
        return
    for name in given:
        if name not in parameters:
            near = difflib.get_close_matches(name, parameters, n=3, cutoff=0.5)
            takes = f"it takes {', '.join(parameters)}" if parameters else "it takes none"
            offer = f"did you mean {' or '.join(near)}?" if near else takes
            raise BadInput(f"{place} has no parameter {name!r}: {offer}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _attribute(module: str, name: str) -> Any:
    """What "sklearn.svm" and "SVC" name, or a sentence with names that are near."""
    loaded = _module(module)
    if hasattr(loaded, name):
        return getattr(loaded, name)
    public = [each for each in dir(loaded) if not each.startswith("_")]
    raise BadInput(f"the module {module} has no {name}{_near(name, public) or _elsewhere(name)}")


def _module(name: str) -> Any:
    if not DOTTED.fullmatch(name):
        raise BadInput(f"{name!r} is not the name of a module: write module:Class")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as why:
        if why.name is None or not f"{name}.".startswith(f"{why.name}."):
            needs = f"it needs {why.name}, which is not installed"
            raise BadInput(f"the module {name} cannot be imported: {needs}") from None
        raise BadInput(f"there is no module {why.name}{_near(why.name, _siblings(why.name))}") from None
    except Exception as why:
        raise BadInput(f"the module {name} cannot be imported: {type(why).__name__}: {why}") from None


def _siblings(name: str) -> list[str]:
    """Modules in the same package, or at the top."""
    parent = name.rpartition(".")[0]
    if not parent:
        return [each.name for each in pkgutil.iter_modules() if not each.name.startswith("_")]
    path = getattr(importlib.import_module(parent), "__path__", [])
    return [f"{parent}.{each.name}" for each in pkgutil.iter_modules(path) if not each.name.startswith("_")]


def _near(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(names), n=3, cutoff=0.6)
    return f": did you mean {' or '.join(near)}?" if near else ""


def _elsewhere(name: str) -> str:
    """Where scikit-learn keeps a class of this name."""
    from sklearn.utils import all_estimators

    kind = dict(all_estimators()).get(name)
    return f": did you mean {kind.__module__.partition('._')[0]}:{name}?" if kind else ""
