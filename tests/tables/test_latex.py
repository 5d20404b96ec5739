"""LaTeX that a program really sets: numbers as mathematics, any name as it is, no wider or longer than a page."""

import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import veracity as vc
from veracity.contests.per_dataset import verdicts
from veracity.core.notes import Note
from veracity.tables.cells import Number
from veracity.tables.latex import LINES, escape, latex, sentence
from veracity.tables.table import Column, Table

TESTS = Path(__file__).parents[1]
GARCIA = TESTS / "reference" / "gh2008_accuracy.csv"
WEKA = TESTS / "readers" / "assets" / "weka" / "results.arff.gz"
HOSTILE = (
    "a_b 50% {x} \\ # ~ ^ & $y$",
    "\"q\" `r` 's' --- ?` <>| [1em] * \x1b",
    "naïve Łódź Straße ñ ą ð «x» “y”",
    "日本 α≤β → 10⁻³ 🙂 e\u0301 \u202e",
    "\\input{secret} \\end{table}",
    "[x]",
    "*",
)


CLASSES = (  # and by how many points a line may stand out without touching anything
    (r"\documentclass{article}", 40),
    (r"\documentclass{article}\usepackage[T1]{fontenc}", 40),
    (r"\documentclass[twocolumn]{article}", 10),
    (r"\documentclass{IEEEtran}", 10),
)


def rows(*cells, **fields):
    return latex(Table((Column("name", "left"), Column("value")), tuple(("x", cell) for cell in cells), **fields))


def cells_of(written):
    return re.findall(r"^x & (.*) \\\\$", written, re.MULTILINE)


def test_powers_of_ten_minus_and_infinity_are_mathematics():
    numbers = (8.326e-07, -1.5e12, Number(-1.5e12), -0.25, math.inf, -math.inf, math.nan, None, 3, -3)
    assert cells_of(rows(*numbers)) == [
        r"$8.326\times10^{-7}$",
        "$-$1500000000000",
        r"$-1.500\times10^{12}$",
        "$-$0.25",
        r"$\infty$",
        r"$-$$\infty$",
        "undefined",
        "",
        "3",
        "$-$3",
    ]
    assert cells_of(rows(8.326e-07, bold=frozenset({(0, 1)}))) == [r"$\mathbf{8.326\times10^{-7}}$"]


def test_a_name_that_looks_like_a_number_is_a_name():
    assert cells_of(rows("1e-05", "-x")) == ["1e{-}05", "{-}x"]


def test_numbers_in_sentences_are_mathematics_and_names_in_them_are_not():
    assert sentence("p = 1.32e-09 over svc(c=1e-05)") == r"p = $1.32\times10^{-9}$ over svc(c=1e{-}05)"
    assert sentence("limits [-1.769, 4.9]; k-NN") == r"limits {[}$-$1.769, 4.9{]}; k{-}NN"


def test_accents_are_commands_and_what_the_program_lacks_is_told_by_its_number():
    assert escape("é") == escape("e\u0301") == r"{\'{e}}"
    assert escape("α≤x") == r"\ensuremath{\alpha}\ensuremath{\leq}x"
    assert escape("日本") == r"{\ifdefined\Umathchar 日本\else U+65E5 U+672C\fi}"


def test_what_is_the_same_in_all_rows_is_said_in_the_caption():
    columns = (Column("learner", "left"), Column("value"), Column("level"))
    table = Table(columns, (("a", 1.5, 0.95), ("b", 2.5, 0.95)), "risk", bold=frozenset({(1, 1)}))
    written = latex(table)
    assert r"\caption{risk; level 0.95}" in written and r"\begin{tabular}{lr}" in written
    assert r"b & \textbf{2.500} \\" in written


def test_long_tables_are_continued_with_the_notes_at_their_end():
    count = 2 * LINES + 10
    written = rows(
        *range(count), caption="many", notes=(Note("n", "remark", "the end"),), bold=frozenset({(LINES + 5, 1)})
    )
    assert written.count(r"\begin{table}") == 3 and written.count("(continued)") == 2
    assert [cell for cell in cells_of(written) if "textbf" in cell] == [rf"\textbf{{{LINES + 5}}}"]
    assert len(cells_of(written)) == count and written.count("the end") == 1
    assert written.index("the end") > written.rindex(r"\bottomrule")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Every kind of table that there is, with hostile names where names are the user's."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    random = np.random.default_rng(0)
    truth = np.array(["ham_1", "spam&"])[(random.random(120) < 0.4).astype(int)]
    chance = np.clip((truth == "spam&") * 0.4 + random.random(120) * 0.6, 0, 1)
    models = {name: vc.predictions(truth, proba=chance, positive="spam&") for name in HOSTILE}
    X, y = load_breast_cancer(return_X_y=True)  # noqa: N806 (the name that everybody uses)
    X, y = X[:90], y[:90]  # noqa: N806
    learners = {HOSTILE[0]: GaussianNB(), HOSTILE[3]: DecisionTreeClassifier(max_depth=2, random_state=0)}
    runs = vc.evaluate(learners, X, y, by="repeated_kfold(k=5, repeats=2)", seed=1)
    grid = {"max_depth": [1, 2]}
    tuned = vc.tuned(DecisionTreeClassifier(random_state=0), grid=grid, by="kfold(k=3)", score="error")
    scores = vc.score_matrix(random.normal(size=(60, 7)), learners=HOSTILE, datasets=[f"data_{i}" for i in range(60)])
    weka = verdicts(vc.read_scores(WEKA, "Percent_correct"))
    results = {
        "estimates": vc.estimate(models, ["auc", "log_loss", "fbeta(beta=2)"]),
        "scorecard": vc.scorecard(models[HOSTILE[0]]),
        "slices": vc.slices(models[HOSTILE[0]], by=np.array(HOSTILE[:2])[random.integers(0, 2, 120)]),
        "runs": vc.estimate(runs, ["error", "log_loss"]),
        "comparisons": vc.compare(models, "error", pairs=[HOSTILE[:2], HOSTILE[2:4]], then="holm"),
        "posteriors": vc.compare(scores, using="sign_posterior(rope=0.01)", pairs=[HOSTILE[:2], HOSTILE[2:4]]),
        "ranking": vc.rank(GARCIA, pairs="mean_ranks", then="bergmann_hommel"),
        "hostile ranking": vc.rank(scores),
        "learning": vc.learning_curve(GaussianNB(), X, y, sizes=[20, 60], by="kfold(k=5)", score="error"),
        "validation": vc.validation_curve(
            DecisionTreeClassifier(), X, y, parameter="max_depth", values=[1, 2], by="kfold(k=3)", score="error"
        ),
        "parts": vc.bias_variance(DecisionTreeClassifier(), X, y, loss="zero_one", draws=10),
        "tuning": vc.optimism(vc.evaluate({"a_b": tuned}, X, y, by="kfold(k=3)", seed=1), "error"),
        "worst": vc.worst(models[HOSTILE[3]], 5),
        "verdicts": weka,
        "scores": vc.catalogue("scores"),
        "intervals": vc.catalogue("intervals"),
    }
    found = {name: one.to_latex() for name, one in results.items()}
    found["scores of data sets"] = vc.rank(scores).to_latex(scores=True)
    papers = {"ranking": vc.rank(GARCIA), "hostile": vc.rank(scores), "verdicts": weka, "pairs": results["comparisons"]}
    found |= {f"paper of {name}": one.to_paper() for name, one in papers.items()}
    found["pairs"], found["tally"] = latex(weka.pairs_table()), latex(weka.tally_table())
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("head", "margin"), CLASSES)
def test_every_table_is_set_by_pdflatex(written, head, margin, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex and booktabs: apt-get install texlive-latex-recommended")
    if "IEEEtran" in head and subprocess.run(["kpsewhich", "IEEEtran.cls"], capture_output=True).returncode:
        pytest.skip("needs IEEEtran.cls: apt-get install texlive-publishers")
    head = "\n".join((head, r"\usepackage{booktabs,graphicx}", r"\begin{document}"))
    for number, (name, table) in enumerate(written.items()):
        (tmp_path / f"t{number}.tex").write_text(f"{head}\n{table}\n\\end{{document}}\n", "utf-8")
        asked = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"t{number}.tex"]
        done = subprocess.run(asked, cwd=tmp_path, capture_output=True, timeout=120)
        log = (tmp_path / f"t{number}.log").read_text("utf-8", errors="replace")
        assert done.returncode == 0, (name, [line for line in log.splitlines() if line.startswith("!")])
        assert "Float too large" not in log, name
        wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
        assert max(wide, default=0) < margin, (name, wide)
