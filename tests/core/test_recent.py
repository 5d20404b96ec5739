"""What was at hand last is remembered, in so many bytes and no more."""

from hypothesis import given
from hypothesis import strategies as some

from veracity.core.recent import Recent


def test_the_oldest_goes_where_room_is_short():
    recent = Recent(10)
    for name in "abc":
        recent.keep(name, name.upper(), 4)
    assert [recent.get(name) for name in "abc"] == [None, "B", "C"] and recent.taken == 8


def test_the_last_stays_however_large_and_the_next_takes_its_place():
    recent = Recent(10)
    recent.keep("small", 1, 1)
    recent.keep("large", 2, 100)
    assert recent.get("small") is None and recent.get("large") == 2
    recent.keep("next", 3, 1)
    assert recent.get("large") is None and recent.get("next") == 3 and recent.taken == 1


@given(some.lists(some.tuples(some.sampled_from("abcde"), some.integers(0, 12))))
def test_never_more_than_there_is_room_for(things):
    recent, last = Recent(10), {}
    for name, size in things:
        recent.keep(name, size, size)
        last[name] = size
        held = {each: recent.get(each) for each in last}
        assert held[name] == size and all(found in (None, last[each]) for each, found in held.items())
        there = [found for found in held.values() if found is not None]
        assert recent.taken == sum(there) and (sum(there) <= 10 or len(there) == 1)


def test_what_was_just_used_stays_and_what_was_not_goes():
    """It was first in, first out: what was read all the time went before what nobody read."""
    recent = Recent(10)
    for name in "ab":
        recent.keep(name, name.upper(), 4)
    assert recent.get("a") == "A"
    recent.keep("c", "C", 4)
    assert [recent.get(name) for name in "abc"] == ["A", None, "C"]
