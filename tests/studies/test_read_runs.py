"""A study shows what it names, whatever else its store holds; a question asked of the store shows all."""

import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

DATA = {f"d{i}": make_classification(40, 5, random_state=i) for i in range(3)}
LEARNERS = {
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "stump": DecisionTreeClassifier(max_depth=1),
}
BY = ["kfold(k=2)", "kfold(k=3)"]


def study(learners=("nb", "tree", "stump"), data=("d0", "d1", "d2"), by=BY, **more):
    made = {name: LEARNERS[name] for name in learners}
    return vc.Study({name: DATA[name] for name in data}, made, by, seed=1, scores=["error"], **more)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of everything."""
    place = tmp_path_factory.mktemp("kept") / "all.db"
    study().run(place, progress=False)
    return place


@pytest.fixture(params=["run", "read_runs"])
def few(request, store):
    """Two learners, two data sets and one design of those in the store, run or read again."""
    small = study(("nb", "tree"), ("d0", "d1"), BY[1])
    return small.run(store, progress=False) if request.param == "run" else vc.read_runs(store, small)


def beyond(notes):
    return [note.says for note in notes if note.code == "beyond-study"]


def test_every_question_is_about_what_the_study_names(few, store):
    found = vc.estimate(few, "error")
    assert {(row.data, row.learner, row.by) for row in found} == {
        (data, one, "kfold(k=3)") for data in ("d0", "d1") for one in ("nb", "tree")
    }
    asked = {"estimate": found.notes, "compare": vc.compare(few, "error", data="d0").notes}
    page = vc.report(few, questions={"compare": {"data": "d1"}})
    told = dict(page.material.about)
    assert [line.split(":")[0] for line in told["Learners"]] == ["nb", "tree"]
    assert [line.split(":")[0] for line in told["Data"]] == ["d0", "d1"]
    assert "stump" not in page.html.replace(beyond(page.notes)[0], "")
    for notes in (*asked.values(), page.notes):
        (says,) = beyond(notes)
        assert says.startswith(f"{store} also holds the data set d2, the learner stump, the design kfold(k=2), which")


def test_rankings_too(store):
    found = vc.rank(vc.read_runs(store, study(data=("d0", "d2"), by=BY[0])), "error", using="friedman", anyway=True)
    assert (found.matrix.datasets, found.learners) == (("d0", "d2"), ("nb", "tree", "stump"))
    assert beyond(found.all_notes)


def test_the_store_itself_shows_all(store, few):
    every = vc.read_runs(store)
    assert (list(every.names), list(every.learner_names)) == (["d0", "d1", "d2"], ["nb", "tree", "stump"])
    assert not beyond(every.notes) and not beyond(vc.read_runs(store, study()).notes)


def test_what_the_store_lacks_or_holds_otherwise_is_refused(store):
    other = vc.Study({"d0": DATA["d0"]}, {"nb": LEARNERS["nb"], "new": GaussianNB(var_smoothing=0.1)}, BY, seed=1)
    with pytest.raises(vc.BadInput, match=r"does not hold new on d0 by kfold\(k=2\) yet: run the study into it"):
        vc.read_runs(store, other)
    with pytest.raises(vc.BadInput, match="the learner 'nb' changed since"):
        vc.read_runs(store, vc.Study({"d0": DATA["d0"]}, {"nb": GaussianNB(var_smoothing=0.1)}, BY, seed=1))


def test_a_learner_that_was_never_run_on_a_data_set_has_no_score_there(tmp_path):
    study(("nb", "tree"), ("d0", "d1"), BY[0]).run(tmp_path / "s.db", progress=False)
    study(("nb", "stump"), ("d0", "d2"), BY[0]).run(tmp_path / "s.db", progress=False)
    found = vc.rank(vc.read_runs(tmp_path / "s.db"), "error", using="skillings_mack(missing='worst')")
    assert found.matrix.ranks[1, 2] == found.matrix.ranks[2, 1] == 3  # stump on d1, tree on d2


def test_what_was_just_run_is_to_the_last_bit_what_is_read_again(tmp_path):
    """Naive Bayes gives probabilities column by column, which numpy adds in another order than row by row."""
    data = {f"d{i}": make_classification(300, 6, n_informative=4, n_classes=3, random_state=i) for i in range(4)}
    run = vc.Study(data, {"nb": GaussianNB()}, ["repeated_holdout", "kfold(k=10)"]).run(
        tmp_path / "r.db", progress=False
    )
    for score in ("brier", "log_loss"):
        found, again = (vc.estimate(runs, score).to_json() for runs in (run, vc.read_runs(tmp_path / "r.db")))
        assert repr(found) == repr(again)
