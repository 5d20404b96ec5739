"""The form of a study in a real browser: Save takes what stands in it, mistakes keep it, and leaving asks."""

import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.web.conftest import STUDY
from tests.web.test_guard import Server
from tests.web.visitor import Visitor

pytestmark = pytest.mark.slow
FOREST = "sklearn.ensemble:RandomForestClassifier"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms")
    server = Server(str(folder))
    yield folder, server
    server.end()


@pytest.fixture
def visitor(browser, place):
    (place[0] / "small.toml").write_text(STUDY)
    return Visitor(browser, place[1])


def type_into(visitor, **fields):
    for name, value in fields.items():
        field = visitor.field(name.replace("__", "-"))
        field.clear()
        field.send_keys(value)


def saved(place, name):
    return tomllib.loads((place[0] / f"{name}.toml").read_text())


def is_asked_on_leaving(visitor, by="Files"):
    """Press a link or a button, and tell whether the page wants to ask; the driver of the browser then says yes."""
    visitor.browser.execute_script(
        """addEventListener("beforeunload", (event) => sessionStorage.setItem("asks", event.defaultPrevented))"""
    )
    visitor.press(by)
    return {"true": True, "false": False}[visitor.browser.execute_script("return sessionStorage.getItem('asks')")]


def test_save_takes_what_stands_in_the_form(visitor, place):
    visitor.go("/study/new")
    type_into(visitor, by="kfold(k=5)", seed="11", scores="brier, error", notes="first line\nsecond line")
    type_into(visitor, learner="RandomForestClassifier", source="sklearn:load_wine", name="mine")
    visitor.press("Save").see("Saved mine.toml.")
    study = saved(place, "mine")
    assert (study["by"], study["seed"], study["scores"]) == ("kfold(k=5)", 11, ["brier", "error"])
    assert study["notes"] == "first line\nsecond line"
    assert study["data"]["wine"] == "sklearn:load_wine" and study["learners"]["RandomForestClassifier"] == FOREST
    assert visitor.browser.find_element(By.TAG_NAME, "h1").text == "Set up mine.toml"
    assert visitor.browser.find_element(By.ID, "text").text == "mine.toml"
    assert visitor.field("notes").get_attribute("value") == "first line\nsecond line"
    visitor.press("Save").see("Saved mine.toml.")
    assert saved(place, "mine") == study


def test_a_mistake_keeps_the_form_and_stands_at_its_field(visitor, place):
    visitor.go("/study/new")
    type_into(visitor, seed="11", notes="a\nb", learner="RandomForestClassifier")
    for name, says in (
        ("", "give the study a name"),
        ("a/b", "cannot hold"),
        ("<b>", "cannot hold"),
        ("small", "already"),
    ):
        type_into(visitor, name=name)
        visitor.press("Save").see(says)
        assert visitor.field("name").get_attribute("aria-invalid") == "true"
        assert visitor.browser.switch_to.active_element.get_attribute("name") == "name"
        kept = {name: visitor.field(name).get_attribute("value") for name in ("seed", "notes", "learner")}
        assert kept == {"seed": "11", "notes": "a\nb", "learner": "RandomForestClassifier"}
    type_into(visitor, name="good", learner="sklearn.nowhere:X")
    visitor.press("Save").see("no module sklearn.nowhere")
    assert visitor.field("learner").get_attribute("aria-invalid") == "true"
    type_into(visitor, learner="RandomForestClassifier")
    visitor.press("Save").see("Saved good.toml.")
    assert saved(place, "good")["seed"] == 11 and "RandomForestClassifier" in saved(place, "good")["learners"]


def test_leaving_with_unsaved_changes_asks(visitor, place):
    visitor.go("/study/small.toml/setup")
    visitor.field("seed").send_keys(Keys.END)  # which changes nothing
    assert not is_asked_on_leaving(visitor)
    for name, keys in (("seed", "5"), ("text", "# mine"), ("learner", "SVC"), ("notes", "n")):
        visitor.go("/study/small.toml/setup").field(name).send_keys(keys)
        assert is_asked_on_leaving(visitor), name
    visitor.go("/study/small.toml/setup").field("seed").send_keys("5")
    assert not is_asked_on_leaving(visitor, "Copy nb")  # as a button of the form sends everything along
    assert is_asked_on_leaving(visitor.see("nb 2"))
    visitor.go("/study/small.toml/setup").field("seed").send_keys("5")
    assert not is_asked_on_leaving(visitor, "Save")
    assert not is_asked_on_leaving(visitor.see("Saved small.toml."))
    assert saved(place, "small")["seed"] == 35


def test_two_workbenches_and_a_neighbour_on_other_ports_do_not_disturb_each_other(visitor, place, tmp_path):
    seen = []

    class Neighbour(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.get("Cookie", ""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    (tmp_path / "other.toml").write_text(STUDY)
    other, neighbour = Server(str(tmp_path)), HTTPServer(("127.0.0.1", 0), Neighbour)
    Thread(target=neighbour.serve_forever, daemon=True).start()
    try:
        visitor.browser.get(other.address)
        visitor.see("other.toml").go("/").see("small.toml")
        visitor.browser.get(f"http://127.0.0.1:{other.port}/")
        visitor.see("other.toml")
        visitor.browser.get(f"http://127.0.0.1:{neighbour.server_port}/")
        assert f"veracity-{other.port}=" in "".join(seen)  # as browsers do, and so it must not be the token
        assert other.token not in "".join(seen) and place[1].token not in "".join(seen)
    finally:
        neighbour.shutdown()
        neighbour.server_close()
        other.end()
