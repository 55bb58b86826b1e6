"""The generators of a tree and of its rows, with the draws of scikit-learn and numpy.

A tree draws with scikit-learn's 32-bit xorshift (13, 17, 5) of Marsaglia (2003). So these trees can be tested against
scikit-learn's, and the trees of Ortega Vazquez et al. (2023), whose code extends scikit-learn, can be reproduced.

Its rows are drawn as ``RandomState(seed).randint`` draws them, at a fraction of the cost. ``RandomState`` is numpy's
frozen Mersenne Twister MT19937 (Matsumoto & Nishimura, 1998) with the seeding of 2002. A number below a limit is a
32-bit word cut to the bits of the limit; words that are still too large are skipped.
"""

from __future__ import annotations

import numpy as np

from .kernel import entry, part

LARGEST = 2**31 - 1  # scikit-learn's RAND_R_MAX; seeds are drawn below it
SIZE, FAR = 624, 397
ALL, ORDINARY, STRATIFIED = 0, 1, 2
KINDS = {False: ALL, True: ORDINARY, "stratified": STRATIFIED}


@part
def draw(state):
    """The next number in [0, 2^31), from a state held in a one-element uint64 array below 2^32."""
    z = state[0]
    if z == np.uint64(0):  # a zero state would stay zero
        z = np.uint64(1)
    z ^= (z << np.uint64(13)) & np.uint64(0xFFFFFFFF)
    z ^= z >> np.uint64(17)
    z ^= (z << np.uint64(5)) & np.uint64(0xFFFFFFFF)
    state[0] = z
    return np.int64(z & np.uint64(0x7FFFFFFF))


@part
def draw_int(state, low, high):
    """An integer in [low, high), by remainder as scikit-learn does."""
    return low + np.int64(np.uint32(draw(state)) % np.uint32(high - low))


@part
def draw_uniform(state, low, high):
    """A double in [low, high], the upper end only by the last draw of 2^31."""
    return (high - low) * np.float64(draw(state)) / np.float64(LARGEST) + low


@part
def seed_words(seed, words):
    """Set the state that a 32-bit seed gives."""
    mask = np.uint64(0xFFFFFFFF)
    z = np.uint64(seed) & mask
    for i in range(SIZE):
        words[i] = z
        z = (np.uint64(1812433253) * (z ^ (z >> np.uint64(30))) + np.uint64(i + 1)) & mask


@part
def twisted(word, following, far):
    y = (word & np.uint32(0x80000000)) | (following & np.uint32(0x7FFFFFFF))
    return far ^ (y >> np.uint32(1)) ^ (np.uint32(0x9908B0DF) * (y & np.uint32(1)))


@part
def next_words(words, numbers):
    """Compute the next state and its numbers."""
    for i in range(SIZE - FAR):
        words[i] = twisted(words[i], words[i + 1], words[i + FAR])
    for i in range(SIZE - FAR, SIZE - 1):
        words[i] = twisted(words[i], words[i + 1], words[i + FAR - SIZE])
    words[SIZE - 1] = twisted(words[SIZE - 1], words[0], words[FAR - 1])
    for i in range(SIZE):
        y = words[i]
        y ^= y >> np.uint32(11)
        y ^= (y << np.uint32(7)) & np.uint32(0x9D2C5680)
        y ^= (y << np.uint32(15)) & np.uint32(0xEFC60000)
        numbers[i] = y ^ (y >> np.uint32(18))


@entry
def _draw(seed, kind, draws, pool, labeled, weight, words, numbers, out):
    """Write the weights of one tree's rows to ``out``; returns the state that the tree's own generator starts from."""
    n = len(labeled)
    seed_words(seed, words)
    next_words(words, numbers)
    state = np.int64(LARGEST)
    place = 0
    while state > LARGEST - 1:
        state = np.int64(numbers[place] & np.uint32(LARGEST))
        place += 1
    if kind == ALL:
        for i in range(n):
            out[i] = weight[i]
        return state
    for i in range(n):
        out[i] = 0
    limit = np.uint32((n if kind == ORDINARY else len(pool)) - 1)
    mask = limit
    for shift in (1, 2, 4, 8, 16):
        mask |= mask >> np.uint32(shift)
    place = 0
    drawn = 0
    while drawn < draws and limit > np.uint32(0):
        if place == SIZE:
            next_words(words, numbers)
            place = 0
        number = np.int64(numbers[place] & mask)
        place += 1
        counts = np.int64(number <= limit)  # without a branch: a number too large adds nothing to row 0
        number *= counts
        out[np.uint64(number if kind == ORDINARY else pool[number])] += counts
        drawn += counts
    if limit == np.uint32(0) and draws > 0:
        out[0 if kind == ORDINARY else pool[0]] += draws
    for i in range(n):
        if kind == STRATIFIED and labeled[i]:
            out[i] += 1
        out[i] *= weight[i]
    return state


class Bootstrap:
    """Draws the rows of one tree after another; each thread needs its own.

    ``kind`` is False (all rows once), True (``draws`` rows with replacement) or "stratified" (every labeled row once
    and ``draws`` unlabeled ones with replacement: Algorithm 2 of Ortega Vazquez et al., 2023).
    """

    def __init__(self, labeled: np.ndarray, weight: np.ndarray, kind: bool | str, draws: int):
        pool = np.flatnonzero(~labeled).astype(np.uint32) if kind == "stratified" else np.zeros(0, np.uint32)
        if kind == "stratified" and not len(pool):
            kind = False
        words, numbers = np.zeros(SIZE, np.uint32), np.zeros(SIZE, np.uint32)
        self.arguments = (KINDS[kind], draws, pool, labeled, weight, words, numbers, np.zeros_like(weight))

    def draw(self, seed: int) -> tuple[np.ndarray, int]:
        """Weights of the rows in the tree with this seed, overwritten by the next draw, and its generator's state."""
        state = _draw(seed, *self.arguments)
        return self.arguments[-1], state
