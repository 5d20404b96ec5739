"""Every view is offered as the files that it can be had as, and as no other; each file is one of its kind."""

import csv
import io
import json
import re
from html import unescape
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest

from tests.web.conftest import client_of
from tests.web.test_files import PREDICTIONS, SCORES
from tests.web.test_files import QUESTIONS as OF_FILES
from tests.web.test_plan import QUESTIONS as OF_PLANS
from veracity.plots import look
from veracity.web.study_views import VIEWS
from veracity.web.view import MEDIA_TYPES as KINDS

PICKED = {"slices": {"slices": "country"}, "pairs": {"only": ["nb", "tuned"]}, "verdicts": {"only": ["nb", "tuned"]}}
OF_STUDIES = {
    f"small {view}": ("/study/small.db/analyse", {"view": view}) for view in VIEWS if view not in ("slices", "tuning")
}
OF_STUDIES |= {
    f"record {view}": ("/study/record.toml/analyse", {"view": view, "by": "kfold(k=4)", **PICKED.get(view, {})})
    for view in VIEWS
    if view != "ranking"  # which two data sets are too few for
}
OTHERS = {f"file {name}": ("/score", words) for name, words in OF_FILES.items()}
OTHERS |= {f"plan {name}": ("/plan", words) for name, words in OF_PLANS.items()}


@pytest.fixture(scope="module")
def get(finished, recorded, tmp_path_factory):
    """Asks the workbench that has what an address names: studies lie where they were run, as others have them open."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "preds.csv").write_text(PREDICTIONS)
    (folder / "scores.csv").write_text(SCORES)
    served = {"/study/small": client_of(finished), "/study/record": client_of(recorded), "/": client_of(folder)}
    return lambda address: next(one for begin, one in served.items() if address.startswith(begin)).get(address)


def is_of_its_kind(form, content):
    if form in ("png", "pdf"):
        return content.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[form])
    text = content.decode()
    if form == "json":
        return isinstance(json.loads(text), dict)
    if form == "csv":
        return len({len(row) for row in csv.reader(io.StringIO(text))}) == 1
    if form == "svg":
        return ElementTree.fromstring(text).tag.endswith("svg")
    return text.strip().startswith({"md": "# ", "html": "<!DOCTYPE html>", "tex": ("%", "\\")}[form])


@pytest.mark.parametrize("view", OF_STUDIES | OTHERS)
def test_the_endings_that_are_offered_are_those_that_are_answered(get, view):
    path, words = (OF_STUDIES | OTHERS)[view]
    query = urlencode(words, doseq=True)
    page = get(f"{path}?{query}")
    assert page.status_code == 200, page.text
    group = re.search(r'aria-label="Save this view as">(.*?)</div>', page.text, re.S)[1]
    offered = {form: unescape(address) for address, form in re.findall(r'href="([^"]*)">(\w+)</a>', group)}
    assert set(offered) == set(KINDS) and offered["csv"] == f"{quote(path)}.csv?{query}"
    for form, address in offered.items():
        file = get(address)
        assert file.status_code == 200 and file.headers["content-type"].startswith(KINDS[form]), (form, file.text)
        assert is_of_its_kind(form, file.content), form


def test_tables_that_nobody_could_read_in_a_picture_offer_none_and_say_what_there_is(get, monkeypatch):
    monkeypatch.setattr(look, "MAX_TABLE_ROWS", 5)
    page = get("/study/small.db/analyse?view=splits").text
    group = re.search(r'aria-label="Save this view as">(.*?)</div>', page, re.S)[1]
    offered = re.findall(r">(\w+)</a>", group)
    assert offered == ["json", "csv", "md", "tex", "html"]
    for form in KINDS:
        answer = get(f"/study/small.db/analyse.{form}?view=splits")
        assert answer.status_code == (200 if form in offered else 400)
        told = "too long for a picture: there are .json, .csv, .md, .tex, .html"
        assert form in offered or told in unescape(answer.text)
    other = get("/study/small.db/analyse.exe?view=splits")
    assert other.status_code == 404 and ".svg" in other.text


def test_a_picture_of_a_table_holds_every_cell():
    from veracity.tables.table import Column, Table

    table = Table((Column("who", "left"), Column("how many")), (("a $x^2$ & <b>", 17), ("other\x1b", 4)))
    drawn = "\n".join(text.get_text() for text in look.table_picture((table,)).texts)
    assert "a $x^2$ & <b>" in drawn and "17" in drawn and "how many" in drawn and "\x1b" not in drawn
