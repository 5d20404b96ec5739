"""Save writes everything that stands in the form, or says at the field why it cannot, and nothing typed is lost."""

import re
import tomllib
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.web.conftest import STUDY, client_of
from tests.web.test_desk import row_of
from tests.web.test_learner_form import fields_in
from tests.web.test_setup import mark_in, text_in

FOREST = "sklearn.ensemble:RandomForestClassifier"
THINGS = "size,class\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(40))


def all_fields(page):
    """What a browser sends of the form as it is shown, with the notes."""
    notes = re.search(r'<textarea class="short" name="notes"[^>]*>(.*?)</textarea>', page.text, re.S)[1]
    return {**fields_in(page), "notes": unescape(notes), "was": mark_in(page)}


def send(bench, page, action="save", address="/study/small.toml/setup", **changes):
    typed = {name.replace("__", "-"): value for name, value in changes.items()}
    return bench.post(address, content=urlencode({**all_fields(page), **typed, "action": action}))


def fault_in(page):
    """The field that is marked, and what is said there."""
    marked = re.findall(r'<(?:input|textarea)[^>]*name="([^"]*)"[^>]*aria-invalid="true"', page.text)
    return marked, unescape(re.search(r'id="wrong">([^<]*)<', page.text)[1])


@pytest.fixture
def bench(folder):
    (folder / "things.csv").write_text(THINGS)
    return client_of(folder)


@pytest.fixture
def page(bench):
    return bench.get("/study/small.toml/setup")


def saved(folder, name="small"):
    return tomllib.loads((folder / f"{name}.toml").read_text())


def test_save_writes_every_field_of_the_design(bench, page, folder):
    notes = "first line\n\n  second: \"quoted\" = 'x'\nthird"
    typed = {"by": "kfold(k=3), holdout(test=0.2)", "seed": "11", "scores": "brier", "notes": notes, "store": "a.db"}
    answer = send(bench, page, **typed, rank__score="brier", rank__then="shaffer")
    assert answer.status_code == 303
    study = saved(folder)
    assert (study["by"], study["seed"]) == (["kfold(k=3)", "holdout(test=0.2)"], 11)
    assert (study["scores"], study["notes"], study["store"]) == (["brier"], notes, "a.db")
    assert study["questions"] == {"rank": {"score": "brier", "then": "shaffer"}}
    assert {key: study[key] for key in ("data", "learners")} == {
        key: tomllib.loads(STUDY)[key] for key in ("data", "learners")
    }
    again = bench.get("/study/small.toml/setup")
    assert {name: all_fields(again)[name] for name in typed} == typed
    assert send(bench, again).status_code == 303 and saved(folder) == study


def test_save_without_changes_keeps_the_text_as_it_was_typed(bench, folder):
    typed = f"# mine\n{STUDY}\n# the end"
    (folder / "small.toml").write_text(typed)
    page = bench.get("/study/small.toml/setup")
    assert send(bench, page).status_code == 303 and (folder / "small.toml").read_text() == typed


def test_save_adds_a_data_set_and_a_learner_that_were_typed(bench, page, folder):
    answer = send(bench, page, source="things.csv", data__target="class", learner=FOREST, learner__name="trees")
    assert answer.status_code == 303
    study = saved(folder)
    assert study["data"]["things"] == {"file": "things.csv", "target": "class"}
    assert study["learners"]["trees"] == FOREST and len(study["learners"]) == 4
    edited = send(bench, bench.get("/study/small.toml/setup"), "edit:learners:stump")
    assert send(bench, edited).status_code == 303 and saved(folder) == study  # nothing of it was changed
    assert send(bench, edited, parameter__max_depth="2").status_code == 303
    assert saved(folder)["learners"]["stump"]["max_depth"] == 2
    edited = send(bench, bench.get("/study/small.toml/setup"), "edit:data:moons")
    assert send(bench, edited, data__name="crescents").status_code == 303
    assert list(saved(folder)["data"]) == ["crescents", "circles", "blobs", "things"]


def test_a_whole_folder_that_was_typed_is_added(bench, page, folder):
    (folder / "many").mkdir()
    for name in ("one", "two"):
        (folder / "many" / f"{name}.csv").write_text(THINGS)
    assert send(bench, page, source="many/", data__target="class").status_code == 303
    assert saved(folder)["data"]["two"] == {"file": "many/two.csv", "target": "class"}


@pytest.mark.parametrize("action", ["add-data", "look", "look-learner", "text", "copy:learners:nb", "advise"])
def test_no_button_loses_what_other_fields_hold(bench, page, action):
    typed = {"seed": "11", "notes": "a\nb", "scores": "brier", "source": "things.csv", "learner": FOREST}
    shown = send(bench, page, action, **typed, learner__name="trees", data__target="class")
    study = tomllib.loads(text_in(shown))
    assert (study["seed"], study["notes"], study["scores"]) == (11, "a\nb", ["brier"])
    fields = fields_in(shown)
    assert (fields["learner"], fields["learner-name"]) == (FOREST, "trees")
    assert fields["source"] == ("" if action == "add-data" else "things.csv") and "data-unsaved" in shown.text
    cleared = send(bench, shown, "clear-learner")
    assert fields_in(cleared)["learner"] == "" and text_in(cleared) == text_in(shown)


def test_the_text_wins_where_a_field_was_not_changed_and_both_are_kept_elsewhere(bench, page, folder):
    text = STUDY.replace("seed = 3", "seed = 7").replace('"error", "brier"', '"auc"')
    assert send(bench, page, text=text, by="kfold(k=5)").status_code == 303
    study = saved(folder)
    assert (study["seed"], study["scores"], study["by"]) == (7, ["auc"], "kfold(k=5)")


def test_a_field_and_its_key_changed_to_different_values_are_told(bench, page, folder):
    text = STUDY.replace("seed = 3", "seed = 7")
    told = send(bench, page, text=text, seed="11", notes="mine")
    marked, says = fault_in(told)
    assert told.status_code == 400 and marked == ["seed"] and "'11'" in says and "'7'" in says
    assert (folder / "small.toml").read_text() == STUDY
    fields = all_fields(told)
    assert (fields["seed"], fields["notes"], fields["text"]) == ("11", "mine", text)
    assert send(bench, told).status_code == 400  # until one of both is chosen
    for action, seed in (("design", 11), ("text", 7)):
        chosen = send(bench, told, action)
        assert chosen.status_code == 200 and all_fields(chosen)["seed"] == str(seed)
        assert (tomllib.loads(text_in(chosen))["seed"], tomllib.loads(text_in(chosen))["notes"]) == (seed, "mine")
    assert send(bench, page, text=text, seed="7").status_code == 303 and saved(folder)["seed"] == 7


NAMES = {
    "": "give the study a name",
    "  .toml ": "give the study a name",
    "a/b": "'/'",
    "..\\x": "'\\\\'",
    "<script>alert(1)</script>": "'<'",
    "con\nx": "'\\n'",
    "a\x00b": "'\\x00'",
    "a\u202eb": "'\\u202e'",
    ".hidden": "begins with a dot",
    "small": "there is a file small.toml already",
    "small.toml": "there is a file small.toml already",
    "x" * 300: "too long",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_cannot_be_is_told_at_its_field_and_all_is_kept(bench, folder, name):
    before = sorted(folder.rglob("*.toml*"))
    typed = {"name": name, "seed": "11", "notes": "a\nb", "learner": FOREST, "source": "things.csv"}
    for action in ("save", "run"):
        told = send(bench, bench.get("/study/new"), action, "/study/new", **typed)
        marked, says = fault_in(told)
        assert told.status_code == 400 and marked == ["name"] and NAMES[name].lower() in says.lower()
        fields = all_fields(told)
        kept = {key: fields[key].replace("\r\n", "\n") for key in typed if key != "name"}
        assert kept == {key: value for key, value in typed.items() if key != "name"}
        assert text_in(told) == text_in(bench.get("/study/new"))
    assert sorted(folder.rglob("*.toml*")) == before
    answer = send(bench, told, "save", "/study/new", name="good one.v2")
    assert answer.status_code == 303 and bench.get(answer.headers["location"]).status_code == 200
    assert saved(folder, "good one.v2")["seed"] == 11


WRONG = [
    ({"seed": "1" * 5_000}, "seed", "a whole number"),
    ({"seed": "1.5"}, "seed", "a whole number"),
    ({"learner": "sklearn.nowhere:Thing"}, "learner", "no module sklearn.nowhere"),
    ({"learner": "sklearn.tree:RandomForestClassifier"}, "learner", "did you mean sklearn.ensemble:RandomForest"),
    ({"learner": "RandomForrestClassifier"}, "learner", "did you mean sklearn.ensemble:RandomForestClassifier"),
    ({"learner": "sklearn.svm:SVC", "learner-grid": "C = 3"}, "learner", "lists of values"),
    ({"learner-name": "mine"}, "learner", "no learner"),
    ({"data-name": "mine"}, "source", "no file is named"),
    ({"text": "seed = "}, "text", "not TOML"),
    ({"text": f"seed = {'1' * 5_000}"}, "text", "not TOML"),
    ({"text": "a = " + "[" * 5_000}, "text", "not TOML"),
]


@pytest.mark.parametrize(("typed", "field", "says"), WRONG)
def test_what_cannot_be_saved_is_told_at_its_field(bench, page, folder, typed, field, says):
    told = send(bench, page, **{key.replace("-", "__"): value for key, value in {"notes": "n", **typed}.items()})
    marked, said = fault_in(told)
    assert told.status_code == 400 and marked == [field] and says in said
    fields = all_fields(told)
    assert {key: fields[key] for key in typed} == typed and fields["notes"] == "n"
    assert (folder / "small.toml").read_text() == STUDY


def test_numbers_of_thousands_of_digits_are_told(bench):
    many = "1" * 5_000
    for body in (f"action=start&workers={many}", f"action=repeats&repeats={many}", f"action=start&timeout={many}e"):
        assert bench.post("/study/small.toml/run", content=body).status_code == 400
    assert bench.post("/api/check", content=f"seed = {many}").json()["mistakes"]


def test_a_learner_is_found_by_its_class(bench, page, folder):
    shown = send(bench, page, "look-learner", learner="randomforestclassifier")
    assert fields_in(shown)["learner"] == FOREST and "parameter-n_estimators" in fields_in(shown)
    for typed in ("RandomForestClassifier", "sklearn.ensemble.RandomForestClassifier"):
        added = send(bench, page, "add-learner", learner=typed)
        assert tomllib.loads(text_in(added))["learners"]["RandomForestClassifier"] == FOREST
    called = send(bench, page, "add-learner", learner="RandomForestClassifier(n_estimators=5)")
    assert tomllib.loads(text_in(called))["learners"]["RandomForestClassifier"] == f"{FOREST}(n_estimators=5)"
    unknown = send(bench, page, "look-learner", learner="mine:Own")
    assert unknown.status_code == 400 and fields_in(unknown)["learner"] == "mine:Own"


def test_only_what_was_saved_is_called_saved(bench, page, folder):
    answer = send(bench, page, seed="5")
    shown = bench.get(answer.headers["location"])
    assert "Saved small.toml." in shown.text and '<h2 id="text">small.toml</h2>' in shown.text
    assert "data-unsaved" not in shown.text
    edited = bench.post(answer.headers["location"], content=urlencode({**all_fields(shown), "action": "text"}))
    assert "Saved small.toml." not in edited.text
    (folder / "small.toml").write_text(STUDY)
    assert "Saved small.toml." not in bench.get(answer.headers["location"]).text


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("", "no data set and no learner and no design"),
        ('by = "kfold(k=4)"\n', "no data set and no learner"),
        (STUDY.partition("[learners]")[0], "no learner"),
    ],
)
def test_a_study_that_names_nothing_yet_is_listed_and_says_what_is_missing(folder, text, missing):
    (folder / "pyproject.toml").write_text('[project]\nname = "no study"\n')
    bench = client_of(folder)
    for action in ("save", "run"):
        fields = {"action": action, "text": text, "was": "", "name": f"begun-{action}"}
        saved = bench.post("/study/new", data=fields)
        assert saved.status_code == 303 and "/setup?saved=" in saved.headers["location"]
        page = bench.get(saved.headers["location"]).text
        assert f"Saved begun-{action}.toml. It cannot be run yet" in page
        name = f"begun-{action}.toml"
        assert f"not run yet: it names {missing}" in row_of(bench.get("/").text, name)
        told = bench.post(f"/study/{name}/run", data={"action": "start"})
        assert told.status_code == 400 and missing in told.text and f'href="/study/{name}/setup"' in told.text
        assert bench.post(f"/api/studies/{name}/runs").status_code == 400
        assert not (folder / f"begun-{action}.db.log").exists()
    listed = {one["name"]: one["problem"] for one in bench.get("/api/studies").json()}
    assert listed == {"begun-run.toml": missing, "begun-save.toml": missing, "small.toml": ""}


def test_names_and_seeds_that_no_file_can_hold_are_told_at_their_fields(folder):
    bench = client_of(folder)
    for fields, says in (
        ({"name": "con\nx", "text": STUDY}, "cannot hold"),
        ({"name": "long", "text": STUDY, "seed": "9" * 5_000}, "at most 100 digits"),
        ({"name": "long", "text": STUDY.replace("seed = 3", f"seed = {'9' * 5_000}")}, "not TOML"),
    ):
        told = bench.post("/study/new", data={"action": "save", "was": "", **fields})
        assert told.status_code == 400 and says in told.text
    assert sorted(path.name for path in folder.glob("*.toml")) == ["small.toml"]
