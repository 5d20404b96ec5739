"""Arrays come back bit for bit from small bytes, and a lost bit is noticed."""

import json
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.stores.contract.examples import same_bits
from veracity.core.errors import BadInput
from veracity.stores import schema
from veracity.stores.errors import DamagedBytes
from veracity.stores.schema import checksum, pack, unpack

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


def test_parts_of_larger_arrays_are_packed_as_they_look():
    table = np.arange(24.0).reshape(4, 6)
    for part in (table[::2, 1:], table.T, table[:, 2]):
        assert unpack(pack(part))[0].tolist() == part.tolist()


def test_small_where_that_is_cheap():
    rows = np.flatnonzero(np.random.default_rng(0).random(1_000_000) < 0.1)
    votes = np.random.default_rng(1).integers(0, 6, (100_000, 2)) / 5
    noise = np.random.default_rng(2).random(10_000)
    assert len(pack(rows)) < rows.nbytes / 3
    assert len(pack(votes)) < votes.nbytes / 5
    assert noise.nbytes < len(pack(noise)) < noise.nbytes + 100


@given(st.integers(0), st.integers(1, 255))
def test_any_changed_byte_changes_the_checksum(place, change):
    packed = bytearray(pack(np.arange(40), np.linspace(0, 1, 40), None))
    before = checksum(["key", 0.5, bytes(packed)])
    packed[place % len(packed)] ^= change
    assert checksum(["key", 0.5, bytes(packed)]) != before
    assert checksum(["kez", 0.5, bytes(packed)]) != checksum(["key", 0.5, bytes(packed)])


def test_bytes_that_end_early_are_noticed():
    packed = pack(np.arange(40), np.linspace(0, 1, 40))
    for end in range(len(packed)):
        with pytest.raises(DamagedBytes):
            unpack(packed[:end])


def test_arrays_of_objects_are_refused():
    with pytest.raises(BadInput, match="cannot be stored"):
        pack(np.array([None, 1]))


def forged(forms, body):
    """Arrays as bytes, as somebody may make them up."""
    head = json.dumps(forms).encode()
    return zlib.compress(len(head).to_bytes(4, "little") + head + body)


def test_what_is_forged_rightly_is_read():
    assert unpack(forged([["<i2", [3]]], b"\1\0\2\0\3\0"))[0].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "form",
    [
        ["|O", [1]],  # objects, which could run code
        ["<f8,<f8", [1]],
        ["|V8", [1]],
        ["<U400000000", [1]],
        ["<f8", [2]],
        ["<f8", [-1]],
        ["<f8", ["x"]],
        ["<f8", 3],
        ["?8", [1]],
        ["<f8"],
        7,
    ],
)
def test_made_up_forms_are_refused(form):
    with pytest.raises(DamagedBytes):
        unpack(forged([form], bytes(8)))


def test_bytes_that_unpack_to_gigabytes_take_no_memory(monkeypatch):
    packer, block = zlib.compressobj(1), bytes(1 << 20)
    bomb = b"".join([*(packer.compress(block) for _ in range(300)), packer.flush()])
    monkeypatch.setattr(schema, "unpacked_limit", lambda size: 10 * size)
    tracemalloc.start()
    with pytest.raises(DamagedBytes, match="go on"):
        unpack(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000  # a fifth of what it holds


def test_what_would_be_refused_is_not_compressed(monkeypatch):
    monkeypatch.setattr(schema, "unpacked_limit", lambda size: 100 * size)
    array = np.zeros(100_000)
    assert same_bits(unpack(pack(array))[0], array)
    assert len(pack(array)) > array.nbytes
