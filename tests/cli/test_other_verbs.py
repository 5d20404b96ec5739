"""`veracity curve`, `list`, `explain` and `demo`."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.test_guard import Server
from veracity.core.index import names

P = ("curve", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam")
MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("ending", MAGIC)
def test_figures_by_ending(run, ending):
    result = run(*P, "--kind", "roc", "--out", f"roc{ending}")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"wrote roc{ending}\n")
    assert Path(f"roc{ending}").read_bytes().startswith(MAGIC[ending])


def test_a_curve_as_json_has_the_points(said):
    found = said(*P, "--kind", "roc")
    (line,) = found["lines"]
    assert (line["x"][0], line["y"][0], line["threshold"][0]) == (0, 0, None)
    assert (line["x"][-1], line["y"][-1]) == (1, 1)
    assert any("infinite" in note["says"] for note in found["notes"])


@pytest.mark.parametrize("ending", ["csv", "md", "tex", "html", "json", "txt"])
def test_a_curve_in_a_file_holds_all_points(run, ending):
    assert run(*P, "--out", f"roc.{ending}").exit_code == 0
    assert Path(f"roc.{ending}").stat().st_size > 100
    if ending == "csv":
        assert len(Path("roc.csv").read_text().splitlines()) == 1 + 9


def test_several_models_on_one_chart(run, said):
    words = ("curve", "preds.csv", "--truth", "y", "--value", "s", "--value", "w", "--positive", "spam")
    assert [line["name"] for line in said(*words)["lines"]][:2] == ["s", "w"]
    assert run(*words, "--out", "two.png").exit_code == 0


def test_a_figure_and_json_together(run):
    result = run(*P, "--out", "roc.png", "--json")
    assert json.loads(result.stdout)["kind"] == "roc" and Path("roc.png").exists()


def test_a_level_makes_a_band(said):
    assert said(*P, "--kind", "roc(draws=50)", "--level", "0.9", "--seed", "3") != said(*P, "--kind", "roc")


def test_a_band_is_among_the_points(run):
    words = (*P, "--kind", "roc(draws=50)", "--level", "0.9")
    shown = run(*words).stdout
    assert re.search(r"^line .* low +high +threshold$", shown, re.MULTILINE) and "\n90 % band" in shown


def test_people_see_some_of_many_points(run, here):
    rows = "\n".join(f"{i % 2},{(i * 37 % 500) / 500}" for i in range(500))
    (here / "many.csv").write_text(f"y,p\n{rows}\n")
    result = run("curve", "many.csv", "--truth", "y", "--proba", "p", "--positive", "1")
    assert re.search(r"40 of \d+ points", result.stdout)
    assert len(result.stdout.splitlines()) < 50


@pytest.mark.parametrize("what", ["scores", "intervals", "curves", "defaults", "assumptions", "references"])
def test_lists(run, said, what):
    printed = run("list", what)
    assert printed.exit_code == 0 and len(printed.stdout.splitlines()) == len(said("list", what)[what]) + 1


def test_the_defaults_are_of_intervals_tests_and_post_hocs_and_say_why(said):
    rows = said("list", "defaults")["defaults"]
    assert all(row["why"] and set(row) == {"asked", "of", "default", "why"} for row in rows)
    assert {"wilson", "mcnemar_midp", "delong_t", "conservative_t", "wilcoxon", "iman_davenport", "holm"} <= {
        row["default"] for row in rows
    }


def test_a_list_of_what_reads_probabilities(said):
    found = said("list", "scores", "--needs", "proba")["scores"]
    assert {row["needs"] for row in found} == {"proba"} and "log_loss" in {row["score"] for row in found}


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json", "txt"])
def test_a_list_in_a_file(run, ending):
    assert run("list", "intervals", "--out", f"list.{ending}").exit_code == 0
    assert "wilson" in Path(f"list.{ending}").read_text("utf-8")


def test_explain_prints_the_page(run, said):
    result = run("explain", "wilson")
    assert "the model was fixed before the test rows were looked at" in result.stdout
    assert "E. B. Wilson" in result.stdout
    assert said("explain", "wilson")["kind"] == "interval"


@pytest.mark.parametrize("ending", ["html", "md", "json", "txt"])
def test_a_page_in_a_file(run, ending):
    assert run("explain", "auc", "--out", f"auc.{ending}").exit_code == 0
    assert "Hanley" in Path(f"auc.{ending}").read_text("utf-8")


def test_every_name_offered_can_be_explained(run):
    assert all(run("explain", name).exit_code == 0 for name in names())


@pytest.mark.slow
def test_the_demo_does_the_main_job_and_the_lines_it_prints_work(run):
    result = run("demo")
    assert result.exit_code == 0, result.stderr
    assert "forest ranks best" in result.stdout
    assert 10_000 < Path("report.html").stat().st_size < 1_000_000
    lines = [line.strip() for line in result.stdout.splitlines()]
    *typed, (verb, *words) = [shlex.split(line[2:])[1:] for line in lines if line.startswith("$ ")]
    assert [run(*words).exit_code for words in typed] == [0, 0]  # the fits are in the store: nothing is done twice
    assert verb == "serve"
    server = Server(*words)  # which goes on until it is ended
    status, desk = server.get("/", server.bearer)
    server.end()
    assert status == 200 and "demo.toml" in desk
    found = json.loads(run("demo", "--json").stdout)
    assert found["ranking"]["datasets"] == 12 and len(found["ranking"]["learners"]) == 5
    assert any(pair["rejected"] for pair in found["ranking"]["pairs"])


@pytest.mark.slow
def test_what_was_warmed_is_not_compiled_again(here):
    """Of the first scorecard of many rows in a fresh process."""
    command = [sys.executable, "-c", "from veracity.cli.main import command; command()", "warm"]
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(here / "cache")}
    subprocess.run(command, check=True, env=surroundings)
    kept = {path: path.stat().st_mtime_ns for path in (here / "cache").rglob("*.nb*")}
    code = "import numpy as np, veracity as vc; y = np.arange(50_000) % 2; p = np.linspace(0, 1, 50_000) ** (1 + y)"
    code += "; vc.scorecard(vc.predictions(y, proba=p, positive=1))"
    subprocess.run([sys.executable, "-c", code], check=True, env=surroundings)
    assert len(kept) > 20 and {path: path.stat().st_mtime_ns for path in (here / "cache").rglob("*.nb*")} == kept


def test_the_demo_where_no_folder_can_be_made(run, here):
    (here / "taken").write_text("")
    result = run("demo", "--folder", "taken")
    assert result.exit_code == 2 and "the folder taken cannot be made" in result.stderr


def test_a_curve_of_numbers_is_of_residuals(said, run, here):
    words = ("curve", "preds.csv", "--truth", "n", "--number", "w")
    found = said(*words)
    assert found["kind"] == "residuals" and found["lines"][0]["y"][:2] == [0.5, 0.5]
    assert said(*words, "--kind", "error_distribution")["kind"] == "error_distribution"
    assert run(*words, "--out", "residuals.png").exit_code == 0 and (here / "residuals.png").stat().st_size > 1000
    assert said("curve", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam")["kind"] == "roc"


def test_named_points_of_a_chart_are_printed(run, said):
    words = ("curve", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam")
    assert "equal error" in run(*words).stdout
    found = said(*words, "--kind", "precision_recall")
    assert [mark["name"] for mark in found["marks"]] == ["break-even", "best F"]
    assert found["facts"]["max_fbeta"] and not [one for one in found["guides"] if "band" in one["name"]]
