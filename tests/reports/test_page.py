"""The page as bytes: safe, small, the same every time, and with the numbers of the API."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.core.errors import BadInput
from veracity.core.words import spell_out_controls
from veracity.reports.page import Section, Words, json_island, render


@pytest.fixture(scope="module")
def found(runs, tmp_path_factory):
    """The report of the small study."""
    return vc.report(runs.run(str(tmp_path_factory.mktemp("runs") / "runs.db"), progress=False), ["error", "log_loss"])


def test_only_our_own_script_and_style_may_run(found):
    text = found.html
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])
    assert policy.startswith("default-src 'none'; ")
    for name, content in (
        ("script", re.search(r"<script>(.*?)</script>", text, re.S)[1]),
        ("style", re.search(r"<style>(.*?)</style>", text, re.S)[1]),
    ):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert len(re.findall(r"<script", text)) == 2  # ours, and the island of data
    assert not re.search(r'(src|href)="(?!#)', text)


@given(st.text(max_size=30))
def test_no_text_leaves_its_place(text):
    page = render(text, text, text, (Section("one", text, (Words(text),)),))
    assert page.count("<script") == 2 and page.count("<p>") == 2
    visible = spell_out_controls(text, keep="\n\t")
    island = json_island({text: [text]})
    assert "</script>" not in island and json.loads(island) == {visible: [visible]}


def test_the_same_input_gives_the_same_bytes(models):
    first, second = (vc.report(models, ["error", "auc"]).html for _ in range(2))
    assert first == second


def test_small_whatever_the_number_of_rows():
    random = np.random.default_rng(0)
    truth = random.random(200_000) < 0.3
    many = {f"model {k}": vc.predictions(truth, proba=random.random(200_000), positive=True) for k in range(4)}
    page = vc.report(many, ["error", "auc"]).html
    assert len(page) < 1_000_000
    counts = json.loads(re.search(r'id="island">(.*?)</script>', page, re.S)[1])[0]["models"][0]
    model = many[counts["name"]]
    place = len(counts["tp"]) // 2
    exact = model.confusion(threshold=counts["thresholds"][place]).cells.reshape(2, 2)
    assert [counts["tp"][place], counts["fp"][place]] == [exact[1, 1], exact[0, 1]]


def test_numbers_on_the_page_are_those_of_the_api(found):
    text = html.unescape(found.html)
    for row in found.material.estimates:
        if row.interval is not None:
            assert f"[{row.interval.low:.4g}, {row.interval.high:.4g}]" in text
    ranking = found.material.ranking
    for name, rank in ranking.average_ranks.items():
        assert f"{name} ({rank:.2f})" in text or f"({rank:.2f}) {name}" in text
    assert found.to_json()["ranking"] == ranking.to_json()


def test_the_page_says_things_once(found):
    text = html.unescape(found.html)
    assert text.count("Rows are the truth, columns what the model said") == 1
    assert text.count("All estimates: ") <= 3  # above the table, and as what a screen reader says of it
    assert "is better" in text and "better lower" not in text


def test_marks_of_a_chart_are_told_below_it(models):
    page = html.unescape(vc.report(vc.curve(models, "cost_curve")).html)
    assert re.search(r"plain \(cost [\d.]+\)", page)


def test_json_has_the_keys_of_the_contract(found):
    said = found.to_json()
    assert list(said) == ["estimates", "comparisons", "ranking", "failed", "notes"]
    assert said["estimates"]["iris"]["nb"]["error"]["splits"] == 5
    assert {one["learner"] for one in said["failed"]} == {"broken"} and len(said["failed"]) == 4
    assert "NaN" not in json.dumps(said)


def test_a_learner_that_failed_everywhere_is_not_ranked(found):
    assert "broken" not in found.material.ranking.learners
    assert any(note.code == "not-ranked" for note in found.material.ranking.all_notes)


def test_numeric_targets_have_their_own_charts():
    random = np.random.default_rng(1)
    y = random.normal(size=50)
    page = vc.report(vc.predictions(y, number=y + random.normal(size=50))).html
    assert "residual" in page.lower()


def test_a_page_ends_in_html(models, tmp_path):
    with pytest.raises(BadInput, match="give a file that ends in"):
        vc.report(models, "error").save(tmp_path / "report.pdf")


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(models):
    shown = vc.report(models, "error")._repr_html_()
    assert shown.startswith("<iframe sandbox") and "<script" not in shown


def test_learning_curves_stand_beside_the_runs(runs, tmp_path):
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)  # noqa: N806 (the name that everybody uses)
    along = vc.learning_curve(GaussianNB(), X, y, sizes=[20, 60], by="kfold(k=5)", score="error")
    page = vc.report(runs.run(str(tmp_path / "runs.db"), progress=False), ["error"], curves=along).html
    assert along.curve().title in html.unescape(page)
    assert along.curve().title in html.unescape(vc.report(along).html)
    with pytest.raises(BadInput, match="curves are results of"):
        vc.report(runs.run(str(tmp_path / "runs.db"), progress=False), ["error"], curves=[3])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_letter_stands_out_from_its_ground(scheme):
    """Contrast of 4.5 at least, as the guidelines for accessible content ask of text."""
    style = (Path(vc.__file__).parent / "reports" / "assets" / "page.css").read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.S)
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", blocks[0] if scheme == "light" else blocks[1]))

    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for letters in ("ink", "soft", "link", "caution", "refuse"):
        for ground in ("paper", "shade"):
            low, high = sorted((light(colours[letters]), light(colours[ground])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (letters, ground)


def test_one_models_rows_have_bands_and_too_few_have_the_plain_curve(models):
    """On the ROC curve and on that of precision and recall, as drawings have."""
    one = {"plain": models["plain"]}
    bands = re.findall(r'<path [^>]*class="band"', vc.report(one, "error").html)
    assert len(bands) == 2
    few = vc.predictions([1, 0, 0, 0, 0, 0], proba=[0.9, 0.2, 0.3, 0.1, 0.4, 0.6], positive=1)
    page = vc.report({"few": few}, "error").html
    assert 'class="band"' not in page and "ROC curve" in page and "Precision-recall curve" in page


def test_every_chart_of_a_few_models_names_them(models):
    one, other = models.values()
    page = vc.report({"first": one, "second": other}).html
    titles = "ROC curve|Lift chart|Cumulative gain|Calibration"
    charts = re.findall(rf"<figcaption>(?:{titles})</figcaption>(.*?)</figure>", page, re.DOTALL)
    assert len(charts) == 4 and all(">first" in chart and ">second" in chart for chart in charts)
    assert len(re.findall(r'class="legend"[^>]*>the model', vc.report(one).html)) <= 3  # nothing to tell apart
