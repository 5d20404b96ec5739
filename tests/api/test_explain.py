"""The manual page of every method, and the lists of them."""

import json

import pytest

import veracity as vc
from veracity.api.catalogue import LISTINGS
from veracity.core.index import FILE, index, lists, names
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.methods.catalogues import CATALOGUES
from veracity.methods.write_index import index_text
from veracity.tables.exports import json as written

ENTRIES = [(kind, entry) for kind, found in CATALOGUES.items() for entry in found]


@pytest.mark.parametrize(("kind", "entry"), ENTRIES, ids=[f"{kind}-{entry.name}" for kind, entry in ENTRIES])
def test_every_method_explains_itself(kind, entry):
    page = vc.explain(entry)
    printed = " ".join(repr(page).split())
    assert entry.title in printed and entry.sentence in printed
    assert all(ASSUMPTIONS[code] in printed for code in entry.assumes)
    assert all(limit.says in printed for limit in entry.limits)
    assert all(parameter.name in printed for parameter in entry.parameters)
    assert all(work in printed for work in entry.references)
    json.loads(written(page.to_json()))
    assert page.to_markdown().startswith("# ") and "<h3>" in page._repr_html_()


def test_a_spelling_with_parameters_is_explained_too():
    assert repr(vc.explain("fbeta(beta=2)")) == repr(vc.explain("fbeta"))


def test_a_name_borne_by_two_methods_explains_both(monkeypatch):
    monkeypatch.setitem(CATALOGUES, "more", {"auc": CATALOGUES["intervals"]["bca"]})
    printed = repr(vc.explain("auc"))
    assert "score: Reads" in printed and "interval: Assumes" in printed
    assert len(vc.explain("auc").to_json()["entries"]) == 2


def test_assumptions_and_references_are_explained_with_who_names_them():
    assert ASSUMPTIONS["IID"] in repr(vc.explain("IID")) and "wilson" in repr(vc.explain("IID"))
    assert "wilson" in vc.explain("wilson1927").to_json()["users"]
    users = vc.explain("nadeau2003").to_json()["users"]
    assert users == sorted(set(users)) and "corrected_t" in users  # each once, wherever their files stand


@pytest.mark.parametrize(
    ("verb", "ways", "says"),
    [
        ("permutation_test", ("labels", "within_class"), "ojala2010"),
        ("bias_variance", ("squared", "domingos", "kohavi_wolpert"), "domingos2000"),
    ],
)
def test_a_verb_is_explained_by_its_ways(verb, ways, says):
    printed = " ".join(repr(vc.explain(verb)).split())
    assert all(f"{way}: Typed {verb}(learner, X, y, " in printed and f"{way}: Assumes" in printed for way in ways)
    assert REFERENCES[says] in printed
    assert set(ways) <= {entry.name for entry in vc.catalogue("procedures") if entry.verb == verb}


def test_an_unknown_name_offers_near_ones():
    with pytest.raises(vc.BadInput, match="nothing is called 'acuracy': did you mean"):
        vc.explain("acuracy")
    with pytest.raises(vc.BadInput, match=r"rank is no method .*: help\(veracity.rank\) tells of it"):
        vc.explain("rank")
    with pytest.raises(vc.BadInput, match="lists what there is"):
        vc.explain("zzzzzzzz")
    with pytest.raises(vc.BadInput, match="by its name"):
        vc.explain(3)


def test_the_file_of_names_is_current():
    assert FILE.read_text("utf-8") == index_text(), "run: python -m veracity.methods.write_index"
    assert "auc" in names("scores") and "auc" not in names("intervals")
    assert list(index()) == list(CATALOGUES) and list(lists()) == list(LISTINGS)


@pytest.mark.parametrize("what", LISTINGS)
def test_every_list_prints_iterates_and_is_json(what):
    found = vc.catalogue(what)
    assert len(list(found)) == len(found) == len(found.table().rows) > 0
    assert found.names[0] in repr(found) and found.names[0] in found
    assert found[found.names[0]] is found.entries[0]
    assert len(json.loads(written(found.to_json()))[what]) == len(found)


def test_lists_hold_all_there_is():
    assert set(vc.catalogue("scores").names) == set(CATALOGUES["scores"].entries)
    assert set(vc.catalogue("references").names) == set(REFERENCES)


def test_what_intervals_read_is_said_in_words():
    assert not [entry for entry in CATALOGUES["intervals"] if entry.cells()["reads"] == entry.reads.__name__]


def test_needs_chooses():
    assert {entry.needs for entry in vc.catalogue("scores", needs="proba")} == {"proba"}
    assert "roc" in vc.catalogue("curves", needs="label")  # reads values or labels
    assert "error" not in vc.catalogue("scores", needs="number")


@pytest.mark.parametrize(
    ("what", "needs", "says"),
    [
        ("metrics", None, "there is no list of 'metrics': there are scores"),
        ("scores", "labels", "needs is one of label"),
        ("intervals", "proba", "chooses among scores or curves"),
    ],
)
def test_wrong_words_are_named(what, needs, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.catalogue(what, needs=needs)


def test_a_listing_names_what_is_not_in_it():
    with pytest.raises(vc.BadInput, match="'nothing' is not among the scores listed"):
        vc.catalogue("scores")["nothing"]
