"""One pass over the tied blocks of an ordering, highest value first, or over points in order.

Each kernel of scores takes the rows of each class in each block as `(replicates, blocks)` arrays, so that one value and
ten thousand bootstrap replicates are the same call. `float` around what is read from them costs compiled loops nothing;
plain ones take a fifth of the time with Python's numbers that they take with numpy's, and give the same.
"""

from __future__ import annotations

import numpy as np

from veracity.kernels.compile import Array, kernel


@kernel
def rank_area(positives: Array, negatives: Array) -> Array:
    """Pairs (positive, negative) in the right order, ties counting half."""
    out = np.zeros(positives.shape[0])
    for r in range(positives.shape[0]):
        above = 0.0
        area = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            area += float(negatives[r, b]) * (above + here / 2)
            above += here
        out[r] = area
    return out


@kernel
def area_until(positives: Array, negatives: Array, false_positives: Array) -> Array:
    """Area under (false positives, true positives), both counted, up to a number of false positives."""
    out = np.zeros(positives.shape[0])
    for r in range(positives.shape[0]):
        limit = float(false_positives[r])
        hits = 0.0
        alarms = 0.0
        area = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            wide = float(negatives[r, b])
            if alarms + wide >= limit:
                inside = limit - alarms
                if wide > 0:
                    area += inside * (hits + here * inside / wide / 2)
                break
            area += wide * (hits + here / 2)
            hits += here
            alarms += wide
        out[r] = area
    return out


@kernel
def precision_sum(positives: Array, negatives: Array) -> Array:
    """Sum over positive rows of the precision when their block is the last one selected."""
    out = np.zeros(positives.shape[0])
    for r in range(positives.shape[0]):
        hits = 0.0
        selected = 0.0
        total = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            hits += here
            selected += here + float(negatives[r, b])
            if here > 0:
                total += here * hits / selected
        out[r] = total
    return out


@kernel
def cut(positives: Array, negatives: Array, selected: Array) -> Array:
    """Where the first `selected` rows end: true positives, block, share of the block taken."""
    out = np.zeros((positives.shape[0], 3))
    for r in range(positives.shape[0]):
        left = float(selected[r])
        hits = 0.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            size = here + float(negatives[r, b])
            if size > 0 and (size >= left or b == positives.shape[1] - 1):
                share = min(1.0, left / size)
                out[r, 0] = hits + share * here
                out[r, 1] = b
                out[r, 2] = share
                break
            hits += here
            left -= size
    return out


@kernel
def crossing(positives: Array, negatives: Array, all_positives: Array, all_negatives: Array) -> Array:
    """Where false positive rate meets false negative rate: the common rate, block, share of the block taken."""
    out = np.zeros((positives.shape[0], 3))
    for r in range(positives.shape[0]):
        every, none = float(all_positives[r]), float(all_negatives[r])
        hits = 0.0
        alarms = 0.0
        for b in range(positives.shape[1]):
            here, wide = float(positives[r, b]), float(negatives[r, b])
            if (alarms + wide) * every >= (every - hits - here) * none and here + wide > 0:
                gap = (every - hits) / every - alarms / none
                share = min(1.0, max(0.0, gap / (here / every + wide / none)))
                out[r, 0] = (alarms + share * wide) / none
                out[r, 1] = b
                out[r, 2] = share
                break
            hits += here
            alarms += wide
    return out


@kernel
def best_f(positives: Array, negatives: Array, all_positives: Array, beta_squared: float) -> Array:
    """The largest F-beta over thresholds, its block, hits and rows selected; among equals the highest threshold."""
    out = np.zeros((positives.shape[0], 4))
    for r in range(positives.shape[0]):
        every = float(all_positives[r])
        hits = 0.0
        selected = 0.0
        best = -1.0
        for b in range(positives.shape[1]):
            here = float(positives[r, b])
            hits += here
            selected += here + float(negatives[r, b])
            whole = beta_squared * every + selected
            value = (1 + beta_squared) * hits / whole if whole > 0 else -1.0  # a replicate may lack all rows so far
            if value > best:
                best = value
                out[r, 1] = b
                out[r, 2] = hits
                out[r, 3] = selected
        out[r, 0] = best
    return out


def hull(positives: Array, negatives: Array) -> tuple[Array, Array, Array]:
    """Vertices of the upper hull of (false positives, true positives) after (0, 0): last block, both counts.

    Rows with fewer vertices repeat their last one. Points with whole coordinates have few vertices on their hull; of
    others all may be.
    """
    replicates, blocks = positives.shape
    for room in (min(blocks, 64 + int(4 * blocks ** (2 / 3))), blocks):
        last = np.zeros((replicates, room), np.int64)
        tall, wide = np.zeros((replicates, room)), np.zeros((replicates, room))
        depths = np.zeros(replicates, np.int64)
        hull_stacks(positives, negatives, last, tall, wide, depths)
        if (depths >= 0).all():
            break
    most = int(depths.max(initial=0))
    place = np.minimum(np.arange(most), depths[:, None] - 1)
    found = tuple(np.take_along_axis(part, place, 1) for part in (last, tall, wide))
    return found[0], found[1], found[2]


@kernel
def hull_stacks(positives: Array, negatives: Array, last: Array, tall: Array, wide: Array, depths: Array) -> None:
    """The vertices of each line of blocks, and how many these are: -1 where there is no room for them."""
    for r in range(positives.shape[0]):
        depth = 0
        hits = 0.0
        alarms = 0.0
        for b in range(positives.shape[1]):
            hits += float(positives[r, b])
            alarms += float(negatives[r, b])
            while depth > 0:
                before_tall = float(tall[r, depth - 2]) if depth > 1 else 0.0
                before_wide = float(wide[r, depth - 2]) if depth > 1 else 0.0
                rise = (hits - before_tall) * (float(wide[r, depth - 1]) - before_wide)
                if rise < (float(tall[r, depth - 1]) - before_tall) * (alarms - before_wide):
                    break
                depth -= 1
            if depth == tall.shape[1]:
                depth = -1
                break
            tall[r, depth] = hits
            wide[r, depth] = alarms
            last[r, depth] = b
            depth += 1
        depths[r] = depth


@kernel
def upper_chain(x: Array, y: Array) -> Array:
    """Which points (sorted by x, then by y) are vertices of their upper hull; points on an edge are none."""
    stack = np.zeros(len(x), np.int64)
    depth = 0
    for i in range(len(x)):
        while depth > 1:
            a, b = stack[depth - 2], stack[depth - 1]
            if (y[i] - y[a]) * (x[b] - x[a]) < (y[b] - y[a]) * (x[i] - x[a]):
                break
            depth -= 1
        stack[depth] = i
        depth += 1
    return stack[:depth].copy()
