"""A person with a keyboard in a real browser: no error, no foreign request, no barrier, on any view."""

import json
import re
import shlex
import shutil
import time
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.web.test_files import PREDICTIONS, SCORES
from tests.web.test_guard import Server
from tests.web.test_run import SLOW
from veracity.cli.main import cli
from veracity.web.serve import opening_page

VIEWS = (
    "/",
    "/study/small.toml/analyse",
    *(
        f"/study/small.toml/analyse?view={view}"
        for view in ("ranking", "verdicts&swap=1", "pairs", "estimates", "curves", "splits", "ledger")
    ),
    *(
        f"/study/record.toml/analyse?by=kfold(k%3D4)&view={view}"
        for view in ("slices&slices=country", "tuning", "failures", "overview")
    ),
    "/study/small.toml/analyse?view=ranking&pin=view%3Dranking%26score%3Dbrier&pin=view%3Dnonsense",
    "/study/record.toml/run",
    "/study/small.toml/analyse?score=nonsense",
    "/study/small.toml/run",
    "/study/small.toml/setup",
    "/study/new",
    "/score",
    "/score?file=preds.csv&truth=truth&proba=p_one&proba=p_two&positive=yes&view=scores",
    "/score?file=scores.csv&view=ranking",
    "/list/comparisons",
    "/explain/corrected_t",
    "/search?words=leave+one+out",
    "/plan",
    "/nowhere",
)


@pytest.fixture
def served(folder, recorded):
    shutil.copytree(recorded, folder, dirs_exist_ok=True)
    (folder / "preds.csv").write_text(PREDICTIONS)
    (folder / "scores.csv").write_text(SCORES)
    server = Server(str(folder))
    yield server
    server.end()


FOCUS = """const at = document.activeElement;
return {tag: at.tagName.toLowerCase(), name: at.getAttribute("name"), says: [at.innerText.trim(), at.ariaLabel]}"""


class Person:
    """Somebody who has a keyboard and eyes."""

    def __init__(self, browser, server):
        self.browser, self.server = browser, server
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.get_log("browser"), browser.get_log("performance")
        browser.get(server.address)

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def tab_to(self, found, most=120):
        """Go on by Tab until the focus is where it should be."""
        for _ in range(most):
            self.press(Keys.TAB)
            if found(self.browser.execute_script(FOCUS)):
                return
        raise AssertionError(f"no way there by Tab on {self.browser.current_url}")

    def follow(self, text):
        self.tab_to(lambda one: one["tag"] == "a" and text in one["says"])
        self._through(Keys.ENTER)

    def push(self, text):
        self.tab_to(lambda one: one["tag"] == "button" and one["says"][0] == text)
        self._through(Keys.ENTER)

    def fill(self, name, text, key=None):
        self.tab_to(lambda one: one["name"] == name)
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        self.press(text, Keys.ESCAPE)  # which closes what the browser offers
        if key:
            self._through(key)

    def _through(self, key):
        """Press a key and wait for the next page."""
        self.browser.execute_script("window.before = true")
        self.press(key)
        there = "return !window.before && document.readyState === 'complete'"
        WebDriverWait(self.browser, 120).until(lambda b: b.execute_script(there))

    def see(self, text, seconds=90):
        shown = "return document.body === null ? '' : document.body.innerText"
        end = time.monotonic() + seconds
        while text not in self.browser.execute_script(shown):
            assert time.monotonic() < end, self.browser.execute_script(shown)
            time.sleep(0.2)

    def check_quiet(self, allowed=()):
        """Nothing in the console, and nobody else was asked for anything."""
        lines = [entry["message"] for entry in self.browser.get_log("browser")]
        assert [line for line in lines if not any(words in line for words in allowed)] == []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = urlsplit(message["params"]["request"]["url"])
                assert address.scheme == "data" or address.port == self.server.port, address


def test_the_page_that_a_browser_is_given_leads_to_the_workbench(browser, served, tmp_path):
    browser.get(opening_page(tmp_path, served.address).as_uri())
    WebDriverWait(browser, 60).until(lambda b: b.current_url == f"http://127.0.0.1:{served.port}/")
    assert "Analyse" in browser.page_source  # the cookie came along, though it is a strict one
    person = Person(browser, served)
    person.follow("Analyse small.toml")
    person.see("ranks best")
    person.check_quiet()


@pytest.mark.slow
def test_a_keyboard_is_enough_to_analyse_and_nothing_complains(browser, served):
    person = Person(browser, served)
    assert "token" not in browser.current_url
    person.follow("Analyse small.toml")
    person.see("ranks best")
    person.fill("score", "brier", Keys.ENTER)
    person.see("Brier")
    assert "score=brier" in browser.current_url and "using" not in browser.current_url
    person.follow("Verdicts")
    person.see("Significant wins and losses")
    browser.back()
    assert "view=verdicts" not in browser.current_url
    person.follow("Files")
    person.fill("text", SCORES)
    person.push("Look at it")  # a form that is sent, not an address that is asked
    person.see("ranks best")
    person.check_quiet()


@pytest.mark.slow
def test_a_study_is_built_run_stopped_resumed_ranked_and_exported_by_keyboard(browser, served, tmp_path):
    person = Person(browser, served)
    person.follow("Set up")
    for source in ("sklearn:load_wine", "sklearn:make_moons(n_samples=200, noise=0.3, random_state=0)"):
        person.fill("source", source, Keys.ENTER)
    forest = "sklearn.ensemble:RandomForestClassifier(n_estimators=80)"
    person.fill("learner", forest, Keys.ENTER)
    person.fill("learner", "sklearn.dummy:DummyClassifier", Keys.ENTER)
    person.fill("by", "repeated_kfold(k=10, repeats=4)", Keys.ENTER)
    person.see("360 fits")
    person.fill("name", "byhand")
    person.push("Save and go to Run")
    person.see("Not run yet")
    person.push("Run")
    person.see(" running", 200)
    while "\n0 of 360" in browser.execute_script("return document.body.innerText"):
        time.sleep(0.3)
    person.push("Stop")
    person.see("It ended with status", 300)
    assert "360 of 360" not in browser.find_element(By.TAG_NAME, "body").text
    person.push("Go on")
    person.see("Finished", 900)
    person.follow("Analyse")
    person.follow("Ranking")
    person.see("mean rank")
    command = browser.find_element(By.ID, "as-command").get_attribute("textContent")
    found = json.loads(CliRunner().invoke(cli, [*shlex.split(command)[1:], "--json"]).stdout)
    assert set(found["average_ranks"]) == {"nb", "RandomForestClassifier", "DummyClassifier"}
    shown = browser.find_element(By.TAG_NAME, "body").text
    assert all(f"{rank:.2f}" in shown for rank in found["average_ranks"].values())
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    person.tab_to(lambda one: one["tag"] == "a" and one["says"][0] == "csv")
    person.press(Keys.ENTER)
    saved = tmp_path / "byhand.toml-ranking.csv"
    WebDriverWait(browser, 120).until(lambda b: saved.exists())
    assert saved.read_text().startswith("data,") or "nb" in saved.read_text()
    person.check_quiet()


@pytest.mark.slow
def test_no_view_has_a_barrier_an_error_or_a_foreign_request(browser, served, axe):
    person = Person(browser, served)
    own = f"http://127.0.0.1:{served.port}"
    for scheme in ("light", "dark"):
        for width in (390, 1280):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            for view in VIEWS:
                browser.get(own + view)
                WebDriverWait(browser, 60).until(lambda b: "Working on it" not in b.page_source)
                assert browser.execute_script("return document.documentElement.scrollWidth") <= width, (view, width)
                browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})  # beside the policy of the page
                found = browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
                assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], (view, scheme, width)
    person.check_quiet(allowed=("status of 404", "status of 400"))


@pytest.mark.slow
def test_many_tabs_share_one_connection(browser, served):
    person = Person(browser, served)
    own = f"http://127.0.0.1:{served.port}/study/small.toml/run"
    for _ in range(9):  # more than the connections that a browser has for one host
        browser.switch_to.new_window("tab")
        browser.get(own)
    time.sleep(1)
    browser.get(own)
    assert "Finished" in browser.page_source
    person.check_quiet()
    for handle in browser.window_handles[1:]:
        browser.switch_to.window(handle)
        browser.close()
    browser.switch_to.window(browser.window_handles[0])


DROP = """const place = document.querySelector("[data-drop]"), data = new DataTransfer();
data.items.add(new File([arguments[1]], arguments[0], {type: "text/csv"}));
const how = {dataTransfer: data, bubbles: true, cancelable: true};
place.dispatchEvent(new DragEvent("dragover", how));
const lit = place.classList.contains("over");
place.dispatchEvent(new DragEvent("drop", how));
return [lit, place.classList.contains("over")]"""


def test_a_file_that_is_dropped_is_scored(browser, served, folder):
    person = Person(browser, served)
    person.follow("How good are these predictions?")
    assert browser.execute_script(DROP, "dropped.csv", PREDICTIONS) == [True, False]
    WebDriverWait(browser, 60).until(lambda b: "/score?upload=" in b.current_url)
    person.see("dropped.csv")
    assert all(name in browser.page_source for name in PREDICTIONS.splitlines()[0].split(","))
    assert not (folder / "dropped.csv").exists()  # it is looked at, and not kept in the folder
    person.check_quiet()


def test_a_file_that_is_dropped_on_set_up_lies_in_the_folder(browser, served, folder):
    person = Person(browser, served)
    person.follow("Set up")
    browser.execute_script(DROP, "dropped.csv", "x,y\n1,a\n2,b\n")
    person.see("dropped.csv lies in the folder now: look at it.")
    assert browser.execute_script("return document.querySelector('[name=source]').value") == "dropped.csv"
    assert (folder / "dropped.csv").read_text() == "x,y\n1,a\n2,b\n"
    person.check_quiet()


@pytest.mark.slow
def test_a_run_says_its_rate_and_the_time_left(browser, served, folder):
    (folder / "slow.toml").write_text(SLOW)
    person = Person(browser, served)
    person.follow("Run slow.toml")
    person.push("Run")
    told = r"(\d+) of 240 fits done, \d+ failed, [1-9]\d* running, ([\d.]+) a (second|minute), (\d+) (s|min) left\."
    shown = "return document.querySelector('[data-says]').innerText"
    WebDriverWait(browser, 300, 0.1).until(lambda b: re.fullmatch(told, b.execute_script(shown)))
    done, rate, unit, left, length = re.fullmatch(told, browser.execute_script(shown)).groups()
    seconds = (240 - int(done)) / (float(rate) / (1 if unit == "second" else 60))
    assert int(left) * (1 if length == "s" else 60) == pytest.approx(seconds, rel=0.5, abs=30)
    person.push("Stop")
    person.see("It ended with status", 300)
