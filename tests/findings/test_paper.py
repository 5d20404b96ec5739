"""Paragraphs for papers: what they say, what they cite, and the works as BibTeX."""

import re
from pathlib import Path

import numpy as np
import pytest

import veracity as vc
from veracity.core.references import REFERENCES
from veracity.findings.paper import bibtex, p_text
from veracity.tables.cells import decimals_of, deserved_decimals

GARCIA = Path(__file__).parents[1] / "reference" / "gh2008_accuracy.csv"


@pytest.fixture(scope="module")
def ranking():
    return vc.rank(vc.read_scores(GARCIA, "accuracy"))


def test_a_ranking_says_what_was_done_and_found(ranking):
    text = ranking.methods.sentence()
    assert text.startswith(
        "On 30 data sets, 5 learners (C4.5, k-NN(k=1), NaiveBayes, Kernel and CN2) were compared by accuracy"
    )
    omnibus = ranking.omnibus
    assert f"F(4, 116) = {omnibus.statistic:.4g}, p < 0.001, so learners differ at the 0.05 level" in text
    assert "tested by Iman-Davenport (Iman and Davenport 1980" in text and "adjusted for 10 pairs by Holm (Holm" in text
    apart = [pair for pair in ranking.pairs if pair.rejected]
    assert f"Of 10 pairs, {len(apart)} differ significantly" in text
    assert all(f"{pair.a} and {pair.b} (adjusted p" in text for pair in apart)
    assert "C4.5 2.10, NaiveBayes 2.20" in text and "veracity" in text
    assert str(ranking.methods) == text and "accuracy (higher is better)" in text


def test_nothing_is_concluded_where_nothing_is():
    values = np.random.default_rng(0).normal(size=(12, 4))
    text = vc.rank(values).methods.sentence()
    assert "not enough to conclude that learners differ" in text and "No pair is concluded." in text
    assert "differ significantly" not in text


def test_one_procedure_for_all_pairs_and_a_control():
    nemenyi = vc.rank(GARCIA, then="nemenyi")
    text = nemenyi.methods.sentence()
    critical = f"whose critical difference is {nemenyi.critical_difference:.3g}"
    assert f"decided by Nemenyi (Nemenyi 1963; Demšar 2006), {critical}" in text
    assert "The pairs of the control, CN2, were tested" in vc.rank(GARCIA, control="CN2").methods.sentence()
    assert "Friedman (exact=True)" in vc.rank(np.random.default_rng(1).normal(size=(5, 3))).methods.sentence()


def test_many_learners_and_pairs_are_counted(tmp_path):
    values = np.arange(20) + np.random.default_rng(0).normal(size=(15, 20))
    text = vc.rank(values, pairs="mean_ranks").methods.sentence()
    assert text.startswith("On 15 data sets, 20 learners were compared by") and "Of 190 pairs, " in text
    assert text.count("adjusted p") <= 1


def test_citations_of_the_text_are_those_of_the_bibliography(ranking):
    methods = ranking.methods
    cited = re.findall(r"\\cite\{([^}]+)\}", methods.to_latex())
    keys = tuple(dict.fromkeys(key for one in cited for key in one.split(",")))
    assert (
        keys == methods.keys and set(keys) >= {"iman1980", "wilcoxon1945", "holm1979"} and set(keys) <= set(REFERENCES)
    )
    assert re.findall(r"^@\w+\{(\w+),$", methods.bibtex, re.MULTILINE) == list(keys)
    assert methods.to_json() == {"text": methods.sentence(), "cites": {key: REFERENCES[key] for key in keys}}


@pytest.mark.parametrize("key", REFERENCES)
def test_every_work_has_its_entry(key):
    """With every part of the work in one field, and none lost."""
    entry = bibtex(key)
    kind, fields = entry.split("{")[0], dict(re.findall(r"^  (\w+) = \{(.*)\}[,]?$", entry, re.MULTILINE))
    assert kind != "@misc" and entry.count("{") == entry.count("}")
    year = re.search(r"\((\d{4})\)", REFERENCES[key])[1]
    assert fields["year"] == year and fields["title"] and fields["author"]
    surnames = [name.split()[-1] for name in fields["author"].split(" and ")]
    assert all(re.sub(r"\W", "", surname)[-1] in REFERENCES[key] for surname in surnames)
    if kind == "@article":
        assert fields["journal"] in REFERENCES[key] or "\\" in fields["journal"]
        assert f"{fields['volume']} ({year})" in REFERENCES[key]
    first = REFERENCES[key].split(",")[0].split(" and ")[0]
    assert first[0] == fields["author"][0]


def test_a_work_that_nobody_knows_is_told_as_it_is():
    assert bibtex("me, my method (2020)") == "@misc{me, my method (2020),\n  note = {me, my method (2020)}\n}\n"


def test_a_comparison_and_a_family():
    one = vc.compare(vc.pairs(n01=9, n10=22, of=1000), "error", using="mcnemar_midp")
    text = one.methods.sentence()
    assert "error (lower is better) were tested by mid-p McNemar (Fagerland et al. 2013; Tango 1998)" in text
    assert f"difference -0.0130, 95% interval [{one.interval.low:.4f}, {one.interval.high:.4f}]" in text
    assert "p = 0.0201: a significant difference." in text
    corrected = vc.compare(vc.pairs(n01=9, n10=22, of=1000), "error", using="mcnemar").methods
    assert "chi2(1) = 4.645" in corrected.sentence() and r"$\chi^2$(1) = 4.645" in corrected.to_latex()
    truth = np.array([0, 1] * 60)
    random = np.random.default_rng(0)
    models = {
        n: vc.predictions(truth, label=np.where(random.random(120) < p, truth, 1 - truth))
        for n, p in zip("abc", (0.9, 0.8, 0.6), strict=True)
    }
    family = vc.compare(models, "error")
    text = family.methods.sentence()
    assert "adjusted for 3 comparisons by Holm (Holm 1979)" in text and text.count(": difference ") == 3
    assert "\\begin{tabular}" in family.to_paper() and "% @article{holm1979," in family.to_paper()


def test_posteriors_have_probabilities():
    values = np.random.default_rng(0).normal(size=(12, 2))
    text = vc.compare(vc.score_matrix(values), using="signed_rank_posterior(rope=0.1)").methods.sentence()
    assert "probabilities of lower, practically equal and higher" in text and " p " not in text


def test_the_paper_holds_paragraph_tables_and_works(ranking):
    written = ranking.to_paper()
    assert written.startswith(r"\begin{sloppypar}") and written.count(r"\begin{tabular}") == 3
    assert r"\textbf{0.809}" in written and r"\textdagger{}" in written
    assert (
        "adjusted by Holm" in written
        and "iman_davenport" not in written
        and "wilcoxon," not in written.split("% the")[0].replace("wilcoxon1945", "")
    )
    assert "% @article{iman1980," in written


def test_what_fits_no_column_is_a_table_over_both():
    narrow = vc.rank(vc.score_matrix(np.random.default_rng(0).random((12, 3)).round(2))).to_paper()
    wide = vc.rank(vc.score_matrix(np.random.default_rng(0).random((12, 9)).round(4))).to_paper()
    assert narrow.index(r"\begin{table}") < narrow.index(r"\begin{tabular}")
    assert wide.index(r"\begin{table*}") < wide.index(r"\begin{tabular}")
    assert wide.count(r"\begin{table*}") == wide.count(r"\end{table*}")


def test_digits_are_those_that_the_splits_deserve():
    random = np.random.default_rng(0)
    data = {
        name: vc.split_scores(
            {"x": random.normal(0.8, 0.03, 20), "y": random.normal(0.7, 0.03, 20), "z": random.normal(0.7, 0.03, 20)},
            train=90,
            test=10,
            k=10,
            repeats=2,
        )
        for name in "abcdef"
    }
    table = vc.rank(vc.score_matrix(data), using="friedman").scores_table()
    assert {str(cell).partition(".")[2].__len__() for row in table.rows[:-1] for cell in row[1:]} == {3}
    assert [deserved_decimals(error) for error in (0.013, 0.0013, 0.12, 1.2, 12.0, 0.0)] == [3, 4, 2, 1, 0, 4]
    assert decimals_of([0.5, 0.25], 4) == 2 and decimals_of([1 / 3], 4) == 4 and decimals_of([1.0], None) is None


def test_scores_of_a_ranking_with_standard_deviations():
    random = np.random.default_rng(0)
    scores = {name: {learner: random.normal(0.8, 0.03, 20) for learner in "xyz"} for name in "abcdef"}
    data = {name: vc.split_scores(of, train=90, test=10, k=10, repeats=2) for name, of in scores.items()}
    table = vc.rank(vc.score_matrix(data)).scores_table(deviations=True)
    value, sign, spread = table.rows[0][1].partition(" ± ")
    assert float(value) == pytest.approx(scores["a"]["x"].mean(), abs=0.0006) and sign
    assert float(spread) == pytest.approx(scores["a"]["x"].std(ddof=1), abs=0.0006)
    whole = table.for_machines
    assert whole.titles[:4] == ("data", "x", "x standard deviation", "x splits") and whole.rows[0][3] == 20
    assert whole.rows[0][2] == pytest.approx(scores["a"]["x"].std(ddof=1), rel=1e-12)
    with pytest.raises(vc.Refused, match="one score of each data set"):
        vc.rank(GARCIA).scores_table(deviations=True)


def test_p_values_as_papers_print_them():
    assert [p_text(p) for p in (0.0004, 0.001, 0.0496, 0.5)] == ["p < 0.001", "p = 0.001", "p = 0.0496", "p = 0.5"]
