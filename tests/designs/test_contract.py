"""What every design promises, whatever its rule."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.references import REFERENCES
from veracity.designs import designs
from veracity.designs.make_design import choose_design, make_design, spell_design, split_count
from veracity.designs.parameters import whole_number
from veracity.records.design import Rows

RANDOM = np.random.default_rng(4)
NUMBER = 61
CLASSES = RANDOM.permutation(np.repeat([0, 1, 2], [30, 19, 12]))
GROUPS, TIME = RANDOM.integers(0, 17, NUMBER), RANDOM.permutation(NUMBER) / 3
SETTINGS = {
    "classes": Rows(NUMBER, CLASSES),
    "numbers": Rows(NUMBER),
    "groups": Rows(NUMBER, CLASSES, GROUPS),
    "time": Rows(NUMBER, CLASSES, None, TIME),
    "groups in time": Rows(NUMBER, None, GROUPS, np.arange(NUMBER)),
}
ASKED = {"nested": "nested(outer=kfold(k=4), inner=holdout(test=0.5))", "bootstrap": "bootstrap(draws=20)"}
ASKED |= {"nested_cv_bates": "nested_cv_bates(k=4, repeats=3)", "paired_subsampling": "paired_subsampling(3, 4)"}
WORDS = """resubstitution holdout repeated_holdout kfold repeated_kfold leave_one_out bootstrap five_by_two three_way
    nested paired_subsampling nested_cv_bates"""
EXPECTED = set(WORDS.split())  # others may come, and do in time or with a seed as they will
ONCE_IN_TIME = {"repeated_kfold", "repeated_holdout"}
TEARS_GROUPS = {"paired_subsampling"}


def asked(entry):
    return ASKED.get(entry.name, entry.name)


every_design = pytest.mark.parametrize("entry", designs, ids=lambda entry: entry.name)
every_setting = pytest.mark.parametrize("setting", SETTINGS)


def with_test_file(entry, rows):
    """Rows of which some come from a test file, whole groups or the last, for the design that reads it."""
    if entry.name != "test_file":
        return rows
    order = np.arange(len(rows)) if rows.time is None else np.argsort(np.argsort(rows.time))
    return replace(rows, test=order >= 2 * len(rows) // 3 if rows.groups is None else rows.groups < 5)


def made(entry, setting, seed=7):
    """The design, or None where it has to be refused."""
    refused = (entry.name in ONCE_IN_TIME and "time" in setting) or (entry.name in TEARS_GROUPS and "groups" in setting)
    if not refused:
        return make_design(asked(entry), with_test_file(entry, SETTINGS[setting]), seed)
    with pytest.raises(Refused):
        make_design(asked(entry), with_test_file(entry, SETTINGS[setting]), seed)
    return None


def test_no_design_was_lost():
    assert set(designs.entries) >= EXPECTED


@every_design
def test_describes_itself(entry):
    assert entry.cite and set(entry.cite) <= set(REFERENCES)
    assert entry.sentence.endswith(".") and entry.title
    assert pickle.loads(pickle.dumps(entry)) is entry


@every_setting
@every_design
def test_rows_are_valid_and_on_one_side_only(entry, setting):
    design = made(entry, setting)
    for split in design.splits if design else ():
        parts = [split.train, split.test] + ([] if split.validation is None else [split.validation])
        for rows in parts:
            assert rows.dtype == np.int32 and not rows.flags.writeable and len(rows)
            assert rows[0] >= 0 and rows[-1] < NUMBER and (np.diff(rows) >= 0).all()
        assert len(np.unique(split.test)) == len(split.test)
        if not entry.tests_training:
            different = sum(len(set(rows.tolist())) for rows in parts)
            assert len(set(np.concatenate(parts).tolist())) == different


@every_setting
@every_design
def test_what_it_declares_of_its_splits_is_true(entry, setting):
    design = made(entry, setting)
    if design is not None:
        assert design.tests_trained == entry.tests_training
        assert (len({split.part for split in design.splits}) > 1) == entry.several_kinds


@every_setting
@every_design
def test_groups_are_whole(entry, setting):
    rows, design = SETTINGS[setting], made(entry, setting)
    if design is None or rows.groups is None or entry.tests_training:
        return
    for split in design.splits:
        parts = [split.train, split.test] + ([] if split.validation is None else [split.validation])
        groups = [set(rows.groups[part].tolist()) for part in parts]
        assert sum(map(len, groups)) == len(set.union(*groups))


@every_setting
@every_design
def test_time_is_in_order_or_a_caution_says_so(entry, setting):
    rows, design = SETTINGS[setting], made(entry, setting)
    if design is None or rows.time is None or entry.tests_training:
        return
    ordered = all(rows.time[split.train].max() < rows.time[split.test].min() for split in design.splits)
    assert ordered != ("out-of-time-order" in {note.code for note in design.notes})
    assert ordered == (entry.name in {"holdout", "kfold", "three_way", "nested"}) or entry.name not in EXPECTED


@every_design
def test_the_seed_decides_and_nothing_else(entry):
    first, again, other = (made(entry, "classes", seed) for seed in (7, 7, 8))
    assert first.fingerprint == again.fingerprint
    fixed = entry.name in {"resubstitution", "leave_one_out"}
    assert (first.fingerprint == other.fingerprint) == fixed or entry.name not in EXPECTED


@every_design
def test_the_name_reads_back_to_the_same_design(entry):
    design = made(entry, "classes")
    again = make_design(design.name, with_test_file(entry, SETTINGS["classes"]), 7)
    assert again.name == design.name and again.fingerprint == design.fingerprint


@every_design
def test_places_are_told_apart(entry):
    design = made(entry, "classes")
    places = [(split.repeat, split.fold, split.part) for split in design.splits]
    assert len(set(places)) == len(places)


@every_design
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_few_rows_work_or_are_refused_in_a_sentence(entry, number):
    enough = {"resubstitution": 1, "kfold": 10, "repeated_kfold": 10, "nested": 4, "nested_cv_bates": 4}
    rows = Rows(number, np.zeros(number, int))
    if number >= enough.get(entry.name, {"three_way": 3, "paired_subsampling": 4}.get(entry.name, 2)):
        assert all(
            len(split.train) and len(split.test)
            for split in make_design(asked(entry), with_test_file(entry, rows), 0).splits
        )
        return
    with pytest.raises(Refused, match=r"^[^\n]{20,}$"):
        make_design(asked(entry), with_test_file(entry, rows), 0)


@every_design
def test_a_whole_number_is_needed_where_one_is_meant(entry):
    for parameter in entry.parameters:
        if isinstance(parameter.default, int) and parameter.name != "gap":
            for wrong in (2.5, True, "3", 0, -1):
                with pytest.raises(VeracityError, match=rf"{parameter.name} must be|2 to {NUMBER} folds"):
                    make_design(entry.choose(**{parameter.name: wrong}), SETTINGS["classes"], 0)


def test_an_array_is_no_whole_number():
    with pytest.raises(BadInput, match="k must be a whole number"):
        whole_number("k", np.array([5]))


def test_names_say_sizes_and_only_the_variants_set():
    said = {
        "kfold": "kfold(k=10)",
        "kfold(5)": "kfold(k=5)",
        "kfold(k=5, stratified='auto', gap=0)": "kfold(k=5)",
        "repeated_holdout(stratified=False)": "repeated_holdout(repeats=25, test=0.1, stratified=False)",
        "leave_one_out": "leave_one_out",
        "nested(outer=leave_one_out(), inner=kfold())": "nested(outer=leave_one_out(), inner=kfold(k=10))",
    }
    assert {typed: spell_design(choose_design(typed)) for typed in said} == said
    assert spell_design(designs["kfold"](k=np.int64(3))) == "kfold(k=3)"


SMALL = {
    "bootstrap": "bootstrap(draws=7)",
    "kfold": "kfold(k=4)",
    "nested": "nested(outer=repeated_kfold(k=3, repeats=2), inner=kfold(k=5))",
    "nested_cv_bates": "nested_cv_bates(k=5, repeats=3)",
    "paired_subsampling": "paired_subsampling(outer=3, inner=4)",
    "repeated_holdout": "repeated_holdout(repeats=6)",
    "repeated_kfold": "repeated_kfold(k=3, repeats=5)",
}


@every_design
def test_a_design_says_how_many_splits_it_makes(entry):
    for rows in (SETTINGS["classes"], SETTINGS["groups"]):
        if rows.groups is not None and entry.name in TEARS_GROUPS:
            continue
        rows, by = with_test_file(entry, rows), SMALL.get(entry.name, entry.name)
        assert split_count(choose_design(by), rows) == len(make_design(by, rows, 1)), by


@pytest.mark.parametrize(
    ("by", "splits"),
    [
        ("nested_cv_bates(k=300, repeats=100)", "4,515,000"),
        ("paired_subsampling(outer=500, inner=200)", "200,200"),
        ("nested(outer=repeated_kfold(k=300, repeats=400), inner=kfold(k=5))", "120,000"),
    ],
)
def test_too_many_splits_are_refused_before_any_is_made(by, splits):
    with pytest.raises(Refused, match=f"makes about {splits} splits"):
        make_design(by, Rows(1000), 0)


def test_few_large_groups_left_out_one_by_one_are_few_splits():
    rows = Rows(200_000, None, np.arange(200_000) % 5)
    assert len(make_design("leave_one_out", rows, 0)) == 5
