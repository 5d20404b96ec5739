"""Tables of equivalents name only what there is."""

import re
from importlib import import_module

import pytest

import veracity as vc
from docs.equivalents import PEERS, coming_from_page
from veracity.methods.catalogue import CATALOGUES
from veracity.running.checks import CHECKS

ENTRIES: dict[str, set[str]] = {}  # parameters of each name, whatever kinds of method it is
for catalogue in CATALOGUES.values():
    for entry in catalogue:
        ENTRIES.setdefault(entry.name, set()).update(parameter.name for parameter in entry.parameters)
INSIDE = re.compile(r"'([a-z_0-9]+)(?=['(])")
OTHER = {"critical_difference", "significance_graph", "p_values", "lower", "baseline"}  # pictures and values


@pytest.mark.parametrize(("peer", "row"), [(peer, row) for peer, rows in PEERS.items() for row in rows])
def test_what_is_typed_here_exists(peer, row):
    name, _, given = row[1].partition("(")
    if name.startswith("checks = "):
        assert set(re.findall(r"'(\w+)'", name)) <= set(CHECKS)
        return
    assert name in ENTRIES or name in vc.__all__, f"{peer}: {row[1]}"
    if name in ENTRIES and given:
        assert set(re.findall(r"(\w+)=", given)) <= ENTRIES[name]
    elif name in vc.__all__:
        assert set(INSIDE.findall(given)) <= {*ENTRIES, *OTHER}


def test_names_that_people_search_for_are_on_a_page():
    page = coming_from_page("scikit-learn")
    assert all(f"`{name}`" in page for name in ("brier_score_loss", "f1_score", "roc_auc_score"))


PLACES = ("metrics", "model_selection", "calibration", "dummy")


def test_names_of_scikit_learn_are_those_that_it_has():
    there = {name for place in PLACES for name in dir(import_module(f"sklearn.{place}"))}
    typed = [name.strip().partition("(")[0] for row in PEERS["scikit-learn"] for name in row[0].split(", ")]
    assert len(typed) > 40 and set(typed) <= there


def test_most_names_of_scikit_learn_can_be_typed_as_they_are():
    scores = [row[0] for row in PEERS["scikit-learn"] if row[1].partition("(")[0] in CATALOGUES["scores"]]
    known = {one.name for entry in CATALOGUES["scores"] for one in entry.known_as}
    assert sum(name.partition("(")[0] in known for name in scores) >= 0.8 * len(scores)
