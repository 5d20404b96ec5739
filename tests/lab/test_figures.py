"""The gate: every method carries what it was measured to do, what is measured again agrees, and defaults hold."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import veracity as vc
from bench import discoveries, verb_coverage
from bench.defaults.cell import LARGEST
from bench.figures.agreement import agreement
from bench.figures.listing import AREAS, specifications
from bench.figures.specification import SHARES, Specification, each_cell
from bench.figures.writer import file_of, measure_area, noted_rows, shipped_units
from docs.manual_index import verb_figures
from veracity import lab
from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.comparisons.entry import all_rejections
from veracity.core.measurement import MIN_COVERAGE, Coverage, ErrorRate, read_measurements
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import interval, intervals
from veracity.lab.worlds import worlds
from veracity.posthoc import posthocs
from veracity.risk import estimators

GATED = (intervals, comparisons, posthocs, adjustments, estimators)
TYPED = [
    row
    for row in (
        *read_measurements(Coverage, "veracity.intervals"),
        *all_rejections(),
        *read_measurements(ErrorRate, "veracity.adjustments"),
    )
    if row.seed == 20_262 and not row.by
]


def without_figures(catalogues):
    """The methods that are claims only."""
    return [f"{entry.kind} {entry.name}" for catalogue in catalogues for entry in catalogue if not entry.measurements()]


def test_every_method_has_figures():
    assert without_figures(GATED) == []


def test_a_method_without_figures_is_found():
    @interval("Of nobody", reads=Proportion)
    def of_nobody(p, at):
        """Never tried."""

    assert without_figures([[of_nobody, intervals["wilson"]]]) == ["interval of_nobody"]


def complaints(rows):
    """Defaults of laws of counts that do not hold on average over shares from .05 to .95."""
    for row in rows:
        if row.noun == "coverage" and row.figure + 2 * row.error < MIN_COVERAGE:
            yield f"{row.method} holds {row.figure}"
        if row.noun != "coverage" and row.figure - 2 * row.error > LARGEST:
            yield f"{row.method} rejects {row.figure}"


def over_shares(*names):
    """The figures that are means over shares, with the worst of them beside."""
    found = [row for row in TYPED if row.worst is not None and row.method in names]
    assert {row.method for row in found} == set(names) and all(row.enumerated for row in found)
    return found


def test_defaults_of_counts_hold_on_average_over_shares():
    defaults = over_shares("wilson", "mcnemar_midp", "two_proportion_z")
    assert len(defaults) >= 7 and list(complaints(defaults)) == []
    assert all("at worst" in row.text for row in defaults)


def test_the_gate_shuts():
    """A mean below .93 or above .06 is told; a lowest share alone is not, but stands beside the mean."""
    held, test = over_shares("wilson")[0], over_shares("mcnemar_z")[0]
    assert list(complaints([replace(held, covered=0.92), replace(test, rejected=0.07)])) == [
        "wilson holds 0.92",
        "mcnemar_z rejects 0.07",
    ]
    assert min(row.worst for row in over_shares("wald")) < 0.9


def test_a_mean_over_shares_is_one():
    (row,) = [row for row in over_shares("wilson") if row.rows == 20]
    found = [lab.coverage(lab.Shares(share=share), methods="wilson", rows=20)[0].coverage for share in SHARES]
    assert (row.figure, row.worst) == (round(float(np.mean(found)), 4), round(min(found), 4))


def measured_again(row, **how):
    verb = {"coverage": lab.coverage, "power": lab.power}.get(row.noun, lab.size)
    score = None if row.score in ("", "score") else row.score
    return verb(row.world, methods=row.method, rows=row.rows, score=score, **how)[0]


@pytest.mark.parametrize(
    "row", [row for row in TYPED if row.enumerated and row.worst is None and row.trials < 400], ids=str
)
def test_enumerated_figures_are_found_again(row):
    found = measured_again(row)
    assert found.enumerated and row.figure == round(getattr(found, "coverage", getattr(found, "rejected", 0)), 4)


CHEAP = (
    "corrected_t",
    "five_by_two_f",
    "wilcoxon",
    "nemenyi",
    "mean_ranks then holm",
    "hommel",
    "paired_loss_t",
    "tango",
)
CHEAP += ("order_statistics", "square_and_add", "paired_t", "clustered_mcnemar", "iman_davenport")
AGAIN = {row.method: row for row in TYPED if row.method in CHEAP and not row.enumerated and (row.rows or 0) <= 200}


@pytest.mark.parametrize("name", AGAIN)
def test_figures_of_another_seed_agree(name):
    row = AGAIN[name]
    found = measured_again(row, trials=150, seed=77)
    figure = found.coverage if row.noun == "coverage" else found.rejected
    apart = (row.error**2 + found.error**2 + 0.0005**2) ** 0.5
    assert figure == pytest.approx(row.figure, abs=4 * apart)


def test_cheap_figures_are_there():
    assert len(AGAIN) >= 9


def test_what_is_known_is_found():
    """Resampled t far above its level; Nemenyi holds its family-wise error."""
    plain = [row for row in TYPED if row.method == "resampled_t" and row.noun == "error rate"]
    assert plain and min(row.figure for row in plain) > 0.2
    nemenyi = [
        row
        for row in read_measurements(ErrorRate, "veracity.adjustments")
        if row.method == "nemenyi" and row.noun == "family-wise error"
    ]
    assert len(nemenyi) >= 2 and max(row.figure - 2 * row.error for row in nemenyi if "heavy" not in row.world) <= 0.05


NOTED = ("shares", "families", "splits", "data_sets", "differences", "orderings", "pairs", "matrices", "losses")
NOTED += ("discoveries", "standardised", "verbs", "defaults_shares", "defaults_worlds")


@pytest.mark.parametrize("area", AREAS)
def test_what_is_shipped_is_listed(area):
    """No figures of what nobody measures any more; and of areas that note down their units, of all that is listed."""
    listed = {one.unit for one in specifications(area)}
    shipped = set().union(*(shipped_units(area, room) for room in {one.room for one in specifications(area)}))
    assert shipped == listed if area in NOTED else shipped <= listed


@pytest.mark.parametrize("catalogue", GATED, ids=lambda catalogue: catalogue.kind.kind)
def test_every_kind_tells_its_figures_to_machines(catalogue):
    for entry in catalogue:
        for row in vc.explain(entry).to_json()["measured"]:
            assert {"world", "rows", "by", "what", "figure", "error"} <= set(row)


def test_worlds_of_figures_can_be_typed():
    for row in TYPED:
        if row.worst is None:
            worlds.choose(row.world)


def test_only_what_is_missing_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr("bench.figures.writer.HOUSE", tmp_path)
    monkeypatch.setattr("bench.figures.writer.JOURNAL", tmp_path / "build" / "journal")
    asked = []

    def unit(name):
        def rows(seed):
            asked.append(name)
            return [{"method": name, "covered": 0.5}]

        return Specification(name, "intervals", rows)

    (tmp_path / "intervals").mkdir()
    measure_area("some", [unit("a"), unit("b")])
    (tmp_path / "build" / "journal").unlink()
    measure_area("some", [unit("a"), unit("c"), unit("b")], missing=True)
    assert asked == ["a", "b", "c"] and list(shipped_units("some", "intervals")) == ["a", "c", "b"]
    content = json.loads(file_of("some", "intervals").read_text())
    assert [row["method"] for row in content["measured"]] == ["a", "c", "b"] and content["seed"] == 20_262
    measure_area("some", [unit("a"), unit("c"), unit("b")])
    assert asked[3:] == ["a", "b"]  # the journal has c
    (tmp_path / "build" / "journal").unlink()
    measure_area("some", [unit("a"), unit("c"), unit("b")], missing=True, again="c")
    assert asked[5:] == ["c"] and list(shipped_units("some", "intervals")) == ["a", "c", "b"]


def test_units_without_rows_are_kept_and_cut_lines_are_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr("bench.figures.writer.HOUSE", tmp_path)
    journal = tmp_path / "build" / "journal"
    monkeypatch.setattr("bench.figures.writer.JOURNAL", journal)
    (tmp_path / "intervals").mkdir()
    units = [Specification(name, "intervals", lambda seed: []) for name in "ab"]
    measure_area("some", units)
    measure_area("some", units, missing=True)
    whole = journal.read_text()
    for _ in range(2):
        journal.write_text(journal.read_text()[:-20])
        measure_area("some", units)
        assert journal.read_text().endswith(whole.splitlines()[-1] + "\n")
    assert list(shipped_units("some", "intervals")) == ["a", "b"]


def test_rows_are_of_the_seed_that_they_are_stamped_with(monkeypatch):
    def rows_of(size, seed):
        return [{"of": seed, "rows": size}]

    found = list(each_cell("effects", rows_of, [(3,), (5,)]))
    assert [one.unit for one in found] == ["rows of: 3", "rows of: 5"]
    assert [one.rows(7) for one in found] == [[{"of": 7, "rows": 3}], [{"of": 7, "rows": 5}]]


@pytest.mark.parametrize("area", ["standardised", "verbs", "discoveries"])
def test_each_unit_has_random_numbers_of_its_own(area, monkeypatch):
    cells = []
    for module in (verb_coverage, discoveries):
        monkeypatch.setattr(module, "generator", lambda *cell: cells.append(cell) or np.random.default_rng(0))
    for one in specifications(area):
        rows = one.rows.func(*one.rows.args, seed=7, trials=1)
        assert rows and all(row["trials"] == 1 for row in rows)
    drawn = [cell for cell in cells if "expected ranks" not in cell]  # what is true of ranks is shared
    assert len(set(drawn)) == len(drawn) >= len(list(specifications(area))) and {cell[0] for cell in cells} == {7}


def test_two_processes_note_down_what_one_does(tmp_path):
    """Bit for bit, in whichever order the units come."""
    units = [one for one in specifications("splits") if "power" in one.unit][:3]
    few = [replace(one, rows=partial(few_trials, one.rows)) for one in units]
    found = [noted_rows(few, tmp_path / f"by {number}", "same", processes=number) for number in (1, 2)]
    assert len(found[0]) == 3 and {unit: one.rows for unit, one in found[0].items()} == {
        unit: one.rows for unit, one in found[1].items()
    }
    again = noted_rows(few, tmp_path / "by 2", "same", processes=2)
    assert again == found[1] and len((tmp_path / "by 2").read_text().splitlines()) == 3


def few_trials(rows, seed):
    """What a unit of the listing gives of a few samples."""
    verb, world, methods, number, how = rows.args
    return rows.func(verb, world, methods, number, {**how, "trials": 20}, seed)


@pytest.mark.parametrize("verb", ["slices", "compare", "best_threshold", "rank", "bbc_cv"])
def test_what_verbs_find_by_looking_at_many_holds_or_is_cautioned(verb):
    """Slices, thresholds, ranks and the best of many: what comes without a caution holds; false claims are few."""
    figures = verb_figures(verb)
    assert figures and {row.method for row in figures} <= {
        row["method"] for row in vc.explain(verb).to_json()["measured"]
    }
    for row in figures:
        if row.noun != "coverage":
            assert row.figure - 2 * row.error <= LARGEST, row
        elif row.cautioned < 0.9:
            figure, error = (row.figure, row.error) if row.silent is None else (row.silent, row.silent_error)
            assert figure + 2 * error >= MIN_COVERAGE, row


def test_figures_of_a_rerun_are_held_against_those_before():
    before = [{"method": name, "world": "w", "trials": 400, "covered": 0.95} for name in "abc"]
    after = [{**row, "covered": covered} for row, covered in zip(before, (0.95, 0.96, 0.80), strict=True)]
    same, near, apart = agreement(before, [*after, {"method": "d", "world": "w", "trials": 9, "covered": 1.0}])
    assert (same, near) == (1, 1) and len(apart) == 1 and apart[0].startswith("c, w: 0.95 became 0.8, ")
