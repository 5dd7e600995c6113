"""Seeded data and timer of `scoring.py`; requires only NumPy."""

from __future__ import annotations

import resource
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

TAGSET = tuple("ABCDEFGH")
N_EM_ROUNDS = 20


def user_seconds(call: Callable[[], Any], rounds: int = 1) -> tuple[float, Any]:
    """Return the median user CPU time of a call, and its result."""
    times, value = [], None
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        value = call()
        times.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
    return statistics.median(times), value


def unit_data(n_documents: int, per_document: int = 100) -> dict[str, np.ndarray]:
    """A reference, and a system that misses, adds, shortens and relabels about 10 % each."""
    rng = np.random.default_rng(0)
    shape = (n_documents, per_document)
    lengths = rng.integers(3, 15, shape)
    ends = np.cumsum(rng.integers(1, 30, shape) + lengths, axis=1).ravel()
    starts = ends - lengths.ravel()
    documents = np.repeat(np.arange(n_documents), per_document)
    categories = rng.integers(0, len(TAGSET), ends.size)
    kept, shorter, renamed = rng.random((3, ends.size)) < [[0.9], [0.15], [0.1]]
    said = np.where(renamed, rng.integers(0, len(TAGSET), ends.size), categories)
    # Added units are in the gap before an omitted unit.
    extra = ~kept & (rng.random(ends.size) < 0.5)
    order = rng.permutation(int(kept.sum() + extra.sum()))
    return {
        "r_documents": documents,
        "r_starts": starts,
        "r_ends": ends,
        "r_categories": categories,
        "s_documents": np.concatenate([documents[kept], documents[extra]])[order],
        "s_starts": np.concatenate([starts[kept], starts[extra] - 1])[order],
        "s_ends": np.concatenate([(ends - shorter)[kept], starts[extra]])[order],
        "s_categories": np.concatenate([said[kept], said[extra]])[order],
    }


def label_data(n_labels: int, width: int = 4, per_item: int = 10) -> dict[str, np.ndarray]:
    """Crowd labels: 10 per item, by annotators with accuracies from .4 to .95."""
    rng = np.random.default_rng(1)
    n_items = n_labels // per_item
    n_annotators = max(20, n_items // 100)
    truth = rng.integers(0, width, n_items)
    accuracy = rng.uniform(0.4, 0.95, n_annotators)
    items = np.repeat(np.arange(n_items), per_item)
    annotators = rng.integers(0, n_annotators, items.size)
    right = rng.random(items.size) < accuracy[annotators]
    others = (truth[items] + rng.integers(1, width, items.size)) % width
    return {
        "items": items,
        "annotators": annotators,
        "codes": np.where(right, truth[items], others),
    }


def segmentation_data(n_documents: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    reference = rng.random((n_documents, 60)) < 0.12
    moved = np.roll(reference, 1, axis=1) & (rng.random(reference.shape) < 0.4)
    system = (reference & (rng.random(reference.shape) < 0.6)) | moved
    return {"reference": reference, "system": system}


def turn_data(n_documents: int) -> dict[str, np.ndarray]:
    """Three speakers taking turns, and a system with shifted bounds and wrong speakers."""
    rng = np.random.default_rng(3)
    shape = (n_documents, 40)
    cuts = np.cumsum(rng.integers(50, 400, shape), axis=1)
    starts, ends = np.concatenate([np.zeros((n_documents, 1), int), cuts[:, :-1]], axis=1), cuts
    who = rng.integers(0, 3, shape)
    said = np.where(rng.random(shape) < 0.15, rng.integers(0, 3, shape), who)
    shift = rng.integers(0, 40, shape)
    return {
        "documents": np.repeat(np.arange(n_documents), 40),
        "r_starts": starts.ravel(),
        "r_ends": ends.ravel(),
        "r_who": who.ravel(),
        "s_starts": (starts + shift).ravel(),
        "s_ends": ends.ravel(),
        "s_who": said.ravel(),
    }


def tag_data(n_sentences: int) -> dict[str, np.ndarray]:
    """Codes of tags (0 is O, then B and I of each category), in which chunks may begin with I."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 9, (n_sentences, 25))
    return {"gold": gold, "found": np.where(rng.random(gold.shape) < 0.85, gold, (gold + 1) % 9)}


def tags_of(codes: np.ndarray) -> list[list[str]]:
    names = ["O", *(f"{prefix}-{category}" for category in TAGSET[:4] for prefix in "BI")]
    return [[names[code] for code in row] for row in codes.tolist()]
