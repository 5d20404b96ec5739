"""Labels of every type become codes and stay themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.evidence import labels as module
from veracity.evidence.labels import as_labels, codes, distinct_labels
from veracity.records.arrays import python_value


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (np.array([3, 1, 3]), (1, 3)),
        (np.array([True, False, True]), (False, True)),
        (np.array(["b", "a", "b"]), ("a", "b")),
        (np.array(["b", "a", "b"], object), ("a", "b")),
        (np.array([0.5, 0.25, 0.5]), (0.25, 0.5)),
        (np.array([10**12, 5, 10**12]), (5, 10**12)),
        (np.array([255, 0, 255], np.uint8), (0, 255)),
        (np.array([-5, -7, -5], np.int8), (-7, -5)),
        (np.array([2**64 - 1, 2**64 - 2, 2**64 - 1], np.uint64), (2**64 - 2, 2**64 - 1)),
        (np.array([2**63 + 1, 2**63 - 1, 2**63 + 1], np.uint64), (2**63 - 1, 2**63 + 1)),
        (np.array([2**64 - 1, 0, 2**64 - 1], np.uint64), (0, 2**64 - 1)),
    ],
)
def test_labels_and_codes(labels, classes):
    assert distinct_labels(labels) == classes
    assert codes(labels, classes, "truth").tolist() == [1, 0, 1]
    assert codes(labels, classes[::-1], "truth").tolist() == [0, 1, 0]
    assert [type(label) for label in distinct_labels(labels)] == [type(label) for label in classes]


@pytest.mark.parametrize("labels", [np.array([1, 9, 1]), np.array(["1", "9", "1"]), np.array([1, 9, 1], object)])
def test_a_label_that_is_no_class_is_named_with_its_row(labels):
    with pytest.raises(BadInput, match=r"truth: row 11 holds '?9'?, which is not among the classes"):
        codes(labels, tuple(python_value(label) for label in (labels[0], labels[0])), "truth", first=10)


def test_missing_labels_of_frames():
    pandas = pytest.importorskip("pandas")
    for column in (pandas.Series(["a", None]), pandas.Series(["a", pandas.NA]), pandas.Series([1.0, None])):
        with pytest.raises(BadInput, match="by: row 1 holds no label"):
            as_labels(column, "by")


def test_many_classes_need_wider_codes():
    labels = np.array([f"c{k:03}" for k in range(200)])
    found = codes(labels, distinct_labels(labels), "truth")
    assert found.tolist() == list(range(200)) and found.dtype == np.int32


TEXTS = st.lists(st.text("aé\0 \U0001f600", max_size=3), min_size=1, max_size=40)


@given(TEXTS, st.lists(st.one_of(st.text("ab\0", max_size=2), st.integers(0, 2)), max_size=3))
def test_texts_of_numpy_are_coded_as_those_of_python(texts, others):
    """Piece by piece, few or many, beside classes that are no text or that numpy cannot hold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", 7)
        array = np.array(texts)
        classes = distinct_labels(array)
        assert classes == tuple(sorted(set(array.tolist())))
        every = (*(other for other in others if other not in classes), *classes)
        place = {label: index for index, label in enumerate(every)}
        assert codes(array, every, "truth").tolist() == [place[text] for text in array.tolist()]


def test_a_class_that_numpy_cannot_hold_is_not_taken_for_another():
    with pytest.raises(BadInput, match="row 0 holds 'a', which is not among the classes"):
        codes(np.array(["a"]), ("a\0",), "truth")
