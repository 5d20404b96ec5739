"""Runs the pages of the manual: `python -m docs.run [PAGE ...]` keeps the pictures and tells what is no longer true.

With --write the pages show what was printed. A place for new output is a line with three dots.
"""

from __future__ import annotations

import io
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType

from docs.blocks import ROOT, Step, manual_pages, name_of, stale, steps_of, with_outputs

SHELL = set("|<>&;$`*?")  # what only a shell understands
PICTURES = {".png", ".svg"}


def printed_by_python(step: Step, script: ModuleType, page: str) -> str:
    """What a block prints; errors name the line of the page."""
    code = compile("\n" * (step.line - 1) + step.typed, f"<{page}>", "exec", dont_inherit=True)
    with redirect_stdout(io.StringIO()) as out:
        exec(code, vars(script))
    return out.getvalue()


def printed_by_command(step: Step) -> str:
    """What a command line prints on standard output and standard error."""
    from click.testing import CliRunner

    from veracity.cli.main import cli
    from veracity.studies import progress

    progress.LINE_INTERVAL_S = math.inf  # a slow machine prints what a fast one prints

    program, *words = shlex.split(step.typed, comments=True)
    if program != "veracity" or SHELL & set("".join(words)):
        raise SystemExit(f"line {step.line}: `{step.typed}` is no plain command line of veracity")
    done = CliRunner().invoke(cli, words, prog_name=program)
    if done.exit_code and not (step.shown or "").startswith("error:"):  # a page may show a mistake
        raise SystemExit(f"line {step.line}: {step.typed}: {done.output.strip() or done.exception}")
    return done.output


def printed_by(page: Path, kinds: tuple[str, ...] = ("python", "console")) -> list[str | None]:
    """What each step of a page prints, run in the current folder; None for what is not run."""
    with as_main(ModuleType("__main__")) as script:
        return [
            None
            if step.kind not in kinds or (step.kind == "console" and not step.typed.startswith("veracity"))
            else printed_by_python(step, script, name_of(page))
            if step.kind == "python"
            else printed_by_command(step)
            for step in steps_of(page.read_text())
        ]


@contextmanager
def as_main(script: ModuleType) -> Iterator[ModuleType]:
    """Functions of a page are found by workers as those of a script are."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = script
    try:
        yield script
    finally:
        sys.modules["__main__"] = before


def stale_lines(page: Path, printed: list[str | None]) -> list[str]:
    """A sentence for each step that shows what is no longer printed."""
    says = "what is shown below is not what is printed: run `make outputs`"
    return [f"{name_of(page)}:{step.line}: {says}" for step, _ in stale(page.read_text(), printed)]


def run_page(page: Path, write: bool) -> list[str]:
    """Run a page in a folder of its own that has the examples, keep its pictures, and say what is stale."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("examples").symlink_to(ROOT / "examples")
        sys.path.insert(0, folder)
        printed = printed_by(page)
        keep_pictures(page, Path(folder))
    if write:
        page.write_text(with_outputs(page.read_text(), printed))
    return stale_lines(page, printed)


def keep_pictures(page: Path, folder: Path) -> None:
    """Those that the page shows from the folder `made` beside it."""
    for picture in folder.iterdir():
        if picture.suffix in PICTURES and f"](made/{picture.name})" in page.read_text():
            (page.parent / "made").mkdir(exist_ok=True)
            shutil.copy(picture, page.parent / "made")


def main(words: list[str]) -> int:
    """Each page in a process of its own; the number of pages that are stale or do not run."""
    write, alone = "--write" in words, "--alone" in words
    pages = [Path(word).resolve() for word in words if not word.startswith("-")]
    if alone:
        print("\n".join(told := run_page(pages[0], write)), file=sys.stderr)
        return bool(told)
    wrong = 0
    for page in pages or [page for page in manual_pages() if any(steps_of(page.read_text()))]:
        command = [sys.executable, "-m", "docs.run", "--alone", str(page), *(["--write"] if write else [])]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "agg"}
        )
        if done.returncode:
            wrong += 1
            lines = done.stderr.strip().splitlines() or ["did not run"]
            told = [line for line in lines if line.startswith(name_of(page))]
            print(*(told or [f"{name_of(page)}: {lines[-1]}"]), sep="\n", file=sys.stderr)
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
