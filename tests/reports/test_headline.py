"""The question and the answer at the top of a page: for all learners and data sets, by name."""

import html
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0), "majority": DummyClassifier()}
DATA = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A function from a study's parts to its report."""

    def made(data, learners, by="kfold(k=5)", **asked):
        parts = {name: DATA[name] for name in data}, {name: LEARNERS[name] for name in learners}
        runs = vc.Study(*parts, by, seed=1).run(tmp_path_factory.mktemp("headline") / "s.db", progress=False)
        return vc.report(runs, asked.pop("scores", ["error"]), **asked)

    return made


def test_one_learner_on_one_data_set(reported):
    page = reported(["wine"], ["nb"])
    value = page.material.estimates.rows[0].value
    assert page.material.question == "What error will nb have on new rows of wine?"
    assert page.material.answer.startswith(f"About {value:.4g}, 95% interval [")


def test_several_data_sets_without_a_ranking_have_no_single_answer(reported):
    m = reported(DATA, LEARNERS).material
    value = {(row.data, row.learner): row.value for row in m.estimates}
    best = {data: min("nb", "tree", key=lambda name: value[data, name]) for data in DATA}
    ranges = [
        f"{data}: {value[data, best[data]]:.4g} ({best[data]}) to {value[data, 'majority']:.4g} (majority)"
        for data in DATA
    ]
    assert m.question == "What error do 3 learners have on 2 data sets?"
    assert m.answer == f"{'; '.join(ranges)}. Which learner is best was not tested."


def test_the_better_end_comes_first(reported):
    answer = reported(DATA, LEARNERS, scores=["accuracy"]).material.answer
    first, last = map(float, re.match(r"iris: ([\d.]+) \(\w+\) to ([\d.]+) \(majority\)", answer).groups())
    assert first > last


def test_two_learners_on_one_data_set(reported):
    m = reported(["iris"], ["nb", "majority"]).material
    assert m.question == "Which of nb and majority has the better error on iris?"
    assert m.answer == m.comparisons[0].sentence().replace("corrected_t", "corrected resampled t")  # no notes here


def test_all_pairs_of_one_data_set(reported):
    m = reported(["iris"], LEARNERS, "repeated_kfold(k=5, repeats=3)").material
    best = min(m.estimates, key=lambda row: row.value)
    apart = [f"{pair.a} and {pair.b}" for pair in m.comparisons if pair.rejected]
    assert apart == ["nb and majority", "tree and majority"]
    assert m.question == "Which of 3 learners has the best error on iris?"
    assert m.answer.startswith(f"{best.learner} has the best estimate, {best.value:.4g}, 95% interval [")
    told = "there is enough evidence that they differ in 2 of 3 pairs (nb and majority; tree and majority)"
    assert m.answer.endswith(f"; {told}, by conservative resampled t at 0.05 over all pairs.")


def test_the_score_is_that_of_the_question(reported):
    m = reported(["iris"], LEARNERS, questions={"compare": {"score": "accuracy"}}).material
    assert m.question == "Which of 3 learners has the best accuracy on iris?"
    assert m.answer.startswith("There is enough evidence")  # no estimate of that score is on the page


def test_several_designs(reported):
    m = reported(["iris"], ["nb"], ["kfold(k=5)", "kfold(k=10)"]).material
    assert m.question == "What error does nb have on iris by 2 designs?"
    assert re.fullmatch(r"iris by .* \(k=5\): 0\.\d+.*; iris by .* \(k=10\): 0\.\d+.*\.", m.answer)


def test_pages_of_single_results_answer_for_all_as_well(reported):
    m = reported(["iris"], LEARNERS).material
    estimates = vc.report(m.estimates).material
    assert estimates.question == "What error do 3 learners have on iris?"
    compared = vc.compare(m.models["iris"], "error")
    assert f" in {sum(pair.rejected for pair in compared) or 'none'} of 3 pairs" in vc.report(compared).material.answer


def test_learners_are_told_in_words(reported):
    text = html.unescape(reported(["iris"], LEARNERS).html)
    assert re.search(r"nb: GaussianNB\(\), fingerprint [0-9a-f]{32}<", text)
    assert "tree: DecisionTreeClassifier(random_state=0), fingerprint " in text


def test_a_store_that_knows_no_words_can_still_be_read_and_learns_them(tmp_path):
    study = vc.Study({"iris": DATA["iris"]}, {"nb": GaussianNB()}, "kfold(k=5)", seed=1)
    runs = study.run(tmp_path / "s.db", progress=False)
    known = runs.store.study()
    old = {**known, "learners": {"nb": {"fingerprint": known["learners"]["nb"]["fingerprint"]}}}
    assert runs.store.save_study(old) == old
    text = html.unescape(vc.report(vc.read_runs(tmp_path / "s.db"), ["error"]).html)
    assert "nb: fingerprint " in text and "GaussianNB()" not in text
    assert "nb: GaussianNB(), fingerprint " in html.unescape(vc.report(runs, ["error"]).html)  # this process knows
    study.run(tmp_path / "s.db", progress=False)
    assert "nb: GaussianNB(), fingerprint " in html.unescape(vc.report(vc.read_runs(tmp_path / "s.db"), ["error"]).html)


def test_hostile_parameters_are_text_in_a_browser(runs, browser, tmp_path):
    from selenium.webdriver.common.by import By

    page = vc.report(runs.run(str(tmp_path / "runs.db"), progress=False), ["error"]).save(tmp_path / "report.html")
    browser.get(page.as_uri())
    shown = browser.find_element(By.ID, "methods").get_attribute("textContent")
    assert r"broken: GaussianNB(var_smoothing='\x1b[31m\u202e</script><img " in shown
    assert "nb: GaussianNB(), fingerprint" in shown
    assert browser.find_elements(By.TAG_NAME, "img") == [] and browser.title != "attacked"


def test_slices_are_no_data_sets():
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 120)
    models = {
        name: vc.predictions(truth, label=np.where(random.random(120) < share, truth, 1 - truth), positive=1)
        for name, share in (("a", 0.9), ("b", 0.7))
    }
    parts = np.repeat(["x", "y", "z"], 40)
    page = vc.report(vc.compare(models, "error", slices=parts)).html
    assert "over 3 slices" in page and "data sets?" not in page
    assert "Which of a and b has the better error over 3 slices?" in html.unescape(page)


def test_a_title_names_all_or_counts_them():
    x = np.random.default_rng(2).normal(size=(30, 2))
    learners = {f"nb{number}": GaussianNB(var_smoothing=10.0**-number) for number in range(1, 9)}
    few = {name: learners[name] for name in list(learners)[:3]}
    runs = [vc.evaluate(some, x, (x[:, 0] > 0).astype(int), by="kfold(k=2)") for some in (learners, few)]
    titles = [vc.report(one, "error", questions={}).material.title for one in runs]
    assert titles[0] == "8 learners on data" and set(titles[1].removesuffix(" on data").split(", ")) == set(few)
