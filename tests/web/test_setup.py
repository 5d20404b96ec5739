"""Set up: form and text are the same study, mistakes are told at their places, nothing is lost or overwritten."""

import json
import re
import shlex
import tomllib
from html import unescape
from importlib import import_module
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.web.conftest import STUDY, client_of
from tests.web.test_analyse import text_of
from veracity.cli.main import cli
from veracity.core.errors import BadInput
from veracity.core.words import for_command_line
from veracity.tables.exports import to_jsonable
from veracity.web.asked import Form
from veracity.web.edits import apply
from veracity.web.estimators import parameters_of, sklearn_learners, value_of
from veracity.web.guard import LARGEST_FORM
from veracity.web.study_text import toml_of, toml_value, write_fields

VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.integers(), max_size=3),
)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


def form(**fields):
    return Form(tuple((key.replace("__", "-"), value) for key, value in fields.items()))


def text_in(page):
    return unescape(re.search(r'<textarea name="text"[^>]*>(.*?)</textarea>', page.text, re.S)[1])


def mark_in(page):
    return re.search(r'name="was" value="([^"]*)"', page.text)[1]


@given(st.dictionaries(NAMES, st.one_of(VALUES, st.dictionaries(NAMES, VALUES, max_size=3)), max_size=4))
def test_what_is_written_is_read_again(learners):
    tables = {"seed": 1, "by": ["kfold(k=3)"], "learners": learners}
    read = tomllib.loads(toml_of(tables))
    assert read == {**tables, "learners": learners} if learners else read == {"seed": 1, "by": ["kfold(k=3)"]}


def test_the_form_builds_a_study():
    tables = tomllib.loads(STUDY)
    tables = apply(tables, "add-data", form(source="credit.csv", data__target="class", data__positive="bad"))
    tables = apply(tables, "add-data", form(source="sklearn:load_iris"))
    assert tables["data"]["credit"] == {"file": "credit.csv", "target": "class", "positive": "bad"}
    assert tables["data"]["iris"] == "sklearn:load_iris"
    knn = {
        "learner": "sklearn.neighbors:KNeighborsClassifier",
        "parameter-n_neighbors": "5",
        "parameter-weights": "distance",
    }
    tables = apply(tables, "add-learner", Form(tuple(knn.items())))
    assert tables["learners"]["KNeighborsClassifier"] == {"use": knn["learner"], "weights": "distance"}
    tables = apply(tables, "add-learner", form(learner="mine:Own(a=1)", learner__grid="C = [0.1, 1]"))
    assert tables["learners"]["Own"] == {"tune": "mine:Own(a=1)", "grid": {"C": [0.1, 1]}, "by": "kfold(k=5)"}
    each = apply(tables, "add-each", form(learner="sklearn.svm:SVC", learner__grid="C = [0.5, 2], kernel = ['linear']"))
    assert list(each["learners"])[-2:] == ["SVC C=0.5, kernel=linear", "SVC C=2, kernel=linear"]
    assert each["learners"]["SVC C=2, kernel=linear"] == {"use": "sklearn.svm:SVC", "C": 2, "kernel": "linear"}
    with pytest.raises(BadInput, match="more than 100 learners"):
        apply(tables, "add-each", form(learner="sklearn.svm:SVC", learner__grid=f"C = {list(range(101))}"))
    tables = apply(apply(tables, "copy:learners:nb", form()), "remove:data:moons", form())
    assert tables["learners"]["nb 2"] == tables["learners"]["nb"] and "moons" not in tables["data"]
    typed = {"by": "kfold(k=3)", "seed": "5", "scores": "auc, brier", "rank-then": "shaffer", "notes": "n"}
    changed = write_fields(tables, typed)
    assert (changed["by"], changed["seed"], changed["scores"]) == ("kfold(k=3)", 5, ["auc", "brier"])
    assert changed["questions"] == {"rank": {"then": "shaffer"}} and changed["learners"] == tables["learners"]


def test_values_of_a_grid_keep_their_types():
    values = ["1", 1, 1.0, True, "true", "None", "[1]", [1, "1"], {"0": "2"}, "inf", "x"]
    grid = f"a = {toml_value(values)}, b = ['7']"
    made = apply({}, "add-each", form(learner="mine:Own", learner__grid=grid, parameter__b="3"))["learners"]
    assert [repr(learner["a"]) for learner in made.values()] == [repr(value) for value in values]
    assert [learner["b"] for learner in made.values()] == ["7"] * len(values)
    assert tomllib.loads(toml_of({"learners": made}))["learners"] == made


def test_a_study_is_built_saved_and_counted(folder):
    bench = client_of(folder)
    first = bench.get("/study/new")
    added = {
        "text": text_in(first),
        "was": mark_in(first),
        "action": "add-learner",
        "learner": "sklearn.dummy:DummyClassifier",
    }
    page = bench.post("/study/new", content=urlencode(added))
    assert "150 rows, 4 columns, 3 classes" in page.text
    assert "asks for the mean risk of the procedure trained on 90 % of the rows" in page.text
    assert "40 fits" in page.text and "DummyClassifier" in text_in(page) and "splits of 150 rows" in page.text
    assert not (folder / "mine.toml").exists()
    saved = bench.post(
        "/study/new", content=urlencode({"text": text_in(page), "was": "", "action": "save", "name": "mine"})
    )
    assert (folder / "mine.toml").read_text() == text_in(page)
    shown = bench.get(saved.headers["location"])
    assert saved.headers["location"].startswith("/study/mine.toml/setup?") and "Saved mine.toml." in shown.text
    again = bench.post("/study/new", content=urlencode({"text": "x = 1", "was": "", "action": "save", "name": "mine"}))
    assert (
        again.status_code == 400
        and "there is a file mine.toml already" in again.text
        and (folder / "mine.toml").read_text() == text_in(page)
    )


def test_a_design_is_advised_before_anything_is_fitted_and_taken(folder):
    bench = client_of(folder)
    page = bench.get("/study/small.toml/setup")
    fields = {"text": text_in(page), "was": mark_in(page), "advice-difference": "0.1", "advice-budget": "100"}
    told = bench.post("/study/small.toml/setup", content=urlencode({**fields, "action": "advise"}))
    assert told.status_code == 200 and text_in(told) == STUDY
    words = shlex.split(text_of(told.text, "as-command"))
    assert words[:2] == ["veracity", "advise"] and "--fit-seconds" in words
    advice = json.loads(CliRunner().invoke(cli, [*words[1:], "--json"]).stdout)
    space = {}
    exec(text_of(told.text, "as-python").replace("print(answer)", ""), space)
    assert to_jsonable(space["answer"].to_json()) == advice
    assert for_command_line(space["answer"].answer) in unescape(told.text)
    rows = re.findall(r"<li><code>([^<]*)</code> <strong>(\w+)</strong>", told.text)
    assert rows == [(one["name"], one["verdict"]) for one in advice["methods"]]
    taken = bench.post("/study/small.toml/setup", content=urlencode({**fields, "action": f"take:{rows[1][0]}"}))
    assert tomllib.loads(text_in(taken))["by"] == rows[1][0] and (folder / "small.toml").read_text() == STUDY


def test_advice_runs_no_code_and_bad_words_are_told(folder):
    (folder / "evil.py").write_text("raise SystemExit('imported')")
    text = STUDY.replace('"sklearn.naive_bayes:GaussianNB"', '"evil:Learner"')
    bench = client_of(folder, trust_here=True)
    told = bench.post("/study/new", content=urlencode({"text": text, "action": "advise"}))
    assert told.status_code == 200 and "Choose" in told.text and 'id="as-command"' not in told.text
    for words in ({"advice-difference": "much"}, {"advice-budget": "x"}, {"advice-difference": "0"}):
        told = bench.post("/study/new", content=urlencode({"text": STUDY, "action": "advise", **words}))
        assert 'role="alert"' in told.text and next(iter(words)).removeprefix("advice-") in told.text
    alone = STUDY.split("majority =")[0]
    told = bench.post("/study/new", content=urlencode({"text": alone, "action": "advise"}))
    assert "repeated_kfold" in told.text and "Choose" in told.text


def test_a_lost_update_is_told_and_nothing_is_overwritten(folder):
    bench = client_of(folder)
    page = bench.get("/study/small.toml/setup")
    fields = {"text": text_in(page) + "# first\n", "was": mark_in(page), "action": "save"}
    assert bench.post("/study/small.toml/setup", content=urlencode(fields)).status_code == 303
    second = bench.post("/study/small.toml/setup", content=urlencode({**fields, "text": "# second\n"}))
    assert second.status_code == 412 and "# second" in text_in(second)
    assert (folder / "small.toml").read_text().endswith("# first\n")
    stale = bench.put("/api/studies/small.toml/study", content="seed = 1", headers={"if-match": f'"{mark_in(page)}"'})
    assert stale.status_code == 412
    fresh = bench.get("/api/studies/small.toml/study").headers["etag"]
    assert (
        bench.put("/api/studies/small.toml/study", content="seed = 1", headers={"if-match": fresh}).status_code == 200
    )


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (('"kfold(k=4)"', '"nofold(k=4)"'), "by"),
        (('"error"', '"eror"'), "scores[0]"),
        (("GaussianNB", "GausianNB"), "learners.nb"),
        (('"sklearn:make_moons(n_samples=40, noise=0.3, random_state=0)"', '"../../secret.csv"'), "data.moons.file"),
        (("seed = 3", "seed = "), ""),
        (("seed = 3", "sed = 3"), "sed"),
    ],
)
def test_mistakes_are_told_at_their_places(folder, change, place):
    (folder.parent.parent / "secret.csv").write_text("a,y\n1,2\n")
    found = client_of(folder).post("/api/check?name=small.toml", content=STUDY.replace(*change)).json()
    assert [one["place"] for one in found["mistakes"]] == [place] and found["mistakes"][0]["says"]


def test_what_the_store_knows_tells_what_is_left_and_how_long(folder):
    more = STUDY.replace("kfold(k=4)", "repeated_kfold(k=4, repeats=3)")
    found = client_of(folder).post("/api/check?name=small.toml", content=more).json()
    assert re.match(r"108 fits: 72 to do, 36 stored, 0 failed; about \d+ s by one worker", found["plan"])


def test_a_data_file_is_previewed_with_its_roles_and_brought(folder):
    bench = client_of(folder)
    rows = "size,colour,class\n" + "".join(f"{n},red,{'a' if n % 2 else 'b'}\n" for n in range(30))
    kept = bench.post("/api/files?name=things.csv&to=folder", content=rows.encode())
    assert kept.status_code == 200 and (folder / "things.csv").read_text() == rows
    assert bench.post("/api/files?name=things.csv&to=folder", content=b"x,y\n1,2\n").status_code == 400
    page = bench.post("/study/new", content=urlencode({"text": STUDY, "action": "look", "source": "things.csv"}))
    assert '<option selected value="class">class</option>' in page.text and "red" in page.text


def test_learners_of_scikit_learn_are_known_by_kind_with_their_parameters():
    known = sklearn_learners()
    assert (
        "sklearn.naive_bayes:GaussianNB" in known["Classifiers"] and "sklearn.linear_model:Ridge" in known["Regressors"]
    )
    parameters = {one.name: one for one in parameters_of("sklearn.tree:DecisionTreeClassifier")}
    assert parameters["criterion"].default == "gini" and "quality of a split" in parameters["criterion"].says
    assert [value_of(text) for text in ("3", "0.5", "true", "None", "gini")] == [3, 0.5, True, None, "gini"]


def test_every_learner_that_is_offered_can_be_imported_and_made():
    offered = [text for texts in sklearn_learners().values() for text in texts]
    for text in offered:
        module, _, name = text.partition(":")
        assert not any(part.startswith("_") for part in module.split(".")), text
        assert parameters_of(text) is not None and getattr(import_module(module), name)().get_params() is not None
    assert len(offered) == len(set(offered)) > 80
    assert "sklearn.ensemble:HistGradientBoostingClassifier" in offered


def test_foreign_code_is_not_imported_by_looking(folder):
    (folder / "evil.py").write_text("raise SystemExit('imported')")
    text = STUDY.replace('"sklearn.naive_bayes:GaussianNB"', '"evil:Learner"')
    for trust in (False, True):
        found = client_of(folder, trust_here=trust).post("/api/check", content=text).json()
        assert found["mistakes"] == [] and "evil" not in __import__("sys").modules


def test_a_form_that_is_too_long_is_refused_as_it_comes(folder):
    body = (b"x" * 2**16 for _ in range(LARGEST_FORM // 2**16 + 1))
    assert client_of(folder).post("/study/new", content=body).status_code == 413
