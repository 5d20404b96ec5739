"""What a curve says of its places: each thing once, of the places where it is so, and what is missing first."""

from veracity.core.notes import Note
from veracity.records.estimate import Estimate
from veracity.tables.risk_curve import RiskCurve


def failed(number, why):
    return Note("failed-splits", "caution", f"{number} of 10 splits of nb(a={why}) failed (the first: {why})")


FEW = Note("few-splits", "caution", "fewer than 10 splits")
TUNING = Note("choosing-is-tuning", "caution", "choosing is tuning")


def curve(*notes, general=(TUNING,)):
    places = range(len(notes))
    test = tuple(
        Estimate("error", "error", 0.1, learner=f"nb(a={place})", notes=said)
        for place, said in zip(places, notes, strict=True)
    )
    training = tuple(Estimate("error", "error", 0.05) for _ in places)
    return RiskCurve("nb", "kfold(k=10)", "a", tuple(places), test, training, general)


def test_each_place_comes_with_its_two_estimates():
    found = curve((), ())
    assert [place for place, _, _ in found] == [0, 1] and len(found) == 2
    assert all(found[place] is test and training.value == 0.05 for place, test, training in found)


def test_a_frame_has_every_column():
    frame = curve((), ()).to_frame("pandas")
    assert list(frame.columns) == [
        *("a", "test", "low", "high", "training", "training low", "training high"),
        *("splits", "failed"),
    ]
    assert list(frame["training"]) == [0.05, 0.05]


def test_only_what_is_the_same_is_said_of_several_places():
    said = [note.says for note in curve((), (failed(1, 1), FEW), (failed(8, 2), FEW)).all_notes]
    assert said == [
        "a 1: 1 of 10 splits of nb failed (the first: 1)",
        "a 2: 8 of 10 splits of nb failed (the first: 2)",
        "choosing is tuning",
        "a 1, 2: fewer than 10 splits",
    ]


def test_what_holds_at_every_place_names_none():
    assert FEW in curve((FEW,), (FEW,)).all_notes


def test_two_things_of_one_code_are_both_told():
    columns = tuple(Note("many-categories", "caution", f"column {name} holds many values") for name in "ab")
    assert curve((), general=columns).all_notes == columns


def test_what_each_size_finds_anew_is_told_of_the_largest():
    found = tuple(Note("duplicate-rows", "caution", f"{rows} rows have a twin") for rows in (3, 9))
    assert curve((), (), general=found).all_notes == found[1:]
