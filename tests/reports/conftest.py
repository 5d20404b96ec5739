"""A real browser, and pages for it to open."""

import os
import re
import shutil
import zlib
from pathlib import Path

import numpy as np
import pytest

import veracity as vc

HOSTILE = "\x1b[31m\u202e</script><img src=x onerror=\"document.title='attacked'\">"


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, headless, with its console kept."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("needs chromium and chromedriver: apt-get install chromium chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = chromium
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    opened.set_script_timeout(600)  # a slow machine is no barrier
    yield opened
    opened.quit()


@pytest.fixture(scope="session")
def axe():
    """The script of axe, which looks for barriers."""
    path = os.environ.get("VERACITY_TEST_AXE", "")
    if not Path(path).is_file():
        pytest.skip("needs axe-core: npm install axe-core, VERACITY_TEST_AXE=.../axe.min.js")
    return Path(path).read_text("utf-8")


@pytest.fixture(scope="session")
def models():
    """Two models of the same 200 rows, one with a name that would like to be a script."""
    random = np.random.default_rng(5)
    truth = np.array(["ham", "spam"])[(random.random(200) < 0.4).astype(int)]
    signal = (truth == "spam") + random.normal(0, 0.8, 200)
    chance = 1 / (1 + np.exp(-2 * (signal - 0.5)))
    worse = 1 / (1 + np.exp(-2 * (signal + random.normal(0, 1, 200) - 0.5)))
    said = {"classes": ["ham", "spam"], "positive": "spam"}
    return {"plain": vc.predictions(truth, proba=chance, **said), HOSTILE: vc.predictions(truth, proba=worse, **said)}


@pytest.fixture(scope="session")
def runs():
    """A small study: four learners on four data sets, one learner that fails with a hostile reason."""
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {
        "nb": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "majority": DummyClassifier(),
        "broken": GaussianNB(var_smoothing=HOSTILE),
    }
    data = {
        "iris": "sklearn:load_iris",
        HOSTILE: "sklearn:make_moons(n_samples=80, noise=0.3, random_state=0)",
        "circles": "sklearn:make_circles(n_samples=80, noise=0.2, random_state=0)",
        "blobs": "sklearn:make_blobs(n_samples=80, random_state=0)",
    }
    return vc.Study(data, learners, "kfold(k=5)", seed=3, scores=["error"])


@pytest.fixture(scope="session")
def printed_words():
    """Reads the letters of a PDF that chromium prints, without spaces."""
    return _letters


def _letters(paper):
    objects = {int(n): body for n, body in re.findall(rb"(\d+) 0 obj\s(.*?)endobj", paper, re.S)}
    fonts = dict(re.findall(rb"/(F\d+) (\d+) 0 R", b"".join(objects.values())))
    maps = {name: _letters_of_font(objects, objects[int(number)]) for name, number in fonts.items()}
    words = []
    for body in objects.values():
        letters = {}
        for font, glyphs in re.findall(rb"/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)> ?Tj", _stream(body)):
            letters = maps[font] if font else letters
            words += [letters.get(int(glyphs[at : at + 4], 16), "") for at in range(0, len(glyphs), 4)]
    return "".join("".join(words).split())


def _letters_of_font(objects, font):
    """The letter of each glyph, by the font's own table."""
    table = re.search(rb"/ToUnicode (\d+) 0 R", font)
    text = _stream(objects[int(table[1])]).decode("latin-1") if table else ""
    letters = {}
    for part in re.findall(r"beginbfchar(.*?)endbfchar", text, re.S):
        for glyph, letter in re.findall(r"<(\w+)>\s*<(\w+)>", part):
            letters[int(glyph, 16)] = bytes.fromhex(letter).decode("utf-16-be")
    for part in re.findall(r"beginbfrange(.*?)endbfrange", text, re.S):
        for first, last, letter in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", part):
            for glyph in range(int(first, 16), int(last, 16) + 1):
                letters[glyph] = chr(int(letter, 16) + glyph - int(first, 16))
    return letters


def _stream(body):
    head, _, rest = body.partition(b"stream")
    if b"/FlateDecode" not in head or b"/Image" in head:
        return b""
    return zlib.decompress(rest.lstrip(b"\r\n").rpartition(b"endstream")[0])
