"""`veracity rank`: score tables, stores and Weka's files."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
WEKA = str(TESTS / "readers" / "assets" / "weka" / "results.arff.gz")
GARCIA = str(TESTS / "reference" / "gh2008_accuracy.csv")


def test_the_json_of_the_interface(said):
    found = said("rank", GARCIA, "--using", "iman_davenport", "--then", "bergmann_hommel", "--pairs", "mean_ranks")
    names = ["datasets", "learners", "better", "average_ranks", "omnibus", "pairs", "critical_difference", "groups"]
    assert [name for name in found if name in names] == names and list(found)[-1] == "notes"
    assert (found["datasets"], found["better"], len(found["pairs"])) == (30, "higher", 10)
    assert found["average_ranks"]["C4.5"] == pytest.approx(2.1)
    assert found["omnibus"]["method"] == "iman_davenport" and found["omnibus"]["df"] == [4, 116]
    assert set(found["pairs"][0]) >= {"a", "b", "difference", "statistic", "p_value", "adjusted_p_value", "rejected"}


def test_a_control_and_a_direction(said):
    found = said("rank", GARCIA, "--control", "C4.5", "--better", "lower")
    assert len(found["pairs"]) == 4 and found["better"] == "lower"
    assert found["average_ranks"]["C4.5"] == pytest.approx(3.9)


def test_whoever_wants_no_adjustment_learns_where_p_values_stand_as_they_are(run, said):
    result = run("rank", GARCIA, "--then", "none")
    assert result.exit_code == 2 and "leave it out, each p-value as it is stands beside" in result.stderr
    assert all(pair["p_value"] <= pair["adjusted_p_value"] for pair in said("rank", GARCIA)["pairs"])


def test_the_reason_for_the_default_test_is_told(run, said):
    notes = said("rank", GARCIA)["notes"]
    says = "iman_davenport: 30 data sets, 10 or more, enough for the F law"
    assert {"code": "default", "weight": "remark", "says": says} in notes and says in run("rank", GARCIA).stdout
    assert "[default]" not in run("rank", GARCIA, "--using", "iman_davenport").stdout


def test_people_see_the_learners_and_the_pairs(run):
    result = run("rank", GARCIA)
    assert result.exit_code == 0
    says = (
        "C4.5 ranks best (mean rank 2.1) and is really better than CN2, k-NN(k=1), Kernel; it cannot be told apart from"
    )
    assert result.stdout.startswith(f"{says} NaiveBayes, at 0.05 over all pairs.\n\nscore (higher is better)")
    assert "Abalone*      0.2" in result.stdout and "\niman_davenport: " in result.stdout
    assert "adjusted by holm" in result.stdout


def test_a_control_says_nothing_of_pairs_that_were_not_tested(run):
    shown = run("rank", GARCIA, "--control", "CN2").stdout
    assert shown.startswith("C4.5 ranks best (mean rank 2.1) and is really better than CN2, at 0.05 over all pairs.")


def test_many_scores_are_not_printed_and_are_in_files(run, here):
    rows = [f"d{i},{i % 7},{i % 5 + 2},{i % 3 + 4}" for i in range(201)]
    (here / "many.csv").write_text("data,a,b,c\n" + "\n".join(rows))
    shown = run("rank", "many.csv").stdout
    assert "ranks best" in shown and "d200" not in shown
    assert run("rank", "many.csv", "--out", "all.txt").exit_code == 0 and "d200" in (here / "all.txt").read_text()


def test_verdicts_begin_with_their_sentence(run):
    shown = run("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t").stdout
    assert "have the most wins over losses, 1 more each" in shown.split("\n\n")[1]  # behind the cautions


def test_wekas_results(said, run):
    found = said("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t")
    assert list(found) == ["score", "datasets", "tally", "notes"]
    assert list(found["datasets"]) == ["iris", "wine", "breast-cancer", "made"]
    assert {pair["verdict"] for pair in found["datasets"]["made"]} == {"win", "tie", "loss"}
    assert found["tally"]["J48"]["NaiveBayes"] == {"win": 0, "tie": 4, "loss": 0}
    shown = run("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t").stdout
    assert "97.14 v" in shown and "75.80 *" in shown and "(v/ /*)" in shown and "(1/2/1)" in shown
    assert "(2/1/1)" not in shown
    strict = said("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t", "--level", "0.9999")
    assert all(pair["verdict"] == "tie" for pair in strict["datasets"]["iris"])


def test_wekas_results_over_all_data_sets(said):
    found = said("rank", WEKA, "--score", "Root_mean_squared_error")
    assert (found["datasets"], found["better"]) == (4, "lower")


def test_a_long_table_from_standard_input(run):
    rows = [f"d{i},{one},{v + i / 100}" for i in range(12) for one, v in (("a", 0.5), ("b", 0.6), ("c", 0.7))]
    result = run("rank", "-", stdin="set,who,acc\n" + "\n".join(rows))
    assert result.exit_code == 2
    words = ("--dataset", "set", "--learner", "who", "--score", "acc", "--json")
    assert run("rank", "-", *words, stdin="set,who,acc\n" + "\n".join(rows)).exit_code == 0


def test_sizes_as_numbers_make_verdicts_of_splits(run, said, here):
    rows = [f"d,{one},{f},{v + f % 3 / 50}" for one, v in (("a", 0.5), ("b", 0.8)) for f in range(12)]
    (here / "s.csv").write_text("data,learner,fold,score\n" + "\n".join(rows))
    refused = run("rank", "s.csv", "--using", "corrected_t")
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1
    assert "s.csv has no columns train and test" in refused.stderr and "give --train and --test" in refused.stderr
    (here / "s.csv").write_text((here / "s.csv").read_text().replace("d,b,3,0.8", "d,b,3,0.85"))
    found = said("rank", "s.csv", "--using", "corrected_t", "--train", "90", "--test", "10")
    assert found["datasets"]["d"][0]["verdict"] == "loss"


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_a_figure_is_the_critical_difference_diagram(run, here, ending, begins):
    result = run("rank", GARCIA, "--out", f"cd.{ending}")
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"wrote cd.{ending}" in result.stderr
    assert (here / f"cd.{ending}").read_bytes().startswith(begins)


def test_one_run_writes_figure_table_and_text(run, here):
    files = ("cd.svg", "table.tex", "pairs.csv", "text.txt", "text.md")
    result = run("rank", GARCIA, *(word for file in files for word in ("--out", file)))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [f"wrote {file}" for file in files]
    assert (here / "cd.svg").read_bytes().startswith(b"<?xml")
    assert "tabular" in (here / "table.tex").read_text()
    assert (here / "text.txt").read_text() == run("rank", GARCIA).stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((GARCIA, "--using", "fridman"), "did you mean friedman"),
        ((GARCIA, "--using", "mcnemar"), "--using names a test of all learners"),
        ((GARCIA, "--control", "C5"), "there is no learner called 'C5'"),
        ((GARCIA, "--only", "Kernl"), "there is no learner called 'Kernl': did you mean Kernel?"),
        ((GARCIA, "--using", "corrected_t"), "corrected_t reads scores on splits"),
        ((GARCIA, "--by", "kfold(k=10)"), "--by is for the results of a study"),
        ((WEKA, "--score", "Percent_wrong"), "has no column 'Percent_wrong'"),
        ((WEKA, "--score", "measureNumLeaves"), "is good is not known: give --better"),
        ((WEKA, "--using", "corrected_t", "--out", "x.svg"), "verdicts for each data set have no diagram"),
        (
            (GARCIA, "--then", "nemenyi", "--pairs", "wilcoxon"),
            "not by wilcoxon: leave out --pairs, or write --then holm",
        ),
        ((GARCIA, "--then", "bonferroni_dunn"), "name it, --control C4.5"),
        ((WEKA, "--using", "corrected_t", "--pairs", "sign"), "uses no --pairs: leave it out, or name"),
        (("absent.csv",), "there is no file absent.csv"),
        ((GARCIA, "--train", "-3"), "--train is a column or a number of rows, not -3"),
        ((GARCIA, "--better", "up"), "'up' is not one of 'higher', 'lower'"),
        ((GARCIA, "--out", "x.docx"), "the format follows from the ending"),
        ((GARCIA, "--out", "x.csv", "--out", "y.docx"), "--out y.docx ends in '.docx'"),
        ((GARCIA, "--out", "x.csv", "--out", "x.csv"), "--out x.csv is named twice"),
    ],
)
def test_wrong_calls_are_one_sentence(run, words, says):
    result = run("rank", *words)
    assert (result.exit_code, result.stdout) == (2, ""), result.stdout
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_one_call_writes_paper_works_and_figure(run, here):
    table = str(TESTS / "reference" / "gh2008_accuracy.csv")
    done = run("rank", table, "--out", "paper.tex", "--out", "paper.bib", "--out", "cd.svg")
    assert done.exit_code == 0, done.stderr
    assert (
        r"\cite{iman1980" in (here / "paper.tex").read_text()
        and "@article{iman1980," in (here / "paper.bib").read_text()
    )
    done = run("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t", "--out", "weka.tex")
    assert done.exit_code == 0 and "corrected resampled t" in (here / "weka.tex").read_text()
    pairs = ("compare", "--n01", "9", "--n10", "22", "--of", "1000", "error")
    assert run(*pairs, "--out", "pair.tex", "--out", "pair.bib").exit_code == 0
    assert r"\begin{sloppypar}" in (here / "pair.tex").read_text() and "@article" in (here / "pair.bib").read_text()


def test_the_table_as_weka_shows_it(run, said, here):
    words = ("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t", "--control", "(2) NaiveBayes")
    text = run(*words, "--deviations", "--counts", "--average", "--digits", "2", "--sort", "-J48").stdout
    assert "97.14(2.17) v" in text and "(100)" in text and "average" in text and "4 (0)" in text
    assert run(*words, "--significance-only", "--out", "marks.txt").exit_code == 0
    assert "97.14" not in (here / "marks.txt").read_text()
    assert run(*words, "--out", "table.csv").exit_code == 0
    head = (here / "table.csv").read_text().splitlines()[0]
    assert head.startswith("data set,NaiveBayes,J48,J48 mark,") and "EuclideanDistance" in head
    adjusted = said(*words, "--then", "holm")["datasets"]["made"][0]
    assert adjusted["adjusted_p_value"] >= adjusted["p_value"]
    table = str(TESTS / "reference" / "gh2008_accuracy.csv")
    refused = run("rank", table, "--significance-only")
    assert refused.exit_code == 2 and "name one, such as --using corrected_t" in refused.stderr
    assert run(*words, "--digits", "99").exit_code == 2


def test_a_control_is_the_only_one_that_others_are_tested_against_on_each_data_set(run, said):
    words = ("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t", "--control", "J48", "--then", "holm")
    found = said(*words)["datasets"]
    assert all(len(pairs) == 3 and {pair["a"] for pair in pairs} == {"J48"} for pairs in found.values())
    assert "12 comparisons are one family" in run(*words).stdout


def test_a_ranking_with_standard_deviations(run):
    told = run("rank", WEKA, "--score", "Percent_correct", "--deviations")
    assert told.exit_code == 0 and " ± " in told.stdout and "standard deviations over splits behind" in told.stdout
    refused = run("rank", GARCIA, "--deviations")
    assert refused.exit_code == 2 and "one score of each data set" in refused.stderr


def test_data_sets_in_the_order_of_another_measure(run):
    """As Weka sorts: by the base's mean of any measure of the file."""
    words = ("rank", WEKA, "--score", "Percent_correct", "--using", "corrected_t", "--counts", "--out", "t.csv")
    names = {}
    for sort in ("Elapsed_Time_training", "-Elapsed_Time_training", "(1)"):
        assert run(*words, "--sort", sort).exit_code == 0
        names[sort] = [line.partition(",")[0] for line in Path("t.csv").read_text().splitlines()[1:]]
    slower, faster = names["-Elapsed_Time_training"], names["Elapsed_Time_training"]
    assert slower[0] == faster[-1] == "breast-cancer" and names["(1)"] not in (slower, faster)
    failed = run(*words, "--sort", "Elapsed")
    assert failed.exit_code == 2 and "nor is it a measure" in failed.stderr


def test_the_table_of_a_ranking_has_the_same_looks(run):
    shown = run("rank", GARCIA, "--sort", "-CN2", "--average", "--digits", "1").stdout
    rows = [line for line in shown.splitlines() if line.startswith(("Mushrooms", "Wine", "average"))]
    assert [row.split()[0] for row in rows] == ["Mushrooms*", "Wine", "average"] and rows[2].split()[1:3] == [
        "0.8",
        "0.7",
    ]
    for word, says in (("--counts", "counts are over splits"), ("--significance-only", "--using corrected_t")):
        assert says in run("rank", GARCIA, word).stderr


def test_rows_and_columns_are_swapped_and_columns_chosen(run):
    weka = str(Path(__file__).parents[2] / "examples" / "weka.csv.gz")
    words = ("rank", weka, "--score", "Percent_correct", "--using", "corrected_t", "--columns", "NaiveBayes", "--swap")
    *_, base, other = run(*words).stdout.rstrip().splitlines()
    assert base.split()[:3] == ["(1)", "J48", "94.73"] and other.split()[:3] == ["(2)", "NaiveBayes", "95.53"]
    told = run(*words[:4], "--columns", "NaiveBayes")
    assert told.exit_code == 2 and "--columns is for a test on each data set" in told.stderr


def test_learners_that_win_as_often_are_both_named(run, tmp_path):
    """One of them was said to have the most wins."""
    lines = ["data,repeat,fold,a,b,c"]
    for data, scores in (("one", (0.9, 0.5, 0.5)), ("two", (0.5, 0.9, 0.5))):
        lines += [
            f"{data},1,{fold},{','.join(f'{s + fold % 3 / 1000 * i:.4f}' for i, s in enumerate(scores))}"
            for fold in range(10)
        ]
    (tmp_path / "s.csv").write_text("\n".join(lines))
    shown = run("rank", str(tmp_path / "s.csv"), "--using", "corrected_t", "--train", "90", "--test", "10").stdout
    assert "a and b have the most wins over losses, 1 more each, by corrected_t" in " ".join(shown.split())
