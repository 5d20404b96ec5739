import numpy as np
import pytest

from veracity.kernels.collapse import into_blocks


@pytest.mark.parametrize("rows", [30, 9000], ids=["plain", "compiled"])
def test_counts_by_class_and_block(rows):
    random = np.random.default_rng(0)
    drawn = random.integers(0, 4, (3, rows)).astype(np.uint8)
    negative, block = random.integers(0, 2, rows).astype(np.uint8), random.integers(0, 7, rows).astype(np.int32)
    out = np.zeros((2, 3, 7), np.int32)
    into_blocks(drawn, negative, block, out)
    for kind in (0, 1):
        for draw in range(3):
            assert (out[kind, draw] == np.bincount(block, drawn[draw] * (negative == kind), 7)).all()
