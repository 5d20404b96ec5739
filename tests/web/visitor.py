"""Somebody with a mouse in a real browser, who fills in fields and presses buttons of the workbench."""

import re
import shutil
import time
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.web.test_files import PREDICTIONS, SCORES

EXAMPLES = Path(__file__).parents[2] / "examples"
THINGS = "size,when,colour,class\n" + "".join(
    f"{n * 7 % 11},{n},{'red' if n % 3 else 'blue'},{'ab'[n % 2]}\n" for n in range(60)
)


def fill_folder(folder, *others):
    """Studies that were run, tables of all kinds, and a folder of more."""
    for other in others:
        shutil.copytree(other, folder, dirs_exist_ok=True)
    (folder / "many").mkdir()
    texts = {"preds": PREDICTIONS, "scores": SCORES, "things": THINGS, "later": THINGS, "many/one": THINGS}
    for name, text in (texts | {"many/two": THINGS}).items():
        (folder / f"{name}.csv").write_text(text)
    shutil.copy(EXAMPLES / "weka.csv.gz", folder)
    return folder


class Visitor:
    """Goes to pages, fills in, presses, and reads what is shown."""

    def __init__(self, browser, server):
        self.browser, self.own = browser, f"http://127.0.0.1:{server.port}"
        size = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get_log("browser")
        browser.get(server.address)

    def go(self, path):
        self.browser.get(self.own + path)
        self.wait(lambda: "Working on it" not in self.browser.page_source)
        return self

    def field(self, name):
        return self.browser.find_element(By.CSS_SELECTOR, f'[name="{name}"]')

    def fill(self, **fields):
        """Write into fields, or pick an option; nothing is sent."""
        for name, value in fields.items():
            field = self.field(name.replace("__", "-"))
            self.browser.execute_script("arguments[0].value = arguments[1]", field, value)
            assert field.get_attribute("value") == value, (name, value)
        return self

    def press(self, text):
        """The first button or link that says so, or is labelled so; then the next page."""
        found = self.said(text)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found)
        self.through(found.click)
        return self

    def said(self, text):
        for kind in ("button:not([hidden])", "a"):
            for one in self.browser.find_elements(By.CSS_SELECTOR, kind):
                if text in (one.text.strip(), one.get_attribute("aria-label")):
                    return one
        raise AssertionError(f"nothing says {text!r} on {self.browser.current_url}")

    def ask(self, name, value):
        """Change a field of a form that asks at once; then the next page."""
        field = self.field(name)
        if field.tag_name == "select":
            self.through(lambda: Select(field).select_by_value(value))
        elif field.get_attribute("type") == "checkbox":
            self.through(self.browser.find_element(By.CSS_SELECTOR, f'[name="{name}"][value="{value}"]').click)
        else:
            field.send_keys(Keys.CONTROL, "a")  # clear() would be a change, which asks at once
            self.through(lambda: field.send_keys(value, Keys.ENTER))
        self.wait(lambda: "Working on it" not in self.browser.page_source)
        return self

    def through(self, act):
        self.browser.execute_script("window.before = true")
        act()
        there = "return !window.before && document.readyState === 'complete'"
        self.wait(lambda: self.browser.execute_script(there))

    def wait(self, found, seconds=300):
        WebDriverWait(self.browser, seconds, 0.1).until(lambda _: found())

    def see(self, text, seconds=300):
        end = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < end, f"{text!r} is never seen: {self.text}"
            time.sleep(0.2)
        return self

    @property
    def text(self):
        return self.browser.execute_script("return document.body === null ? '' : document.body.innerText")

    @property
    def study(self):
        """The text of the study as it stands beside the form."""
        return self.field("text").get_attribute("value")

    def written(self, pattern):
        """Whether the text of the study has a line."""
        return re.search(pattern, self.study, re.M) is not None

    def table(self, label):
        """The rows of a table as they are read."""
        rows = self.browser.find_elements(By.CSS_SELECTOR, f'table[aria-label="{label}"] tr')
        return [row.text for row in rows]

    def table_headed(self, first):
        """The rows of the first table whose heading begins with a word."""
        tables = (one.text.splitlines() for one in self.browser.find_elements(By.TAG_NAME, "table"))
        return next(rows for rows in tables if rows and rows[0].startswith(first))

    def hidden_text(self, place):
        return self.browser.find_element(By.ID, place).get_attribute("textContent")
