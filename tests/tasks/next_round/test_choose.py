"""What a round of annotation is chosen from."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.metrics.item_name import ItemName
from accordeur.tasks.next_round.choose import extend_matrix


def test_added_items_and_annotators_keep_the_documents_that_intervals_resample() -> None:
    matrix = label_matrix(
        items=[ItemName(f"d{k % 2}", f"{k}") for k in range(4) for _ in "ab"],
        annotators=[*"ab"] * 4,
        labels=[*"xyxxyyxy"],
    )
    extended = extend_matrix(matrix, [ItemName("d2", "9")], ["a", "b", "c"])
    assert extended.documents is not None
    assert extended.documents.tolist() == [0, 1, 0, 1, 2]
    assert extended.annotators == ("a", "b", "c")
    assert (extended.codes[-1] == -1).all()
    np.testing.assert_array_equal(extended.codes[:4, :2], matrix.codes)
