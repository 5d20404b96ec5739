"""A user's script that calls every verb passes a strict type checker, by the types that the package ships."""

import doctest
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from release.rehearse import version_and_date
from veracity.methods.public.docstrings import examples

HEAD = "from typing import Any\n\nimport veracity as vc\n\n"
# What a verb gives may be of two kinds (one comparison or several), which a user tells apart by isinstance.
SETTINGS = """
[mypy]
strict = true
disable_error_code = union-attr, index, attr-defined
[mypy-sklearn.*]
ignore_missing_imports = true
"""


def script():
    """Every example as a function of its own; what is defined in one says what it is given and gives."""
    parts = []
    for name, text in examples().items():
        code = "".join(one.source for one in doctest.DocTestParser().get_examples(f"{text}\n"))
        code = code.replace("round(vc.compare", "print(vc.compare")  # a p-value may be None, of a posterior
        code = re.sub(r"^def (\w+)\((\w)\):", r"def \1(\2: Any) -> Any:", code, flags=re.MULTILINE)
        parts.append(f"def example_of_{name}() -> None:\n{textwrap.indent(code, '    ')}\n\n")
    return HEAD + "".join(parts)


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


def test_the_changelog_has_the_version_on_top():
    assert version_and_date()[1] >= "2026-11-17"
