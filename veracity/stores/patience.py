"""A database that goes away for moments, as a server does when it is started anew: what is asked of it is asked again.

Every verb of a store is one transaction that may be repeated: what was committed although nobody heard of it stays the
same when it is written once more. A question of the ledger alone may then be counted twice, which is the safe side.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from veracity.core.errors import StoreError
from veracity.stores.database_errors import KEPT, OutOfReach

R = TypeVar("R")
LASTS = 60.0  # seconds in which a database may come back
FIRST, LONGEST = 0.1, 5.0  # seconds between two attempts; each pause is twice the one before


class Patience:
    """How long a store waits for its database: a while, and not at all once that was in vain or somebody stopped it."""

    def __init__(self) -> None:
        self.spent = False

    def carry_out(self, work: Callable[[], R], tell: Callable[[str], None], returned: Callable[[], None]) -> R:
        """Do some work, as often as it takes; every pause is told, and the end of the last one."""
        end = time.monotonic() + (0 if self.spent else LASTS)
        pause = FIRST
        while True:
            try:
                result = work()
            except OutOfReach as why:
                if time.monotonic() >= end:
                    self.spent = True
                    raise StoreError(f"{why}; {KEPT}, and the same call goes on from there once it is back") from why
                tell(f"{why}; trying again for {max(1, end - time.monotonic()):.0f} s")
                self._sleep(min(pause, max(0, end - time.monotonic())))
                pause = min(2 * pause, LONGEST)
                continue
            self.spent = False
            if pause > FIRST:
                returned()
            return result

    def _sleep(self, seconds: float) -> None:
        try:
            time.sleep(seconds)
        except BaseException:  # whoever is interrupted wants to end
            self.spent = True
            raise
