"""Arrays come back bit for bit from small bytes, and a lost bit is noticed."""

import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.stores.contract.examples import same_bits
from veracity.core.errors import BadInput
from veracity.stores import packing
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


def forged(form, body):
    """One array as bytes with a right checksum, as somebody may make them up."""
    content = packing._HEAD.pack(len(form)) + form.encode() + body
    return packing._START.pack(packing.FORMAT, zlib.crc32(content)) + content


@pytest.fixture(scope="module")
def bomb():
    """A megabyte that unpacks to more zeros than are allowed, made without holding them."""
    packer, block = zlib.compressobj(1), bytes(1 << 20)
    return b"".join([*(packer.compress(block) for _ in range(300)), packer.flush()])


def test_what_is_forged_rightly_is_read():
    assert unpack(forged("<i8:|i1:00:3:3", b"\1\2\3"))[0].tolist() == [1, 2, 3]
    body = zlib.compress(bytes(400))
    assert len(unpack(forged(f"<f8:<f8:01:50:{len(body)}", body))[0]) == 50


@pytest.mark.parametrize(
    "form",
    [
        "|O8:|O8:00:1:8",  # objects, which could run code
        "|O:<f8:00:1:8",
        "<f8,<f8:<f8,<f8:00:1:16",
        "|V8:|V8:00:1:8",
        "<U400000000:<U2:00:1:8",  # few bytes that become many
        "<f8:<i8:00:1:8",
        "<f8:<f8:10:1:8",
        "<f8:<f8:00:-1:8",
        "<f8:<f8:00:2:8",
        "<f8:<f8:00:1:-8",
        "<f8:<f8:00:1:1000",
        "<f8:<f8:00:1",
        "(3:<f8:00:1:8",
        "<f8:<f8::1:8",
    ],
)
def test_made_up_forms_are_refused(form):
    with pytest.raises(DamagedBytes):
        unpack(forged(form, bytes(8)))


@pytest.mark.parametrize("claimed", [10 << 30, 100, 1 << 62, 0])
def test_bytes_that_unpack_to_gigabytes_take_no_memory(bomb, claimed):
    tracemalloc.start()
    with pytest.raises(DamagedBytes):
        unpack(forged(f"|i1:|i1:01:{claimed}:{len(bomb)}", bomb))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000  # a tenth of what it holds


def test_a_text_is_unpacked_to_its_limit_and_no_further(bomb, monkeypatch):
    monkeypatch.setattr(packing, "unpacked_limit", lambda size: 10 * size)
    with pytest.raises(DamagedBytes, match="goes on"):
        unpack_text(bomb)


def test_a_thousand_arrays_in_one_piece_are_refused():
    with pytest.raises(DamagedBytes):
        unpack(pack(*[None] * 1000))


def test_what_would_be_refused_is_not_compressed(monkeypatch):
    monkeypatch.setattr(packing, "unpacked_limit", lambda size: 100 * size)
    array = np.zeros(100_000)
    assert same_bits(unpack(pack(array))[0], array)
    assert len(pack(array)) > array.nbytes
