"""What a form greys out: a method is refused beforehand exactly where the verb refuses it when it is asked."""

import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.comparisons import comparisons
from veracity.contests.method_refusals import method_refusals
from veracity.core.errors import BadInput, Refused
from veracity.evidence.score_matrix import SplitScores

OPTIONS = re.compile(r"--|\b(using|pairs|then|control|by)=|veracity ")
FEW_DRAWS = {"hierarchical_posterior": 200, "signed_rank_posterior": 200, "plackett_luce": 200}


def table(rows=8, learners=4, missing=False):
    values = np.random.default_rng(1).random((rows, learners)).round(3)
    if missing:
        values[1, 2] = np.nan
    return vc.score_matrix(values)


def runs_of(number, by, store):
    random = np.random.default_rng(3)
    truth = {f"data {place}": random.integers(0, 2, 60) for place in range(number)}
    data = {name: (random.normal(size=(60, 3)) + y[:, None], y) for name, y in truth.items()}
    learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    return vc.Study(data, learners, by, seed=1).run(store, progress=False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stores")
    made = {
        "several": (3, "repeated_kfold(k=3, repeats=2)"),
        "five by two": (2, "five_by_two"),
        "one": (1, "kfold(k=4)"),
        "hold-out": (1, "holdout(test=0.5)"),
    }
    return {name: runs_of(*how, folder / f"{name}.db") for name, how in made.items()}


def is_refused(source, question, option, name, chosen):
    """Whether the verb itself refuses this method."""
    ask = {**chosen, option: f"{name}(draws={FEW_DRAWS[name]})" if name in FEW_DRAWS else name}
    if question == "verdicts":
        ask.setdefault("using", "corrected_t")
        if option == "using" and comparisons[name].reads is not SplitScores:  # which would be a ranking
            return True
    if question == "compare" and "control" in ask:
        control = ask.pop("control")
        names = source.learners if isinstance(source, vc.ScoreMatrix) else source.learner_names
        ask["pairs"] = [(control, other) for other in names if other != control]
    try:
        (vc.compare if question == "compare" else vc.rank)(source, **ask)
    except (BadInput, Refused):
        return True
    return False


def disagreements(source, question, chosen):
    found = method_refusals(source, question, **chosen)
    assert set(found) == ({"using", "pairs", "then"} if question == "rank" else {"using", "then"})
    reasons = {(option, name): why for option, each in found.items() for name, why in each.items()}
    assert not [why for why in reasons.values() if why is not None and OPTIONS.search(why)]
    return [
        (option, name, why)
        for (option, name), why in reasons.items()
        if (why is not None) is not is_refused(source, question, option, name, chosen)
    ]


TABLES = {
    "plain": table(),
    "two learners": table(12, 2),
    "one data set": table(1, 3),
    "missing": table(9, 4, missing=True),
}
CHOICES = [
    {},
    {"control": "learner 1"},
    {"then": "nemenyi"},
    {"then": "dunnett", "control": "learner 2"},
    {"pairs": "mean_ranks"},
    {"pairs": "sign"},
]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("chosen", CHOICES, ids=str)
def test_what_a_ranking_of_a_table_refuses_is_known_before_it_is_asked(name, chosen):
    if name in ("two learners", "one data set", "missing") and set(chosen) - {"control"}:
        chosen = {}
    assert disagreements(TABLES[name], "rank", chosen) == []


@pytest.mark.parametrize("source", ["several", "five by two", "one", "hold-out"])
@pytest.mark.parametrize("question", ["rank", "verdicts", "compare"])
def test_what_runs_cannot_answer_is_known_before_it_is_asked(runs, source, question):
    if (source, question) == ("hold-out", "verdicts"):  # no test of splits answers, so no adjustment is asked of it
        assert all(method_refusals(runs[source], question)["using"].values())
    else:
        assert disagreements(runs[source], question, {}) == []


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("rank", {"using": "corrected_t"}),
        ("rank", {"control": "tree"}),
        ("compare", {"control": "tree"}),
        ("compare", {"using": "wilcoxon"}),
        ("compare", {"using": "correlated_t_posterior"}),
    ],
    ids=str,
)
def test_methods_are_judged_beside_what_is_chosen_already(runs, question, chosen):
    assert disagreements(runs["several"], question, chosen) == []


def test_a_table_of_pairs_is_judged_by_the_tests_over_data_sets():
    found = method_refusals(table(), "compare")["using"]
    assert found["wilcoxon"] is None
    assert "wilcoxon" in found["corrected_t"]
