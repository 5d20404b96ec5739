"""The verb power: whichever of size, effect and power is left out is answered."""

import pytest

import veracity as vc
from veracity.planning import powers

ASKED = {
    "conservative_t": {"splits": 12, "difference": 0.03, "sd": 0.03, "train": 19, "test": 1},
    "conservative_t_rows": {"rows": 1500, "difference": 0.03, "discordant": 0.1},
    "corrected_t": {"splits": 50, "difference": 0.03, "sd": 0.03, "train": 9, "test": 1},
    "friedman": {"datasets": 12, "difference": 0.03, "sd": 0.03, "learners": 4, "draws": 500},
    "friedman_pairs": {"datasets": 14, "difference": 0.03, "sd": 0.03, "learners": 4, "draws": 500},
    "mcnemar": {"rows": 400, "difference": 0.04, "discordant": 0.1},
    "mcnemar_exact": {"rows": 400, "difference": 0.04, "discordant": 0.1},
    "mcnemar_midp": {"rows": 400, "difference": 0.04, "discordant": 0.1},
    "one_proportion": {"rows": 300, "difference": 0.06, "value": 0.1},
    "paired_loss_t": {"groups": 150, "difference": 0.05, "sd": 0.4, "each": 4, "alike": 0.3},
    "paired_t": {"datasets": 15, "difference": 0.02, "sd": 0.03},
    "sign": {"datasets": 20, "win": 0.8},
    "wilcoxon": {"datasets": 12, "difference": 0.03, "sd": 0.03, "draws": 1000},
}


@pytest.mark.parametrize("name", sorted(powers.entries))
def test_the_three_answers_of_every_test_agree(name):
    entry, asked = powers[name], ASKED[name]
    found = vc.power(name, **asked)
    assert 0.3 < found.power < 1 and found.solved == "power"
    wanted = found.power - 1e-6
    others = {key: number for key, number in asked.items() if key not in (entry.size, entry.effect)}
    needed = vc.power(name, power=wanted, **others, **{entry.effect: asked[entry.effect]})
    assert needed.power >= wanted
    if found.error is None and not entry.jagged:  # where power wavers, another size may do
        assert getattr(needed, entry.size) == asked[entry.size]
    effect = getattr(vc.power(name, power=wanted, **others, **{entry.size: asked[entry.size]}), entry.effect)
    assert effect == pytest.approx(asked[entry.effect], rel=0.02)


@pytest.mark.parametrize("name", sorted(powers.entries))
def test_power_rises_with_the_effect_and_falls_with_the_level(name):
    entry, asked = powers[name], ASKED[name]
    larger = {**asked, entry.effect: asked[entry.effect] * 1.1}
    assert vc.power(name, **asked).power < vc.power(name, **larger).power
    assert vc.power(name, **asked, level=0.99).power < vc.power(name, **asked).power


def test_the_record():
    found = vc.power("mcnemar", difference=0.03, discordant=0.10, power=0.8)
    assert str(found) == repr(found)
    assert str(found) == (
        "mcnemar (discordant 0.1) needs 870 rows to find a difference of 0.03 with power 0.800 at level 0.95."
    )
    assert found.to_json() == {
        "test": "mcnemar",
        "solved": "rows",
        "rows": 870,
        "difference": 0.03,
        "power": pytest.approx(0.8, abs=1e-3),
        "level": 0.95,
        "given": {"discordant": 0.10},
        "notes": [],
    }


@pytest.mark.parametrize(
    ("test", "given", "says"),
    [
        ("mcnmar", {"rows": 3}, "there is no power called 'mcnmar': did you mean mcnemar"),
        (
            "sign",
            {"rows": 3, "power": 0.8},
            "power of sign is not asked with `rows=`: it takes `datasets=`, `win=`, `power=`",
        ),
        ("mcnemar", {"difference": 0.1, "power": 0.8}, "power of mcnemar needs `discordant=`: `discordant` is the"),
        ("sign", {"datasets": 5}, "needs two of `datasets=`, `win=` and `power=`, and answers the third"),
        ("sign", {"datasets": 5, "win": 0.8, "power": 0.5}, "needs two of"),
        ("sign", {"datasets": 5.5, "win": 0.8}, "`datasets=` is a whole number from 1 to 1,000,000,000, not 5.5"),
        ("sign", {"datasets": 10**30, "win": 0.8}, "`datasets=` is a whole number from 1 to 1,000,000,000, not 1000"),
        ("sign", {"datasets": 0, "win": 0.8}, "`datasets=` is a whole number from 1 to 1,000,000,000, not 0"),
        ("paired_t", {"datasets": 1, "difference": 0.1, "sd": 1}, "`datasets=` is a whole number from 2 to"),
        ("sign", {"win": 0.5, "power": 0.8}, "win=0.5 is no difference: nothing can find it"),
        ("sign", {"win": 1.5, "power": 0.8}, "`win=` is a probability between 0 and 1"),
        ("paired_t", {"difference": 0, "sd": 1, "power": 0.8}, "difference=0 is no difference"),
        ("paired_t", {"difference": "x", "sd": 1, "power": 0.8}, "`difference=` is a number, not 'x'"),
        ("paired_t", {"difference": 1, "sd": "x", "power": 0.8}, "sd must be a number, not 'x'"),
        ("sign", {"win": 0.8, "power": 80}, "`power=` lies strictly between 0 and 1, not 80; try 0.8"),
        ("sign", {"win": 0.8, "power": 0.8, "level": 95}, "try 0.95"),
        ("one_proportion", {"value": 0.1, "difference": -0.2, "rows": 9}, "a share of 0.1 cannot differ by -0.2"),
        (
            "one_proportion",
            {"value": 1.1, "difference": -0.2, "rows": 9},
            "`value=` is a share of rows between 0 and 1",
        ),
    ],
)
def test_mistakes_are_one_sentence(test, given, says):
    with pytest.raises(vc.BadInput) as why:
        vc.power(test, **given)
    assert says in str(why.value) and "\n" not in str(why.value)


def test_what_cannot_be_reached_is_refused():
    with pytest.raises(vc.Refused, match="even the largest possible effect, 1, is found with power 0 only"):
        vc.power("sign", datasets=4, power=0.8)
