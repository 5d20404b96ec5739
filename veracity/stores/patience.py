"""A database that goes away for moments, as a server does when it is started anew, or that another program has locked:
what is asked of it is asked again. A lock is waited out by runs only: whoever merely looks is told at once.

Every verb of a store is one transaction that may be repeated: what was committed although nobody heard of it stays the
same when it is written once more. A question of the ledger alone may then be counted twice, which is the safe side.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

from veracity.core.errors import BadInput, StoreError
from veracity.stores.database_errors import KEPT, LockedStore, OutOfReach

R = TypeVar("R")
LASTS = 60.0  # seconds in which a database may come back
LOCKED_LASTS = 600.0  # seconds in which another program may let go of a store that a run writes to
OWN_WAIT = "VERACITY_STORE_WAIT_S"  # the variable of the environment that says both otherwise
FIRST, LONGEST = 0.1, 5.0  # seconds between two attempts; each pause is twice the one before


def own_wait() -> float | None:
    """Return the seconds that the user wants runs to wait; None where nothing is said."""
    text = os.environ.get(OWN_WAIT, "")
    try:
        return float(text) if text else None
    except ValueError:
        raise BadInput(f"{OWN_WAIT} is a number of seconds, not {text!r}") from None


def _wait(why: StoreError) -> float:
    wait = own_wait()
    return (LOCKED_LASTS if isinstance(why, LockedStore) else LASTS) if wait is None else wait


class Patience:
    """How long a store waits for its database: a while, and not at all once that was in vain or somebody stopped it."""

    def __init__(self) -> None:
        self.spent = False

    def carry_out(
        self, work: Callable[[], R], tell: Callable[[str], None], returned: Callable[[], None], running: bool = False
    ) -> R:
        """Do some work, as often as it takes; every pause is told, and the end of the last one."""
        begun, pause = time.monotonic(), FIRST
        while True:
            try:
                result = work()
            except (OutOfReach, LockedStore) as why:
                if isinstance(why, LockedStore) and not running:
                    raise LockedStore(f"{why}: try again when that has ended") from why
                end = begun + (0 if self.spent else _wait(why))
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
