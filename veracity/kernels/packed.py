"""Probabilities with the class in their sign: sorted by size in two scatters, and swept once for all that a list tells.

A probability's sign bit is free. Positive rows keep it clear, negative rows set it, so that one array of numbers holds
value and class, and nothing is merged or indexed.
"""

from __future__ import annotations

import math

import numpy as np

from veracity.kernels.compile import Array, kernel

BUCKETS = 2048  # of equal width on 0..1: each holds what a processor's nearest cache does, at ten million rows
STRETCH = 64  # rows from one mark of the sweep to the next, at least
SUMS = 17  # numbers that the sweep adds up


@kernel
def count_buckets(chance: Array) -> Array:
    """Rows in each bucket of equal width."""
    number = np.zeros(BUCKETS + 1, np.int64)
    for i in range(len(chance)):
        number[int(abs(chance[i]) * BUCKETS)] += 1
    return number


@kernel
def scatter(chance: Array, positive: Array, first: int, place: Array, out: Array, rows: Array) -> None:
    """Rows into their buckets, signed by their class, each from its `place` on, which goes on with every row.

    `rows`, if there is room in it, gets the number of each row, of which `first` is the first.
    """
    numbered = len(rows) > 0
    for i in range(len(chance)):
        value = abs(chance[i])
        bucket = int(value * BUCKETS)
        out[place[bucket]] = value if positive[i] else -value
        if numbered:
            rows[place[bucket]] = first + i
        place[bucket] += 1


@kernel
def sort_buckets(signed: Array, start: Array, first: int, last: int, crowded: Array, rows: Array) -> None:
    """Each bucket by size, and `rows` with it: one more scatter, into twice as many parts, then neighbours swap.

    A bucket whose rows crowd in a few of its parts is marked and left as it is.
    """
    numbered = len(rows) > 0
    largest = 0
    for k in range(first, last):
        largest = max(largest, start[k + 1] - start[k])
    spare, spare_rows = np.empty(largest), np.empty(largest if numbered else 0, np.int32)
    place = np.empty(2 * largest + 2, np.int32)
    for k in range(first, last):
        begin, size = start[k], start[k + 1] - start[k]
        if size < 2:
            continue
        parts = 2 * size
        low, scale = k / BUCKETS, float(BUCKETS) * parts
        place[: parts + 2] = 0
        for i in range(begin, begin + size):
            part = min(int((abs(signed[i]) - low) * scale), parts - 1)
            place[part + 2] += 1
        crowd = 0
        for part in range(2, parts + 2):
            crowd += place[part] * np.int64(place[part])
            place[part] += place[part - 1]
        if crowd > 16 * size:
            crowded[k] = True
            continue
        for i in range(begin, begin + size):
            part = min(int((abs(signed[i]) - low) * scale), parts - 1)
            spare[place[part + 1]] = signed[i]
            if numbered:
                spare_rows[place[part + 1]] = rows[i]
            place[part + 1] += 1
        for i in range(size):
            x = spare[i]
            j = begin + i
            while j > begin and abs(signed[j - 1]) > abs(x):
                signed[j] = signed[j - 1]
                if numbered:
                    rows[j] = rows[j - 1]
                j -= 1
            signed[j] = x
            if numbered:
                rows[j] = spare_rows[i]


@kernel
def sweep_signed(signed: Array, positives: float, negatives: float, marks: Array) -> tuple[Array, int, int]:
    """From the highest value down: area, precision and their influence values to the third power; blocks and marks.

    `marks` gets rows, positives and blocks above the end of a block, every `STRETCH` rows. Sums of later rows are what
    sums of earlier ones leave of the whole, so that one pass suffices.
    """
    out, part = np.zeros(SUMS), np.zeros(SUMS)
    above, seen, blocks, mark, since = 0, 0, 0, 0, 0
    gain, loss = 0.0, 0.0
    i = len(signed) - 1
    while i >= 0:
        value = abs(signed[i])
        hits, alarms = 0, 0
        while i >= 0 and abs(signed[i]) == value:
            below = math.copysign(1.0, signed[i]) < 0
            alarms += below
            hits += not below
            i -= 1
        h, m = float(hits), float(alarms)
        u = (negatives - seen - m / 2) / negatives - 0.5
        w = (above + h / 2) / positives - 0.5
        part[0] += m * (above + h / 2)
        part[1] += h * u
        part[2] += h * u * u
        part[3] += h * u * u * u
        part[4] += m * w
        part[5] += m * w * w
        part[6] += m * w * w * w
        above += hits
        seen += alarms
        each = 1.0 / (above + seen)
        precision = above * each
        x = precision - gain
        part[7] += h * precision
        part[8] += h * x
        part[9] += h * x * x
        part[10] += h * x * x * x
        part[11] += m * loss
        part[12] += m * loss * loss
        part[13] += m * loss * loss * loss
        gain += h * (1.0 - precision) * each
        loss += h * precision * each
        blocks += 1
        since += hits + alarms
        if since >= STRETCH or i < 0:
            since = 0
            marks[mark, 0] = above + seen
            marks[mark, 1] = above
            marks[mark, 2] = blocks
            mark += 1
            for k in range(14):  # sums of sums round less
                out[k] += part[k]
                part[k] = 0.0
    out[14] = gain
    out[15] = loss
    return out, mark, blocks


@kernel
def placements(signed: Array, rows: Array, positives: float, negatives: float, area: float, out: Array) -> None:
    """The share of the other class that each row is on the right side of, less the area; `rows` are those of `signed`.

    As an influence value, which is larger where its class has fewer rows.
    """
    of_positive, of_negative = (positives + negatives) / positives, (positives + negatives) / negatives
    above, seen = 0.0, 0.0
    last = len(signed) - 1
    while last >= 0:
        first, hits = last, 0.0
        while first >= 0 and abs(signed[first]) == abs(signed[last]):
            hits += math.copysign(1.0, signed[first]) > 0
            first -= 1
        alarms = last - first - hits
        u = ((negatives - seen - alarms / 2) / negatives - area) * of_positive
        w = ((above + hits / 2) / positives - area) * of_negative
        for i in range(first + 1, last + 1):
            out[rows[i]] = w if math.copysign(1.0, signed[i]) < 0 else u
        above += hits
        seen += alarms
        last = first


@kernel
def squares_apart(
    signed: Array, rows: Array, positives: float, negatives: float, area: float, others: Array, squares: Array
) -> None:
    """Sums of squares of what placements of another ordering of the rows have more: of negative and positive rows."""
    of_positive, of_negative = (positives + negatives) / positives, (positives + negatives) / negatives
    above, seen = 0.0, 0.0
    of_negatives, of_positives, since = 0.0, 0.0, 0
    last = len(signed) - 1
    while last >= 0:
        first, hits = last, 0.0
        while first >= 0 and abs(signed[first]) == abs(signed[last]):
            hits += math.copysign(1.0, signed[first]) > 0
            first -= 1
        alarms = last - first - hits
        u = ((negatives - seen - alarms / 2) / negatives - area) * of_positive
        w = ((above + hits / 2) / positives - area) * of_negative
        for i in range(first + 1, last + 1):
            if math.copysign(1.0, signed[i]) < 0:
                of_negatives += (others[rows[i]] - w) ** 2
            else:
                of_positives += (others[rows[i]] - u) ** 2
        above += hits
        seen += alarms
        since += last - first
        last = first
        if since >= STRETCH or last < 0:  # sums of sums round less
            squares[0] += of_negatives
            squares[1] += of_positives
            of_negatives, of_positives, since = 0.0, 0.0, 0


@kernel
def stretch_blocks(signed: Array, rows: Array, hits: Array, detailed: Array, positives: Array, negatives: Array) -> int:
    """Rows of each class per distinct value in detailed stretches, and per stretch in others; how many these are.

    `rows` and `hits` are marks of the sweep, between which the stretches lie.
    """
    number = -1
    for k in range(len(detailed)):
        if not detailed[k]:
            number += 1
            positives[number] = hits[k + 1] - hits[k]
            negatives[number] = rows[k + 1] - rows[k] - positives[number]
            continue
        before = -1.0
        for row in range(rows[k], rows[k + 1]):
            x = signed[len(signed) - 1 - row]
            if abs(x) != before:
                before = abs(x)
                number += 1
                positives[number] = 0
                negatives[number] = 0
            if math.copysign(1.0, x) < 0:
                negatives[number] += 1
            else:
                positives[number] += 1
    return number + 1
