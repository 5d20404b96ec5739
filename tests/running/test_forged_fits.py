"""Fits of the baseline that a store holds and that cannot be: one sentence, whichever way they are wrong."""

import numpy as np
import pytest

from veracity.core.errors import StoreError
from veracity.records.fit import Outcome
from veracity.stores.open_store import open_store

ROWS = np.arange(300)
LABELS = ROWS % 3
FORGED = {
    "too many classes": (ROWS, LABELS, np.ones((300, 5)) / 5, None, None),
    "no labels": (ROWS, None, None, None, ROWS / 7),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_fit_of_the_baseline_is_told(small, tmp_path, how):
    study = small(data={"iris": small().data["iris"]}, checks=["baseline"])
    study.run(tmp_path / "results.db", progress=False)
    with open_store(tmp_path / "results.db") as store:
        keys = store.finished()
        store.write([Outcome(key, "done", *FORGED[how]) for key in keys], again=keys)
    with pytest.raises(StoreError, match=r"results.db is damaged \(.* on iris.*\): `vc.check_store` says what to do"):
        study.run(tmp_path / "results.db", progress=False)
