"""How long fits take, learned on the way: how many make a batch, and how long those take that are still to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from veracity.records.fit import Fit, Outcome

BATCH = 0.1  # seconds of fitting in one batch
LARGEST = 200  # fits in one batch
FEW_WORKERS = 5  # of more, batches are larger: about fifty a second are sent and stored, however many workers there are


@dataclass
class Clock:
    """Seconds per fit of each data set and learner, learned on the way: batches are neither tiny nor late."""

    seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def learn(self, fit: Fit, outcome: Outcome) -> None:
        kind = (fit.data, fit.learner)
        known = self.seconds.get(kind, outcome.seconds)
        self.seconds[kind] = 0.7 * known + 0.3 * outcome.seconds

    def number(self, fit: Fit, workers: int) -> int:
        """How many fits like this one make a batch; one, as long as nothing is known of them."""
        known, times = self.seconds.get((fit.data, fit.learner)), max(1.0, workers / FEW_WORKERS)
        return 1 if known is None else max(1, int(times * min(LARGEST, BATCH / max(known, 1e-4))))

    def left(self, fits: Iterable[tuple[tuple[str, str], int]], workers: int) -> float | None:
        """Seconds until so many fits of each kind are done; a kind not met yet counts as the mean of the others."""
        if not self.seconds:
            return None
        mean = sum(self.seconds.values()) / len(self.seconds)
        return sum(number * self.seconds.get(kind, mean) for kind, number in fits) / workers
