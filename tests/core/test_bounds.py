"""Work that is refused before it begins, and how it is asked for all the same."""

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.cli.main import cli
from veracity.core.bounds import MOST
from veracity.core.environment import container_memory
from veracity.designs.make_design import make_design
from veracity.records.design import Rows
from veracity.risk.designs import design_for

HUGE = "repeated_kfold(k=10, repeats=100000000)"
MANY = np.random.default_rng(0).random(31_000)
P = vc.predictions([0, 1] * 20, proba=np.linspace(0.01, 0.99, 40), positive=1)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: make_design("repeated_kfold(k=10, repeats=100000000)", Rows(150), 0), "repeats=100,000,000, more"),
        (lambda: make_design("repeated_kfold(k=100, repeats=9000)", Rows(150), 0), "about 900,000 splits"),
        (lambda: make_design("leave_one_out", Rows(50_000), 0), "2,500,000,000 rows in all"),
        (lambda: make_design("nested(outer=repeated_holdout(repeats=99999), inner=kfold(k=5))", Rows(50), 0), "99,999"),
        (lambda: vc.estimate(P, "auc", interval="bca(draws=1000000000000)"), r"write bca\(draws=10+, anyway=True\)"),
        (lambda: vc.curve(P, "calibration", bins=10**12), "bins=1,000,000,000,000"),
        (lambda: vc.tuned(GaussianNB(), {"a": range(10**6), "b": range(10**6)}), "the grid has 1,000,000,000,000"),
        (lambda: vc.permutation_test(GaussianNB(), np.eye(6), [0, 1] * 3, by="holdout", draws=10**12), "draws are as"),
        (lambda: vc.power("wilcoxon", difference=0.1, sd=0.2, power=0.8, draws=10**9), "draws=1,000,000,000"),
        (lambda: vc.rank(np.random.default_rng(0).random((12, 200)), pairs="signed_rank_posterior"), "19,900 pairs by"),
        (lambda: vc.compare({f"m{i}": P for i in range(250)}, "error", using="paired_bootstrap"), "31,125 pairs"),
        (lambda: vc.adjust(MANY, "rom"), r"rom takes 1e\+09 steps for a family of 31,000 p-values, more than 30,000"),
        (lambda: vc.adjust(MANY, "rom"), r"write rom\(anyway=True\) if that is meant"),
        (
            lambda: vc.permutation_test(
                GaussianNB(), np.eye(60), [0, 1] * 30, by="repeated_kfold(k=10, repeats=200)", draws=9999
            ),
            "9,999 draws of 2,000 splits are 19,998,000 fits, more than 10,000,000",
        ),
        (lambda: vc.bias_variance(GaussianNB(), np.eye(6), [0, 1] * 3, draws=10**9), "1,000,000,000 draws are as many"),
    ],
)
def test_too_much_is_refused_with_its_cost(ask, says):
    with pytest.raises(vc.Refused, match=says) as why:
        ask()
    assert why.value.code == "too-much"


def test_anyway_asks_for_it_and_is_recorded(monkeypatch):
    monkeypatch.setitem(MOST, "draws", 50)
    with pytest.raises(vc.Refused, match="draws=60, more than 50"):
        vc.estimate(P, "error", interval="percentile(draws=60)")
    row = vc.estimate(P, "error", interval="percentile(draws=60, anyway=True)").rows[0]
    assert "anyway=True" in row.interval.method
    design = design_for("boot632(draws=60, anyway=True)", Rows(20), 0)
    assert design.name == "boot632(draws=60, anyway=True)" and len(design) == 61
    again = make_design(make_design("bootstrap(draws=60, anyway=True)", Rows(20), 0).name, Rows(20), 0)
    assert len(again) == 60


def test_anyway_is_true_or_false():
    with pytest.raises(vc.BadInput, match="anyway is True or False, not 3"):
        vc.estimate(P, "error", interval="percentile(anyway=3)")


def test_a_quadratic_adjustment_is_done_when_it_is_asked_for(monkeypatch):
    p = [0.01, 0.02, 0.03, 0.04]
    free = vc.adjust(p, "rom")
    monkeypatch.setattr("veracity.adjustments.QUADRATIC", 3)
    with pytest.raises(vc.Refused, match="family of 4 p-values, more than 3"):
        vc.adjust(p, "rom")
    assert vc.adjust(p, "rom(anyway=True)") == pytest.approx(free)
    assert vc.adjust(p, "hommel") == pytest.approx([0.04] * 4)  # whose steps grow as its sort does


@pytest.mark.parametrize("using", ["bergmann_hommel", "shaffer_dynamic"])
def test_hundreds_of_learners_are_too_many_for_sets_of_pairs(using):
    table = np.random.default_rng(0).random((3, 700))
    with pytest.raises(vc.Refused, match=f"{using} of 700 learners would take up to about .* years: up to 16 learners"):
        vc.rank(table, pairs="mean_ranks", then=using)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["estimate", "DATA", "--target", "y", "--learner", "sklearn.naive_bayes:GaussianNB", "--by", HUGE],
            "repeats=1",
        ),
        (
            ["score", "DATA", "--truth", "y", "--label", "a", "error", "--interval", "bca(draws=10000000)"],
            "draws=10,000,0",
        ),
    ],
)
def test_the_command_line_tells_the_cost_too(tmp_path, words, says):
    data = tmp_path / "data.csv"
    data.write_text("y,a\n" + "0,1\n1,1\n" * 20)
    result = CliRunner().invoke(cli, [str(data) if word == "DATA" else word for word in words])
    assert result.exit_code == 2 and says in result.stderr and "anyway=True" in result.stderr


def test_a_study_file_tells_the_cost_too(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        f'by = "{HUGE}"\n[data]\niris = "sklearn:load_iris"\n[learners]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
    )
    with pytest.raises(vc.BadInput, match=r"study.toml: by: .*repeats=100,000,000, more than 10,000: .*anyway=True"):
        vc.plan(study)


@pytest.mark.parametrize("ask", ["score", "compare", "curve"])
def test_rows_beyond_the_machines_memory_are_refused_before_any_is_taken(ask):
    """The arrays are views of one number each."""
    number = 10**13
    truth, chance = np.broadcast_to(np.int64(1), number), np.broadcast_to(np.float64(0.5), number)

    def model():
        return vc.predictions(truth, proba=chance, positive=1, classes=[0, 1])

    asked = {
        "score": lambda: vc.score(model(), "auc"),
        "compare": lambda: vc.compare({"one": model(), "other": model()}, "auc"),
        "curve": lambda: vc.curve(model(), "roc"),
    }
    with pytest.raises(vc.Refused, match=r"10,000,000,000,000 rows, which take about 400,000 GB.*Parquet"):
        asked[ask]()


LONG = 10**12
COLUMNS = ("proba", "label", "value", "number", "weights", "counts", "groups", "rows", "fold")


@pytest.mark.parametrize("of", [1, 1.0])
@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_says_it_has_too_many_rows_is_refused_whatever_the_truth_has(name, of):
    given = {} if name in ("label", "number", "value", "proba") else {"label": [0, 1]}
    positive = {} if name in ("number", "label") else {"positive": 1}
    with pytest.raises(vc.Refused, match=f"{name} has 1,000,000,000,000 rows"):
        vc.predictions([0, 1], **given, **positive, **{name: np.broadcast_to(of, LONG)})


@pytest.mark.parametrize(
    "ask",
    [
        lambda column: vc.predictions(correct=column),
        lambda column: vc.predictions(loss=column),
        lambda column: vc.predictions(column, label=column, missing="drop"),
        lambda column: vc.predictions(proba=column, positive=1, classes=[0, 1], labelled="some"),
        lambda column: vc.Ordering.of(column, column),
        lambda column: vc.adjust(column),
        lambda column: vc.score_matrix(column[:, None]),
        lambda column: vc.predictions(range(LONG), number=range(LONG)),
    ],
)
def test_other_ways_in_refuse_too_many_rows_before_any_is_taken_too(ask):
    with pytest.raises(vc.Refused, match=r"1,000,000,000,000 rows, which take about 40,000 GB"):
        ask(np.broadcast_to(1.0, LONG))


@pytest.mark.parametrize("name", ["memory.max", "memory/memory.limit_in_bytes"])
def test_the_memory_of_a_container_is_that_of_its_group(tmp_path, name):
    """Inside a container the memory of the whole machine was taken for the room there is."""
    assert container_memory(tmp_path) == float("inf")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("max\n")
    assert container_memory(tmp_path) == float("inf")
    (tmp_path / name).write_text("1073741824\n")
    assert container_memory(tmp_path) == 2.0**30
