"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from veracity.core.words import spell_out_controls

if TYPE_CHECKING:
    from veracity.records.plan import Progress, ProgressCallback

LINE_INTERVAL_S = 5.0  # between plain lines
NOTEBOOK_INTERVAL_S = 0.2  # between two changes of a bar in a notebook


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
        if begins or time.monotonic() - self.printed >= LINE_INTERVAL_S:
            self.printed, self.waiting = time.monotonic(), bool(progress.trouble)
            print(line(progress, left), file=sys.stderr, flush=True)


class Bar(Teller):
    """How far a run is with its rate and the time left; when it ends, a last line that stays."""

    def __init__(self) -> None:
        self.began, self.before = time.monotonic(), 0
        self.last: Progress | None = None

    def __call__(self, progress: Progress, left: float | None) -> None:
        if self.last is None:
            self.before = progress.fits - progress.left  # what was there already takes no time
        self.last = progress
        self.show(progress, f"{line(progress, left, self.rate)}")

    @property
    def rate(self) -> float:
        """Fits in a second, since the run began."""
        made = 0 if self.last is None else self.last.fits - self.last.left - self.before
        return made / max(time.monotonic() - self.began, 1e-9)

    @property
    def ending(self) -> str:
        """`300 of 300 fits done, 2 failed, in 25 s (12 a second)`; nothing where nothing was told."""
        took = duration(time.monotonic() - self.began)
        return f"{counted(self.last)}, in {took} ({per_second(self.rate)})" if self.last is not None else ""

    def show(self, progress: Progress, says: str) -> None:
        """Move the bar."""


class TerminalBar(Bar):
    """A bar that moves on a terminal."""

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (BarColumn(), TextColumn("{task.description}", markup=False))
        self.bar: Any = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("starting", total=None)
        self.bar.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self.bar.stop()
        if trouble[0] is None and self.ending:
            print(self.ending, file=sys.stderr, flush=True)

    def show(self, progress: Progress, says: str) -> None:
        self.bar.update(self.task, completed=progress.fits - progress.left, total=progress.fits, description=says)


class NotebookBar(Bar):
    """A bar that moves below the cell of a notebook."""

    def __init__(self) -> None:
        super().__init__()
        self.shows: Any = import_module("IPython.display")  # it is there where a notebook runs
        self.shown, self.cell = 0.0, self.shows.display(self.shows.HTML("starting"), display_id=True)

    def __exit__(self, *trouble: object) -> None:
        if trouble[0] is None and self.ending:
            self._update(self.ending)

    def show(self, progress: Progress, says: str) -> None:
        if time.monotonic() - self.shown >= NOTEBOOK_INTERVAL_S or not progress.left:
            self.shown = time.monotonic()
            done = progress.fits - progress.left
            self._update(f'<progress value="{done}" max="{progress.fits}"></progress> {escape(says)}')

    def _update(self, says: str) -> None:
        self.cell.update(self.shows.HTML(says))


def in_notebook() -> bool:
    """Whether a cell of a notebook runs this, which shows what is displayed."""
    ipython = sys.modules.get("IPython")
    return hasattr(ipython.get_ipython(), "kernel") if ipython is not None else False


def is_watched() -> bool:
    """Whether somebody sees a bar move."""
    return in_notebook() or sys.stderr.isatty()


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
    return NotebookBar() if in_notebook() else TerminalBar() if sys.stderr.isatty() else Lines()


def counted(progress: Progress) -> str:
    """`120 of 3,000 fits done, 2 failed`."""
    return f"{progress.done:,} of {progress.fits:,} fits done, {progress.failed} failed"


def per_second(rate: float) -> str:
    """How fast, in seconds or in minutes where that is slow."""
    return f"{rate:.3g} a second" if rate >= 1 else f"{60 * rate:.3g} a minute"


def line(progress: Progress, left: float | None, rate: float = 0.0) -> str:
    """`120 of 3,000 fits done, 2 failed, 4 running, 12 a second, 3 min left`."""
    text = f"{counted(progress)}, {progress.running} running"
    if progress.trouble:
        return f"{text}; {spell_out_controls(progress.trouble)}"
    fast = f", {per_second(rate)}" if rate else ""
    return text if left is None or not progress.left else f"{text}{fast}, {duration(left)} left"


def duration(seconds: float) -> str:
    """A time that a reader takes in at once."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"
