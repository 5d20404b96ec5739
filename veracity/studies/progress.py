"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Self

from veracity.core.words import spell_out_controls

if TYPE_CHECKING:
    from veracity.records.plan import Progress, ProgressCallback

EVERY = 5.0  # seconds between plain lines


class Teller:
    """What is told of a run while it lasts, by a function; nothing where there is none."""

    def __init__(self, function: ProgressCallback | None = None) -> None:
        self.function = function

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, progress: Progress, left: float | None) -> None:
        if self.function is not None:
            self.function(progress, left)


class Lines(Teller):
    """A line every few seconds, for a log; what a run waits for is told at once."""

    def __init__(self) -> None:
        self.printed = time.monotonic()
        self.waiting = False

    def __call__(self, progress: Progress, left: float | None) -> None:
        begins = bool(progress.trouble) and not self.waiting
        if begins or time.monotonic() - self.printed >= EVERY:
            self.printed, self.waiting = time.monotonic(), bool(progress.trouble)
            print(line(progress, left), file=sys.stderr, flush=True)


class ProgressBar(Teller):
    """A bar that moves, with the time left."""

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (BarColumn(), TextColumn("{task.description}", markup=False))
        self.bar: Any = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("starting", total=None)
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def __call__(self, progress: Progress, left: float | None) -> None:
        finished = progress.fits - progress.left
        self.bar.update(self.task, completed=finished, total=progress.fits, description=line(progress, left))


def teller(asked: bool | ProgressCallback | None = None, *first: str) -> Teller:
    """How to tell: None asks for what suits standard error, False for silence; a function of one's own is called.

    What must be known before the work begins is said `first`, unless silence is asked for.
    """
    if asked is False:
        return Teller()
    for says in first:
        print(spell_out_controls(says), file=sys.stderr, flush=True)
    if callable(asked):
        return Teller(asked)
    return ProgressBar() if sys.stderr.isatty() else Lines()


def line(progress: Progress, left: float | None) -> str:
    """`120 of 3,000 fits done, 2 failed, 4 running, 3 min left`."""
    text = f"{progress.done:,} of {progress.fits:,} fits done, {progress.failed} failed, {progress.running} running"
    if progress.trouble:
        return f"{text}; {spell_out_controls(progress.trouble)}"
    return text if left is None or not progress.left else f"{text}, {duration(left)} left"


def duration(seconds: float) -> str:
    """A time that a reader takes in at once."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"
