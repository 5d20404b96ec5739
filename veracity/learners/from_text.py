"""Learners from text, "module:Class" or "module:Class(param=value)", and from tables with "use" and parameters.

Parameters are literals, never evaluated. One that is itself a table with "use" is a learner or transformer in turn, so
that pipelines and learners inside learners can be written in a study file. Only classes are called, and one that lacks
a method that is needed is refused before it is, and so is a part inside a learner that is neither a step nor a kernel
nor a splitter (subprocess:Popen is a class, too); the one function is scikit-learn's `make_pipeline`.

Which modules a text may name depends on who wrote it. What is typed in Python may name all that Python finds. A study
file, and a word on the command line, may name what is installed; what lies in the same or the current folder only where
that is trusted. A plan imports scikit-learn alone, and whoever reads results imports nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import all_suffixes
from pathlib import Path
from typing import Any, NamedTuple

from veracity.core.errors import AskedToEnd, BadInput
from veracity.core.spelling import read_call
from veracity.core.suggest import suggest
from veracity.core.words import brief
from veracity.learners.fingerprint import LIBRARIES

EXAMPLE = "sklearn.naive_bayes:GaussianNB"
DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
PROGRAM = "__main__"  # a module of this name runs when it is imported, and is no place for a class
NEEDED, SPLITS = ("fit", "predict"), ("split",)
PART = ("fit", "get_params", "split")  # of which a step, a kernel or a splitter inside a learner has one
TRUST = "`trust_here=True`"


class ClassText(NamedTuple):
    """A module, the name of a class in it, and parameters that are literals."""

    module: str
    name: str
    positional: list[Any]
    arguments: dict[str, Any]

    @property
    def place(self) -> str:
        return f"{self.module}:{self.name}"


def read_class_text(text: str) -> ClassText:
    """The parts of a text; parameters are never evaluated."""
    module, colon, rest = text.strip().partition(":")
    if not colon:
        path, bracket, inside = text.strip().partition("(")
        dotted = path.rpartition(".") if DOTTED.fullmatch(path) else ("", "", "")
        meant = f"here {dotted[0]}:{dotted[2]}{bracket}{inside}" if dotted[1] else f"such as {EXAMPLE}"
        raise BadInput(f"cannot read the learner {brief(text)!r}: write module:Class, {meant}")
    call = read_call(rest)
    if call is None:
        says = f"write module:Class or module:Class(param=value) with plain values, such as {EXAMPLE}"
        raise BadInput(f"cannot read the learner {brief(text)!r}: {says}")
    if not DOTTED.fullmatch(module) or PROGRAM in module.split("."):
        raise BadInput(f"{brief(module)!r} is not the name of a module: write module:Class")
    return ClassText(module, *call)


def modules_of(value: Any) -> Iterator[str]:
    """Every module that a table with "use", and all that it nests, names."""
    if isinstance(value, Mapping):
        for part in flat_table(value).values():
            yield from modules_of(part)
        if isinstance(value.get("use"), str):
            yield read_class_text(value["use"]).module
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from modules_of(part)


def canonical_text(value: Any) -> str:
    """One text for all spellings of a thing: parameters in its text or beside it, keys in any order, any list."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(sorted(f'{key!r}: {canonical_text(part)}' for key, part in flat_table(value).items()))}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(canonical_text, value))}]"
    return repr(value)


def flat_table(table: Mapping[Any, Any]) -> dict[Any, Any]:
    """The table with the parameters of its text beside it, those without a name under an empty one."""
    if not isinstance(table.get("use"), str):
        return dict(table)
    text = read_class_text(table["use"])
    positional = {"": text.positional} if text.positional else {}
    return {**table, **positional, **text.arguments, "use": text.place}


@dataclass(frozen=True)
class Reach:
    """The one library that may be imported, any if it is None; and the folder that needs trust, none if it is None."""

    library: str | None = None
    folder: Path | None = None
    trusted: bool = False

    def covers(self, module: str) -> bool:
        """Return whether a module may be imported at all."""
        return self.library is None or module.partition(".")[0] == self.library

    def allow(self, module: str) -> None:
        """Make a module of a folder that is trusted importable, and refuse one of a folder that is not."""
        if self.folder is None:
            return
        folder, top = self.folder.resolve(), module.partition(".")[0]
        if self.trusted:
            if str(folder) not in sys.path:
                sys.path.append(str(folder))  # last, so that nothing that is installed is shadowed
            return
        for place in dict.fromkeys((folder, Path.cwd())):
            if _lies_in(top, place):
                says = f"the module {top} is not installed, but lies in {place}"
                raise BadInput(f"{says}: if you trust the code there, say so with {TRUST}")


ANY, NOTHING, PLAN = Reach(), Reach(""), Reach("sklearn")


def _lies_in(module: str, folder: Path) -> bool:
    """Return whether Python would take a module from a folder, or could if the folder were on its path."""
    try:
        spec = importlib.util.find_spec(module)  # of a module at the top, which imports nothing
    except ValueError:  # a module that was made by hand
        spec = None
    if spec is None:
        return (folder / module).is_dir() or any((folder / f"{module}{ending}").exists() for ending in all_suffixes())
    places = spec.submodule_search_locations or ([spec.origin] if spec.has_location and spec.origin else [])
    return any(
        Path(place).parent.resolve() == folder and not any(map(Path(place).is_relative_to, LIBRARIES))
        for place in places
    )


class Unseen:
    """A learner or transformer that is known by its text alone: it can be counted, and is never called."""

    def __init__(self, text: str) -> None:
        self.text = text

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803 (the name that everybody uses)
        raise BadInput(f"{self.text} was not looked at, and cannot be fitted: run the study")

    predict = transform = fit

    def __repr__(self) -> str:
        return self.text


def learner_from_text(text: str, /, *, needs: tuple[str, ...] = NEEDED, reach: Reach = ANY, **parameters: Any) -> Any:
    """Make the learner that a text names, with more parameters if given; `needs` are the methods it must have."""
    return check_learner(_call(text, parameters, needs, reach), text, needs)


def learner_from_table(table: Mapping[str, Any], /, *, needs: tuple[str, ...] = NEEDED, reach: Reach = ANY) -> Any:
    """Make the learner that a table with "use" and parameters stands for."""
    return check_learner(_from_table(table, needs, reach), str(table.get("use")), needs)


def check_class(text: str, reach: Reach = ANY) -> None:
    """Refuse a text that names no class; a module that may not be imported is not looked into."""
    asked = read_class_text(text)
    if reach.covers(asked.module):
        _attribute(asked, reach)


def check_learner(learner: Any, name: str = "", needs: tuple[str, ...] = NEEDED) -> Any:
    """Return the learner itself; refuse one that lacks a method."""
    called = f"{_noun(needs)} {name!r}" if name else "the learner"
    if inspect.isclass(learner):
        raise BadInput(f"{called} is the class {learner.__name__}: give an object of it, {learner.__name__}()")
    _check_methods(type(learner), [method for method in needs if not _has(learner, method)], called, needs)
    return learner


def _check_methods(kind: type, missing: list[str], called: str, needs: tuple[str, ...]) -> None:
    if missing:
        lacks, needed = " and no ".join(missing), " and ".join(needs)
        plural = "are" if len(needs) > 1 else "is"
        raise BadInput(f"{called} is a {kind.__name__}, which has no {lacks}: {needed} {plural} needed")


def _noun(needs: tuple[str, ...]) -> str:
    return "design" if needs == SPLITS else "learner"


def _has(learner: Any, method: str) -> bool:
    """Return whether there is a method; a stacked learner knows only after its fit whether it predicts."""
    if method == "predict" and hasattr(type(learner), method):
        return True
    try:
        return callable(getattr(learner, method, None))
    except Exception:  # whatever a learner with wrong parameters does when it is asked
        return False


def _from_table(table: Mapping[str, Any], needs: tuple[str, ...], reach: Reach) -> Any:
    if not isinstance(table.get("use"), str):
        here = ", ".join(map(str, table)) or "nothing"
        raise BadInput(f"a learner given as a table needs use = {EXAMPLE!r}, and here has {here}")
    return _call(table["use"], {key: value for key, value in table.items() if key != "use"}, needs, reach)


def _call(text: str, more: Mapping[str, Any], needs: tuple[str, ...], reach: Reach) -> Any:
    """Import what the text names and make an object of it with its parameters; what is no class is not called."""
    asked = read_class_text(text)
    twice = [key for key in more if key in asked.arguments]
    if twice:
        raise BadInput(f"{brief(text)!r}: the parameter {twice[0]!r} is given twice")
    named, place = {**asked.arguments, **more}, asked.place
    item = _attribute(asked, reach)
    if inspect.isclass(item):
        if not needs and not any(hasattr(item, name) for name in PART):
            raise BadInput(f"{place} is no part of a learner: it has none of {', '.join(PART)}, so it is not called")
        _check_methods(item, [name for name in needs if not hasattr(item, name)], f"{_noun(needs)} {place!r}", needs)
    elif inspect.isroutine(item):
        from sklearn.pipeline import make_pipeline

        if item is not make_pipeline:
            raise BadInput(f"{place} is a function, and only classes are called, and sklearn.pipeline:make_pipeline")
    elif named or asked.positional:
        raise BadInput(f"{place} is a {type(item).__name__} and not a class: it takes no parameters")
    else:
        return item
    given = {key: _value(value, reach) for key, value in named.items()}
    try:
        parameters = inspect.signature(item).parameters
    except (TypeError, ValueError):
        parameters = None
    if parameters is not None and not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        for name in given:
            if name not in parameters:
                takes = f"it takes {', '.join(parameters) or 'none'}"
                raise BadInput(f"{place} has no parameter {name!r}: {suggest(name, parameters, takes)}")
    try:
        return item(*(_value(value, reach) for value in asked.positional), **given)
    except Exception as why:  # whatever a class of somebody else does with what it is given
        says = " ".join(str(why).split()) or type(why).__name__
        raise BadInput(f"{place} refuses its parameters: {says}") from None


def _value(value: Any, reach: Reach) -> Any:
    """Make what a parameter nests; a pair of a name and something made is a step, and steps are tuples."""
    if isinstance(value, Mapping):
        if "use" in value:
            return _from_table(value, (), reach)
        return {key: _value(part, reach) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [_value(part, reach) for part in value]
        step = len(parts) >= 2 and isinstance(parts[0], str) and hasattr(parts[1], "fit")
        return tuple(parts) if step or isinstance(value, tuple) else parts
    return value


def _attribute(asked: ClassText, reach: Reach) -> Any:
    """Import what "sklearn.svm" and "SVC" name, or say in a sentence which names are near."""
    loaded = _module(asked.module, reach)
    try:
        item = getattr(loaded, asked.name)
    except AttributeError:
        from sklearn.utils import all_estimators

        kind = dict(all_estimators()).get(asked.name)  # where scikit-learn keeps a class of this name
        elsewhere = f": did you mean {kind.__module__.partition('._')[0]}:{asked.name}?" if kind else ""
        near = elsewhere or _near(asked.name, [name for name in dir(loaded) if not name.startswith("_")])
        raise BadInput(f"the module {asked.module} has no {asked.name}{near}") from None
    except Exception as why:  # a module may answer by a function of its own
        raise BadInput(f"{asked.place} cannot be had: {' '.join(str(why).split())}") from None
    home = str(getattr(item, "__module__", asked.module))
    if not reach.covers(home):
        raise BadInput(f"{asked.place} is not of {reach.library} but of {home}: name it there")
    return item


def _module(name: str, reach: Reach) -> Any:
    if not reach.covers(name):
        raise BadInput(f"the module {name} is not imported here: only {reach.library or 'nothing'} is")
    reach.allow(name)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as why:
        if why.name is None or not f"{name}.".startswith(f"{why.name}."):
            needs = f"it needs {why.name}, which is not installed"
            raise BadInput(f"the module {name} cannot be imported: {needs}") from None
        parent = why.name.rpartition(".")[0]  # whose other modules may be meant, or those at the top
        path = getattr(importlib.import_module(parent), "__path__", []) if parent else None
        names = [one.name for one in pkgutil.iter_modules(path) if not one.name.startswith("_")]
        near = _near(why.name, [f"{parent}.{one}" for one in names] if parent else names)
        raise BadInput(f"there is no module {why.name}{near}") from None
    except (KeyboardInterrupt, AskedToEnd):
        raise
    except BaseException as why:  # a module may also end the program, or skip a test
        raise BadInput(f"the module {name} cannot be imported: {type(why).__name__}: {why}") from None


def _near(name: str, names: Iterable[str]) -> str:
    near = suggest(name, names, "")
    return near and f": {near}"
