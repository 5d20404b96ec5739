"""All rows of one cross-validation together, to be drawn again with replacement."""

from __future__ import annotations

from dataclasses import dataclass

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.intervals.measured import Measured
from veracity.risk.resampling import Resampling
from veracity.risk.suited import of_models, times_tested

ROWS_ONLY = Note(
    "rows-only",
    "caution",
    "rows are drawn again but nothing is trained again: how training sets differ is left out, and the interval is too "
    "narrow for the learner",
)


@dataclass(frozen=True, eq=False)
class PooledRows(Measured):
    """The score of all tested rows, each predicted by one model that had not seen it."""

    notes: tuple[Note, ...] = ()
    answers: str = ""


def pooled_rows(r: Resampling) -> PooledRows:
    """Refuses rows that were tested more than once, and scores that cannot be had from several models together."""
    if not r.pools:
        raise Refused(
            f"{r.score} of rows of several models together means nothing: use corrected_t by='repeated_kfold'",
            "several-models",
        )
    tested = times_tested(r)
    if tested.max() > 1:
        raise Refused(
            f"{r.run.design.name} tests rows more than once, so they cannot be drawn as independent ones: "
            "use corrected_t by='repeated_kfold', or by='kfold(k=10)'",
            "wrong-design",
        )
    if tested.max() == 0:
        raise Refused("every tested row had trained its model: use by='kfold(k=10)'", "wrong-design")
    p = r.together(r.numbers(r.first), "fresh")
    return PooledRows(r.score, r.score.entry.gather(p, **r.score.given), (ROWS_ONLY,), of_models(r))
