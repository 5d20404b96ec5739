"""A user's script that calls every verb passes a strict type checker, by the types that the package ships."""

import doctest
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import get_args

import pytest

import veracity as vc
from docs.docstrings import example_of
from release.rehearse import version_and_date
from veracity.comparisons import comparisons
from veracity.contests.rank import TestOfRanks, TestOfSplits
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores

HEAD = """from typing import Any, assert_type

import veracity as vc
from veracity.findings.experiments import Decompositions
from veracity.findings.dataset_tests import Verdicts

"""
# What a checker is told of verbs that give one thing or another by what they are asked.
KINDS = """
def kinds_of_answers(table: vc.ScoreMatrix, runs: vc.Runs, learner: Any, by: str) -> None:
    assert_type(vc.rank(table), vc.Ranking)
    assert_type(vc.rank(table, using="friedman", then="holm"), vc.Ranking)
    assert_type(vc.rank(runs, "error", using="corrected_t"), Verdicts)
    assert_type(vc.rank(runs, "error", using=by), vc.Ranking | Verdicts)
    assert_type(vc.bias_variance(learner, table, table, draws=20), vc.Decomposition)
    assert_type(vc.bias_variance(learner, parameter="C", values=[1, 2], seed=3), Decompositions)
    found = vc.compare(runs, "error")
    assert_type(found.difference, float)
    assert_type(found["a", "b"], vc.Comparison)
    assert_type([one.p_value for one in found], list[float | None])
    vc.plot(found).savefig("differences.png")
"""
SETTINGS = """
[mypy]
strict = true
[mypy-sklearn.*]
ignore_missing_imports = true
"""


def script():
    """Every example as a function of its own; what is defined in one says what it is given and gives."""
    parts = []
    for name in vc.__all__:
        text = example_of(getattr(vc, name))
        code = "".join(one.source for one in doctest.DocTestParser().get_examples(f"{text}\n"))
        code = re.sub(r"^def (\w+)\((\w)\):", r"def \1(\2: Any) -> Any:", code, flags=re.MULTILINE)
        parts.append(f"def example_of_{name}() -> None:\n{textwrap.indent(code, '    ')}\n\n")
    return HEAD + "".join(parts) + KINDS


@pytest.mark.slow
def test_a_script_that_calls_every_verb_passes_a_strict_type_checker(tmp_path):
    mypy = Path(sys.executable).with_name("mypy")
    if not mypy.exists() and shutil.which("mypy") is None:
        pytest.skip("there is no mypy here: pip install '.[lint]'")
    (tmp_path / "script.py").write_text(script())
    (tmp_path / "mypy.ini").write_text(SETTINGS)
    asked = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "script.py"]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("names", "reads", "compares"), [(TestOfRanks, ScoreMatrix, 0), (TestOfSplits, SplitScores, 2)]
)
def test_a_checker_knows_the_tests_that_decide_what_rank_gives(names, reads, compares):
    of_kind = [one.name for one in comparisons if one.reads is reads and one.compares == compares]
    assert sorted(get_args(names)) == sorted(of_kind)


def test_the_changelog_has_the_version_on_top():
    assert version_and_date()[1] >= "2026-11-17"
