"""Which fit takes its process with it: known only of one that was alone, and that twice.

    waiting -> flying -> landed
                 |  a process dies while it is at the fit
                 v
              suspect -> alone -> landed: somebody else did it, or somebody from outside
                           |  its process dies
                           v
                         alone once more -> landed
                           |  its process dies
                           v
                         guilty: the fit has failed

While there are suspects, nothing else flies. A process that dies before it has come to the fit is no sign of guilt, but
what ends every process that is about to make a fit has to end too.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from concurrent.futures import BrokenExecutor, Future
from typing import Any

from veracity.records.fit import Fit

DEATHS = 2  # of processes that a fit was alone in, and it is guilty
STARTS = 10  # deaths of processes that were to make a fit and never came to it
KILLED = "the fit killed its process (out of memory, or a crash in compiled code)"
# errors that say that a process is gone, rather than what the process itself had to say
OF_DEATHS = {"BrokenExecutor", "KilledWorker", "CommClosedError", "CancelledError", "FutureCancelledError"}


class Suspects:
    """Fits that wait to be tried alone, and what came of those that were."""

    def __init__(self) -> None:
        self.line: deque[Fit] = deque()
        self.deaths: Counter[str] = Counter()
        self.starts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.line)

    @property
    def first(self) -> Fit:
        """The one to be tried next, or just being tried."""
        return self.line[0]

    def accuse(self, fits: Iterable[Fit]) -> None:
        """Processes died while these were being made."""
        self.line += fits

    def acquit(self) -> None:
        """The first has ended as fits do, with an answer or a failure of its own."""
        self.line.popleft()

    def convict(self, begun: bool) -> bool:
        """The process of the first has died; whether that is enough, and the fit is guilty."""
        counter, enough = (self.deaths, DEATHS) if begun else (self.starts, STARTS)
        counter[self.first.key] += 1
        return counter[self.first.key] >= enough


def why_lost(future: Future[Any]) -> Exception:
    """Why a batch gave no outcomes."""
    why = None if future.cancelled() else future.exception()
    return why if isinstance(why, Exception) else BrokenExecutor("the batch was lost")


def is_death(why: Exception) -> bool:
    """Whether it says that a process is gone."""
    return not {kind.__name__ for kind in type(why).__mro__}.isdisjoint(OF_DEATHS)
