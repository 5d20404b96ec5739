"""What is said of a method is the same in `explain`, on a page and in the manual, and measured figures are a table."""

import json

import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.comparisons import comparisons
from veracity.comparisons.entry import all_rejections
from veracity.core.measurement import Coverage, read_measurements
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import interval, intervals
from veracity.methods.catalogue import CATALOGUES, SHELVES
from veracity.methods.describe import describe, measurement_table
from veracity.tables.formats import grid
from veracity.tables.manual import section_markdown

MEASURED = [entry for catalogue in CATALOGUES.values() for entry in catalogue if entry.measurements()]
SHAPE = {"world", "rows", "by", "what", "figure", "error"}


@pytest.mark.parametrize("entry", MEASURED, ids=lambda entry: f"{entry.kind}-{entry.name}")
def test_every_figure_is_a_row(entry):
    printed = repr(vc.explain(entry)).splitlines()
    for m in entry.measurements():
        row = [m.world, m.text, *([str(m.rows)] if m.rows else []), *([m.by] if m.by else [])]
        once = f"  by {m.by}" in printed  # what is the same in every row is said once, above them
        assert any(all(part in line for part in row if not (once and part == m.by)) for line in printed)
    table = measurement_table(entry.measurements())
    assert len(table.rows) == len(entry.measurements())
    section = next(s for s in describe(entry) if s.title == f"Measured {entry.measured}")
    assert section.table == table and section_markdown(section).count("\n|") == len(table.rows) + 2
    assert vc.explain(entry)._repr_html_().count("<tr>") == len(table.rows) + 1
    for found in vc.explain(entry).to_json()["measured"]:
        assert set(found) >= SHAPE and -1 <= found["figure"] <= 1 and found["error"] < 0.05


def test_explain_prints_coverage_and_error_rates_as_tables():
    printed = CliRunner().invoke(cli, ["explain", "corrected_t"]).output
    for entry in (intervals["corrected_t"], comparisons["corrected_t"]):
        assert all(line in printed for line in grid(measurement_table(entry.measurements())).splitlines())
    found = json.loads(CliRunner().invoke(cli, ["explain", "corrected_t", "--json"]).output)["entries"]
    shelves = {"interval": intervals, "comparison": comparisons}
    there = {kind: len(shelf["corrected_t"].measurements()) for kind, shelf in shelves.items()}
    assert {one["kind"]: len(one["measured"]) for one in found} == {**there, "power": 0}
    measured = {one["kind"]: one["measured"] for one in found}
    assert any(row["by"] == "kfold(k=10)" and row["rows"] == 50 for row in measured["interval"])


def test_parameters_that_were_tried_are_told():
    table = measurement_table(intervals["bca"].measurements())
    assert table.caption == "bca(draws=999): coverage at 95% (1000 simulations)"
    assert "method" in measurement_table(comparisons["sign"].measurements()).titles


def test_every_measurement_belongs_to_an_entry():
    found = [one for catalogue in (intervals, comparisons) for entry in catalogue for one in entry.measurements()]
    assert sorted(map(str, found)) == sorted(
        map(str, (*read_measurements(Coverage, "veracity.intervals"), *all_rejections()))
    )


def test_what_was_not_measured_says_so():
    @interval("Of nobody", reads=Proportion)
    def of_nobody(p, at):
        """Never tried."""

    said = [line for section in describe(of_nobody) for line in section.lines]
    assert "not measured yet" in said and "Measured" not in repr(vc.explain("auc"))


def test_every_catalogue_is_on_a_shelf_under_its_name():
    assert list(CATALOGUES) == [shelf.name for shelf in SHELVES] == list(dict.fromkeys(CATALOGUES))
    assert all(shelf.catalogue is CATALOGUES[shelf.name] for shelf in SHELVES)


def test_error_rates_and_coverage_of_one_test_are_told_apart():
    table = measurement_table(comparisons["mcnemar_midp"].measurements())
    assert table.caption.startswith("error rate at .05") and "coverage at 95%" in table.caption
    printed = grid(table)
    assert "error rate 2.4% +- 0.3%" in printed and "coverage 96.9% +- 0.4%" in printed
