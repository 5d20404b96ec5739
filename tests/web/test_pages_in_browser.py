"""What scripts of the pages do, and what is left without them and on paper, in a real browser."""

import base64

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.reports.conftest import printed_words  # noqa: F401
from tests.web.test_guard import Server
from tests.web.test_in_browser import served  # noqa: F401
from tests.web.visitor import THINGS, Visitor

pytestmark = pytest.mark.slow
ANALYSE = "/study/small.toml/analyse"


@pytest.fixture
def visitor(browser, served):  # noqa: F811
    person = Visitor(browser, served)
    yield person
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    browser.get("about:blank")


def test_files_are_brought_by_choosing_them(visitor, folder, tmp_path):
    (tmp_path / "mine.csv").write_text("truth,p\n" + "".join(f"{'yn'[n % 2]},0.{n % 9 + 1}\n" for n in range(40)))
    (tmp_path / "more.csv").write_text(THINGS)
    visitor.go("/score")
    field = visitor.browser.find_element(By.CSS_SELECTOR, "[data-drop] input")
    visitor.through(lambda: field.send_keys(str(tmp_path / "mine.csv")))
    visitor.see("was guessed").see("mine.csv")
    visitor.go("/study/new")
    visitor.browser.find_element(By.CSS_SELECTOR, "[data-drop] input").send_keys(str(tmp_path / "more.csv"))
    visitor.see("more.csv lies in the folder now")
    assert visitor.field("source").get_attribute("value") == "more.csv" and (folder / "more.csv").read_text() == THINGS
    visitor.press("Look at it").see("colour")
    (tmp_path / "x.exe").write_bytes(b"MZ")
    visitor.go("/score").browser.find_element(By.CSS_SELECTOR, "[data-drop] input").send_keys(str(tmp_path / "x.exe"))
    visitor.see("bring a table that ends in")


def test_a_slider_asks_for_the_number_that_it_shows(visitor):
    visitor.go("/plan").see("870 rows")
    slider = visitor.browser.find_element(By.CSS_SELECTOR, '[data-moves="difference"]')
    visitor.through(lambda: slider.send_keys(Keys.ARROW_RIGHT))
    moved = visitor.field("difference").get_attribute("value")
    assert moved == "0.031" and f"difference={moved}" in visitor.browser.current_url
    assert "870 rows" not in visitor.browser.find_element(By.ID, "answer").text


def test_mistakes_and_fits_are_told_while_one_types(visitor):
    visitor.go("/study/small.toml/setup").see("36 fits")
    visitor.field("text").send_keys("\nodd = 1")
    visitor.see("odd").see("learners")
    visitor.field("text").send_keys(Keys.BACKSPACE * 7)
    visitor.see("0 to do, 36 stored")


def test_lines_are_copied_by_one_click(visitor):
    visitor.go(f"{ANALYSE}?view=ranking").browser.find_element(By.CSS_SELECTOR, ".lines-shown summary").click()
    assert [one.text for one in visitor.browser.find_elements(By.CSS_SELECTOR, ".lines-shown button")] == ["Copy"] * 2


def test_everything_but_live_progress_and_sliders_works_without_scripts(visitor):
    visitor.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    own = visitor.browser
    own.get(f"{visitor.own}{ANALYSE}?view=ranking")
    own.find_element(By.NAME, "score").send_keys("brier", Keys.ENTER)
    visitor.wait(lambda: "score=brier" in own.current_url and "Brier" in own.page_source)
    own.get(f"{visitor.own}/study/new")
    own.find_element(By.NAME, "source").send_keys("sklearn:load_wine")
    own.find_element(By.CSS_SELECTOR, "button[value=add-data]").send_keys(Keys.ENTER)
    visitor.wait(lambda: "load_wine" in own.find_element(By.NAME, "text").get_attribute("value"))
    assert not own.find_element(By.CSS_SELECTOR, "[data-drop]").is_displayed()
    own.get(f"{visitor.own}/study/small.toml/run")
    assert "36 of 36 fits done" in own.find_element(By.TAG_NAME, "body").text


def test_paper_holds_the_answer_and_no_buttons(visitor, printed_words):  # noqa: F811
    visitor.go(f"{ANALYSE}?view=ranking")
    paper = base64.b64decode(visitor.browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    words = printed_words(paper)
    assert "ranksbest" in words and "Saveas" not in words and "Adjustedby" not in words


def test_a_run_page_says_that_its_server_is_gone_and_goes_on_when_it_is_back(browser, folder):
    first = Server(str(folder))
    visitor = Visitor(browser, first)
    visitor.go("/study/small.toml/run").see("36 of 36 fits done")
    first.end()
    visitor.see("Connection lost")
    again = Server(str(folder), "--port", str(first.port))
    try:
        visitor.see("The workbench was started anew").see("open the address that veracity serve has printed")
        tab = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(f"{visitor.own}/study/small.toml/run")
        assert "this tab has no access" in visitor.text
        style = "return getComputedStyle(document.body).fontFamily"
        assert "system-ui" in browser.execute_script(style)  # the policy lets the page have its style
        browser.get(again.address)
        browser.close()
        browser.switch_to.window(tab)
        visitor.see("36 of 36 fits done")
    finally:
        again.end()
