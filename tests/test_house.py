"""Rules of the whole package: names that say what they are, no import cycles, few files of one name."""

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import veracity
from veracity.cli.main import cli

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "veracity").rglob("*.py"))
SHARED = 25  # names of files that stand in several packages
BARE = re.compile(
    "_?(said|told|made|given|kept|found|drawn|named|listed|known|shown|meant|asked|beside|over|of|judged|written)"
)


def name_of(file):
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(file): file for file in FILES}


@cache
def tree(file):
    return ast.parse(file.read_text("utf-8"))


def imported(file):
    """The modules of the house that a file imports, at its top or later; for type checkers alone is not at all."""
    only_for_checkers = {
        id(inner)
        for node in ast.walk(tree(file))
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree(file)):
        if id(node) in only_for_checkers:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file}:{node.lineno} is a relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in MODULES or node.module in MODULES:
                    yield whole if whole in MODULES else node.module


GRAPH = {name: {other for other in imported(file) if other != name} for name, file in MODULES.items()}


def test_no_function_is_named_by_a_bare_participle():
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    bare = [
        f"{name}.{node.name}"
        for name, file in MODULES.items()
        for node in tree(file).body
        if isinstance(node, functions) and BARE.fullmatch(node.name)
    ]
    assert bare == []


def test_imports_make_no_circle():
    try:
        TopologicalSorter(GRAPH).prepare()
    except CycleError as why:
        raise AssertionError(" <- ".join(why.args[1])) from None


def test_few_files_have_the_name_of_another():
    verbs = {*veracity.__all__, *cli.commands}
    packages = defaultdict(set)
    for name, file in MODULES.items():
        if file.stem not in {"__init__", "entry", *verbs}:
            packages[file.stem].add(name.rpartition(".")[0])
    assert len(shared := sorted(stem for stem, places in packages.items() if len(places) > 1)) < SHARED, shared


def test_nothing_is_decided_by_the_name_of_a_method_that_a_user_may_write():
    """A user's own score may be called auc: `is_one_of` asks for veracity's own."""
    by_name = re.compile(r"\bentry\.name (==|!=|in|not in) [A-Z(\"{]")
    places = [f"{file.name}: {line.strip()}" for file in FILES for line in file.read_text("utf-8").splitlines()]
    assert not [place for place in places if by_name.search(place)]
