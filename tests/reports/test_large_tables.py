"""Tables too large to stand on a page as elements are held as texts, all of them, and stay few nodes."""

import json
import re

import numpy as np
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

import veracity as vc
from veracity.reports.material import show_ranking


def large_ranking():
    return vc.rank(np.random.default_rng(0).normal(size=(60, 40)).round(3), then="nemenyi")


def test_the_tables_of_a_large_ranking_are_texts_and_the_page_stays_small():
    ranking = large_ranking()
    html = vc.report(ranking).html
    assert len(re.findall(r"<[a-z]", html)) < 3_000 and len(html) < 400_000
    scores, pairs = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', html, re.S)[1])
    assert html.count('<details class="fold" data-place=') == 2
    assert len(scores["columns"]) == 41 and len(scores["columns"][1]["texts"]) == 61
    first = next(column for column in pairs["columns"] if column["title"] == "a")
    assert [first["texts"][place] for place in first["at"]] == [pair.a for pair in show_ranking(ranking).pairs]


def test_a_large_table_is_made_when_it_is_unfolded_or_printed(browser, tmp_path):
    ranking = large_ranking()
    vc.report(ranking).save(tmp_path / "report.html")
    browser.get((tmp_path / "report.html").as_uri())
    rows = (
        "return [...document.querySelectorAll('details[data-place]')].map(d => d.querySelectorAll('tbody tr').length)"
    )
    assert browser.execute_script(rows) == [0, 0]
    browser.execute_script("document.querySelectorAll('details[data-place]')[1].querySelector('summary').click()")
    WebDriverWait(browser, 20).until(lambda page: page.execute_script(rows) == [0, 780])
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(rows) == [61, 780]
    worst = show_ranking(ranking).pairs[-1]
    assert {worst.a, worst.b} == set(ranking.best_first[-2:])
    last = browser.execute_script(
        "return [...document.querySelectorAll('details[data-place] tbody tr')].pop().innerText"
    )
    assert last.split("\t")[:2] == [worst.a, worst.b] and browser.find_elements(By.TAG_NAME, "strong")
