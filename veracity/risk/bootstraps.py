"""Estimators from models trained on rows drawn with replacement."""

from __future__ import annotations

import numpy as np

from veracity.core.notes import Note, caution
from veracity.designs.entry import Said
from veracity.risk.entry import RESUBSTITUTION, Found, Part, clipped_to_range, part, risk_estimator
from veracity.risk.resampling import Resampling

ADVISED = 200  # draws
OUT, ALL = "out of the draw", "all rows"
FEWER = "mean risk of the procedure trained on bootstrap draws with {share} of the rows in each"
WHOLE = "mean risk of the procedure trained on all rows"
OVER_DRAWS = Note("over-draws", "remark", "averaged over draws, as the rows of different models cannot go together")
FEW_DRAWS = caution(
    "few-draws",
    f"fewer than {ADVISED} draws: chance in the draws themselves is not yet averaged out",
    lambda r: sum(split.part == r.first for split in r.run.design.splits) < ADVISED,
)


def on_all_rows(draws: int, grouped: Said) -> tuple[Part, ...]:
    """Models of draws, on all rows."""
    return (part(ALL, "bootstrap", every=True, draws=draws, grouped=grouped),)


def out_of_draw(draws: int, grouped: Said) -> tuple[Part, ...]:
    """Models of draws, on the rows that they were not drawn from."""
    return (part(OUT, "bootstrap", draws=draws, grouped=grouped),)


def with_resubstitution(draws: int, grouped: Said) -> tuple[Part, ...]:
    """Models of draws on all rows, and the model of all rows."""
    return (*on_all_rows(draws, grouped), RESUBSTITUTION)


@risk_estimator(
    "Bootstrap",
    cite=("efron1979", "efron1983"),
    answers="score of the procedure trained on bootstrap draws, on all rows, {share} of which it had learned from",
    parts=on_all_rows,
    limits=(FEW_DRAWS,),
    says="most of the rows that each model is tested on had trained it: the score is optimistic; use boot632plus",
    code="optimistic",
    weight="caution",
)
def bootstrap(r: Resampling, *, draws: int = 200, grouped: Said = "auto") -> Found:
    """The mean over draws of the score on all rows: optimistic, as about 63 % of them trained the model.

    The ordinary bootstrap, kept for comparison; `boot632plus` mends it, and `loo_bootstrap` tests on new rows only.
    """
    return Found(r.mean(ALL, "all"))


@risk_estimator(
    "Leave-one-out bootstrap",
    cite=("efron1983", "efron1997"),
    answers=FEWER,
    parts=out_of_draw,
    limits=(FEW_DRAWS,),
    interval={"mean": "loo_bootstrap_se"},
    says="the bootstrap has an interval for means of losses only, by loo_bootstrap_se",
)
def loo_bootstrap(r: Resampling, *, draws: int = 200, grouped: Said = "auto") -> Found:
    """Each row's loss, averaged over the draws that left it out; then the mean over rows. Pessimistic.

    Scores of a confusion matrix are of one matrix in which every row counts once, shared among the draws that left it
    out; scores of an ordering are averaged over draws. Rows that every draw holds are skipped and counted.
    """
    return left_out(r)


def left_out(r: Resampling) -> Found:
    """The score of rows under the models of draws that left them out, every row counting once."""
    if not r.pools:
        return Found(r.mean(r.first, "fresh"), (OVER_DRAWS,))
    p = r.together(r.numbers(r.first), "fresh")
    missed = r.run.design.rows - len(np.unique(np.asarray(p.rows)))
    value = r.each_row_once(r.first)
    if not missed:
        return Found(value)
    says = f"the estimate misses {missed} of {r.run.design.rows} rows, which no draw left out: use more draws"
    return Found(value, (Note("never-out", "caution", says),))


@risk_estimator(
    "Optimism bootstrap",
    cite=("efron1983", "harrell1996"),
    answers=WHOLE,
    parts=with_resubstitution,
    limits=(FEW_DRAWS,),
    says="optimism_bootstrap has no interval: how much the estimated optimism itself varies is not known",
)
def optimism_bootstrap(r: Resampling, *, draws: int = 200, grouped: Said = "auto") -> Found:
    """The score on the training rows, less its optimism: how much better models of draws are on their own draw.

    Right for learners that fit smoothly, such as regressions. Still optimistic for learners that remember their rows,
    such as 1-nearest-neighbour: there use `boot632plus`.
    """
    apparent = float(r.scores(RESUBSTITUTION.name, "all")[0])
    optimism = float((r.scores(ALL, "trained") - r.scores(ALL, "all")).mean())
    facts = (("resubstitution", apparent), ("optimism", optimism))
    return clipped_to_range(r.score, Found(apparent - optimism, facts=facts))
