"""The lowest set bit, compiled and not."""

import numpy as np
from numba import njit

from accordeur.metrics.alignment.exact_choice.window_sweep import _lowest_bit_uncompiled, lowest_bit


@njit
def _places(words):
    places = np.empty_like(words)
    for i in range(len(words)):
        places[i] = lowest_bit(words[i])
    return places


def test_the_lowest_set_bit_is_found_in_any_word() -> None:
    words = [1 << low | (high << low + 1) for low in range(62) for high in (0, 1)]
    words += [-1, -(2**63), 6, 2**63 - 1]
    expected = [low for low in range(62) for _ in (0, 1)] + [0, 63, 1, 0]
    assert _places(np.array(words, np.int64)).tolist() == expected
    assert [_lowest_bit_uncompiled(word) for word in words] == expected
