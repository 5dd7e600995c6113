"""By category, a system exactly as good as the annotators has no advantage and no disadvantage."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import accordeur as acc
from accordeur.metrics.replacement.judge_comparison import majorities_of_others

RIGHT = 0.75  # of the annotators, and of a system that is as good


def answers(
    shares: tuple[float, ...], n: int, annotators: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Labels (annotators, n), each right with the same probability."""
    truth = rng.choice(len(shares), n, p=shares)
    wrong = (truth + rng.integers(1, len(shares), (annotators, n))) % len(shares)
    return np.where(rng.random((annotators, n)) < RIGHT, truth, wrong)


@pytest.mark.long
@pytest.mark.parametrize(
    ("of_item", "shares"),
    [(2, (0.6, 0.25, 0.15)), (3, (1 / 3, 1 / 3, 1 / 3)), (6, (0.6, 0.25, 0.15))],
)
def test_an_equal_system_has_no_advantage_in_any_category(of_item, shares):
    rng = np.random.default_rng(3)
    n, pool = 12_000, 6
    labels = answers(shares, n, pool + 1, rng)
    on_item = np.argsort(rng.random((n, pool)), axis=1)[:, :of_item]
    frame = {
        "item": [*np.repeat(np.arange(n), of_item).astype(str), *np.arange(n).astype(str)],
        "annotator": [*np.char.add("h", on_item.ravel().astype(str)), *["sys"] * n],
        "label": [
            *labels[on_item.ravel(), np.repeat(np.arange(n), of_item)].astype(str),
            *labels[pool].astype(str),
        ],
    }
    found = acc.replacement(frame, systems=["sys"], epsilon=0.1, replicates=0)
    parts = [part for part in found[0].parts if part.kind == "category"]
    assert [part.name for part in parts] == ["0", "1", "2"]
    for part in parts:
        assert abs(part.value.value) <= 0.02, part.name
        assert part.verdict == "may"


def test_an_item_belongs_to_the_majority_of_the_others_and_to_each_of_several_in_part():
    humans = np.array([[0, 0, 1], [0, 1, 2], [0, -1, 1], [1, -1, -1]])
    found = np.stack(list(majorities_of_others(humans, 3)), axis=2)
    assert found[0].tolist() == [[0.5, 0.5, 0], [0.5, 0.5, 0], [1, 0, 0]]
    assert found[1].tolist() == [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]
    assert found[2, 0].tolist() == [0, 1, 0]
    assert found[2, 2].tolist() == [1, 0, 0]
    assert not found[3, 0].any()  # no other annotator: compared with nobody


def spans(
    n: int, annotators: int, rng: np.random.Generator, per_document: int = 3
) -> list[tuple[int, str, int, int, str]]:
    """Units that each annotator finds, and puts in the right category, three times of four."""
    rows = []
    for d in range(n):
        # One unit that nobody misses, so that everyone is known to have finished the document.
        rows += [(d, f"h{a}", 900, 905, "x") for a in range(annotators)]
        for u in range(per_document):
            truth = int(rng.choice(3, p=(0.6, 0.25, 0.15)))
            for a in range(annotators):
                if rng.random() < RIGHT:
                    category = truth if rng.random() < RIGHT else int(rng.integers(3))
                    rows.append((d, f"h{a}", 10 * u, 10 * u + 5, str(category)))
    return rows


def advantages_of_units(rows: list[tuple[int, str, int, int, str]], *systems: str):
    names = ("document", "annotator", "start", "end", "category")
    frame = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    options = {"start": "start", "end": "end", "category": "category", "document": "document"}
    found = acc.replacement(
        frame, systems=list(systems), epsilon=0.1, replicates=0, alignment="exact_f", **options
    )
    return {part.name: part.value for part in found[0].parts if part.kind == "category"}


@pytest.mark.long
def test_an_equal_system_of_units_has_no_advantage_in_any_category():
    rows = [
        (d, "sys" if name == "h4" else name, *span)
        for d, name, *span in spans(2500, 5, np.random.default_rng(1))
    ]
    for name, value in advantages_of_units(rows, "sys").items():
        assert abs(value.value) <= 0.02, name


def test_another_system_changes_nothing_in_the_categories_of_units():
    rows = [
        (d, "sys" if name == "h4" else name, *span)
        for d, name, *span in spans(60, 5, np.random.default_rng(2))
    ]
    # It marks the rarest category in every document.
    noisy = [(d, "noisy", 500, 505, "2") for d in range(60)]
    alone, beside = (
        advantages_of_units(rows, "sys"),
        advantages_of_units([*rows, *noisy], "sys", "noisy"),
    )
    for name in "012":
        assert beside[name].value == alone[name].value
        assert beside[name].n_items == alone[name].n_items
