"""The parts of a loss in words."""

import numpy as np

from veracity.findings.experiments import Decomposition, Decompositions


def test_a_part_below_zero_is_taken_away():
    found = Decomposition("nb", "domingos", 0.25, 0.2667, -0.01667, None, 5, "5 training sets", np.zeros((3, 4)))
    assert found.sentence.endswith("is 0.25 = 0.2667 bias and noise - 0.01667 variance.")


def test_an_infinite_value_of_a_parameter_is_drawn_by_its_name():
    part = Decomposition("logistic", "domingos", 0.25, 0.2, 0.05, None, 5, "5 training sets", np.zeros((3, 4)))
    drawn = Decompositions("logistic", "C", (0.1, 1.0, np.inf), (part, part, part)).curve()
    assert drawn.x_names == ("0.1", "1.0", "inf") and not drawn.log_x
    assert [line.x.tolist() for line in drawn.lines] == [[1, 2, 3]] * 3
