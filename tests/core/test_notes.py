"""Limits become notes, refusals become errors unless overridden."""

import pickle

import pytest

from veracity.core.errors import Refused
from veracity.core.notes import Note, always, caution, check, merge_notes, refuse, remark, unique

LIMITS = (
    refuse("empty", "there is nothing", lambda rows: len(rows) == 0),
    caution("few", "there is little", lambda rows: len(rows) < 3),
    remark("seen", "it was looked at", always),
)


def test_limits_that_hold_become_notes():
    assert [note.code for note in check(LIMITS, [1])] == ["few", "seen"]
    assert [note.code for note in check(LIMITS, [1, 2, 3])] == ["seen"]


def test_a_refusal_is_an_error_with_its_code():
    with pytest.raises(Refused, match="there is nothing") as why:
        check(LIMITS, [])
    assert why.value.code == "empty"
    copy = pickle.loads(pickle.dumps(why.value))
    assert (copy.code, str(copy)) == ("empty", "there is nothing")


def test_anyway_records_the_refusal():
    assert [note.weight for note in check(LIMITS, [], anyway=True)] == ["refuse", "caution", "remark"]


def test_a_note_as_json_and_text():
    note = Note("few", "caution", "there is little")
    assert note.to_json() == {"code": "few", "weight": "caution", "says": "there is little"}
    assert str(note) == "caution: there is little [few]"


def test_each_note_once_in_order():
    one, two = Note("a", "remark", "x"), Note("b", "remark", "y")
    assert unique((one, two, one)) == (one, two)


def test_merged_notes_name_the_places_they_hold_for():
    places = [(learner, score) for learner in ("A", "B") for score in ("auc", "brier")]

    def merged(*where, shown=None, places=places):
        return [
            note.says for note in merge_notes([Note("few", "remark", "few rows", one) for one in where], places, shown)
        ]

    assert merged(*places) == merged(()) == ["few rows"]
    assert merged(*places[:3]) == ["A auc, brier; B auc: few rows"]
    assert merged(("A", "auc"), ("B", "auc")) == ["auc: few rows"]
    assert merged(("auc",), places=[("auc",)]) == ["auc: few rows"]
    many = [(str(number),) for number in range(9)]
    assert merged(*many[:8], places=many, shown=5) == ["0, 1, 2, 3, 4, and 3 more: few rows"]
