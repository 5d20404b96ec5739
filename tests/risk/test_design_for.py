"""Estimators asked together share fits, and the plan says how many."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.designs import designs
from veracity.designs.make_design import choose_design, split_count
from veracity.readers.read_data import data_of
from veracity.records.design import Rows
from veracity.risk.designs import choose_by, design_for, estimator_of, part_designs
from veracity.studies.study import Study

FOURTEEN = [
    "resubstitution",
    "holdout",
    "repeated_holdout(repeats=3, test=0.333)",
    "kfold(k=5)",
    "repeated_kfold(k=5, repeats=2)",
    "leave_one_out",
    "bootstrap(draws=7)",
    "loo_bootstrap(draws=7)",
    "boot632(draws=7)",
    "boot632plus(draws=7)",
    "optimism_bootstrap(draws=7)",
    "corrected_holdout",
    "corrected_kfold(k=5)",
    "jackknife",
]
SPLITS = [1, 1, 3, 5, 10, 30, 7, 7, 8, 8, 8, 2, 6, 31]


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(0)
    features = random.normal(size=(30, 2))
    return features, (features[:, 0] + random.normal(size=30) > 0).astype(int)


def test_fourteen_cost_their_union(data):
    plan = Study({"data": data_of(*data, name="data")}, {"nb": GaussianNB()}, FOURTEEN).plan()
    # one of all rows, three held out, two repeats of five folds, one for each row, seven draws
    assert repr(plan).startswith(f"{sum(SPLITS)} fits by {1 + 3 + 10 + 30 + 7} trainings, as some share one")


def test_together_they_say_what_each_says_alone(evaluated, data):
    together = vc.estimate(evaluated(GaussianNB(), *data, FOURTEEN), "brier")
    assert [row.splits for row in together] == SPLITS
    for by in ("boot632plus(draws=7)", "corrected_kfold(k=5)", "jackknife", "optimism_bootstrap(draws=7)"):
        alone = vc.estimate(evaluated(GaussianNB(), *data, by), "brier")["brier"]
        assert (alone.value, alone.facts) == (together[by].value, together[by].facts)


def test_a_study_file_takes_estimators(tmp_path):
    path = tmp_path / "study.toml"
    parts = '[data]\niris = "sklearn:load_iris"\n[learners]\nnb = "sklearn.naive_bayes:GaussianNB"'
    text = f'by = ["kfold(k=5)", "{{}}"]\n{parts}'
    path.write_text(text.format("corrected_kfold(k=5)"))
    assert repr(vc.plan(path)).startswith("11 fits by 6 trainings")
    path.write_text(text.format("corected_kfold(k=5)"))
    with pytest.raises(vc.VeracityError, match="did you mean corrected_kfold"):
        vc.plan(path)


def test_parts_of_a_design():
    design = design_for("boot632plus(draws=3)", Rows(9), 0)
    assert [str(split.part) for split in design.splits] == ["out of the draw"] * 3 + ["resubstitution"]
    every = design_for("bootstrap(draws=3)", Rows(9), 0)
    assert all(len(split.test) == 9 for split in every.splits)
    assert [a.train.tolist() for a in every.splits] == [a.train.tolist() for a in design.splits[:3]]


def test_a_bootstrap_design_as_an_entry_is_read_by_its_splits():
    design = design_for(designs["bootstrap"](draws=4), Rows(9), 0)
    assert estimator_of(design).name == "loo_bootstrap"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("boot632plus(draws=0)", "draws"),
        ("boot632plus(draws=True)", "draws must be a whole number"),
        ("boot632plus(k=3)", "no parameter 'k'"),
        ("corrected_kfold(k=10)", "9 rows can fall into 2 to 9 folds, not 10"),
        ("corrected_holdout(test=2)", "test"),
        ("jackknife(grouped=True)", "needs groups"),
        ("boot632pls", "no design or estimator called 'boot632pls': did you mean boot632plus"),
        ("kfld", "did you mean kfold"),
        ("zzz", "no design or estimator called 'zzz': there are boot632, "),
        ("McNemar", "it is a test, `using='mcnemar'`"),
    ],
)
def test_wrong_calls_are_told(asked, says):
    with pytest.raises(vc.VeracityError, match=says):
        design_for(asked, Rows(9), 0)


@pytest.mark.parametrize(("by", "splits"), list(zip(FOURTEEN, SPLITS, strict=True)))
def test_the_parts_of_an_estimator_say_how_many_splits_they_make(by, splits):
    choice, rows = choose_by(by), Rows(30, np.arange(30) % 2)
    asked = [choose_design(name) for name in part_designs(choice)] if choice.kind == "estimator" else [choice]
    assert sum(split_count(one, rows) for one in asked) == splits == len(design_for(by, rows, 0))
