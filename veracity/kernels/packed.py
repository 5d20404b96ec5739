"""Probabilities with the class in their sign: sorted by size in two scatters, and swept once for all that a list tells.

A probability's sign bit is free. Positive rows keep it clear, negative rows set it, so that one array of numbers holds
value and class, and nothing is merged or indexed.
"""

from __future__ import annotations

import math

import numpy as np

from veracity.kernels.compile import Array, kernel, kernel_in_any_order

BUCKETS = 2048  # of equal width on 0..1: each holds what a processor's nearest cache does, at ten million rows
STRETCH = 64  # rows from one mark of the sweep to the next, at least
SUMS = 16  # numbers that the sweep tells
MARKED = 7  # of them, the first ones, are told at each mark


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


@kernel_in_any_order
def sweep_signed(signed: Array, positives: float, negatives: float, marks: Array, sums: Array) -> tuple[Array, int]:
    """From the highest value down: area, precision and moments of their influence values; how many marks.

    Moments are mean and sums of the powers 2 and 3 around it: by positive rows of false positive rates, with a negative
    sign, and of precision less gain; by negative rows of true positive rates and of loss. Every `STRETCH` rows, at the
    end of a block, `marks` gets the rows, positives and blocks above, `sums` area and moments of rates. What later rows
    give is what earlier ones leave of the whole, so that one pass suffices. Blocks of a stretch are gathered first, as
    loops over them take several at once; its moments then join those above, so that rows much alike lose no digits.
    """
    out = np.zeros(SUMS)
    hits, alarms, above, seen, precision, gain, loss = np.empty((7, STRETCH))
    part = np.empty((4, 4))
    all_hits, all_alarms, all_gain, all_loss = 0.0, 0.0, 0.0, 0.0
    of_positive, of_negative = 1.0 / positives, 1.0 / negatives
    blocks, mark = 0, 0
    i = len(signed) - 1
    while i >= 0:
        number, stop = 0, max(i - STRETCH, -1)
        before_hits, before_alarms = all_hits, all_alarms
        while i > stop:
            value, last, found = abs(signed[i]), i, 0
            while i >= 0 and abs(signed[i]) == value:
                found += math.copysign(1.0, signed[i]) > 0
                i -= 1
            hits[number], alarms[number] = found, last - i - found
            number += 1
        for k in range(number):
            above[k], seen[k] = all_hits, all_alarms
            all_hits += hits[k]
            all_alarms += alarms[k]
        for k in range(number):
            each = 1.0 / (above[k] + hits[k] + seen[k] + alarms[k])
            precision[k] = (above[k] + hits[k]) * each
            gain[k] = hits[k] * (1.0 - precision[k]) * each
            loss[k] = hits[k] * precision[k] * each
        for k in range(number):
            more, less = gain[k], loss[k]
            gain[k], loss[k] = all_gain, all_loss
            all_gain += more
            all_loss += less
        u0, w0 = -(seen[0] + alarms[0] / 2) * of_negative, (above[0] + hits[0] / 2) * of_positive
        x0, y0 = precision[0] - gain[0], loss[0]
        area, u1, u2, u3, w1, w2, w3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        total, x1, x2, x3, y1, y2, y3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(number):
            h, m, y = hits[k], alarms[k], loss[k] - y0
            u = -(seen[k] + m / 2) * of_negative - u0
            w = (above[k] + h / 2) * of_positive - w0
            x = precision[k] - gain[k] - x0
            area += m * (above[k] + h / 2)
            u1 += h * u
            u2 += h * u * u
            u3 += h * u * u * u
            w1 += m * w
            w2 += m * w * w
            w3 += m * w * w * w
            total += h * precision[k]
            x1 += h * x
            x2 += h * x * x
            x3 += h * x * x * x
            y1 += m * y
            y2 += m * y * y
            y3 += m * y * y * y
        out[0] += area
        out[7] += total
        part[0, 0], part[0, 1], part[0, 2], part[0, 3] = u0, u1, u2, u3
        part[1, 0], part[1, 1], part[1, 2], part[1, 3] = w0, w1, w2, w3
        part[2, 0], part[2, 1], part[2, 2], part[2, 3] = x0, x1, x2, x3
        part[3, 0], part[3, 1], part[3, 2], part[3, 3] = y0, y1, y2, y3
        for k in range(4):
            before = before_alarms if k % 2 else before_hits
            now = all_alarms if k % 2 else all_hits
            rows = now - before
            if rows == 0:
                continue
            mean = part[k, 1] / rows
            second = part[k, 2] - part[k, 1] * mean
            third = part[k, 3] - mean * (3 * part[k, 2] - 2 * part[k, 1] * mean)
            place = 1 + 3 * k + k // 2
            apart, share = part[k, 0] + mean - out[place], rows / now
            shared = apart * apart * before * share
            third += 3 * apart * (before * second - rows * out[place + 1]) / now
            out[place + 2] += third + apart * shared * (before - rows) / now
            out[place + 1] += second + shared
            out[place] += apart * share
        blocks += number
        marks[mark, 0], marks[mark, 1], marks[mark, 2] = int(all_hits + all_alarms), int(all_hits), blocks
        for k in range(sums.shape[1]):  # a slice would take two seconds to compile
            sums[mark, k] = out[k]
        mark += 1
    out[14], out[15] = all_gain, all_loss
    return out, mark


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
