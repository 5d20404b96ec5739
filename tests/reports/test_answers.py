"""The questions of a study, answered on its page."""

import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2), "majority": DummyClassifier()}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three learners on three data sets."""
    data = {f"d{i}": make_classification(60, 5, random_state=i) for i in range(3)}
    study = vc.Study(data, LEARNERS, "repeated_kfold(k=4, repeats=3)", seed=1, scores=["error"])
    return study.run(tmp_path_factory.mktemp("answers") / "s.db", progress=False)


def test_a_test_of_splits_ranks_on_each_data_set(runs):
    page = vc.report(runs, questions={"rank": {"using": "corrected_t"}})
    said = page.to_json()["ranking"]
    assert said == vc.rank(runs, "error", using="corrected_t").to_json()
    tally = {name: sum(one["win"] for one in against.values()) for name, against in said["tally"].items()}
    assert tally["majority"] == 0 < max(tally.values())
    best = page.material.answer.partition(" ")[0]
    assert tally[best] == max(tally.values())
    assert "Wins and losses" in page.html and "corrected_t" in {entry.name for entry in page.material.methods}


def test_nobody_wins(runs):
    found = vc.rank(runs, "error", using="corrected_t", level=1 - 1e-12)
    assert found.sentence().startswith(
        "no learner wins more often than it loses, by corrected_t on each of 3 data sets"
    )


def test_scores_of_ones_own_have_a_page_too():
    @vc.per_row(title="Missed by far", needs="label", better="lower")
    def far(p):
        """Whether the prediction is wrong, counted twice."""
        return 2.0 * (p.truth != p.label)

    X, y = make_classification(60, 5, random_state=0)  # noqa: N806 (the name that everybody uses)
    runs = vc.evaluate(LEARNERS, X, y, by="kfold(k=4)", seed=1)
    for asked in (far, [far], ["error", far]):
        page = vc.report(runs, asked)
        assert page.material.estimates["nb", "far"].value == pytest.approx(2 * vc.estimate(runs, "error")["nb"].value)
    assert {strip.score for strip in vc.report(runs, far).material.strips} == {"far"}


def test_deviations_and_counts_stand_in_the_tables_if_asked(runs):
    plain, page = vc.report(runs), vc.report(runs, deviations=True)
    assert "± " not in plain.html and "standard deviation" not in plain.html
    table = page.material.ranking.scores_table()
    spread = runs.scores("error").to_frame()
    own = spread[(spread["data"] == "d0") & (spread["learner"] == "nb")]["value"]
    cell = table.rows[0][table.titles.index("nb")]
    assert table.titles[1] == "splits" and table.rows[0][1] == "12" == str(len(own))
    assert float(cell.partition(" ± ")[2]) == pytest.approx(own.std(), abs=0.0006) and cell in page.html
    assert page.material.estimates.table().titles[-2:] == ("standard deviation", "splits")
    marks = vc.report(runs, questions={"rank": {"using": "corrected_t"}}, deviations=True).material.verdicts.table()
    assert marks.rows[0][1] == "(12)" and "(" in marks.rows[0][2]
    with pytest.raises(vc.BadInput, match="over the splits of runs"):
        vc.report(vc.rank(runs, "error"), deviations=True)


def test_a_comparison_of_several_scores_is_one_family(runs):
    asked = {"compare": {"score": ["error", "log_loss"], "using": "corrected_t", "pairs": [["nb", "majority"]]}}
    page = vc.report(runs, questions=asked)
    alone = vc.compare(runs, ["error", "log_loss"], using="corrected_t", pairs=[("nb", "majority")], data=runs.names)
    assert [one.to_json() for one in page.material.comparisons] == [one.to_json() for one in alone]
    assert [one.score for one in page.material.comparisons] == ["error"] * 3 + ["log_loss"] * 3
    assert {"several-scores", "family"} <= {note.code for note in page.notes}
