"""What was at hand last is remembered, in so many bytes and no more."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as some

from veracity.evidence.run import Memory


def keep(memory, name, size):
    """Recall a thing of so many bytes; True where it had to be read."""
    reads = []
    memory.recall((name,), lambda read: reads.append(read) or SimpleNamespace(nbytes=size))
    return bool(reads)


def held(memory, names):
    """Return which of some things are remembered, without changing that."""
    return [name for name in names if (name,) in memory._items]


def test_the_oldest_goes_where_room_is_short():
    memory = Memory(10)
    assert all(keep(memory, name, 4) for name in "abc")
    assert held(memory, "abc") == ["b", "c"] and not keep(memory, "b", 4) and not keep(memory, "c", 4)


def test_the_last_stays_however_large_and_the_next_takes_its_place():
    memory = Memory(10)
    keep(memory, "small", 1)
    keep(memory, "large", 100)
    assert held(memory, ["small", "large"]) == ["large"] and not keep(memory, "large", 100)
    keep(memory, "next", 1)
    assert held(memory, ["large", "next"]) == ["next"]


@given(some.lists(some.tuples(some.sampled_from("abcde"), some.integers(0, 12))))
def test_never_more_than_there_is_room_for(things):
    memory, last = Memory(10), {}
    for name, size in things:
        if keep(memory, name, size):
            last[name] = size
        there = held(memory, last)
        sizes = [last[each] for each in there]
        assert name in there and (sum(sizes) <= 10 or len(sizes) == 1)


def test_what_was_just_used_stays_and_what_was_not_goes():
    """It was first in, first out: what was read all the time went before what nobody read."""
    memory = Memory(10)
    for name in "ab":
        keep(memory, name, 4)
    assert not keep(memory, "a", 4)
    keep(memory, "c", 4)
    assert held(memory, "abc") == ["a", "c"]
