"""`veracity power`."""

from pathlib import Path

import pytest

MCNEMAR = ("power", "mcnemar", "--difference", "0.03", "--discordant", "0.10")


def test_the_rows_of_the_interface(said, run):
    found = said(*MCNEMAR, "--power", "0.8")
    assert (found["rows"], found["solved"], found["given"]) == (870, "rows", {"discordant": 0.1})
    assert run(*MCNEMAR, "--power", "0.8").stdout.startswith("mcnemar (discordant 0.1) needs 870 rows to find")


def test_other_tests_and_levels(said):
    assert said("power", "sign", "--datasets", "15", "--win", "0.8")["power"] == pytest.approx(0.648, abs=5e-4)
    split = said(
        "power", "corrected_t", "--splits", "100", "--train", "9", "--test", "1", "--sd", "0.03", "--power", "0.8"
    )
    assert split["difference"] == pytest.approx(0.0295, abs=1e-4)
    assert said(*MCNEMAR, "--rows", "870", "--level", "0.99")["power"] < 0.6


def test_rows_in_groups_have_a_test_of_their_own(said, run):
    words = ("power", "paired_loss_t", "--difference", "0.05", "--sd", "0.5", "--each", "8", "--alike", "0.2")
    needed = said(*words, "--power", "0.8")["groups"]
    assert said(*words, "--groups", str(needed))["power"] >= 0.8 > said(*words, "--groups", str(needed - 1))["power"]
    refused = run(*MCNEMAR, "--groups", "20")
    assert refused.exit_code != 0 and refused.stderr.rstrip().endswith("--groups is the size of paired_loss_t")


def test_a_simulation_repeats_by_its_seed(said):
    words = ("power", "wilcoxon", "--datasets", "15", "--difference", "0.02", "--sd", "0.03", "--draws", "1000")
    assert said(*words) == said(*words, "--seed", "0") != said(*words, "--seed", "1")
    assert said(*words)["standard_error"] == pytest.approx(0.015, abs=0.001)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("mcnemr", "--rows", "3"), "did you mean mcnemar"),
        (("mcnemar", "--rows", "3"), "power of mcnemar needs --discordant:"),
        (
            ("sign", "--rows", "3", "--win", ".8"),
            "power of sign is not asked with --rows: it takes --datasets, --win, --power",
        ),
        (("sign", "--win", ".8"), "needs two of --datasets, --win and --power, and answers the third"),
        (
            ("sign", "--datasets", "4", "--power", ".8"),
            "even the largest possible effect, 1, is found with power 0 only",
        ),
        (("sign", "--win", ".8", "--power", "80"), "--power lies strictly between 0 and 1, not 80.0; try 0.8"),
        (("sign", "--datasets", "many"), "'many' is not a valid integer"),
        ((), "Missing argument 'TEST'"),
    ],
)
def test_wrong_calls_are_one_sentence(run, words, says):
    result = run("power", *words)
    assert (result.exit_code, result.stdout) == (2, ""), result.stdout
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_the_page_is_the_sentence_and_the_test(run):
    assert run(*MCNEMAR, "--power", "0.8", "--out", "power.html").exit_code == 0
    page = Path("power.html").read_text()
    assert "mcnemar (discordant 0.1) needs 870 rows to find" in page and "McNemar, normal approximation" in page
