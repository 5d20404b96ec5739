"""Which predictions of a run are of rows that a split's own model had not seen."""

from dataclasses import replace

import numpy as np

from veracity.evidence.predictions import Predictions, subset
from veracity.evidence.run import Run
from veracity.records.design import Design, Split

TRUTH = np.arange(4.0)


def run_of(*pairs):
    splits = tuple(Split(np.array(train), np.array(test)) for train, test in pairs)
    rows = np.concatenate([split.test for split in splits])
    numbers = np.repeat(np.arange(len(splits)), [len(split.test) for split in splits])
    p = Predictions("numbers", TRUTH[rows], number=TRUTH[rows], rows=rows, splits=numbers)
    return Run("data", "learner", Design("design", 0, 4, splits), p, TRUTH)


def test_how_often_each_predicted_row_had_trained_its_model():
    run = run_of(([0, 0, 1, 3], [0, 1, 2, 3]), ([1, 1, 1, 2], [0, 3]))
    assert run.times_drawn.tolist() == [2, 1, 0, 1, 0, 0]
    assert run.places == {0: slice(0, 4), 1: slice(4, 6)}


def test_rows_that_trained_are_left_out_of_predictions_and_of_the_design():
    fresh = run_of(([0, 0, 1, 3], [0, 1, 2, 3]), ([1, 1, 1, 2], [0, 3])).fresh
    assert fresh.predictions.rows.tolist() == [2, 0, 3]
    assert [split.test.tolist() for split in fresh.design.splits] == [[2], [0, 3]]


def test_where_there_are_no_others_they_stay():
    run = run_of(([0, 1, 2, 3], [0, 1, 2, 3]))
    assert run.fresh is run


def test_a_run_without_predictions_is_fresh():
    run = Run("data", "learner", Design("design", 0, 4, ()), None, TRUTH)
    assert run.fresh is run and run.places == {} and len(run.times_drawn) == 0


def test_of_splits_that_failed_nothing_is_counted():
    whole = run_of(([0, 0, 1, 3], [0, 1, 2, 3]), ([1, 1, 1, 2], [0, 3]), ([0, 1, 1, 1], [2, 1]))
    there = np.isin(whole.predictions.splits, [0, 2])
    run = replace(whole, predictions=subset(whole.predictions, there), absent=1)
    assert run.places == {0: slice(0, 4), 2: slice(4, 6)}
    assert run.times_drawn.tolist() == [2, 1, 0, 1, 0, 3]
    assert run.fresh.predictions.rows.tolist() == [2, 2]


def test_splits_in_another_order_are_counted_as_they_lie():
    whole = run_of(([0, 0, 1, 3], [0, 1]), ([1, 1, 1, 2], [1, 3]))
    run = replace(whole, predictions=subset(whole.predictions, np.array([2, 3, 0, 1])))
    assert run.times_drawn.tolist() == [3, 0, 2, 1]


def test_a_design_without_splits_is_fresh():
    assert Design("design", 0, 4, ()).fresh.splits == ()
