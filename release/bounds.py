"""Prints the oldest versions that pyproject.toml allows, as constraints for pip: `python -m release.bounds`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = ("postgres", "dask", "serve")  # tools of tests are the newest
BOUND = re.compile(r"^([\w.-]+)(?:\[[\w,]+\])?>=([\d.]+)")


def oldest() -> list[str]:
    """A line `name==version` for each bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(one for extra in EXTRAS for one in extras.get(extra, ()))]
    bounds = [found for one in needed if (found := BOUND.match(one))]
    return sorted(f"{bound[1]}=={bound[2]}" for bound in bounds)


if __name__ == "__main__":
    print("\n".join(oldest()))
