"""How far estimators of risk are off on average, where the risk is known: `python -m bench.bias` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import veracity
from bench.learner_coverage import STABLE, UNSTABLE
from veracity.lab import quality
from veracity.risk.entry import Bias

FILE = Path(veracity.__file__).parent / "risk" / "measured" / "bias.json"
SHOWN = ("method", "world", "rows", "trials", "bias", "spread", "truth")
ROWS, TRIALS, DEAR = 50, 1000, 200
CHEAP = (
    "resubstitution",
    "holdout",
    "three_way",
    "repeated_holdout",
    "kfold",
    "corrected_holdout",
    "corrected_kfold",
    "five_by_two",
    "leave_one_out",
    "jackknife",
)
OF_MANY_FITS = (
    "repeated_kfold",
    "bootstrap",
    "loo_bootstrap",
    "optimism_bootstrap",
    "boot632",
    "boot632plus",
    "paired_subsampling",
    "nested_cv_bates(k=10, repeats=10)",
)


def rows() -> Iterator[Bias]:
    """One for each learner and estimator."""
    for case in (STABLE, UNSTABLE):
        for by in (*CHEAP, *OF_MANY_FITS):
            found = quality(case.world, case.learner, by, ROWS, TRIALS if by in CHEAP else DEAR)
            yield Bias(
                method=by,
                world=case.says,
                rows=ROWS,
                trials=found.trials,
                bias=round(found.bias, 4),
                spread=round(found.error, 4),
                truth=round(found.truth, 4),
            )


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    lines = ",\n".join(f"  {json.dumps(_plain(row))}" for row in rows())
    FILE.write_text(f'{{"measured": [\n{lines}\n]}}\n', "utf-8")


def _plain(row: Bias) -> dict[str, object]:
    return {name: getattr(row, name) for name in SHOWN}


if __name__ == "__main__":
    main()
