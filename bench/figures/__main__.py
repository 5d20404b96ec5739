"""Measure what the listing says, and write the figures where the catalogue reads them: `python -m bench.figures`.

AREAS name some of the files; without, all are measured. Every unit has random numbers of its own and is noted down when
it is there, so a run that was cut is continued by the next one, as long as nothing that a figure can depend on has
changed; the units of an area are measured by as many processes as there are cores (`taskset -c 0` leaves it one). With
`--missing`, what is shipped is kept, and only units are measured that have no figures yet; with `--again=TEXT` also
those that have this text in their names. At the end stands what each area took.
"""

from __future__ import annotations

import sys

from bench.defaults.__main__ import SEED as DEFAULTS_SEED
from bench.figures.listing import AREAS, specifications
from bench.figures.writer import SEED, measure_area
from veracity.kernels.beside import processors


def main(words: list[str]) -> int:
    again = next((word.removeprefix("--again=") for word in words if word.startswith("--again=")), "")
    missing = "--missing" in words or bool(again)
    names = [word for word in words if not word.startswith("--")] or list(AREAS)
    unknown = [name for name in names if name not in AREAS]
    if unknown:
        print(f"there is no area {unknown[0]}: there are {', '.join(AREAS)}")
        return 2
    spent = []
    for name in names:
        seed = DEFAULTS_SEED if name.startswith("defaults_") else SEED
        spent.append(measure_area(name, specifications(name), missing, seed, processors(), again))
    print(*map(in_words, names, spent), in_words("all", [one for area in spent for one in area]), sep="\n")
    return 0


def in_words(area: str, seconds: list[float]) -> str:
    """What the units of an area took, now or before this run went on."""
    dearest = f", the dearest {max(seconds) / 60:.1f}" if seconds else ""
    return f"{area}: {len(seconds)} units, {sum(seconds) / 60:.1f} minutes of a processor{dearest}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
