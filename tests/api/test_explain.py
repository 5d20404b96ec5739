"""The manual page of every method, and the lists of them."""

import contextlib
import json
import math

import numpy as np
import pytest

import veracity as vc
from docs.manual_index import all_articles, index_text
from veracity.core.index import FILE, index, lists, names
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.methods import articles
from veracity.methods.catalogue import CATALOGUES, LISTINGS
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


def test_a_name_borne_by_several_methods_explains_all():
    printed = repr(vc.explain("corrected_t"))
    assert "comparison: Assumes" in printed and "interval: Assumes" in printed
    assert [one["kind"] for one in vc.explain("corrected_t").to_json()["entries"]] == [
        "comparison",
        "interval",
        "power",
    ]


def test_a_score_names_its_interval_and_the_values_of_its_parameters():
    printed = " ".join(repr(vc.explain("fbeta")).split())
    assert "f1_exact" in printed and "'macro' (mean over classes)" in printed and "Also called" in printed
    for score in CATALOGUES["scores"]:
        facts = vc.explain(score).to_json()
        assert facts["interval"] and all(one["says"] for one in facts["parameters"])
        names = {line.rpartition(": ")[2] for line in facts["interval"] if "none: " not in line}
        assert names <= set(CATALOGUES["intervals"].entries)


def test_prevalence_is_no_praise():
    printed = repr(vc.explain("prevalence"))
    assert "is better" not in printed.replace("neither high nor low is better", "") and "the truth alone" in printed
    assert "average" not in printed and "macro" not in printed


@pytest.mark.parametrize("score", ["prevalence", "positive_rate"])
def test_a_fact_about_a_class_has_no_average(score):
    """Over all classes it would be one over their number, whatever the rows are."""
    several = vc.predictions([0, 1, 2, 2], label=[0, 1, 1, 2])
    with pytest.raises(vc.BadInput, match=f"{score} has no parameter 'average'"):
        vc.score(several, f"{score}(average='micro')")
    found = vc.estimate(several, score)[score]
    assert math.isnan(found.value) and "about one class, and none of several is named: `positive=`" in str(found.value)
    assert vc.score(vc.predictions([0, 1, 2, 2], label=[0, 1, 1, 2], positive=1), score) in (0.25, 0.5)


def test_every_parameter_of_a_score_can_change_it():
    """Each is given two values of which at least one moves the score of some rows, or is refused."""
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 300)
    chances = random.dirichlet([1, 1, 1], 300) + 0.6 * np.eye(3)[y]
    chances /= chances.sum(1, keepdims=True)
    of_classes = vc.predictions(y, proba=chances, prior=[0.2, 0.3, 0.5])
    of_one = vc.predictions(y > 0, proba=1 - chances[:, 0], positive=True, prior=[0.3, 0.7])
    of_numbers = vc.predictions(y * 1.0, number=y + random.normal(size=300), train_mean=0.5)
    of_grades = vc.graded(y > 1, item=np.arange(300) // 3)
    of_kind = {"numbers": (of_numbers,), "grades": (of_grades,)}
    tried = {
        "average": ["'macro'", "'prior'", "'macro_ovr'", "'prior_ovr'"],
        "baseline": ["'train'", "'test'"],
        "matrix": ["[[0,1,1],[1,0,1],[1,1,0]]", "[[0,2,1],[1,0,1],[1,1,0]]"],
        "strategy": ["'width'", "'count'"],
    }
    tried |= {
        "beta": [1, 2],
        "clip": [0.3, 0.45],
        "floor": [0.2, 0.49],
        "bins": [3, 10],
        "fraction": [0.1, 0.5],
        "k": [1, 3],
    }
    tried |= {"k": [1, 3], "max_fpr": [0.1, 0.5], "q": [0.1, 0.9], "threshold": [0.2, 0.7], "train_rows": [10, 100]}
    tried |= {name: [False, True] for name in ("standardised", "relative", "add_one")}

    def values(score, name):
        needed = {one.name: tried[one.name][0] for one in score.parameters if one.required}
        more = {"train_rows": {"add_one": True}, "add_one": {"baseline": "'test'"}}.get(name, {})
        for value in tried[name]:
            given = ", ".join(f"{key}={each}" for key, each in {**needed, **more, name: value}.items())
            for p in of_kind.get(score.target_kind, (of_classes, of_one)):
                with contextlib.suppress(vc.VeracityError):
                    yield id(p), round(float(vc.score(p, f"{score.name}({given})")), 12)

    for score in CATALOGUES["scores"]:
        for parameter in score.parameters:
            found = list(values(score, parameter.name))
            assert len(set(found)) > len({place for place, _ in found}) > 0, (score.name, parameter.name)
    with pytest.raises(vc.BadInput, match="train_rows counts only with add_one=True"):
        vc.score(of_classes, "sf_entropy_gain(train_rows=50)")


def test_an_estimator_tells_its_assumptions_and_its_bias():
    for estimator in CATALOGUES["estimators"]:
        page = vc.explain(estimator)
        assert "rows are independent" in repr(page) and "Measured bias" in repr(page)
    (bias, *_) = vc.explain("resubstitution").to_json()["entries"][1]["measured"]
    assert bias["figure"] < -3 * bias["error"]  # optimistic


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
    assert vc.explain("acuracy")[0].name == "accuracy"
    assert vc.explain("rank").to_json()["kind"] == "verb"
    with pytest.raises(vc.BadInput, match="lists what there is"):
        vc.explain("zzzzzzzz")
    with pytest.raises(vc.BadInput, match="by its name"):
        vc.explain(3)


def test_the_file_of_names_is_current():
    assert FILE.read_text("utf-8") == index_text(), "run: python -m docs.manual_index"
    assert "auc" in names("scores") and "auc" not in names("intervals")
    assert list(index()) == [*CATALOGUES, "verbs", "topics"] and list(lists()) == list(LISTINGS)
    assert articles.FILE.read_text("utf-8") == articles.articles_text(all_articles()), "run: make index"


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
