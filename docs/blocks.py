"""The blocks of a page that are run: what is typed, what the page shows below it, and whether both still agree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
MADE = {"_build", "catalogue", "api", "made"}  # by the build
FENCE = re.compile(r"^```(python|console)\n(.*?)^```\n(?:\n*^```output\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
WHAT_EVER = "..."  # of a line or of some lines


@dataclass(frozen=True)
class Step:
    """What is typed at once, at which line of its page, what is shown of its output and where that stands."""

    kind: str  # python or console
    line: int
    typed: str
    shown: str | None
    place: tuple[int, int]  # of what is shown, as characters of the page


def manual_pages() -> list[Path]:
    """README, CONTRIBUTING and all pages that are written by hand."""
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    return sorted(page for page in pages if not MADE & set(page.relative_to(ROOT).parts))


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT)).removeprefix("docs/") if page.is_relative_to(ROOT) else page.name


def steps_of(text: str) -> Iterator[Step]:
    """Every block of Python and every command line of a page, in their order."""
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start(2)) + 1
        if fence[1] == "python":
            place = fence.span(3) if fence[3] is not None else (fence.end(), fence.end())
            yield Step("python", line, fence[2], fence[3], place)
        else:
            yield from _commands(fence[2], fence.start(2), line)


def _commands(block: str, offset: int, line: int) -> Iterator[Step]:
    """Lines behind $, each with the lines below it as its output; a backslash at the end goes on in the next line."""
    for part in re.finditer(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        typed = part[1].replace("\\\n", " ").strip()
        at = line + block.count("\n", 0, part.start())
        yield Step("console", at, typed, part[2] or None, (offset + part.start(2), offset + part.end(2)))


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed; three dots stand for any lines, or for the rest of a line."""
    pattern = []
    for line in map(str.rstrip, shown.rstrip().splitlines()):
        if line == WHAT_EVER:
            pattern.append(r"(?:.*\n)*")
        else:
            pattern.append(".*".join(map(re.escape, line.split(WHAT_EVER))) + r"\n")
    plain = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    return re.fullmatch("".join(pattern), plain) is not None


def stale(text: str, printed: Iterable[str | None]) -> list[tuple[Step, str]]:
    """Steps that show what is not printed, with what is; None is printed by what was not run."""
    return [
        (step, new)
        for step, new in zip(steps_of(text), printed, strict=True)
        if new is not None and step.shown is not None and (is_place(step.shown) or not agrees(step.shown, new))
    ]


def with_outputs(text: str, printed: Iterable[str | None]) -> str:
    """The page with what was printed in the place of what it shows and is not so."""
    for step, new in reversed(stale(text, printed)):
        first, last = step.place
        text = text[:first] + _new_output(step.shown or "", new) + text[last:]
    return text


def is_place(shown: str) -> bool:
    """A place for output that nobody has filled in yet."""
    return shown.strip() == WHAT_EVER


def _new_output(shown: str, printed: str) -> str:
    """All of it, or as many first lines as were shown where the rest was left out; a line that was cut stays so."""
    lines, old = [line.rstrip() for line in printed.rstrip().splitlines()], shown.rstrip().splitlines()
    cut = [line for line in old if WHAT_EVER in line and line != WHAT_EVER]
    lines = [next((short for short in cut if agrees(short, line)), line) for line in lines]
    if len(old) > 1 and old[-1] == WHAT_EVER and len(lines) > len(old):
        lines = [*lines[: len(old) - 1], WHAT_EVER]
    return "".join(f"{line}\n" for line in lines)
