"""Matrices of a page: names whole, cells no smaller than their numbers."""

import re

import numpy as np
import pytest

from veracity.reports.svg.matrices import NAME, WIDTH, count_matrix


def boxes(drawn):
    return [float(width) for width in re.findall(r'<rect[^>]* width="([\d.]+)"', drawn)]


@pytest.mark.parametrize("k", [2, 5, 10, 12])
def test_small_numbers_of_many_classes_fit_beside_each_other(k):
    drawn = str(count_matrix(np.full((k, k), 12), [str(i) for i in range(k)], "counts"))
    assert k * boxes(drawn)[0] <= max(WIDTH, 31 * k)
    assert len(boxes(drawn)) == k * k


def test_large_numbers_widen_the_cells():
    counts = np.full((10, 10), 1_234_567)
    assert (
        boxes(str(count_matrix(counts, list("abcdefghij"), "counts")))[0]
        > boxes(str(count_matrix(counts // 10**5, list("abcdefghij"), "c")))[0]
    )


def test_names_are_whole_in_lines_and_escaped():
    names = ["linear discriminant", "<b>", "k-nearest neighbours (k = 5)"]
    drawn = str(count_matrix(np.eye(3), names, "counts"))
    said = "".join(re.findall(r"<text[^>]*>([^<]*)<", drawn)).replace(" ", "")
    assert said.count("lineardiscriminant") == 2 and said.count("k-nearestneighbours(k=5)") == 2
    assert "<b>" not in drawn and "discriminant</text>" in drawn
    assert "…" in str(count_matrix(np.eye(2), ["x" * (NAME + 1), "y"], "counts"))
