"""The system asks a permutation test to end: it does, and no draw is blamed for it."""

import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, time
from sklearn.naive_bayes import GaussianNB
import veracity as vc

class Ends(GaussianNB):
    fits = 0

    def fit(self, X, y, sample_weight=None):
        Ends.fits += 1
        if Ends.fits == LAST:
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(600)
            except SystemExit:
                if HIDES:
                    raise RuntimeError("interrupted") from None  # as duckdb does
                raise
        return super().fit(X, y)

vc.permutation_test(Ends(), [[0.0], [1.0]] * 20, [0, 1] * 20, by="kfold(k=2)", draws=50, progress=False)
print("goes on")
"""


@pytest.mark.parametrize(("last", "hides"), [(25, False), (25, True), (1, True)])
def test_it_ends_when_it_is_asked_to(last, hides):
    program = f"LAST, HIDES = {last}, {hides}\n{PROGRAM}"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (143, ""), found.stderr
