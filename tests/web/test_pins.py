"""A pinned view stays on the page with its answer; the address holds all of it."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.web.conftest import client_of

ADDRESS = "/study/small.db/analyse"


def link(page, says):
    found = re.search(rf'href="([^"]*)"[^>]*>{re.escape(says)}</a>', page)
    return None if found is None else unescape(found[1])


def answer_of(page):
    return re.search(r'id="answer">([^<]*)<', page)[1]


def test_views_are_pinned_gone_back_to_and_unpinned(bench):
    first = bench.get(f"{ADDRESS}?view=ranking&score=brier").text
    pinned = bench.get(link(first, "Pin this view")).text
    assert link(pinned, "Pin this view") is None  # it is there
    assert pinned.count(answer_of(first)) == 2
    other = bench.get(link(pinned, "Verdicts")).text  # the pin goes along to other views
    assert answer_of(first) in other and answer_of(other) != answer_of(first)
    both = bench.get(link(other, "Pin this view")).text
    back = link(both, "Ranking, score brier")
    assert answer_of(bench.get(back).text) == answer_of(first) and "Verdicts, score brier" in bench.get(back).text
    alone = bench.get(link(both, "Unpin")).text
    assert "Ranking, score brier" not in alone and "Verdicts, score brier" in alone
    csv = link(both, "csv")
    assert bench.get(csv).text == bench.get(re.sub(r"&pin=[^&]*", "", csv)).text


def test_a_pin_is_a_question_like_any_other(bench):
    odd = ["view=nonsense", "view=pairs&level=2", "score=<img src=x>", "pin=view%3Dranking", "%", ""]
    page = bench.get(f"{ADDRESS}?{urlencode({'pin': odd}, doseq=True)}")
    assert page.status_code == 200 and "<img src" not in page.text
    says = [unescape(one) for one in re.findall(r'<p class="refuse">([^<]*)</p>', page.text)]
    assert [one.split(":")[0] for one in says] == [
        "there is no view 'nonsense'",
        "level must lie strictly between 0 and 1, not 2.0; try 0.95",
        "cannot read '<img src=x>'",
    ], says
    many = [f"view=estimates&level=0.{number}" for number in range(50, 70)]
    page = bench.get(f"{ADDRESS}?{urlencode({'pin': many}, doseq=True)}").text
    assert page.count(">Unpin<") == 12 and link(page, "Pin this view") is None


def test_pins_change_nothing(folder):
    before = (folder / "small.db").read_bytes()
    page = client_of(folder).get(f"{ADDRESS}?pin=view%3Dranking%26score%3Derror").text
    assert (folder / "small.db").read_bytes() == before
    words = dict(parse_qsl(urlsplit(link(page, "Pin this view")).query))
    assert words["pin"] in ("view=overview", "view=ranking&score=error")
