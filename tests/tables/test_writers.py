"""Every format keeps hostile names harmless."""

import csv as standard_csv
import html as standard_html
import io
import json as standard_json
import math
import re
from dataclasses import replace

import pytest

from veracity.core.notes import Note
from veracity.core.words import spell_out_controls
from veracity.tables.cells import Number
from veracity.tables.exports import csv, frame, json, records
from veracity.tables.formats import grid, html, markdown, text, width
from veracity.tables.latex import latex
from veracity.tables.table import Column, Table

HOSTILE = [
    "<script>alert(1)</script>",
    "a|b",
    "100% & more_than # $x^2$ {y} ~ \\input{secret}",
    "[x](javascript:alert(1))",
    "line\nbreak\ttab\x1b[31mred",
    '"quoted", comma',
    "_emphasis_ and *stars* `code`",
    "*",
    "[1em]",
]


def table_of(name: str, **fields: object) -> Table:
    columns = (Column("model", "left"), Column("value"))
    return Table(columns, ((name, Number(0.5, 3)), ("b", Number(math.nan))), **fields)


@pytest.mark.parametrize("name", HOSTILE)
def test_text_has_one_line_per_row_and_no_control_characters(name):
    lines = text(table_of(name)).split("\n")
    assert len(lines) == 3
    assert all(line.isprintable() for line in lines)
    assert lines[1].endswith("0.500") and lines[2].endswith("undefined")


def test_text_aligns_wide_and_combining_characters():
    assert width("日本") == 4 and width("e\u0301") == 1
    first, _, last = text(Table((Column("a", "left"), Column("b")), (("日本", 1), ("xyz", 2)))).split("\n")
    assert width(first) == width(last)


def test_a_last_column_of_text_is_folded_to_the_screen():
    table = Table((Column("name", "left"), Column("says", "left")), (("auc", "many words " * 9), ("x", "few")))
    lines = grid(table, 40).split("\n")
    assert all(len(line) <= 40 for line in lines) and len(lines) == 5
    assert all(line.startswith(" " * 6) for line in lines[2:-1]) and lines[-1] == "x     few"
    assert len(grid(table, 15).split("\n")) == 3  # too narrow to fold


@pytest.mark.parametrize("name", HOSTILE)
def test_html_gives_back_the_name_and_holds_no_tag_of_it(name):
    page = html(table_of(name, caption=name, notes=(Note("code", "remark", name),)))
    tags = set(re.findall(r"</?(\w+)", page))
    assert tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    assert f">{spell_out_controls(name)}<" in re.sub(
        r">([^<]*)<", lambda m: f">{standard_html.unescape(m.group(1))}<", page
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_keeps_its_cells(name):
    _, _, row, other, *_ = markdown(table_of(name)).split("\n")
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert "<" not in row and not re.search(r"(?<!\\)[\[\]*`]", row)
    assert other == "| b | undefined |"


def test_markdown_leaves_names_of_scores_readable():
    assert "| average_precision |" in markdown(table_of("average_precision"))
    assert r"| \_hidden\_ |" in markdown(table_of("_hidden_"))


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_escapes_every_special_character(name):
    (row,) = (line for line in latex(table_of(name)).split("\n") if line.endswith(r" & 0.500 \\"))
    cell = row.removesuffix(r" & 0.500 \\")
    commands = (
        r"\\text(?:backslash|ascii(?:circum|tilde|grave)|less|greater|bar)\{\}|\\symbol\{34\}|\\[{}$&#%_]|\{[]['*-]\}"
    )
    commands += r"|\\parbox\[t\]\{20em\}\{\\raggedright\\strut (?=.*\\strut\}$)|\\strut\}$|\\allowbreak\{\}"
    assert not re.search(r'[\\{}$&#%_^~<>|"*\[\]]', re.sub(commands, "", cell))


def test_latex_sets_bold_captions_notes_and_a_true_minus():
    table = Table(
        (Column("a_b", "left"), Column("v")),
        (("x", Number(-0.5, 2)),),
        caption="50 %",
        notes=(Note("n", "caution", "a & b"),),
        bold=frozenset({(0, 1)}),
    )
    out = latex(table)
    assert r"\caption{50 \%}" in out and r"a\_b & v \\" in out
    assert r"x & \textbf{$-$0.50} \\" in out
    assert r"caution: a \& b" in out and r"\toprule" in out and r"\begin{tabular}{lr}" in out


def test_bold_in_markdown_and_html():
    table = table_of("x", bold=frozenset({(0, 1)}))
    assert "| x | **0.500** |" in markdown(table)
    assert "<td><strong>0.500</strong></td>" in html(table)


def test_plain_text_speaks_of_no_bold_letters():
    table = replace(table_of("x", bold=frozenset({(0, 1)})), caption="scores", bold_says="the best in bold")
    assert "scores" in text(table) and "bold" not in text(table)
    assert "**scores; the best in bold**" in markdown(table)
    assert "<caption>scores; the best in bold</caption>" in html(table)
    assert r"\caption{scores; the best in bold}" in latex(table)


@pytest.mark.parametrize("name", HOSTILE)
def test_csv_round_trips(name):
    rows = list(standard_csv.reader(io.StringIO(csv(table_of(name)))))
    assert rows == [["model", "value"], [spell_out_controls(name), "0.5"], ["b", ""]]


def test_json_has_no_nan_and_no_infinity():
    shape = {"a": [math.inf, math.nan, 1.5, (1, True)], 1: {"b": Number(math.nan)}, "c": None}
    assert standard_json.loads(json(shape)) == {"a": [None, None, 1.5, [1, True]], "1": {"b": None}, "c": None}
    assert records(table_of("x"))[1] == {"model": "b", "value": None}


def test_cautions_come_before_the_table_and_remarks_are_wrapped_below():
    notes = (Note("one", "remark", "word " * 40), Note("two", "caution", "mind"), Note("three", "refuse", "never"))
    first, second, *lines = text(table_of("x", notes=notes)).split("\n")
    assert (first, second) == ("refuse: never [three]", "caution: mind [two]")
    assert lines[3].startswith("remark: word") and len(lines) > 5
    assert all(len(line) <= 100 for line in lines)
    for write in (html, markdown):
        page = write(table_of("x", notes=notes))
        assert page.index("never") < page.index("mind") < page.index("0.5") < page.index("word word")


def same_in_all_rows() -> Table:
    columns = (Column("data", "left"), Column("score", "left"), Column("value"), Column("low"), Column("level"))
    rows = (("iris", "error", 0.5, None, 0.95), ("wine", "error", 0.5, None, 0.95))
    return Table(columns, rows, "risk", bold=frozenset({(1, 2)}))


def test_what_all_rows_say_alike_is_a_line_above():
    lines = text(same_in_all_rows()).split("\n")
    assert lines == ["risk", "score error, level 0.95", "data  value", "iris    0.5", "wine    0.5"]
    assert "**risk; score error, level 0.95**" in markdown(same_in_all_rows())
    assert "<caption>risk; score error, level 0.95</caption>" in html(same_in_all_rows())
    assert "<td><strong>0.5</strong></td>" in html(same_in_all_rows())
    assert r"\caption{risk; score error, level 0.95}" in latex(same_in_all_rows())
    for form in (markdown, html, latex):
        assert "low" not in form(same_in_all_rows())  # a column that nobody fills


def test_machines_get_every_column():
    assert csv(same_in_all_rows()).split("\n")[0] == "data,score,value,low,level"
    assert records(same_in_all_rows())[1] == {
        "data": "wine",
        "score": "error",
        "value": 0.5,
        "low": None,
        "level": 0.95,
    }


def test_measured_numbers_and_single_rows_stay_where_they_are():
    one = Table((Column("data", "left"), Column("value")), (("iris", 0.5),))
    assert text(one) == "data  value\niris    0.5"
    alike = Table((Column("by", "left"), Column("level")), (("kfold", 0.95), ("kfold", 0.95)))
    assert text(alike).startswith("by     level")  # nothing would be left


def test_columns_of_one_heading_are_all_in_the_frame():
    """A learner called data took the place of the column of data sets."""
    columns = (Column("data", "left"), Column("data"), Column("data (2)"), Column("x"))
    table = Table(columns, (("iris", 0.1, 0.2, 0.3),))
    assert list(frame(table, "pandas").columns) == ["data", "data (2)", "data (2) (2)", "x"]
    assert frame(table, "pandas").iloc[0].tolist() == ["iris", 0.1, 0.2, 0.3]
    assert list(records(table)[0].values()) == ["iris", 0.1, 0.2, 0.3]
