"""Powers of what rows of two classes lose, added up by group of rows without a column of losses being kept.

Groups are picked by a choice between a number and nothing, never by an index: such loops take several rows at once.
"""

from __future__ import annotations

from veracity.kernels.compile import Array, kernel_in_any_order


@kernel_in_any_order
def tell_rows(chance: Array, is_own: Array, shares: Array, told: Array, group: Array) -> None:
    """The probability of each row's class where it is at least the class's share, else what it leaves; the group.

    `shares` are those of the other class and of the own one: what one leaves of 1 is not the other to the last digit.
    Groups are the other class without and with help, then the own class likewise.
    """
    of_other, of_own = shares[0], shares[1]
    for i in range(len(chance)):
        helped = chance[i] >= (of_own if is_own[i] else of_other)
        told[i] = chance[i] if helped else 1.0 - chance[i]
        group[i] = 2 * is_own[i] + helped


@kernel_in_any_order
def add_rows(
    own: Array,  # the probability of the class that is looked for
    group: Array,
    chance: Array,  # that of each row's class, its logarithm, and that of what was told
    log_chance: Array,
    log_told: Array,
    centre: Array,  # of squares, of logarithms by class, and of what was told by group
    edges: Array,
    squares: Array,
    logs: Array,
    told: Array,
    gaps: Array,
) -> None:
    """Rows and powers 1 to 3 of squares, of logarithms by class, and of what was told by group; bins."""
    of_square, of_other, of_own = centre[0], centre[1], centre[2]
    s1, s2, s3 = 0.0, 0.0, 0.0
    a1, a2, a3, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(own)):
        x = (1.0 - chance[i]) * (1.0 - chance[i]) - of_square
        s1 += x
        s2 += x * x
        s3 += x * x * x
        is_own = group[i] >= 2
        x = log_chance[i] - (of_own if is_own else of_other)
        a = 0.0 if is_own else x
        b = x if is_own else 0.0
        a1 += a
        a2 += a * a
        a3 += a * a * a
        b1 += b
        b2 += b * b
        b3 += b * b * b
    squares[0, 0], squares[0, 1], squares[0, 2], squares[0, 3] = len(own), s1, s2, s3
    logs[0, 1], logs[0, 2], logs[0, 3] = a1, a2, a3
    logs[1, 1], logs[1, 2], logs[1, 3] = b1, b2, b3
    for k in range(4):
        number, of_told = 0, centre[3 + k]
        s1, s2, s3 = 0.0, 0.0, 0.0
        for i in range(len(own)):
            inside = group[i] == k
            x = log_told[i] - of_told if inside else 0.0
            number += inside
            s1 += x
            s2 += x * x
            s3 += x * x * x
        told[k, 0], told[k, 1], told[k, 2], told[k, 3] = number, s1, s2, s3
        logs[k // 2, 0] += number
    for k in range(len(edges) + 1):
        low = edges[k - 1] if k > 0 else -1.0
        high = edges[k] if k < len(edges) else 2.0
        gap = 0.0
        for i in range(len(own)):
            gap += own[i] - (group[i] >= 2) if (own[i] >= low) & (own[i] < high) else 0.0
        gaps[k] = gap
