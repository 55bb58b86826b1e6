"""A node's rows grouped by the code of one feature, ascending: by counting or by a bucket sort, both linear."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .kernel import part


class Scratch(NamedTuple):
    """Working memory of one tree, allocated once."""

    code: np.ndarray  # code of each row of the node, in the node's order
    group: np.ndarray  # per group: code, weight, labeled weight, rows
    weight: np.ndarray
    labeled: np.ndarray
    count: np.ndarray
    bins: np.ndarray  # per code: weight and labeled weight, always left at zero
    bin_count: np.ndarray  # per code: rows, always left at zero
    bucket: np.ndarray
    cut: np.ndarray  # per candidate cut: its left group, weight and labeled weight on the left, score
    cut_weight: np.ndarray
    cut_labeled: np.ndarray
    score: np.ndarray


def scratch(n: int, n_codes: int) -> Scratch:
    """Memory for nodes of up to n rows and codes below n_codes."""
    i, f = (lambda k: np.zeros(k, np.int32)), (lambda k: np.zeros(k, np.float64))
    return Scratch(
        i(n), i(n), f(n), f(n), i(n), f(2 * n_codes).reshape(-1, 2), i(n_codes), i(2 * n + 2), i(n), f(n), f(n), f(n)
    )


@part
def gather(codes, rows, out):
    """Copy the codes of the rows to out; their smallest and largest."""
    low = high = codes[rows[0]]
    for i in range(len(rows)):
        c = codes[rows[i]]
        out[i] = c
        low = min(low, c)
        high = max(high, c)
    return low, high


@part
def group_by_counting(weights, low, high, counted, s):
    """Groups of the codes in s.code by one bin a code: for nodes with about as many rows as codes."""
    for i in range(len(weights)):
        b = s.code[i] - low
        s.bins[b, 0] += weights[i, 0]
        s.bins[b, 1] += weights[i, 1]
    if counted:
        for i in range(len(weights)):
            s.bin_count[s.code[i] - low] += 1
    g = 0
    for b in range(high - low + 1):
        if s.bins[b, 0] > 0.0:
            s.group[g] = b + low
            s.weight[g] = s.bins[b, 0]
            s.labeled[g] = s.bins[b, 1]
            s.bins[b, 0] = 0.0
            s.bins[b, 1] = 0.0
            if counted:
                s.count[g] = s.bin_count[b]
                s.bin_count[b] = 0
            g += 1
    return g


@part
def group_by_sorting(weights, low, high, s):
    """Groups of the codes in s.code: rows spread over about as many buckets as rows, then an insertion sort."""
    m = len(weights)
    if m <= 20:
        for i in range(m):
            s.group[i] = s.code[i]
            s.weight[i] = weights[i, 0]
            s.labeled[i] = weights[i, 1]
    else:
        shift = 0
        while (high - low) >> shift > 2 * m:
            shift += 1
        last = (high - low) >> shift
        for b in range(last + 2):
            s.bucket[b] = 0
        for i in range(m):
            s.bucket[((s.code[i] - low) >> shift) + 1] += 1
        for b in range(1, last + 1):
            s.bucket[b + 1] += s.bucket[b]
        for i in range(m):
            b = (s.code[i] - low) >> shift
            k = s.bucket[b]
            s.bucket[b] += 1
            s.group[k] = s.code[i]
            s.weight[k] = weights[i, 0]
            s.labeled[k] = weights[i, 1]
    for i in range(1, m):
        c = s.group[i]
        if s.group[i - 1] <= c:
            continue
        w = s.weight[i]
        v = s.labeled[i]
        j = i
        while j > 0 and s.group[j - 1] > c:
            s.group[j] = s.group[j - 1]
            s.weight[j] = s.weight[j - 1]
            s.labeled[j] = s.labeled[j - 1]
            j -= 1
        s.group[j] = c
        s.weight[j] = w
        s.labeled[j] = v
    g = 0
    s.count[0] = 1
    for i in range(1, m):
        if s.group[i] == s.group[g]:
            s.weight[g] += s.weight[i]
            s.labeled[g] += s.labeled[i]
            s.count[g] += 1
        else:
            g += 1
            s.group[g] = s.group[i]
            s.weight[g] = s.weight[i]
            s.labeled[g] = s.labeled[i]
            s.count[g] = 1
    return g + 1


@part
def group(weights, low, high, counted, s):
    """Groups of the codes in s.code, by whichever way is shorter; the number of groups. Rows are counted on demand."""
    if high - low < 8 * len(weights):
        return group_by_counting(weights, low, high, counted, s)
    return group_by_sorting(weights, low, high, s)
