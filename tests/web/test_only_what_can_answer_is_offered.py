"""Every test, post hoc test, adjustment and score that a form offers answers; what is greyed out is refused."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.web.conftest import client_of

FEW_DRAWS = ("hierarchical_posterior", "signed_rank_posterior", "plackett_luce")  # which take seconds otherwise
NOT_ANSWERED = "was not answered: "
CHOSEN = [
    ("overview", {}),
    pytest.param("overview", {"data": "moons"}, marks=pytest.mark.slow),
    ("ranking", {}),
    pytest.param("ranking", {"control": "nb"}, marks=pytest.mark.slow),
    ("ranking", {"using": "corrected_t"}),
    ("verdicts", {}),
    ("pairs", {}),
    ("pairs", {"using": "corrected_t"}),
]


@pytest.fixture(scope="module", autouse=True)
def patient():
    """The form waits for what it offers, however busy the machine is."""
    from veracity.web import analyse

    analyse.CHOICES_TIMEOUT_S = 300


def offered(page, name):
    """The names in a field, each with whether it can be picked."""
    inside = re.search(rf'<select name="{name}">(.*?)</select>', page, re.S)
    options = re.findall(r'<option value="([^"]+)"( selected| disabled)?[^>]*>([^<]*)<', inside[1]) if inside else []
    assert all(("cannot answer here: " in text) == (mark == " disabled") for _, mark, text in options)
    return {unescape(value): mark != " disabled" for value, mark, _ in options}


def is_refused(client, words, name):
    """Whether the view itself refuses what is picked, or answers by another method and shows that one as picked."""
    page = client.get(f"/study/small.db/analyse?{urlencode(words)}")
    if page.status_code != 200:
        return True
    if NOT_ANSWERED in unescape(re.search(r'<dd id="answer">(.*?)</dd>', page.text, re.S)[1]):
        return True
    picked = re.search(rf'<select name="{name}">.*?value="([^"]*)" selected.*?</select>', page.text, re.S)
    typed = re.search(rf'<select name="{name}">.*?selected value="([^"]*)".*?</select>', page.text, re.S)
    return words[name] not in [unescape(found[1]) for found in (picked, typed) if found is not None]


@pytest.mark.parametrize(("view", "chosen"), CHOSEN, ids=str)
def test_what_a_form_offers_answers_and_what_it_greys_out_is_refused(finished, view, chosen):
    client = client_of(finished)
    page = client.get(f"/study/small.db/analyse?{urlencode({'view': view, **chosen})}").text
    wrong, seen = [], set()
    for field in ("using", "pairs", "then"):
        for name, enabled in offered(page, field).items():
            typed = f"{name}(draws=200)" if name in FEW_DRAWS else name
            seen.add(enabled)
            if is_refused(client, {"view": view, **chosen, field: typed}, field) is enabled:
                wrong.append((field, name, enabled))
    assert wrong == [] and seen == {True, False}


def test_every_score_that_is_offered_can_be_estimated_and_those_left_out_cannot(finished):
    client = client_of(finished)
    page = client.get("/study/small.db/analyse?view=estimates").text
    names = re.findall(
        r'<option value="([^"]+)">', re.search(r'<datalist id="known-score">(.*?)</datalist>', page, re.S)[1]
    )
    assert "error" in names and "auc" in names and "cost" not in names and "net_benefit" not in names
    refused = [
        name for name in names if client.get(f"/study/small.db/analyse?view=ranking&score={name}").status_code != 200
    ]
    assert refused == []
    for name in ("cost", "net_benefit"):
        assert client.get(f"/study/small.db/analyse?view=ranking&score={name}").status_code == 400
