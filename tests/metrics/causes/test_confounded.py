"""Causes that the data cannot tell apart are named together; others are not."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.diagnosis.label_disagreement import label_disagreement
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.causes.campaign_parts import campaign_parts
from accordeur.metrics.causes.cause import Cause
from accordeur.metrics.causes.cause_search import find_causes
from accordeur.metrics.causes.disagreement import Part, PartKind

N, TAGSET, NAMES = 120, ("v", "w", "x", "y"), ("A", "B", "C", "D")
BATCH = Part(PartKind.batch, "b")
IN_B = np.arange(N) >= 90


def causes(given: np.ndarray) -> tuple[Cause, ...]:
    """Return the causes in labels of N documents of six items, (N, 6, A); −1 for none."""
    matrix = LabelMatrix(
        codes=given.reshape(-1, len(NAMES)).astype(np.int32),
        tagset=TAGSET,
        annotators=NAMES,
        documents=np.repeat(np.arange(N), 6),
        items=tuple(map(str, range(6 * N))),
    )
    batches = ["b" if one else "a" for one in IN_B]
    parts = campaign_parts([f"d{d}" for d in range(N)], batches, [""] * N)
    found = label_disagreement(matrix, "nominal", parts)
    assert found is not None
    return find_causes(found).causes


def causes_of_errors(works: np.ndarray, errs: np.ndarray) -> tuple[Cause, ...]:
    """Return the causes of random errors, of these probabilities by document and annotator."""
    rng, shape = np.random.default_rng(8), (N, 6, len(NAMES))
    wrong = rng.random(shape) < errs[:, None, :]
    given = np.where(wrong, rng.integers(0, 4, shape), truth_of(4)[..., None])
    return causes(np.where(works[:, None, :], given, -1))


def rotating(n: int) -> np.ndarray:
    """Two of the first n annotators on each document, in turn."""
    works = np.zeros((N, len(NAMES)), dtype=bool)
    for d in range(N):
        works[d, [d % n, (d + 1 + d // n % (n - 1)) % n]] = True
    return works


def truth_of(categories: int) -> np.ndarray:
    return np.random.default_rng(9).integers(0, categories, (N, 6))


def test_an_annotator_and_the_only_batch_of_theirs_are_both_named() -> None:
    works = rotating(3)
    works[IN_B] = False
    works[IN_B, 3] = works[IN_B, np.arange(30) % 3] = True  # D with each of the others in turn
    errs = np.where(IN_B[:, None], 0.4, 0.08) * np.ones(len(NAMES))
    [cause] = causes_of_errors(works, errs)
    assert (cause.annotator, cause.part, cause.confounded) == ("", BATCH, ("D",))


def test_two_annotators_who_share_a_batch_with_nobody_are_both_named() -> None:
    works = rotating(4)
    works[IN_B] = [True, True, False, False]
    errs = np.where(IN_B[:, None], 0.4, 0.08) * np.ones(len(NAMES))
    [cause] = causes_of_errors(works, errs)
    assert (cause.part, cause.confounded) == (BATCH, ("A", "B"))


@pytest.mark.parametrize("errs_in_b", [(0.4, 0.4, 0.4, 0.4), (0.08, 0.08, 0.08, 0.7)])
def test_a_batch_that_all_annotate_is_not_confounded_with_anyone(
    errs_in_b: tuple[float, ...],
) -> None:
    works = np.ones((N, len(NAMES)), dtype=bool)
    errs = np.where(IN_B[:, None], errs_in_b, 0.08)
    first, *_ = causes_of_errors(works, errs)
    assert first.confounded == ()
    assert (first.annotator, first.part) == ("" if errs_in_b[0] == 0.4 else "D", BATCH)


def test_a_category_that_one_annotator_met_is_named_with_them() -> None:
    """Half of the items on which D works are y, which the other annotator often takes for x."""
    works, truth, rng = rotating(4), truth_of(3), np.random.default_rng(8)
    truth[works[:, 3]] = np.where(rng.random((works[:, 3].sum(), 6)) < 0.5, 3, truth[works[:, 3]])
    given = np.repeat(truth[..., None], len(NAMES), axis=2)
    given = np.where(
        (rng.random(given.shape) < 0.05) & (given < 3), rng.integers(0, 3, given.shape), given
    )
    is_taken_for_x = (truth[..., None] == 3) & (rng.random(given.shape) < 0.5)
    given[..., :3] = np.where(is_taken_for_x, 2, given)[..., :3]
    first, *_ = causes(np.where(works[:, None, :], given, -1))
    assert first.confounded == ("D",)
    assert "y" in first.kind.categories


def test_who_favours_a_category_is_not_confounded_with_it() -> None:
    given = np.repeat(truth_of(4)[..., None], len(NAMES), axis=2)
    given[..., 3][np.random.default_rng(4).random((N, 6)) < 0.3] = 0
    first, *_ = causes(given)
    assert (first.annotator, first.confounded) == ("D", ())
