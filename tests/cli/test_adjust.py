"""`veracity adjust`."""

from pathlib import Path

import pytest

import veracity as vc

SQUARE = ",a,b,c\na,,0.004,0.02\nb,0.004,,0.3\nc,0.02,0.3,\n"


@pytest.fixture
def file(here):
    def write(text):
        (here / "p.csv").write_text(text, "utf-8")
        return "p.csv"

    return write


def test_the_json_of_the_interface(said, file):
    found = said("adjust", file("p\n0.01\n0.04\n0.03\n"), "--using", "hommel")
    assert list(found) == ["using", "p_values", "adjusted"]
    assert (found["using"], found["p_values"]) == ("hommel", [0.01, 0.04, 0.03])
    assert found["adjusted"] == pytest.approx([0.03, 0.04, 0.04])


def test_people_see_a_table(run, file):
    result = run("adjust", file("p\n0.01\n0.04\n"), "--using", "li")
    assert result.exit_code == 0 and result.stdout.startswith("Li: controls the family-wise error\n")
    assert "large-last-p" in run("adjust", file("p\n0.01\n0.7\n"), "--using", "li").stdout


@pytest.mark.parametrize(
    "text", ["test,p_value\nx,0.01\ny,0.04\nz,0.03\n", "P,q\n0.01,1\n0.04,1\n0.03,1\n", "0.01\n0.04\n0.03\n"]
)
def test_where_the_p_values_are(said, file, text):
    assert said("adjust", file(text))["adjusted"] == pytest.approx([0.03, 0.06, 0.06])


def test_a_column_by_name_and_standard_input(run, said, file):
    assert said("adjust", file("p,mine\n1,0.01\n1,0.04\n"), "--column", "mine")["p_values"] == [0.01, 0.04]
    assert run("adjust", "-", stdin="p\n0.01\n0.04\n").exit_code == 0


@pytest.mark.parametrize("text", [SQUARE, SQUARE.replace("\na,", "\n").replace("\nb,", "\n").replace("\nc,", "\n")[1:]])
def test_a_matrix_of_pairs(run, said, file, text):
    found = said("adjust", file(text), "--using", "bergmann_hommel")
    assert found["adjusted"][0] == [None, pytest.approx(0.012), pytest.approx(0.02)]
    assert "b  c" in run("adjust", "p.csv", "--using", "shaffer").stdout


def test_missing_ones_are_null_with_a_note(said, file):
    found = said("adjust", file("t,p\n1,0.01\n2,\n3,0.04\n"))
    assert found["adjusted"] == [pytest.approx(0.02), None, pytest.approx(0.04)]
    assert found["notes"][0]["code"] == "missing-p"


def test_a_file_by_its_ending(run, file):
    assert run("adjust", file("p\n0.01\n0.04\n"), "--out", "adjusted.csv").exit_code == 0
    assert Path("adjusted.csv").read_text().splitlines()[1].startswith("1,0.01,0.02")


def test_the_page_says_what_is_left_and_describes_the_adjustment(run, file):
    assert run("adjust", file(SQUARE), "--using", "shaffer", "--out", "adjusted.html").exit_code == 0
    page = Path("adjusted.html").read_text()
    assert "2 of 3 adjusted p-values by shaffer are at most 0.05." in page and "shaffer1986" in page
    assert '<td class="left">b</td><td class="left">c</td>' in page


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("p\n0.1\n1.5\n", (), "p.csv: column 'p', row 2 is 1.5, but p-values lie between 0 and 1"),
        ("p\n0.1\nlow\n", (), "p.csv: column 'p', row 2 is 'low', not a p-value"),
        ("a,b\n0.1,0.2\n", (), "neither one column of p-values nor a square matrix"),
        ("a,b\n0.1,0.2\n", ("--column", "c"), "p.csv has no column 'c': there are 'a', 'b'"),
        ("a,b\n,0.2\n0.3,\n", (), "p.csv: the matrix of p-values is not symmetric"),
        ("0.1,0.2\n,0.2\n0.3,\n", (), "write the names of the learners there"),
        ("p\n0.1\n0.2\n", ("--using", "shaffer"), "p.csv: 2 p-values are not those of all pairs"),
        ("p\n0.1\n", ("--using", "holmes"), "there is no adjustment called 'holmes'"),
        ("p\n0.1\n", ("--out", "x.png"), "the format follows from the ending"),
    ],
)
def test_bad_input_is_one_sentence(run, file, text, words, says):
    result = run("adjust", file(text), *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_a_file_that_is_not_there(run):
    result = run("adjust", "nothing.csv")
    assert result.exit_code == 2 and "there is no file nothing.csv" in result.stderr


def test_p_values_are_typed_behind_each_other(run, said):
    expected = vc.adjust([0.01, 0.02, 0.04], using="hommel").tolist()
    for words in (("0.01", "0.02", "0.04"), ("0.01,0.02,0.04",)):
        assert said("adjust", *words, "--using", "hommel")["adjusted"] == expected
    for words, says in (
        (("0.01", "1.2"), "p-values lie between 0 and 1: number 2 is 1.2"),
        (("-0.1", "0.02"), "p-values lie between 0 and 1: number 1 is -0.1"),
        (("0.02", "-1e-3", "--using", "holm"), "p-values lie between 0 and 1: number 2 is -0.001"),
        (("0.02,-.5",), "p-values lie between 0 and 1: number 2 is -0.5"),
        (("0.02", "--usnig=holm"), "No such option '--usnig': did you mean --using?"),
        (("0.02", "-u"), "No such option '-u' (see veracity adjust --help)"),
        (("0.01", "p.csv"), "adjust reads one file, or p-values such as 0.01 0.02"),
        (("0.01", "0.02", "--column", "p"), "--column names one of a file"),
    ):
        done = run("adjust", *words)
        assert done.exit_code == 2 and says in done.stderr
