"""A real browser, and pages for it to open."""

import os
import shutil
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
