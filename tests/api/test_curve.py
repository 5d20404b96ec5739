"""The verb `curve`: kinds by text, parameters inside or beside, and predictions that do not fit."""

import pytest

import veracity as vc


@pytest.fixture
def p():
    return vc.predictions([0, 1, 0, 1, 1], value=[0.2, 0.8, 0.5, 0.5, 0.9], positive=1)


def test_parameters_go_inside_or_beside(p):
    inside = vc.curve(p, "profit(benefit_tp=5, cost_fp=1)")
    beside = vc.curve(p, "profit", benefit_tp=5, cost_fp=1)
    mixed = vc.curve(p, "profit(5)", cost_fp=1)
    assert inside.y.tolist() == beside.y.tolist() == mixed.y.tolist()


def test_a_parameter_given_twice_is_refused(p):
    with pytest.raises(vc.BadInput, match="benefit_tp is given twice"):
        vc.curve(p, "profit(benefit_tp=5)", benefit_tp=6)


@pytest.mark.parametrize(("kind", "says"), [("rok", "did you mean roc"), ("roc(colour=1)", "no parameter 'colour'")])
def test_unknown_words_are_named(p, kind, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.curve(p, kind)


def test_predictions_must_offer_what_the_kind_needs(p):
    with pytest.raises(vc.BadInput, match="calibration needs probabilities"):
        vc.curve(p, "calibration")
    with pytest.raises(vc.BadInput, match=r"roc needs .* hold only number"):
        vc.curve(vc.predictions([1.0, 2.0], number=[1.0, 2.0]), "roc")
    with pytest.raises(vc.BadInput, match="those of 'crisp'"):
        vc.curve({"p": p, "crisp": vc.predictions([0, 1], label=[0, 1], positive=1)}, "threshold")


@pytest.mark.parametrize(("what", "says"), [([1, 2], "this is list"), ({}, "no models"), ({"a": 3}, "'a' is int")])
def test_only_predictions_can_be_shown(what, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.curve(what, "roc")
