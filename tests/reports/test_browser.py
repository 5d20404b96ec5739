"""The page in a real browser: opens offline, keeps to its counts, runs nothing that a name says."""

import json

import numpy as np
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import veracity as vc

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def page(models, browser, tmp_path_factory):
    """The report of two models, opened from disk."""
    place = tmp_path_factory.mktemp("page") / "report.html"
    vc.report(models, ["error", "auc", "log_loss"]).save(place)
    browser.get_log("performance")
    browser.get(place.as_uri())
    return browser


@pytest.fixture(scope="module")
def study_page(runs, browser, tmp_path_factory):
    """The report of a study, in which one learner failed."""
    folder = tmp_path_factory.mktemp("study")
    place = folder / "report.html"
    vc.report(runs.run(str(folder / "runs.db"), progress=False), ["error"]).save(place)
    return place


def cells(page):
    return {
        cell.get_attribute("data-cell"): int(cell.text)
        for cell in page.find_elements(By.CSS_SELECTOR, ".explorer td[data-cell]")
    }


def requests(page):
    """What the browser asked of the network since the last look."""
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    return [url for url in asked if not url.startswith(("file:", "data:"))]


def test_opens_from_disk_without_a_request_or_an_error(page):
    assert page.title == "plain, \\x1b[31m\\u202e</script><img src=x onerror=\"document.title='attacked'\">"
    assert [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert requests(page) == []


def test_hostile_names_are_text(page):
    assert page.title != "attacked"
    assert page.find_elements(By.CSS_SELECTOR, "img") == []
    assert "onerror=" in page.find_element(By.TAG_NAME, "h1").text
    shown = page.find_element(By.TAG_NAME, "body").text
    assert "\\x1b[31m\\u202e" in shown and "\x1b" not in shown and "\u202e" not in shown


def test_moving_the_threshold_gives_the_exact_counts(page, models):
    p = models["plain"]
    slider = page.find_element(By.CSS_SELECTOR, ".explorer input[type=range]")
    seen = set()
    for _ in range(3):
        for key in (Keys.ARROW_RIGHT,) * 7:
            slider.send_keys(key)
        threshold = float(page.find_element(By.CSS_SELECTOR, ".explorer input[type=number]").get_attribute("value"))
        counts = p.confusion(threshold=threshold).cells.reshape(2, 2)
        assert cells(page) == {"tn": counts[0, 0], "fp": counts[0, 1], "fn": counts[1, 0], "tp": counts[1, 1]}
        seen.add(threshold)
    assert len(seen) == 3


def test_costs_and_prevalence_move_the_expected_cost(page, models):
    inputs = page.find_elements(By.CSS_SELECTOR, ".explorer input[type=number]")
    _, alarm, missed, share = inputs
    for field, text in ((alarm, "1"), (missed, "5"), (share, "0.1")):
        field.clear()
        field.send_keys(text)
    page.find_element(By.CSS_SELECTOR, ".explorer button").send_keys(Keys.ENTER)
    now = cells(page)
    recall, alarms = now["tp"] / (now["tp"] + now["fn"]), now["fp"] / (now["fp"] + now["tn"])
    shown = page.find_element(By.CSS_SELECTOR, "td[data-score='expected cost']").text
    assert float(shown) == pytest.approx(0.1 * (1 - recall) * 5 + 0.9 * alarms, rel=1e-3)
    best = float(shown)
    slider = page.find_element(By.CSS_SELECTOR, ".explorer input[type=range]")
    for key in (Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT):
        slider.send_keys(key)
        assert float(page.find_element(By.CSS_SELECTOR, "td[data-score='expected cost']").text) >= best - 1e-9


def test_the_study_page_names_failures_and_runs_nothing(study_page, browser):
    browser.get(study_page.as_uri())
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert browser.title != "attacked" and browser.find_elements(By.CSS_SELECTOR, "img") == []
    assert "broken" in browser.find_element(By.ID, "failures").text
    for key in ("ranking", "estimates", "curves", "explorer", "confusion", "splits", "methods"):
        assert browser.find_element(By.ID, key).is_displayed(), key


def test_long_names_make_no_page_wider_than_a_phone(browser, tmp_path):
    truth, place = ["a class with a very long name"] * 30 + ["b" * 60] * 30, tmp_path / "long.html"
    chance = np.linspace(0, 1, 60)
    long = {name: vc.predictions(truth, proba=chance, positive=truth[-1]) for name in ("x" * 90, "some words " * 9)}
    vc.report(long, ["error", "auc"]).save(place)
    screen = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(place.as_uri())
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_no_barrier_and_nothing_wider_than_the_screen(study_page, browser, axe, size, scheme):
    wide, high = SIZES[size]
    feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    screen = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(study_page.as_uri())
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})  # from outside: the page's policy allows no other
    found = browser.execute_async_script("const done = arguments[0]; axe.run().then((r) => done(r.violations));")
    serious = [(one["id"], one["nodes"][0]["html"][:120]) for one in found if one["impact"] in ("serious", "critical")]
    assert serious == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= wide
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
