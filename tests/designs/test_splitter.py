"""Splitters of scikit-learn and of users as designs."""

import numpy as np
import pytest
from sklearn import model_selection as sk
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.core.errors import BadInput, Refused
from veracity.designs.make_design import make_design
from veracity.records.design import Rows

CLASSES, GROUPS = np.arange(30) % 3, np.arange(30) // 5
SPLITTERS = [
    sk.KFold(5),
    sk.KFold(4, shuffle=True, random_state=3),
    sk.StratifiedKFold(5),
    sk.GroupKFold(3),
    sk.TimeSeriesSplit(4),
    sk.ShuffleSplit(6, test_size=0.3, random_state=0),
    sk.LeaveOneOut(),
    sk.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=1),
    sk.PredefinedSplit(np.arange(30) % 4 - 1),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=lambda splitter: type(splitter).__name__)
def test_splits_are_those_of_the_splitter(splitter):
    groups = GROUPS if isinstance(splitter, sk.GroupKFold) else None
    design = make_design(splitter, Rows(30, CLASSES, groups), 7)
    expected = list(splitter.split(np.zeros((30, 2)), CLASSES, groups))
    assert len(design) == len(expected)
    for split, (train, test) in zip(design.splits, expected, strict=True):
        assert split.train.tolist() == sorted(train) and split.test.tolist() == sorted(test)
        assert split.train.dtype == np.int32 and not split.test.flags.writeable
    assert design.name.startswith(type(splitter).__name__ + "(") and not design.notes


def test_names_say_the_parameters():
    names = [make_design(splitter, Rows(30, CLASSES), 0).name for splitter in SPLITTERS[:2]]
    assert names == [
        "KFold(n_splits=5, shuffle=False, random_state=None)",
        "KFold(n_splits=4, shuffle=True, random_state=3)",
    ]


@pytest.mark.parametrize(
    ("splitter", "places"),
    [
        (sk.KFold(3), [(0, 0), (0, 1), (0, 2)]),
        (sk.RepeatedKFold(n_splits=2, n_repeats=2, random_state=0), [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (sk.TimeSeriesSplit(2), [(0, 0), (0, 1)]),
        (sk.ShuffleSplit(4, test_size=2, random_state=0), [(0, 0), (1, 0), (2, 0), (3, 0)]),
    ],
)
def test_repeats_and_folds_are_seen_from_the_splits(splitter, places):
    design = make_design(splitter, Rows(6), 0)
    assert [(split.repeat, split.fold) for split in design.splits] == places


def test_a_splitter_without_a_random_state_gets_it_from_the_seed():
    splitter = sk.KFold(5, shuffle=True)
    first, again, other = (make_design(splitter, Rows(30), seed).fingerprint for seed in (1, 1, 2))
    assert first == again != other and splitter.random_state is None


def test_the_random_state_of_the_user_is_not_moved():
    splitter = sk.ShuffleSplit(3, random_state=np.random.RandomState(0))
    assert make_design(splitter, Rows(30), 1).fingerprint == make_design(splitter, Rows(30), 1).fingerprint


def test_a_group_on_both_sides_is_refused():
    with pytest.raises(Refused, match=r"KFold\(.*\) puts a group on both sides: in split 0 the group of row") as why:
        make_design(sk.KFold(4), Rows(30, CLASSES, GROUPS), 0)
    assert why.value.code == "group-on-both-sides"
    assert len(make_design(sk.KFold(6), Rows(30, CLASSES, GROUPS), 0)) == 6  # in these folds groups happen to be whole


def test_time_order_is_judged_on_the_splits():
    later = Rows(30, None, None, np.arange(30))
    assert not make_design(sk.TimeSeriesSplit(4), later, 0).notes
    assert [note.code for note in make_design(sk.KFold(3), later, 0).notes] == ["out-of-time-order"]
    assert make_design(sk.TimeSeriesSplit(4), Rows(30, None, None, -np.arange(30)), 0).notes


def test_a_warning_becomes_a_note():
    (note,) = make_design(sk.StratifiedKFold(5), Rows(30, np.array([0] * 27 + [1] * 3)), 0).notes
    assert note.code == "splitter-warning" and "least populated class" in note.says


def test_features_are_passed_on():
    class ByShape:
        def split(self, features, target=None, groups=None):
            half = np.arange(len(features)) % features.shape[1] == 0
            yield np.flatnonzero(half), np.flatnonzero(~half)

    (split,) = make_design(ByShape(), Rows(6), 0, np.zeros((6, 3))).splits
    assert split.train.tolist() == [0, 3]


def giving(*pairs):
    class Own:
        def split(self, features, target=None, groups=None):
            return iter(pairs)

    return Own()


@pytest.mark.parametrize(
    ("splitter", "says"),
    [
        (giving(), "makes no split"),
        (giving(([0, 1], [])), "split 0 of Own.. has no test row"),
        (giving(([0], [1]), ([], [1])), "split 1 of Own.. has no training row"),
        (giving(([0, 1], [1, 2])), "trains and tests on row 1: for that use resubstitution"),
        (giving(([0, 1], [2, 2])), "tests a row twice"),
        (giving(([0, 1], [4])), "gives rows outside 0 to 3"),
        (giving(([0, 1], [-1])), "gives rows outside 0 to 3"),
        (giving(([0.5], [1])), "must give the numbers of rows, not float64"),
        (sk.KFold(9), r"KFold\(n_splits=9.* cannot split these rows: .*number of splits"),
        (sk.StratifiedKFold(2), "cannot split these rows"),
        (sk.KFold, "KFold is a class: give an object made of it"),
        (7, "name a design by its text"),
        ("kfolds(k=2)", "did you mean .*kfold"),
    ],
)
def test_what_cannot_be_a_design(splitter, says):
    with pytest.raises((BadInput, Refused), match=says):
        make_design(splitter, Rows(4), 0)


def test_training_rows_may_repeat():
    (split,) = make_design(giving(([2, 0, 2], [1, 3])), Rows(4), 0).splits
    assert split.train.tolist() == [0, 2, 2]


def test_splitters_that_differ_have_names_that_differ():
    splitters = [
        sk.RepeatedKFold(n_splits=5, n_repeats=2),
        sk.RepeatedKFold(n_splits=3, n_repeats=2),
        sk.RepeatedStratifiedKFold(n_splits=5, n_repeats=2),
        sk.RepeatedStratifiedKFold(n_splits=3, n_repeats=2),
        sk.PredefinedSplit(np.arange(3000) % 3),
        sk.PredefinedSplit(np.where(np.arange(3000) == 1500, 1, np.arange(3000) % 3)),  # numpy prints both alike
    ]
    names = [make_design(splitter, Rows(3000, np.arange(3000) % 2), 0).name for splitter in splitters]
    assert len(set(names)) == len(names) and max(map(len, names)) < 150
    assert names[0] == "RepeatedKFold(n_repeats=2, n_splits=5, random_state=None)"


@pytest.mark.parametrize(
    "by",
    [
        (sk.RepeatedKFold(n_splits=5, n_repeats=2), sk.RepeatedKFold(n_splits=10, n_repeats=2)),
        (sk.PredefinedSplit(np.arange(60) % 3), sk.PredefinedSplit(np.arange(60) // 20)),
    ],
    ids=["repeated", "predefined"],
)
def test_splitters_of_one_class_keep_their_names_in_a_store_whichever_comes_first(by, tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))  # noqa: N806
    y = (X[:, 0] > 0).astype(int)

    def ask(*splitters):
        runs = vc.evaluate(GaussianNB(), X, y, by=list(splitters), store=tmp_path / "results.db", seed=3)
        return {row.by: (row.splits, row.value) for row in vc.estimate(runs, "error")}

    first, second = ask(by[0]), ask(by[1])
    assert len(first | second) == 2
    assert ask(*by) == ask(*reversed(by)) == first | second
    stored = vc.estimate(vc.read_runs(tmp_path / "results.db"), "error")
    assert {row.by: (row.splits, row.value) for row in stored} == first | second
