"""Versions are told where packages are installed, and needed nowhere else."""

import subprocess
import sys
from pathlib import Path

import veracity
from veracity.core.versions import version_of

ASKED = """
import importlib.metadata, sys
sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")] + sys.argv[1:]
import veracity as vc
assert not list(importlib.metadata.distributions(name="veracity"))
truth = [0, 1] * 20
models = {"a": vc.predictions(truth, label=truth), "b": vc.predictions(truth, label=truth[::-1])}
print(vc.compare(models, "error"))
"""


def test_versions_of_what_is_installed():
    assert version_of("numpy")[0].isdigit() and version_of("no such package") == "unknown"


def test_a_comparison_needs_no_package_metadata(tmp_path):
    """Run from an archive, every comparison was a PackageNotFoundError."""
    folders = [tmp_path / "package"]
    folders[0].mkdir()
    (folders[0] / "veracity").symlink_to(Path(veracity.__file__).parent)
    for number, path in enumerate(path for path in sys.path if path.endswith("site-packages")):
        folders.append(tmp_path / f"{number}")
        folders[-1].mkdir()
        for one in Path(path).iterdir():
            if not one.name.startswith("veracity"):
                (folders[-1] / one.name).symlink_to(one)
    command = [sys.executable, "-c", ASKED, *map(str, folders)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "The error of a is 1 lower" in found.stdout, found.stderr
