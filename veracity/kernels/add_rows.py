"""Powers of what rows of two classes lose, added up by group of rows without a column being written."""

from __future__ import annotations

from veracity.kernels.compile import Array, kernel


@kernel
def add_rows(
    own: Array,  # the probability of the class that is looked for, and whether a row is of it
    is_own: Array,
    chance: Array,  # that of each row's class, its logarithm, and that of it or of what it leaves
    log_chance: Array,
    log_told: Array,
    helped: Array,
    centre: Array,
    edges: Array,
    cut: float,
    squares: Array,
    logs: Array,
    told: Array,
    gaps: Array,
    chosen: Array,
) -> None:
    """Rows and powers 1 to 3 of squares, of logarithms by class, and of what was told by class and help; bins; cut."""
    s1, s2, s3 = 0.0, 0.0, 0.0
    last = len(edges)
    for i in range(len(own)):
        x = (1.0 - chance[i]) * (1.0 - chance[i]) - centre[0]
        s1 += x
        s2 += x * x
        s3 += x * x * x
        k = int(is_own[i])
        x = log_chance[i] - centre[1]
        logs[k, 0] += 1.0
        logs[k, 1] += x
        logs[k, 2] += x * x
        logs[k, 3] += x * x * x
        j = 2 * k + int(helped[i])
        x = log_told[i] - centre[2]
        told[j, 0] += 1.0
        told[j, 1] += x
        told[j, 2] += x * x
        told[j, 3] += x * x * x
        number = min(int(own[i] * (last + 1)), last)
        if number < last and own[i] >= edges[number]:  # rounding may have missed the edge
            number += 1
        elif number > 0 and own[i] < edges[number - 1]:
            number -= 1
        gaps[number] += own[i] - k
        chosen[k] += own[i] >= cut
    squares[0, 0] += len(own)
    squares[0, 1] += s1
    squares[0, 2] += s2
    squares[0, 3] += s3
