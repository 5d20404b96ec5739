import numpy as np
import pytest

from veracity.kernels.block_influence import powers


@pytest.mark.parametrize("size", [0, 1, 50, 20_000])
def test_sums_of_powers(size):
    numbers = np.random.default_rng(0).normal(size=size)
    assert powers(numbers) == pytest.approx([size, *((numbers**k).sum() for k in (1, 2, 3))], abs=1e-8)
