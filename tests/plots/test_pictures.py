"""Pictures of rankings, comparisons and posteriors: what they say is what was computed."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import veracity as vc
from veracity.plots.draw import OF_COMPARISON, OF_RANKING
from veracity.plots.pair_pictures import is_transitive, p_text, remove_detours, significant_wins

GARCIA = Path(__file__).parents[1] / "reference" / "gh2008_accuracy.csv"
HOSTILE = ("A name that is very long and goes on and on(depth=17, trees=500)", "$x^2", "<b>&amp;", "_hidden %", "a\nb")
RANDOM = np.random.default_rng(1)


@pytest.fixture(scope="module")
def ranking():
    return vc.rank(GARCIA)


def texts(ax):
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("kind", OF_RANKING)
@pytest.mark.parametrize("learners", [3, 5, 15])
def test_rankings_draw_on_the_axes_given_and_change_no_setting(kind, learners):
    names = [HOSTILE[i] if i < 5 else f"learner{i}" for i in range(learners)]
    values = np.round(RANDOM.normal(size=(12, learners)) + np.arange(learners), 0)
    found = vc.rank(vc.score_matrix(values, learners=names))
    before = dict(matplotlib.rcParams)
    ax = Figure((3.5, 3.5)).add_subplot()
    assert vc.plot(found, kind, ax=ax) is ax
    ax.figure.canvas.draw()
    assert dict(matplotlib.rcParams) == before
    vc.plot(found, kind).figure.canvas.draw()


@pytest.mark.parametrize("kind", OF_RANKING)
def test_a_picture_is_as_wide_as_asked_else_one_column_or_two(kind, ranking):
    assert vc.plot(ranking, kind, width=5).figure.get_size_inches()[0] == 5
    assert vc.plot(ranking, kind).figure.get_size_inches()[0] == (7.1 if kind == "multi_comparison_matrix" else 3.5)


def test_long_names_take_two_columns():
    names = [f"forest(trees=500, depth={depth}, criterion=entropy, features=all)" for depth in range(4)]
    found = vc.rank(vc.score_matrix(RANDOM.normal(size=(12, 4)), learners=names))
    assert vc.plot(found).figure.get_size_inches()[0] == 7.1


def test_a_column_wide_figure_is_saved(ranking, tmp_path):
    ax = vc.plot(ranking, "critical_difference")
    ax.savefig(tmp_path / "cd.pdf")
    assert (tmp_path / "cd.pdf").read_bytes().startswith(b"%PDF")


def test_the_usual_picture_of_a_ranking_names_every_learner_with_its_mean_rank(ranking):
    said = " ".join(texts(vc.plot(ranking)))
    assert "1 2 3 4 5" in said
    assert all(
        f"{name} ({rank:.2f})" in said or f"({rank:.2f}) {name}" in said for name, rank in ranking.average_ranks.items()
    )
    assert "wilcoxon, holm, 0.05" in said
    assert "CD = 1.11" in " ".join(texts(vc.plot(vc.rank(GARCIA, then="nemenyi"))))


@pytest.mark.parametrize("letters", [5, 60])
@pytest.mark.parametrize("k", [3, 14, 30])
def test_names_of_a_diagram_are_whole_inside_and_apart(k, letters):
    names = [f"m{i:02d}abc(depth=17, trees=500, criterion=entropy, features=all)"[:letters] for i in range(k)]
    ax = vc.plot(vc.rank(vc.score_matrix(RANDOM.normal(size=(9, k)).round(), learners=names)))
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert all(ax.figure.bbox.x0 <= box.x0 and box.x1 <= ax.figure.bbox.x1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    said = "".join(texts(ax)).replace("\n", "").replace(" ", "")
    assert all(name.replace(" ", "") in said for name in names)


def test_the_map_of_p_values_holds_the_adjusted_ones_bold_where_they_differ(ranking):
    said = texts(vc.plot(ranking, "p_values"))
    bold = [text for text in vc.plot(ranking, "p_values").texts if text.get_weight() == "bold"]
    for pair in ranking.pairs:
        assert said.count(p_text(pair.adjusted_p_value)) >= 2
    assert len(bold) == 2 * sum(pair.rejected for pair in ranking.pairs)


def test_the_matrix_holds_differences_wins_and_p_values(ranking):
    cells = texts(vc.plot(ranking, "multi_comparison_matrix"))
    two = ranking.matrix.only("C4.5", "Kernel")
    wins = " / ".join(map(str, two.wins))
    assert f"{two.difference.mean():+.3f}\n{wins}\np < 0.001" in cells
    assert len([cell for cell in cells if cell]) == 20


def test_differences_stand_where_they_were_computed(ranking):
    ax = vc.plot(ranking, "differences")
    points = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert points == pytest.approx([pair.difference for pair in ranking.pairs])
    filled = [line.get_markerfacecolor() != "white" for line in ax.lines if line.get_marker() == "o"]
    assert filled == [pair.rejected for pair in ranking.pairs]
    compared = vc.compare(ranking.matrix, using="wilcoxon", pairs=[("C4.5", "CN2"), ("C4.5", "Kernel")])
    assert [label.get_text() for label in vc.plot(compared).get_yticklabels()] == ["C4.5 − CN2", "C4.5 − Kernel"]


def test_arrows_go_from_better_to_worse_and_those_left_out_are_reached(ranking):
    differ = significant_wins(ranking)
    order = ranking.best_first
    apart = {frozenset((pair.a, pair.b)) for pair in ranking.pairs if pair.rejected}
    assert {frozenset((order[i], order[j])) for i, j in np.argwhere(differ)} == apart
    assert differ.sum() == len(apart) and differ[order.index("C4.5"), order.index("Kernel")]
    kept = remove_detours(differ)
    assert is_transitive(differ) and kept.sum() < differ.sum()
    reached = kept.copy()
    for _ in order:
        reached |= (reached.astype(int) @ kept.astype(int)) > 0
    assert (reached == differ).all()
    chain = np.zeros((3, 3), bool)
    chain[0, 1] = chain[1, 2] = True
    assert not is_transitive(chain)


def test_ranks_that_are_better_low_turn_the_arrows_the_same_way(ranking):
    by_ranks = significant_wins(vc.rank(GARCIA, then="nemenyi"))
    losses = vc.rank(1 - ranking.matrix.values, better="lower")
    assert not np.tril(by_ranks).any()
    assert (significant_wins(losses) == significant_wins(ranking)).all()


@pytest.mark.parametrize(
    ("using", "kind"),
    [
        ("sign_posterior(rope=0.01)", "posterior_triangle"),
        ("signed_rank_posterior(rope=0.01)", "posterior_triangle"),
        ("signed_rank_posterior", "posterior_triangle"),
    ],
)
def test_a_triangle_shows_the_draws_and_the_probabilities(using, kind, ranking):
    found = vc.compare(ranking.matrix.only("C4.5", "NaiveBayes"), using=using)
    draws = found.posterior.draws
    assert draws.shape == (2_000, 3) and np.allclose(draws.sum(axis=1), 1) and (draws >= -1e-12).all()
    ax = vc.plot(found)
    said = texts(ax)
    assert f"C4.5 better\n{found.probabilities[2]:.3f}" in said
    assert f"NaiveBayes better\n{found.probabilities[0]:.3f}" in said
    largest = (draws[:, 2] > draws[:, 0]).mean() if found.posterior.rope == 0 else (draws.argmax(axis=1) == 2).mean()
    assert largest == pytest.approx(found.probabilities[2], abs=0.05)
    assert "draws" not in found.to_json() and "posterior" not in found.to_json()
    with pytest.raises(vc.BadInput, match="posterior_triangle"):
        vc.plot(found, "posterior_density")


def split(n=100):
    return vc.split_scores(
        {"a": 0.80 + RANDOM.normal(0, 0.02, n), "b": 0.79 + RANDOM.normal(0, 0.02, n)}, train=90, test=10
    )


def test_a_density_has_the_areas_that_are_told():
    found = vc.compare(split(), using="correlated_t_posterior(rope=0.01)")
    ax = vc.plot(found)
    x, y = next(line for line in ax.lines if len(line.get_xdata()) > 100).get_data()
    for part, expected in zip((x <= -0.01, abs(x) <= 0.01, x >= 0.01), found.probabilities, strict=True):
        assert np.trapezoid(y[part], x[part]) == pytest.approx(expected, abs=0.002)
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend[1] == f"practically equal, {found.probabilities[1]:.3f}"
    with pytest.raises(vc.BadInput, match="posterior_density"):
        vc.plot(found, "posterior_triangle")


def test_a_posterior_without_spread_is_a_line():
    same = vc.split_scores({"a": np.full(10, 0.5), "b": np.full(10, 0.25)}, train=90, test=10)
    vc.plot(vc.compare(same, using="correlated_t_posterior(rope=0.1)")).figure.canvas.draw()


def test_an_unknown_kind_lists_those_there_are(ranking):
    with pytest.raises(vc.BadInput, match="there is no picture 'pie' of this result: there are critical_difference, "):
        vc.plot(ranking, "pie")
    with pytest.raises(vc.BadInput, match=", ".join(OF_COMPARISON)):
        vc.plot(vc.compare(split(), using="corrected_t"), "pie")
    with pytest.raises(vc.BadInput, match="is no posterior"):
        vc.plot(vc.compare(split(), using="corrected_t"), "posterior_density")
    with pytest.raises(vc.BadInput, match="takes no parameters, so leave out colour"):
        vc.plot(ranking, "p_values", colour=3)


def test_matplotlib_is_not_imported_before_a_picture_is_drawn():
    code = "import sys, veracity.plots.draw; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
