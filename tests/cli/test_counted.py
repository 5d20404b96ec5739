"""Counts on the command line, in place of a file."""

import pytest

MATRIX = ",ok,bad\nok,28,2\nbad,3,7\n"


@pytest.fixture
def matrix(tmp_path):
    path = tmp_path / "matrix.csv"
    path.write_text(MATRIX)
    return str(path)


def test_errors_of_rows_have_no_order_to_bet_in(run, said):
    words = ("score", "--errors", "12", "--of", "60", "error", "--interval")
    refused = run(*words, "betting(shuffle=False)")
    assert refused.exit_code != 0 and "counts do not know the order of their rows" in refused.stderr
    assert said(*words, "betting")["scores"]["error"]["low"] > 0.05


def test_errors_of_rows(run, said):
    found = said("score", "--errors", "12", "--of", "40", "error", "--interval", "wald")
    assert (found["rows"], found["classes"], found["confusion"]) == (40, None, None)
    assert round(found["scores"]["error"]["low"], 4) == 0.1580
    assert run("score", "--errors", "12", "--of", "40", "error").stdout.startswith("12 errors of 40 rows\n")
    assert said("score", "--errors", "30%", "--of", "40") == said("score", "--errors", "0.3", "--of", "40")


def test_a_matrix_with_its_classes(said, matrix):
    found = said("score", "--matrix", matrix, "--positive", "bad")
    assert found["classes"] == ["ok", "bad"] and found["confusion"] == [[28, 2], [3, 7]]
    assert found["scores"]["recall"]["value"] == 0.7


def test_a_matrix_whose_columns_stand_in_another_order_or_have_no_names(said, matrix, tmp_path):
    asked = ("--positive", "bad", "recall")
    (tmp_path / "turned.csv").write_text(",bad,ok\nok,2,28\nbad,7,3\n")
    turned = said("score", "--matrix", str(tmp_path / "turned.csv"), *asked)
    assert turned["confusion"] == said("score", "--matrix", matrix, *asked)["confusion"]
    (tmp_path / "bare.csv").write_text("28,2\n3,7\n")
    (tmp_path / "headed.csv").write_text("ok,bad\n28,2\n3,7\n")
    headed = said("score", "--matrix", str(tmp_path / "headed.csv"), *asked)
    assert (headed["classes"], headed["confusion"]) == (["ok", "bad"], [[28, 2], [3, 7]])
    bare = said("score", "--matrix", str(tmp_path / "bare.csv"), "--positive", "1", "recall")
    assert bare["classes"] == ["0", "1"] and bare["scores"]["recall"]["value"] == 0.7


def test_rows_that_only_one_model_got_right(run, said):
    asked = ("--n01", "9", "--n10", "22", "--of", "1000", "--using", "mcnemar", "error")
    found = said("compare", *asked)
    assert round(found["p_value"], 4) == 0.0311 and (found["n01"], found["n10"]) == (9, 22)
    assert "0.013 lower (better)" in run("compare", *asked).stdout


def test_errors_of_several_models(said):
    asked = ("--errors", "12", "--of", "40", "--errors", "20", "--of", "50")
    found = said("compare", *asked, "--using", "two_proportion_z", "error")
    assert round(found["p_value"], 4) == 0.3247 and [note["code"] for note in found["notes"]] == ["other-rows"]
    assert set(said("score", *asked)["models"]) == {"a", "b"}
    many = [word for number in range(54) for word in ("--errors", str(number), "--of", "60")]
    names = list(said("score", *many, "error")["models"])
    assert names[:2] == ["a", "b"] and names[24:29] == ["y", "z", "aa", "ab", "ac"] and names[51:] == ["az", "ba", "bb"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("score --errors 41 --of 40", "41 errors of 40: give a whole number from 0 to 40"),
        (
            "score --errors twelve --of 40",
            "--errors is a number of rows or a rate, such as 12, 0.3 or 30%, not 'twelve'",
        ),
        ("score --errors 12", "--errors is given 1 times and --of 0: give both once for each model"),
        ("score --errors 12 --of 40 preds.csv", "counts were given, and preds.csv beside them"),
        ("score --errors 12 --of 40 --truth y", "counts were given, and --truth beside them"),
        ("score --errors 12 --of 40 --slices land", "--slices is a column of a file, and counts have none"),
        ("score --matrix {matrix} --errors 3 --of 4", "--errors and --matrix both tell what was counted"),
        ("score --matrix {matrix} --positive worse", "the positive class 'worse' is not among the classes"),
        ("score --matrix nowhere.csv", "nowhere.csv cannot be read as a confusion matrix"),
        ("compare --n01 9 --of 40", "give both counts of rows that only one model got right"),
        ("compare --n01 9 --n10 50 --of 40", "--n01 and --n10 are 59 rows together, more than the 40 there were"),
        ("compare --n01 9 --n10 5 --errors 3 --of 40", "--n01 and --n10 take --of once"),
        ("compare --errors 3 --of 40", "compare needs two models or learners, not 1"),
    ],
)
def test_wrong_counts_are_one_sentence(run, matrix, call, says):
    result = run(*call.format(matrix=matrix).split())
    assert result.exit_code == 2 and says in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (",ok,bad\nok,28,2\nbad,3\n", "is not a square confusion matrix of at least two classes"),
        ("28,2\n3,7\n1,1\n", "is not a square confusion matrix of at least two classes"),
        ("1,2,3\n4,5,6\n", "is not a square confusion matrix of at least two classes"),
        (",ok,bad\nok,28,2\nworse,3,7\n", "its columns name ['ok', 'bad'] and its lines ['ok', 'worse']"),
        (",ok,bad\nok,28,2.5\nbad,3,7\n", "rows of ok predicted bad are '2.5', not a number of rows"),
        (",ok,bad\nok,28,-2\nbad,3,7\n", "rows of ok predicted bad are '-2', not a number of rows"),
        ("", "is not a square confusion matrix of at least two classes"),
    ],
)
def test_a_wrong_matrix_is_one_sentence(run, tmp_path, text, says):
    (tmp_path / "matrix.csv").write_text(text)
    result = run("score", "--matrix", str(tmp_path / "matrix.csv"))
    assert result.exit_code == 2 and says in result.stderr


def test_printed_text_holds_the_numbers_of_the_test(run, said):
    words = ("compare", "--n01", "9", "--n10", "22", "--of", "1000", "--using", "mcnemar", "error")
    printed = run(*words).stdout
    assert "(mcnemar: chi2(1) = 4.645, n01 = 9, n10 = 22)" in printed
    heading, row = printed.strip().split("\n")[-2:]
    shown = dict(zip(heading.split(), row.split(), strict=True))
    assert (shown["statistic"], shown["df"], shown["n01"], shown["n10"]) == ("4.645", "1", "9", "22")
    assert "adjusted" not in heading  # an empty column is no column
    found = said(*words)
    assert (found["n01"], found["n10"], found["df"]) == (9, 22, 1)


def test_four_cells_are_a_matrix(run, said, tmp_path):
    cells = ("--tp", "45", "--fn", "5", "--fp", "12", "--tn", "138")
    found = said("score", *cells, "sensitivity", "lr+", "lr-")["scores"]
    assert found["recall"]["value"] == 0.9 and found["positive_likelihood_ratio"]["value"] == 0.9 / 0.08
    assert found["negative_likelihood_ratio"]["value"] == pytest.approx(0.1 / 0.92)
    (tmp_path / "m.csv").write_text(",negative,positive\nnegative,138,12\npositive,5,45\n")
    as_file = said("score", "--matrix", str(tmp_path / "m.csv"), "--positive", "positive")
    assert said("score", *cells) == as_file


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--tp", "4", "--fn", "1", "--fp", "2"), "--tn is missing: give all of --tp, --fn, --fp and --tn"),
        (("--tp", "4", "--fn", "1", "--fp", "2", "--tn", "-3"), "every cell must be finite and at least 0"),
        (("--tp", "4", "--fn", "1", "--fp", "2", "--tn", "3", "--of", "10"), "leave out --errors, --of and --matrix"),
        (("--tp", "4", "--fn", "1", "--fp", "2", "--tn", "3", "--positive", "ill"), "leave out --positive"),
        (("--errors", "1", "--of", "4", "odds ratio"), "there is no score called 'odds ratio'"),
    ],
)
def test_cells_that_do_not_make_a_matrix_are_one_sentence(run, words, says):
    done = run("score", *words)
    assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1
