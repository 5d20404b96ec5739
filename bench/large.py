"""A finished study of 40 learners on 100 data sets, 10^5 fits: its verbs, its page, and a ranking of 1,000 learners."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

import veracity as vc
from bench.large_study import DATA_SETS, large_store
from bench.row import Measure, Row, alone, in_words, measure, processor_seconds

FEWER = (10, 30)  # data sets
AIMS = {"estimate": 8, "rank": 8, "report": 20}  # processor seconds


def large_study() -> list[Row]:
    page = Path(tempfile.gettempdir()) / "veracity-bench-large.html"
    more = {"report": ["--out", str(page)]}

    def seconds(verb: str, data_sets: int, times: int) -> tuple[float, ...]:
        words = ["-m", "veracity", verb, str(large_store(data_sets)), *more.get(verb, [])]
        return tuple(processor_seconds(words) for _ in range(times))

    rows = []
    for verb, aim in AIMS.items():
        smaller = tuple((in_words(part, "data sets"), min(seconds(verb, part, 1))) for part in FEWER)
        ours = Measure(seconds(verb, DATA_SETS, 2), smaller=smaller)
        rows.append(alone(f"veracity {verb}, 40 learners x 100 data sets, 10^5 fits; processor time alone", ours, aim))
    text = page.read_text("utf-8")
    size, nodes = len(text.encode()) / 1e6, len(re.findall(r"<[a-z]", text))
    rows.append(Row("the page of that study, bytes", f"{size:.3g} MB", "none", size, 3, at_most=True, unit=" MB"))
    rows.append(Row("the page of that study, elements", f"{nodes:,}", "none", nodes, 20_000, at_most=True, unit=""))
    return rows + _opening(page)


def _opening(page: Path) -> list[Row]:
    """From the start of navigation to the end of its load, in a browser where there is one."""
    if shutil.which("chromedriver") is None:
        return []
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,2000"):
        options.add_argument(word)
    seconds = []
    with webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver"))) as browser:
        for _ in range(3):
            browser.get("about:blank")
            browser.get(page.as_uri())
            ask = "return performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"
            seconds.append(float(browser.execute_script(ask)))
    best = min(seconds)
    return [Row("that page opened in chromium", f"{best:.3g} s", "none", best, 1, at_most=True, unit=" s")]


def thousand_learners() -> Row:
    random = np.random.default_rng(1)
    values = random.normal(size=(1000, 1000)) + np.linspace(0, 0.5, 1000)
    vc.rank(values[:200, :50])  # compiled loops
    fewer = tuple((in_words(k, "learners"), measure(partial(vc.rank, values[:, :k]), 1).best) for k in (100, 300))
    start = time.process_time()
    ours = replace(measure(lambda: vc.rank(values), 1), smaller=fewer)
    spent = time.process_time() - start
    name = f"rank of 1,000 learners on 1,000 data sets by default, {os.cpu_count()} cores; the time alone"
    return Row(name, f"{ours}, {spent:.3g} s of processors", "none", ours.best, 30, at_most=True, unit=" s")


ROWS = [large_study, thousand_learners]
