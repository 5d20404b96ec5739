"""A number that does not exist."""

import math
import pickle

from veracity.core.missing import Undefined


def test_is_a_float_that_is_nan_and_says_why():
    nothing = Undefined("there are no rows")
    assert isinstance(nothing, float) and math.isnan(nothing)
    assert nothing.reason == "there are no rows"
    assert str(nothing) == repr(nothing) == "Undefined('there are no rows')"


def test_keeps_its_reason_when_pickled():
    copy = pickle.loads(pickle.dumps(Undefined("why")))
    assert copy.reason == "why"


def test_is_equal_to_nothing_not_even_itself():
    nothing = Undefined("why")
    assert nothing != nothing and nothing != 0
