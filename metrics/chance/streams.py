"""Random streams of samples: each has its own seed, and many are initialised at once.

The stream of sample i is NumPy's `Philox(SeedSequence(study, spawn_key=(…, i)))`. Creating these
objects for each sample took longer than drawing from them, so the keys of many streams are computed
together, and one generator switches from stream to stream. SeedSequence uses a hash (O'Neill 2015,
"Developing a seed_seq alternative") that NumPy guarantees to keep. Only the last word of its input
differs between samples, so only the effect of this word is recomputed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_POOL = 4  # number of words in SeedSequence's pool
_LEFT, _RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_HALF = np.uint32(16)


def sample_generators(
    study: int, spawn_key: tuple[int, ...], indices: Sequence[int]
) -> Iterator[np.random.Generator]:
    """Yield the generator of each sample, in the order of the indices (from 0, below 2³²).

    It is always the same object: draw from it before requesting the next.
    """
    bits = np.random.Philox(0)
    begun = bits.state
    generator = np.random.Generator(bits)
    for key in philox_keys(study, spawn_key, np.asarray(indices, np.uint32)):
        begun["state"]["key"] = key
        bits.state = begun
        yield generator


def philox_keys(
    study: int, spawn_key: tuple[int, ...], indices: NDArray[np.uint32]
) -> NDArray[np.uint64]:
    """uint64 (count, 2): Philox keys of `SeedSequence(study, spawn_key=(*spawn_key, index))`."""
    pool = np.random.SeedSequence(study, spawn_key=spawn_key).pool
    n_words = max(_POOL, -(-study.bit_length() // 32)) + len(spawn_key)
    mixing = _hash_constants(0x43B0D7E5, 0x931E8875, n_before=_POOL * n_words)
    giving = _hash_constants(0x8B51F9DD, 0x58F38DED)
    words = _mix_upper_half_into_lower(
        _LEFT * pool - _RIGHT * _hash_words(indices[:, None], mixing)
    )
    return _hash_words(words, giving).astype("<u4").view("<u8").astype(np.uint64)


def _hash_constants(first: int, factor: int, n_before: int = 0) -> NDArray[np.uint32]:
    """Return the five constants around four words that are hashed after `n_before` others."""
    powers = [first * pow(factor, n_before + k, 1 << 32) for k in range(_POOL + 1)]
    return np.array([power & 0xFFFFFFFF for power in powers], dtype=np.uint32)


def _hash_words(words: NDArray[np.uint32], constants: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """uint32 (count, 4): hash each of four words with the constants before and after it."""
    return _mix_upper_half_into_lower((words ^ constants[:-1]) * constants[1:])


def _mix_upper_half_into_lower(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return words ^ (words >> _HALF)
