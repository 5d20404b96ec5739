"""Measure what the listing says, and write the figures where the catalogue reads them: `python -m bench.figures`.

AREAS name some of the files; without, all are measured. Every unit has random numbers of its own and is noted down when
it is there, so a run that was cut is continued by the next one, as long as nothing that a figure can depend on has
changed; the units of an area are measured by as many processes as there are cores. With `--missing`, what is shipped is
kept, and only units are measured that have no figures yet.
"""

from __future__ import annotations

import os
import sys

from bench.defaults.__main__ import SEED as DEFAULTS_SEED
from bench.figures.listing import AREAS, specifications
from bench.figures.writer import SEED, measure_area


def main(words: list[str]) -> int:
    missing = "--missing" in words
    names = [word for word in words if word != "--missing"] or list(AREAS)
    unknown = [name for name in names if name not in AREAS]
    if unknown:
        print(f"there is no area {unknown[0]}: there are {', '.join(AREAS)}")
        return 2
    for name in names:
        seed = DEFAULTS_SEED if name.startswith("defaults_") else SEED
        measure_area(name, specifications(name), missing, seed, os.cpu_count() or 1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
