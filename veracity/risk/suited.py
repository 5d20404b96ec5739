"""What intervals that read losses of rows ask of a run, refused with the way out where it is not so."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.records.arrays import Array
from veracity.risk.kinds import main_part, trained_share
from veracity.risk.resampling import Resampling
from veracity.scores.rowwise import of_rows

COMPLETE = "mend why they failed and run the study again with retry='failed', or use corrected_t by='repeated_kfold'"


def losses_of_rows(r: Resampling, method: str, numbers: list[int]) -> tuple[Array, Array, Array]:
    """Split, row and loss of everything that some splits said of rows new to their models.

    Refuses scores that are no means over rows, rows that do not stand for themselves alone, and missing splits.
    """
    plain_means(r, method)
    if len(r.run.places) < len(r.run.design):
        raise Refused(f"some splits failed or are missing, and {method} needs all: {COMPLETE}", "incomplete")
    p = r.together(numbers, "fresh")
    assert p.splits is not None and p.rows is not None
    return p.splits, p.rows, of_rows(r.score, p)


def plain_means(r: Resampling, method: str) -> None:
    """Refuse what no design would mend: asked before the design is, so that the way out is one."""
    _mean_over_rows(r, method)
    _plain_rows(r, method)


def _mean_over_rows(r: Resampling, method: str) -> None:
    if not r.is_mean:
        says = (
            f"{method} is about means over rows, and {r.score} is none: "
            "use corrected_t by='repeated_kfold', or conservative_z by='paired_subsampling'"
        )
        raise Refused(says, "not-a-mean")


def _plain_rows(r: Resampling, method: str) -> None:
    p = r.run.predictions
    assert p is not None
    for given, what in ((p.weights, "weighted"), (p.groups, "in groups")):
        if given is not None:
            says = f"{method} takes rows as independent and counts each once, and these are {what}: use corrected_t"
            raise Refused(f"{says} by='repeated_kfold'", "not-plain")


def of_models(r: Resampling) -> str:
    """The risk that the tested rows tell of, when how training sets differ is left out."""
    number, share = len(main_part(r.run.design)), trained_share(r.run.design)
    return f"average risk of the {number} models of the splits, each trained on {share} of the rows"


def times_tested(r: Resampling) -> Array:
    """How often each row of the data was tested by a model that had not seen it, in the main part."""
    return np.bincount(np.asarray(r.together(r.numbers(r.first), "fresh").rows), minlength=r.run.design.rows)
