"""Every kind of curve draws, on the axes given, and changes nothing else."""

import subprocess
import sys
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.curves import curves

RANDOM = np.random.default_rng(0)
TRUTH = RANDOM.random(200) < 0.4
PROBA = 1 / (1 + np.exp(-RANDOM.normal(TRUTH * 2 - 1)))
PARAMETERS = {"profit": {"benefit_tp": 5, "cost_selected": 1}}
KINDS = sorted(kind.name for kind in curves)


def models_for(kind):
    if curves[kind].needs == "number":
        return {name: vc.predictions(PROBA, number=PROBA + RANDOM.normal(size=200)) for name in "ab"}
    good = vc.predictions(TRUTH.astype(int), proba=PROBA, positive=1)
    return {"a": good, "b": vc.predictions(TRUTH.astype(int), proba=np.sqrt(PROBA), positive=1)}


def drawn(kind, ax=None):
    return vc.plot(models_for(kind), kind, ax=ax, **PARAMETERS.get(kind, {}))


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_on_the_axes_given_and_changes_no_setting(kind):
    before = dict(matplotlib.rcParams)
    ax = Figure().add_subplot()
    assert drawn(kind, ax) is ax
    ax.figure.canvas.draw()
    assert dict(matplotlib.rcParams) == before
    assert ax.get_title(loc="left") and ax.get_xlabel() and ax.get_ylabel()
    assert ax.has_data()


@pytest.mark.parametrize("kind", KINDS)
def test_one_model_draws_too(kind):
    ax = vc.plot(models_for(kind)["a"], kind, **PARAMETERS.get(kind, {}))
    ax.figure.canvas.draw()


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_figures_are_saved_from_the_axes_and_from_their_figure(tmp_path, ending, begins):
    ax = drawn("roc")
    ax.savefig(tmp_path / f"axes.{ending}")
    ax.figure.savefig(tmp_path / f"figure.{ending}")
    for file in tmp_path.iterdir():
        assert file.read_bytes().startswith(begins)


@pytest.mark.parametrize("kind", KINDS)
def test_charts_are_a_column_wide_and_all_is_inside(kind):
    models = models_for(kind)
    for what in (models, dict(zip(("A name that is long (depth=17, trees=500)", "b"), models.values(), strict=True))):
        ax = vc.plot(what, kind, **PARAMETERS.get(kind, {}))
        ax.figure.draw_without_rendering()
        assert ax.figure.get_size_inches()[0] == 3.5
        whole, drawn = ax.figure.bbox, ax.get_tightbbox()
        assert drawn.x0 >= whole.x0 - 1 and drawn.y0 >= whole.y0 - 1
        assert drawn.x1 <= whole.x1 + 1 and drawn.y1 <= whole.y1 + 1


@pytest.mark.parametrize("width", [0, -1, "7", True, float("nan")])
def test_a_width_is_a_number_of_inches(width):
    with pytest.raises(
        vc.BadInput, match=r"width( is a number of inches above 0, such as 7.1|=` must be a number or None), not "
    ):
        vc.plot(models_for("roc"), "roc", width=width)


def test_the_legend_stands_below_and_hides_nothing():
    ax = drawn("roc")
    ax.figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().y1 < ax.xaxis.get_label().get_window_extent().y0
    assert vc.plot(models_for("roc"), "roc", width=7.1).figure.get_size_inches()[0] == 7.1


def test_what_a_mark_says_of_its_line_stands_beside_its_name():
    shown = legend_of(vc.plot(models_for("cost_curve"), "cost_curve"))
    assert [label.partition(" (cost ")[0] for label in shown[:2]] == ["a", "b"] and shown[0].startswith("a (cost ")


def test_a_ready_curve_draws_as_it_is():
    chart = vc.curve(models_for("roc"), "roc")
    assert legend_of(vc.plot(chart)) == legend_of(drawn("roc"))
    with pytest.raises(vc.BadInput, match="already made"):
        vc.plot(chart, "roc", band=0.9)
    with pytest.raises(vc.BadInput, match="name the kind"):
        vc.plot(models_for("roc"))


def test_the_line_drawn_is_the_curve():
    models = models_for("roc")
    ax = vc.plot(models["a"], "roc")
    chart = vc.curve(models["a"], "roc")
    assert any(np.array_equal(line.get_xydata(), np.stack([chart.x, chart.y], 1)) for line in ax.lines)
    assert ax.get_box_aspect() == 1


def test_names_are_shown_as_they_are():
    first, second = models_for("roc").values()
    ax = vc.plot({"_$x^2$ {a} %": first, "long " * 60: second}, "roc")
    ax.figure.canvas.draw()
    shown = legend_of(ax)
    assert shown[0].startswith(r"_\$x^2\$ {a} %") and "…" in shown[1]


def test_a_legend_only_where_there_is_something_to_tell_apart():
    p = models_for("roc")["a"]
    assert vc.plot(p, "threshold", scores="recall").get_legend() is None
    assert len(legend_of(vc.plot(p, "threshold"))) == 5


def test_lines_differ_without_colour():
    ax = drawn("roc")
    lines = [line for line in ax.lines if len(line.get_xdata()) > 1]  # marks are points
    assert len({str(line._dash_pattern) for line in lines}) == len(lines) == 4


def test_infinite_deviates_are_drawn_at_the_limit():
    ax = drawn("det")
    low, high = ax.get_xlim()
    for line in ax.lines[1:]:
        x, y = line.get_data()
        assert y[0] == max(y) >= high and x[-1] == max(x) >= high
        assert np.isfinite(x).all() and np.isfinite(y).all() and min(x) == low
    assert {"1", "5", "20", "50"} <= {tick.get_text() for tick in ax.get_xticklabels()}


def test_pyplot_is_not_needed():
    code = "import sys, veracity as vc; p = vc.predictions([0, 1, 1], value=[1, 2, 0], positive=1); \
        vc.plot(p, 'roc').figure.canvas; print('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_the_name_of_a_mark_hides_no_line():
    """That of the least cost stood on the curve of another model."""
    random = np.random.default_rng(8)
    truth = np.arange(300) % 2
    spread = {"a": 0.9, "b": 1.6}
    models = {
        name: vc.predictions(truth, value=truth + noise * random.normal(size=300), positive=1)
        for name, noise in spread.items()
    }
    ax = vc.plot(vc.curve(models, "roc_hull"))
    ax.figure.canvas.draw()
    (name,) = [text for text in ax.texts if text.get_text() == "least cost"]
    box = name.get_window_extent()
    drawn = [line.get_transform().transform(line.get_xydata()) for line in ax.lines]
    share = np.linspace(0, 1, 200)[:, None]
    for corners in drawn:
        for one, two in pairwise(corners):
            assert not any(box.contains(*point) for point in one + share * (two - one))


def test_scores_by_threshold_have_a_colour_each_and_models_their_dashes():
    ax = drawn("threshold")
    lines = {line.get_label(): line for line in ax.lines}
    names = {name.partition(": ")[2] for name in lines}
    for score in names:
        one, other = lines[f"a: {score}"], lines[f"b: {score}"]
        assert one.get_color() == other.get_color() and one.is_dashed() != other.is_dashed()
    assert len(names) == len({line.get_color() for line in lines.values()}) == 5


def test_a_mark_of_one_model_is_told_in_the_legend():
    ax = vc.plot(models_for("error_distribution")["a"], "error_distribution")
    (told,) = legend_of(ax)
    assert told.startswith("model (mean error ")


def test_lines_with_a_mark_at_each_point_have_it_in_the_legend():
    found = vc.learning_curve(GaussianNB(), PROBA[:, None], TRUTH, sizes=[40, 80], by="kfold(k=3)", score="error")
    handles = vc.plot(found).get_legend().legend_handles
    assert [handle.get_marker() for handle in handles[:2]] == ["o", "s"]
