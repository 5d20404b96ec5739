"""How the page is laid out, in a real browser: folds, contents, small charts, order, names, digits, paper."""

import base64
import re
from itertools import pairwise

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import veracity as vc
from veracity.core.index import index

TALLEST = 6_000  # pixels of the demo's page when it opens
SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
BY_DATA = ("curves", "confusion", "splits")  # sections that have a fold for each data set


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A study as large as the demo's, twelve data sets and five learners, and its page."""
    from sklearn.datasets import make_classification
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {
        "majority": DummyClassifier(),
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "naive Bayes": GaussianNB(),
        "chance": DummyClassifier(strategy="stratified", random_state=0),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    }
    data = {f"data {k}": make_classification(80, 5, flip_y=0.05 * k, random_state=k) for k in range(12)}
    folder = tmp_path_factory.mktemp("layout")
    runs = vc.Study(data, learners, "kfold(k=3)", seed=1).run(str(folder / "runs.db"), progress=False)
    report = vc.report(runs, ["error", "log_loss"])
    return report, report.save(folder / "page.html")


@pytest.fixture
def screen(browser):
    """Opens a page on a desktop or a phone."""

    def opened(place, size="desktop", fragment=""):
        wide, high = SCREENS[size]
        metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": size == "phone"}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get("about:blank")
        browser.get(place.as_uri() + fragment)
        return browser

    yield opened
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def texts(page, selector):
    return page.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector
    )


def cells(page, selector):
    return page.execute_script(
        "const texts = (row) => [...row.cells].map((one) => one.textContent);"
        "return [...document.querySelectorAll(arguments[0])].map(texts)",
        selector,
    )


def test_each_data_set_is_closed_but_the_first(made, screen):
    page = screen(made[1])
    for key in BY_DATA:
        folds = page.find_elements(By.CSS_SELECTOR, f"#{key} > .folds > details")
        assert len(folds) > 4
        assert [fold.get_attribute("open") is not None for fold in folds] == [True] + [False] * (len(folds) - 1), key
        assert [fold.find_element(By.TAG_NAME, "h3").text for fold in folds] == [f"data {k}" for k in range(len(folds))]
        inside = folds[1].find_element(By.CSS_SELECTOR, "figure")
        assert not inside.is_displayed()
        folds[1].find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)  # by keyboard alone
        assert inside.is_displayed()


def test_the_page_of_many_data_sets_is_short_when_it_opens(made, screen):
    page = screen(made[1])
    assert page.execute_script("return document.documentElement.scrollHeight") <= TALLEST


@pytest.mark.slow
def test_the_page_of_the_demo_is_short_when_it_opens(screen, tmp_path):
    from click.testing import CliRunner

    from veracity.cli.main import cli

    assert CliRunner().invoke(cli, ["demo", "--json", "--folder", str(tmp_path)]).exit_code == 0
    page = screen(tmp_path / "report.html")
    assert page.execute_script("return document.documentElement.scrollHeight") <= TALLEST
    assert page.execute_script("return document.documentElement.scrollWidth") <= SCREENS["desktop"][0]


@pytest.mark.parametrize("size", SCREENS)
def test_contents_stay_in_view_and_hide_no_heading(made, screen, size):
    page = screen(made[1], size)
    box = "const box = arguments[0].getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]"
    nav = page.find_element(By.TAG_NAME, "nav")
    page.execute_script("document.documentElement.style.scrollBehavior = 'auto'")
    for link in page.find_elements(By.CSS_SELECTOR, "nav a"):
        link.send_keys(Keys.ENTER)
        left, top, right, bottom = page.execute_script(box, nav)
        assert top >= 0 and bottom <= SCREENS[size][1] and left >= 0 and right <= SCREENS[size][0]
        key = link.get_attribute("href").partition("#")[2]
        title = page.execute_script(box, page.find_element(By.ID, f"{key}-title"))
        assert title[1] >= (bottom if size == "phone" else 0) and title[1] < SCREENS[size][1], key


def test_contents_tell_where_the_reader_is(made, screen):
    page = screen(made[1])
    ask = "return [...document.querySelectorAll('nav a[aria-current]')].map((one) => one.hash)"
    assert page.execute_script(ask) == ["#ranking"]
    page.execute_script("document.getElementById('explorer').scrollIntoView({behavior: 'instant'})")
    page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert page.execute_script(ask) == ["#explorer"]


@pytest.mark.parametrize(("size", "fewest", "most"), [("desktop", 3, 4), ("phone", 1, 1)])
def test_small_charts_stand_across_the_width(made, screen, size, fewest, most):
    page = screen(made[1], size)
    ask = """const figures = [...document.querySelectorAll("#estimates details[open] figure")];
        const boxes = figures.map((one) => one.getBoundingClientRect());
        const row = boxes.filter((one) => one.top === boxes[0].top);
        const room = document.querySelector("#estimates details[open]").getBoundingClientRect();
        return [boxes.length, row.length, (row.at(-1).right - row[0].left) / room.width]"""
    number, across, share = page.execute_script(ask)
    assert number == 12 and fewest <= across <= most and share > 0.9
    assert page.execute_script("return document.documentElement.scrollWidth") <= SCREENS[size][0]


def test_learners_stand_in_the_order_of_rank_everywhere(made, screen):
    order = list(made[0].material.ranking.best_first)
    assert order[0] != "majority"  # which the study names first
    page = screen(made[1])
    first = [name for name in texts(page, "#ranking table th") if name in order]
    shown = {
        "scores": first,
        "p-values": [w for w in texts(page, "#ranking figure:nth-child(2) text") if w in order][::2],
        "estimates": [w for w in texts(page, "#estimates details[open] figure:first-child text") if w in order],
        "legend": [w.partition(" (")[0] for w in texts(page, "#curves figure:first-child text.legend")][: len(order)],
        "confusion": texts(page, "#confusion details[open] figcaption"),
        "splits": [w for w in texts(page, "#splits details[open] text") if w in order],
        "explorer": [w.partition(" · ")[2] for w in texts(page, "#explorer option")][: len(order)],
    }
    for where, names in shown.items():
        assert names == order, where
    table = next(grid for grid in texts(page, "#estimates tbody") if "data 0" in grid)
    assert re.findall("|".join(order), table)[: 2 * len(order) : 2] == order
    pairs = [row[:2] for row in cells(page, "#ranking details tbody tr")]
    assert pairs == [[a, b] for i, a in enumerate(order) for b in order[i + 1 :]]


def test_headings_and_sentences_have_names_that_people_know(made, screen):
    page = screen(made[1])
    spelled = {name for kind in index().values() for name in kind if "_" in name}
    said = texts(page, "h1, h2, h3, p, figcaption, summary, th, nav, #answer, .lead dd")
    assert any("Iman-Davenport" in text for text in said) and any("Wilcoxon signed ranks" in text for text in said)
    assert any("Log loss" in text for text in said)
    for text in said:
        assert not spelled & set(re.findall(r"\w+", text)), text


def test_differences_have_at_most_four_significant_digits(made, screen):
    page = screen(made[1])
    rows = [row[2:5] for row in cells(page, "#ranking details tbody tr")]
    assert len(rows) == 10
    for number in (cell for row in rows for cell in row):
        assert len(number.partition("e")[0].lstrip("-").replace(".", "").lstrip("0")) <= 4, number


def test_the_slider_moves_by_the_share_of_rows_and_says_a_short_number(made, screen):
    page = screen(made[1])
    move = """const slider = document.querySelector(".explorer input[type=range]");
        slider.value = arguments[0]; slider.dispatchEvent(new Event("input"));
        const cells = [...document.querySelectorAll(".explorer td[data-cell]")];
        const count = (name) => Number(cells.find((one) => one.dataset.cell === name).textContent);
        return [(count("tp") + count("fp")) / cells.reduce((sum, one) => sum + Number(one.textContent), 0),
            document.querySelector(".explorer input[type=number]").value,
            document.querySelector(".explorer output").textContent]"""
    bayes = [w.partition(" · ")[2] for w in texts(page, "#explorer option")].index("naive Bayes")
    choose = "const pick = document.querySelector('.explorer select'); pick.value = arguments[0];"
    page.execute_script(choose + "pick.dispatchEvent(new Event('change'))", bayes)
    for wanted in (10, 35, 80):
        share, threshold, says = page.execute_script(move, wanted)
        assert abs(share - wanted / 100) < 0.02
        assert len(threshold) <= 6 and f"{100 * share:.1f} %, threshold {float(threshold):g}" == says
    assert page.execute_script(move, 0)[::2] == [0, "0.0 %, above every value"]


def test_what_is_closed_is_found(made, screen):
    """A search that the browser makes opens what is closed, as its own search within a page does."""
    fold = "#methods details:has(.terms)"
    page = screen(made[1])
    assert page.execute_script("return document.querySelector(arguments[0]).open", fold) is False
    page = screen(made[1], fragment="#:~:text=Iman%20and%20J.%20M.%20Davenport")
    assert page.execute_script("return document.querySelector(arguments[0]).open", fold) is True


def test_headings_are_in_order_and_pictures_have_words(made, screen):
    page = screen(made[1])
    levels = page.execute_script(
        "return [...document.querySelectorAll('h1,h2,h3,h4')].map((one) => Number(one.tagName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    pictures = page.find_elements(By.CSS_SELECTOR, "figure > svg")
    told = page.find_elements(By.CSS_SELECTOR, "figure > svg[role=img][aria-label]:not([aria-label=''])")
    assert len(pictures) > 40 and len(told) == len(pictures)


CLOSED = ("Error of every split on data 7", "Bonferroni on the hypotheses that are still open", "naive Bayes chance")


@pytest.mark.parametrize("script", [True, False])
def test_paper_has_what_is_closed(made, screen, browser, printed_words, script):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    try:
        page = screen(made[1])
        paper = base64.b64decode(page.execute_cdp_cmd("Page.printToPDF", {})["data"])
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    words = printed_words(paper)
    for wanted in CLOSED:
        assert "".join(wanted.split()) in words, wanted
    if script:  # and the page is as it was
        assert len(page.find_elements(By.CSS_SELECTOR, "#confusion > .folds > [open]")) == 1


A4 = (718, 1032)  # pixels of a sheet inside its usual margins


def test_paper_cuts_nothing_off(made, browser):
    metrics = {"width": A4[0], "height": A4[1], "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        browser.get(made[1].as_uri())
        browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        ends = browser.execute_script(
            "const end = (one) => one.getBoundingClientRect().right;"
            "return [...document.querySelectorAll('section table, section svg.chart')].map(end)"
        )
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert len(ends) > 50 and max(ends) <= A4[0]


def test_without_scripts_all_but_the_explorer_works(made, screen, browser):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = screen(made[1])
        root = page.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]

        def node(selector):
            return page.execute_cdp_cmd("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]

        page.execute_cdp_cmd("DOM.scrollIntoViewIfNeeded", {"nodeId": node("#confusion")})
        second = "#confusion > .folds > details:nth-child(2)"
        box = page.execute_cdp_cmd("DOM.getBoxModel", {"nodeId": node(f"{second} > summary")})["model"]["content"]
        middle = {"x": (box[0] + box[2]) / 2, "y": (box[1] + box[5]) / 2, "button": "left", "clickCount": 1}
        assert "open" not in page.execute_cdp_cmd("DOM.getAttributes", {"nodeId": node(second)})["attributes"]
        for kind in ("mousePressed", "mouseReleased"):
            page.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **middle})
        assert "open" in page.execute_cdp_cmd("DOM.getAttributes", {"nodeId": node(second)})["attributes"]
        assert (
            "data-place"
            in page.execute_cdp_cmd("DOM.getAttributes", {"nodeId": node("#explorer [hidden]")})["attributes"]
        )
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
