"""Arrays come back bit for bit from small bytes, and a lost bit is noticed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.stores.contract.examples import same_bits
from veracity.core.errors import BadInput
from veracity.stores.packing import DamagedBytes, pack, pack_text, unpack, unpack_text

TYPES = st.one_of(
    arrays.boolean_dtypes(),
    arrays.integer_dtypes(endianness="?"),
    arrays.unsigned_integer_dtypes(endianness="?"),
    arrays.floating_dtypes(endianness="?"),
    arrays.datetime64_dtypes(),
    arrays.unicode_string_dtypes(max_len=4),
)
ARRAYS = arrays.arrays(TYPES, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=20))


@given(st.lists(st.none() | ARRAYS, max_size=5))
def test_every_array_comes_back_bit_for_bit(given_arrays):
    found = unpack(pack(*given_arrays))
    assert len(found) == len(given_arrays)
    assert all(same_bits(one, other) for one, other in zip(found, given_arrays, strict=True))
    assert not any(array.flags.writeable for array in found if array is not None)


@given(arrays.arrays(np.int64, st.integers(0, 600), elements=st.integers(-(2**63), 2**63 - 1)), st.booleans())
def test_whole_numbers_of_any_size_survive_their_steps(values, ascending):
    values = np.sort(values) if ascending else values
    assert same_bits(unpack(pack(values))[0], values)


def test_parts_of_larger_arrays_are_packed_as_they_look():
    table = np.arange(24.0).reshape(4, 6)
    for part in (table[::2, 1:], table.T, table[:, 2]):
        assert unpack(pack(part))[0].tolist() == part.tolist()


def test_small_where_that_is_cheap():
    rows = np.flatnonzero(np.random.default_rng(0).random(1_000_000) < 0.1)
    votes = np.random.default_rng(1).integers(0, 6, (100_000, 2)) / 5
    noise = np.random.default_rng(2).random(10_000)
    assert len(pack(rows)) < 1.2 * len(rows)  # bytes, of 8 each
    assert len(pack(np.arange(15))) < 60
    assert len(pack(votes)) < votes.nbytes / 5
    assert noise.nbytes < len(pack(noise)) < noise.nbytes + 50


@given(st.integers(0), st.integers(1, 255))
def test_any_changed_byte_is_noticed(place, change):
    packed = bytearray(pack(np.arange(40), np.linspace(0, 1, 40), None))
    packed[place % len(packed)] ^= change
    with pytest.raises(DamagedBytes):
        unpack(bytes(packed))


def test_bytes_that_end_early_are_noticed():
    packed = pack(np.arange(40), np.linspace(0, 1, 40))
    for end in range(len(packed)):
        with pytest.raises(DamagedBytes):
            unpack(packed[:end])


def test_arrays_of_objects_are_refused():
    with pytest.raises(BadInput, match="cannot be stored"):
        pack(np.array([None, 1]))


@given(st.text(st.characters()) | st.just("\ud800 \0"))
def test_any_text_comes_back(text):
    assert unpack_text(pack_text(text)) == text


def test_a_damaged_text_is_noticed():
    with pytest.raises(DamagedBytes):
        unpack_text(b"nonsense")
