"""autorank: the ranking of learners over data sets."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib.metadata import version

import pandas as pd
from autorank import autorank

import veracity as vc
from bench.parity.inputs import tables
from bench.parity.row import Row, compare

NAME, VERSION = "autorank", version("autorank")


def theirs(table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = pd.DataFrame(table, columns=[f"l{i}" for i in range(table.shape[1])])
        with redirect_stdout(io.StringIO()):
            return autorank(frame, verbose=False, force_mode="nonparametric")


def ours(table, **asked):
    names = [f"l{i}" for i in range(table.shape[1])]
    return vc.rank(vc.score_matrix(table, names, better="higher"), **asked)


def rows() -> Iterator[Row]:
    found = {id(table): theirs(table) for table in tables()}
    yield compare(
        "rank(...).average_ranks",
        "autorank(...).rankdf.meanrank",
        tables(),
        lambda t: [ours(t).average_ranks[f"l{i}"] for i in range(t.shape[1])],
        lambda t: found[id(t)].rankdf.meanrank.sort_index(),
    )
    yield compare(
        "rank(..., using='friedman').omnibus.p_value",
        "autorank(...).pvalue",
        tables(),
        lambda t: ours(t, using="friedman").omnibus.p_value,
        lambda t: found[id(t)].pvalue,
    )
    rejected = [t for t in tables() if found[id(t)].cd is not None and found[id(t)].pvalue < 0.05]
    yield compare(
        "rank(..., then='nemenyi').critical_difference",
        "autorank(...).cd",
        rejected,
        lambda t: ours(t, using="friedman", then="nemenyi").critical_difference,
        lambda t: found[id(t)].cd,
        "their critical value comes from an approximation of the studentised range, qsturng, good to five digits",
    )
