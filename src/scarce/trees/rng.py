"""scikit-learn's tree generator: a 32-bit xorshift (13, 17, 5) of Marsaglia (2003).

The draws equal scikit-learn's. So its trees test these, and the trees of Ortega Vazquez et al. (2023), whose code
extends scikit-learn, can be reproduced one by one.
"""

from __future__ import annotations

import numpy as np

from .kernel import part

LARGEST = 2**31 - 1  # scikit-learn's RAND_R_MAX; seeds are drawn below it


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
