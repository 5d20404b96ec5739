"""The slices of a study: its learners on each group of rows that a column of the data file names."""

from __future__ import annotations

from dataclasses import replace

from veracity.api.slices import slices
from veracity.core.errors import BadInput, Refused
from veracity.evidence.runs import Runs
from veracity.readers.read_predictions import read_column
from veracity.studies.study_file import data_files
from veracity.web.inquiry import Inquiry
from veracity.web.lines import Name, python_call
from veracity.web.shown import Shown, show_finding

MOST = 60  # slices that somebody looks at


def by_slices(runs: Runs, asked: Inquiry) -> Shown:
    """One data set, each learner on each slice, with intervals that hold together."""
    if asked.study is None:
        raise Refused("a store keeps no columns of the data, and no study file lies beside it", "no-columns")
    data = next((name for name in asked.data or runs.names if data_files(asked.study, name)), None)
    if data is None:
        raise Refused("these data sets are built in and have no file with columns to slice by", "no-columns")
    if asked.slices is None:
        raise BadInput(f"pick the column that slices the rows of {data}")
    labels = [label for file in asked.files for label in read_column(file, asked.slices)]
    if len(set(labels)) > MOST:
        raise Refused(f"{asked.slices} has {len(set(labels))} values, more slices than {MOST}: pick another", "many")
    how = {"level": asked.changed_level}
    names = list(asked.scores_of(runs))
    found = slices(runs.only(data=data), labels, names, level=asked.level)
    reads = [python_call("vc.read_column", file, asked.slices) for file in asked.files]
    column = reads[0] if len(reads) == 1 else f"[*{', *'.join(reads)}]"
    call = python_call("vc.slices", Name("runs"), Name(column), names=names, **how)
    lines = asked.lines("estimate", tuple(names), call, {"slices": asked.slices, **how}, data=(data,))
    shown = show_finding(found, f"{data} by {asked.slices}", lines)
    return replace(shown, shape=lambda: {"by": asked.slices, **found.to_json()})
