"""Before a run: designs are rehearsed by the machinery that will judge the real learners."""

import re

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.advice import designs
from veracity.cli.main import cli

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = (X[:, 0] + RANDOM.normal(size=200) > 0).astype(int)
LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}


def study(rows=200, learners=LEARNERS, **more):
    return vc.Study({"mine": (X[:rows], Y[:rows])}, learners, **more)


def test_which_design_for_two_learners():
    advice = vc.advise(study(), fit_seconds=0.5)
    assert advice.question == "compare"
    best = advice.rows[0]
    assert best.verdict == "use" and best.fits <= 100 and best.seconds == best.fits * 0.5
    assert advice.answer == f"Run `by='{best.name}'` ({best.fits} fits, about {best.seconds:.3g} s)."
    assert advice["resubstitution"].verdict == "no"
    rows = {row.name: row for row in advice}
    assert rows["leave_one_out"].fits == 400 and rows["kfold(k=10)"].fits == 20
    told = {"by": "kfold(k=10)", "sd": (designs.DISCORDANT / 20) ** 0.5, "power": 0.8}
    assert rows["kfold(k=10)"].sees == pytest.approx(vc.power("corrected_t", rows=200, **told).difference)


def test_what_can_be_paid_comes_first():
    dear = vc.advise(study(), fit_seconds=60, budget=200)
    assert dear.rows[0].name == "holdout" and dear.rows[0].seconds <= 200


def test_a_difference_that_these_rows_cannot_show():
    advice = vc.advise(study(), fit_seconds=1, difference=0.02)
    assert advice.answer.startswith("This can hardly be concluded from this data: 200 rows seldom show")
    needed = vc.power("conservative_t_rows", difference=0.02, discordant=0.1, power=0.8).rows
    assert f"about {needed:,} do" in advice.answer


def test_how_wide_the_interval_of_one_learner_will_be():
    advice = vc.advise(study(learners={"nb": GaussianNB()}), fit_seconds=1)
    assert advice.question == "estimate" and advice.rows[0].name.startswith("repeated_")
    widths = {row.name: row.width for row in advice}
    assert widths["repeated_kfold(k=10, repeats=5)"] < widths["holdout"]
    assert advice["boot632plus"].verdict == "no" and "no interval" in advice["boot632plus"].why
    assert advice["kfold"].verdict == "use"
    other = vc.advise(study(learners={"net": MLPClassifier()}), fit_seconds=1)
    assert [row.width for row in other] == [row.width for row in advice]  # whatever the learner is called


@pytest.mark.slow
def test_the_cautions_of_a_rehearsal_are_those_of_the_run():
    runs = vc.evaluate({"nb": GaussianNB()}, X, Y, by="kfold(k=10)")
    real = {note.code for note in vc.estimate(runs, "error").all_notes if note.weight == "caution"}
    row = vc.advise(study(learners={"nb": GaussianNB()}), fit_seconds=1)["kfold"]
    assert (row.verdict == "care") is bool(real)


def test_numbers_groups_and_plans():
    numbers = vc.Study({"mine": (X, X[:, 0] + RANDOM.normal(size=200))}, LEARNERS | {}, kind="numbers")
    assert vc.advise(numbers, "compare", fit_seconds=1).rows[0].verdict != "no"
    assert vc.advise(study().plan(), fit_seconds=1).rows[0].verdict == "use"


@pytest.mark.slow
def test_without_a_time_one_fit_of_each_learner_is_timed():
    advice = vc.advise(study(60))
    assert advice.rows[0].seconds > 0


@pytest.mark.parametrize(
    ("made", "how", "says"),
    [
        (study(learners={"nb": GaussianNB()}), {"question": "compare"}, "compare is of two learners or more"),
        (study(), {"fit_seconds": -1.0}, "`fit_seconds=` is how long a fit takes, larger than 0"),
    ],
)
def test_bad_input_in_one_sentence(made, how, says):
    with pytest.raises(vc.BadInput, match=re.escape(says)):
        vc.advise(made, **how)


def test_the_command_plans_a_data_file(tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("\n".join(["x,y", *(f"{x:.4f},{y}" for x, y in zip(X[:, 0], Y, strict=True))]))
    words = ["advise", str(file), "--target", "y", "--fit-seconds", "1"]
    done = CliRunner().invoke(cli, [*words, "--learner", "sklearn.naive_bayes:GaussianNB"])
    assert done.exit_code == 0 and done.stdout.startswith("Run --by "), done.output
    alone = CliRunner().invoke(cli, words)
    assert alone.exit_code == 2 and "name a learner" in alone.stderr
