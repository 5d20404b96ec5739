"""The parts of a loss in words."""

import numpy as np

from veracity.findings.experiments import Decomposition


def test_a_part_below_zero_is_taken_away():
    found = Decomposition("nb", "domingos", 0.25, 0.2667, -0.01667, None, 5, "5 training sets", np.zeros((3, 4)))
    assert found.sentence.endswith("is 0.25 = 0.2667 bias and noise - 0.01667 variance.")
