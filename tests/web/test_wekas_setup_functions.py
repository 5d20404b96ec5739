"""What Weka's Experimenter does on its first tab, function by function, in a real browser."""

import tomllib

import pytest
from selenium.webdriver.common.by import By

from tests.web.conftest import STUDY
from tests.web.test_guard import Server
from tests.web.visitor import Visitor, fill_folder

pytestmark = pytest.mark.slow
TREE = "sklearn.tree:DecisionTreeClassifier"


@pytest.fixture(scope="module")
def place(pristine, recorded, tmp_path_factory):
    return fill_folder(tmp_path_factory.mktemp("weka"), pristine, recorded)


@pytest.fixture(scope="module")
def server(place):
    served = Server(str(place))
    yield served
    served.end()


@pytest.fixture
def visitor(browser, server):
    person = Visitor(browser, server)
    yield person
    assert [one for one in browser.get_log("browser") if "status of 4" not in one["message"]] == []
    browser.get("about:blank")  # so that no page goes on asking a server that has ended


@pytest.fixture
def setup(visitor, place):
    """The form of a study of its own."""
    (place / "mine.toml").write_text(STUDY)
    return visitor.go("/study/mine.toml/setup")


def test_1_experiments_are_new_saved_and_opened(visitor, place):
    visitor.go("/").press("Set up").fill(name="fresh", source="sklearn:load_wine").press("Add data set")
    assert not (place / "fresh.toml").exists()
    visitor.press("Save")
    assert set(tomllib.loads((place / "fresh.toml").read_text())["data"]) == {"iris", "wine"}
    visitor.go("/").press("Set up fresh.toml")
    assert visitor.study == (place / "fresh.toml").read_text()


def test_2_form_and_text_are_the_simple_and_the_advanced_way(setup):
    setup.fill(seed="11").press("Write into the text")
    assert setup.written("^seed = 11$")
    setup.fill(text=setup.study.replace("seed = 11", "seed = 12")).press("Read the text")
    assert setup.field("seed").get_attribute("value") == "12"


def test_3_results_go_where_one_chooses(setup):
    setup.fill(store="spring.db").press("Write into the text")
    assert setup.written('^store = "spring.db"$')
    setup.press("Save and go to Run").see("Not run yet.")
    assert "spring.db" in setup.hidden_text("as-command")


def test_4_designs_are_cross_validation_random_and_ordered_splits(setup):
    for design, asks in (
        ("kfold(k=5)", "mean risk of the procedure trained on 80 %"),
        ("holdout(test=0.34)", "trained"),
        ("sklearn.model_selection:TimeSeriesSplit(n_splits=3)", "trained"),
    ):
        setup.fill(by=design).press("Write into the text")
        assert asks in setup.text and setup.browser.find_elements(By.CSS_SELECTOR, "figure svg[role=img]"), design
    setup.fill(source="things.csv").press("Look at it").fill(data__target="class", data__time="when")
    setup.press("Add data set")
    setup.press("Move up things").press("Move up things").press("Move up things")
    setup.fill(by="holdout(test=0.34)").press("Write into the text")
    orange = setup.browser.find_element(By.CSS_SELECTOR, "figure path.s1").get_attribute("d")
    blue = setup.browser.find_element(By.CSS_SELECTOR, "figure path.s0").get_attribute("d")
    assert orange.count("M") == blue.count("M") == 1  # the first rows train, the last ones test


def test_5_folds_shares_and_repetitions_are_counted_before_anything_runs(setup):
    setup.fill(by="repeated_kfold(k=10, repeats=10)").press("Write into the text")
    assert "900 fits; how long is told when some are done" in setup.text
    setup.fill(by="repeated_holdout(test=0.34, repeats=10)").press("Write into the text")
    assert "90 fits" in setup.text
    setup.go("/study/small.toml/setup").fill(by="repeated_kfold(k=4, repeats=3)").press("Write into the text")
    assert "108 fits: 72 to do, 36 stored" in setup.text and "by one worker" in setup.text


def test_6_classes_or_numbers_are_told_and_can_be_said(setup):
    assert "40 rows, 2 columns, 2 classes" in setup.text
    setup.fill(source="things.csv").press("Look at it").fill(data__target="when", data__kind="numbers")
    setup.press("Add data set")
    assert setup.written('^things = .*kind = "numbers"')


def test_7_data_sets_are_added_viewed_edited_moved_and_removed(setup):
    setup.fill(source="things.csv").press("Look at it")
    assert len(setup.table("First rows")) == 21 and "colour" in setup.table("First rows")[0]
    setup.fill(data__target="class", data__positive="b").press("Add data set")
    assert setup.written('^things = { file = "things.csv", target = "class", positive = "b" }$')
    setup.press("Edit things").fill(data__positive="a", data__groups="colour").press("Change things")
    assert setup.written('^things = .* positive = "a", groups = "colour" }$')
    setup.press("Move up things")
    assert list(tomllib.loads(setup.study)["data"]) == ["moons", "circles", "things", "blobs"]
    setup.press("Move down things").press("Remove moons").fill(source="many/").press("Add all of a folder")
    assert list(tomllib.loads(setup.study)["data"]) == ["circles", "blobs", "things", "one", "two"]


def test_8_learners_are_added_edited_copied_pasted_moved_and_removed(setup):
    setup.fill(learner=TREE).press("Parameters")
    assert "The maximum depth of the tree." in setup.text
    setup.fill(parameter__max_depth="3").press("Add with these")
    assert setup.written(rf'^DecisionTreeClassifier = {{ use = "{TREE}", max_depth = 3 }}$')
    setup.press("Edit DecisionTreeClassifier").fill(parameter__max_depth="4").press("Change DecisionTreeClassifier")
    assert setup.written("max_depth = 4")
    setup.press("Copy nb").press("Move up nb 2").press("Remove majority")
    assert list(tomllib.loads(setup.study)["learners"]) == ["nb", "stump", "nb 2", "DecisionTreeClassifier"]
    setup.fill(learner="sklearn.svm:SVC(C=2.5)").press("Add learner")
    assert setup.written('^SVC = "sklearn.svm:SVC\\(C=2.5\\)"$')


def test_9_the_order_of_data_sets_and_learners_changes_no_fit(setup, place):
    (place / "small.toml").write_text(STUDY)
    setup.go("/study/small.toml/setup").press("Move down moons").press("Move up stump")
    assert "0 to do, 36 stored" in setup.text


def test_11_notes_are_kept_with_the_study(setup):
    setup.fill(notes='cleaned by hand, "really"').press("Write into the text")
    assert tomllib.loads(setup.study)["notes"] == 'cleaned by hand, "really"'


def test_12_a_grid_makes_learners_or_one_that_tunes_itself(setup):
    setup.fill(learner=TREE, learner__grid="max_depth = [1, 2, 3]").press("Add one for each value")
    names = list(tomllib.loads(setup.study)["learners"])
    assert names[-3:] == [f"DecisionTreeClassifier max_depth={depth}" for depth in (1, 2, 3)]
    setup.fill(learner=TREE, learner__name="tuned", learner__grid="max_depth = [1, 2]").press("Add learner")
    assert setup.written("^tuned = { tune = .*grid = { max_depth = \\[1, 2\\] }")


def test_13_a_test_file_of_its_own_is_named(setup):
    setup.fill(source="things.csv").press("Look at it")
    setup.fill(data__target="class", data__test="later.csv").press("Add data set")
    for name in ("moons", "circles", "blobs"):
        setup.press(f"Remove {name}")
    setup.fill(by="test_file").press("Write into the text")
    assert setup.written('test = "later.csv"') and "3 fits" in setup.text


def test_18_the_command_line_is_shown(visitor):
    visitor.go("/study/small.toml/run")
    words = visitor.hidden_text("as-command").split()
    assert words[:2] == ["veracity", "run"] and "--store" in words and "--workers" in words
