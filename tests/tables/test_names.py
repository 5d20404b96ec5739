"""Long names of learners: numbered and cut in tables, told once, whole in files for machines."""

import csv
import io

import numpy as np
import pytest

import veracity as vc
from veracity.tables.cells import LONGEST, full_names, names_note, short_names
from veracity.tables.exports import csv as written

LONG = [f"weka.classifiers.trees.J48 '-C 0.25 -M {i}' {'-21773316839364' * 5}" for i in range(3)]
TABLE = vc.score_matrix(np.random.default_rng(0).normal(size=(12, 3)), learners=LONG)


def test_names_that_fit_stay_as_they_are():
    names = ["nb", "k" * LONGEST]
    assert short_names(names) == full_names(names) == {name: name for name in names}
    assert names_note(names) == ()


def test_one_long_name_numbers_all():
    names = ["nb", "x" * 100]
    assert [str(name) for name in short_names(names).values()] == ["(1) nb", f"(2) {'x' * 29}..."]
    assert [str(name) for name in full_names(names).values()] == ["(1) nb", f"(2) {'x' * 100}"]
    assert names_note(names)[0].says == f"(1) nb; (2) {'x' * 100}"


@pytest.mark.parametrize(
    "table",
    [vc.rank(TABLE).table(), vc.rank(TABLE).scores_table(), vc.compare(TABLE, pairs=[LONG[:2], LONG[1:]]).table()],
    ids=["pairs", "scores", "comparisons"],
)
def test_tables_are_not_wide(table):
    cells = [*table.titles, *(cell for row in table.texts for cell in row)]
    assert max(map(len, cells)) <= LONGEST + len("(1) ")
    assert any(cell.startswith("(2) weka") for cell in cells)


def test_which_is_which_is_told_once():
    found = vc.rank(TABLE)
    assert [row[0] for row in found.ranks_table().texts] == [
        f"({LONG.index(name) + 1}) {name}" for name in found.best_first
    ]
    for table in (found.scores_table(), vc.compare(TABLE, pairs=[LONG[:2]]).table()):
        assert [note.says.count("weka") for note in table.notes if note.code == "names"] in ([3], [2])


def test_machines_get_them_whole():
    rows = list(csv.DictReader(io.StringIO(written(vc.rank(TABLE).table()))))
    assert [(row["a"], row["b"]) for row in rows] == [(LONG[0], LONG[1]), (LONG[0], LONG[2]), (LONG[1], LONG[2])]
    assert vc.rank(TABLE).to_json()["learners"] == LONG
