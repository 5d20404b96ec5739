"""Rehearses a release: `python -m release.rehearse` builds the wheel and tries it in a fresh environment."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
SMOKE = """
import veracity as vc
from pathlib import Path
home = Path(vc.__file__).parent
assert "site-packages" in str(home), home
assert (home / "py.typed").exists() and (home / "__init__.pyi").exists()
p = vc.predictions([0, 0, 1, 1, 1] * 20, proba=[0.2, 0.6, 0.4, 0.7, 0.9] * 20, positive=1)
assert round(vc.score(p, "auc"), 4) == 0.8333
assert vc.estimate(p, "error")["error"].interval.method == "wilson"
assert "Parameters" in vc.compare.__doc__ and vc.explain("wilson").title
vc.report(p, ["error", "auc"]).save("page.html")
vc.plot(p, "roc").savefig("roc.png")
from sklearn.naive_bayes import GaussianNB
from sklearn.datasets import load_iris
if __name__ == "__main__":
    runs = vc.evaluate({"nb": GaussianNB()}, *load_iris(return_X_y=True), by="kfold(k=3)", seed=7, store="iris.db")
    print(vc.estimate(runs, "error"))
"""
COMMANDS = (
    ("--version",),
    ("score", "--errors", "12", "--of", "40", "error"),
    ("explain", "sign", "test"),
    ("list", "defaults"),
    ("estimate", "iris.db", "error", "--json"),
)


def version_and_date() -> tuple[str, str]:
    """The version of pyproject.toml, and the date under which CHANGELOG has it on top."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    top = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    found = re.fullmatch(rf"{re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)", top[1] if top else "")
    if not found:
        sys.exit(f"the first heading of CHANGELOG.md must be '## {version} (year-month-day)', not '{top and top[0]}'")
    return version, found[1]


def build_wheel(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def try_wheel(wheel: Path, folder: Path) -> None:
    """In an environment of its own, in a folder without the checkout."""
    venv.create(folder / "fresh", with_pip=True)
    python, work = folder / "fresh" / "bin" / "python", folder / "work"
    work.mkdir()
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([str(python), "-m", "pip", "install", *quiet, str(wheel)], check=True)
    (work / "smoke.py").write_text(SMOKE)
    subprocess.run([str(python), "-I", "smoke.py"], check=True, cwd=work)
    for words in COMMANDS:
        done = subprocess.run([str(python.with_name("veracity")), *words], cwd=work, capture_output=True, text=True)
        if done.returncode or not done.stdout.strip():
            sys.exit(f"veracity {' '.join(words)}: exit status {done.returncode}: {done.stderr.strip()}")


def main() -> None:
    version, day = version_and_date()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder) / "dist")
        try_wheel(wheel, Path(folder))
        print(f"veracity {version} of {day}: {wheel.name} installs and works without the checkout")


if __name__ == "__main__":
    main()
