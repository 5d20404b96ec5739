"""No module imports another that imports it back, be it late, inside a function."""

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import veracity

FOLDER = Path(veracity.__file__).parent
HEAVY = ("sqlalchemy", "sklearn", "numba", "matplotlib", "pandas", "scipy.stats", "duckdb")


def _name(path):
    parts = path.relative_to(FOLDER.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(statement, modules):
    """The modules that a statement imports, but those for type checking only."""
    if isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING":
        return set()
    found = set()
    if isinstance(statement, ast.Import):
        found = {alias.name for alias in statement.names} & modules.keys()
    elif isinstance(statement, ast.ImportFrom) and statement.module in modules:
        inside = {f"{statement.module}.{alias.name}" for alias in statement.names}
        found = {name if name in modules else statement.module for name in inside}
    return found.union(*(_imported(part, modules) for part in ast.iter_child_nodes(statement)))


def test_there_is_no_cycle():
    modules = {_name(path): path for path in FOLDER.rglob("*.py")}
    graph = {name: _imported(ast.parse(path.read_text("utf-8")), modules) - {name} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as why:
        pytest.fail(f"imports go round in a circle: {' <- '.join(why.args[1])}")


@pytest.mark.parametrize("module", ["scoring", "source", "counts", "p_values"])
def test_who_reads_a_file_does_not_wait_for_stores_and_learners(module):
    asked = f"import sys, veracity.cli.{module}; print([name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout
    assert found.strip() == "[]"


def imported_by_duckdb():
    """Before version 2.0 it imports pandas where that is installed, as soon as a query has a parameter."""
    asked = "import sys, duckdb; duckdb.sql('select $y', params={'y': 1}); print(*sys.modules)"
    return subprocess.check_output([sys.executable, "-c", asked], text=True).split()


@pytest.mark.parametrize(("verb", "more"), [("rank", "scipy.optimize"), ("score", "scipy.stats")])
def test_commands_of_small_files_load_no_more_than_they_need(tmp_path, verb, more):
    """Loading scipy.stats takes longer than all that these commands do."""
    table, rows = tmp_path / "table.csv", tmp_path / "rows.csv"
    table.write_text("data,a,b,c\n" + "\n".join(f"d{k},0.{k + 1},0.{k + 2},0.1{k}" for k in range(7)))
    rows.write_text("y,p\n" + "\n".join(f"{k % 2},0.{1 + k * 7 % 9}" for k in range(40)))
    words = {"rank": [str(table)], "score": [str(rows), "--truth", "y", "--proba", "p", "--positive", "1"]}
    heavy = {*HEAVY, more} - {"duckdb", *imported_by_duckdb()}
    asked = f"""
import sys
from veracity.cli.main import cli
from contextlib import suppress
with suppress(SystemExit): cli.main({[verb, *words[verb]]})
print("heavy:", [name for name in {sorted(heavy)} if name in sys.modules])"""
    found = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout
    assert found.strip().splitlines()[-1] == "heavy: []"
