"""What a page shows: learners by rank, methods by the names that people know; what machines read stays as it is."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.reports.material import display_material, order_of_estimates, show_ranking

EXAMPLES = Path(__file__).parents[2] / "examples"
CANCER = [
    str(EXAMPLES / "cancer.csv"),
    "--truth",
    "y",
    "--proba",
    "p_logit",
    "--proba",
    "p_tree",
    "--positive",
    "malignant",
]


def page(place):
    text = re.sub(r"<(script|style).*?</\1>", "", place.read_text("utf-8"), flags=re.S)
    return unescape(text)


def test_models_are_ordered_by_their_first_score():
    truth = np.array(["a", "b"] * 50)
    wrong = {"poor": 40, "good": 5, "middle": 20}
    swap = {"a": "b", "b": "a"}
    models = {
        name: vc.predictions(truth, label=[swap[t] if i < k else t for i, t in enumerate(truth)])
        for name, k in wrong.items()
    }
    for score in ("error", "accuracy"):  # lower is better, then higher
        assert order_of_estimates(vc.estimate(models, score)) == ("good", "middle", "poor")
    report = vc.report(models, ["error", "kappa"])
    shown = display_material(report.material)
    assert list(shown.models[""]) == list(shown.estimates.models) == ["good", "middle", "poor"]
    assert [(pair.a, pair.b) for pair in shown.comparisons] == [
        ("good", "middle"),
        ("good", "poor"),
        ("middle", "poor"),
    ]
    assert {row.asked for row in shown.estimates} == {"error", "kappa"}


def test_a_ranking_is_shown_from_the_best_rank_on():
    random = np.random.default_rng(2)
    ranking = vc.rank(random.normal(size=(20, 5)) + np.array([0, 3, 1, 4, 2]), then="nemenyi", using="friedman")
    shown = show_ranking(ranking)
    assert shown.learners == ranking.best_first and list(shown.average_ranks) == list(ranking.best_first)
    for name in ranking.learners:
        own, old = shown.matrix.column(name), ranking.matrix.column(name)
        assert (shown.matrix.values[:, own] == ranking.matrix.values[:, old]).all()
    assert set(shown.pairs) == set(ranking.pairs)  # no number and no sign changes
    place = ranking.best_first.index
    keys = [sorted((place(pair.a), place(pair.b))) for pair in shown.pairs]
    assert keys == sorted(keys)
    assert (shown.omnibus.method, shown.judged_by, shown.then) == ("Friedman", "Nemenyi", "Nemenyi")
    assert vc.report(ranking).to_json()["ranking"] == ranking.to_json()


def test_the_chances_of_a_posterior_stay_with_their_learners():
    random = np.random.default_rng(3)
    ranking = vc.rank(random.normal(size=(12, 3)) + np.array([0, 2, 1]), using="plackett_luce")
    before = dict(zip(ranking.learners, ranking.omnibus.probabilities or (), strict=False))
    shown = show_ranking(ranking)
    assert before and before == dict(zip(shown.learners, shown.omnibus.probabilities, strict=True))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["rank", str(EXAMPLES / "accuracies.csv")], ("C4.5 ranks best", "critical-difference", "References (")),
        (["compare", *CANCER], ("Which of p_logit and p_tree has the better error?", "mid-p McNemar", "Difference of")),
        (["compare", *CANCER, "--slices", "texture"], ("Difference of error on coarse", "adjusted p", "Mid-p McNemar")),
        (["score", *CANCER, "--slices", "texture"], ("on each of 2 slices?", "coarse: 0.2448 (p_tree)", "smooth: 142")),
        (["score", *CANCER], ("Which of p_tree and p_logit has the better error?", "Threshold and cost explorer")),
        (["explain", "wilcoxon"], ("What is wilcoxon?", "summed by sign", "Measured error rate")),
    ],
)
def test_every_verb_writes_a_page_that_answers(words, wanted, tmp_path):
    place = tmp_path / "page.html"
    answer = CliRunner().invoke(cli, [*words, "--out", str(place)])
    assert answer.exit_code == 0, answer.output
    text = page(place)
    for part in wanted:
        assert part in text, part
    assert text.count('id="answer"') == 1


def test_a_sentence_that_answers_is_not_said_again(tmp_path):
    place = tmp_path / "page.html"
    CliRunner().invoke(cli, ["score", *CANCER, "--out", str(place)])
    assert page(place).count("is 0.02807 lower (better) than that of p_logit") == 1


def test_the_level_of_an_interval_is_not_rounded(tmp_path):
    place = tmp_path / "page.html"
    CliRunner().invoke(cli, ["score", *CANCER, "--slices", "texture", "--out", str(place)])
    assert "97.5% intervals" in page(place) and "98%" not in page(place)


def test_without_scripts_a_large_table_is_plain_text():
    ranking = vc.rank(np.random.default_rng(0).normal(size=(60, 40)).round(3), then="nemenyi")
    html = vc.report(ranking).html
    plain = re.findall(r"<noscript><pre[^>]*>(.*?)</pre></noscript>", html, re.S)
    assert len(plain) == 2
    assert len(plain[0].splitlines()) == 62 and len(plain[1].splitlines()) == 781
    assert f"{ranking.matrix.values[3, 0]:.3f}" in plain[0]


def test_the_advice_of_a_page_knows_its_methods_by_the_names_that_are_typed():
    from veracity.reports.sections import sections

    random = np.random.default_rng(4)
    truth = random.random(60) < 0.05
    p = vc.predictions(truth, proba=np.where(truth, 0.02, 0.03 * random.random(60)), positive=True)
    report = vc.report(p, ["log_loss"])
    interval = report.material.estimates["log_loss"].interval.method
    assert "skewed-losses" in {note.code for note in report.notes}
    (advice,) = [one for one in sections(report.material) if one.key == "advice"]
    shown = advice.blocks[1].table
    row = dict(zip((one.title for one in shown.columns), shown.rows[0], strict=True))
    assert (row["method"], row["verdict"]) == (interval, "care") and row["measured"].startswith("coverage")
