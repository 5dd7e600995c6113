"""What is planned for, and the pilot that the plan rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from data.readers.quick.accepted import Account
from flows.quick.labels import Reading, read_matrix
from flows.quick.remarks import remarks_on_labels
from flows.wording import counted
from metrics.agreement.distances import require_order
from metrics.agreement.label_matrix import LabelMatrix
from metrics.errors import MetricsError
from metrics.resampling.planning import PilotVariance

_FEW = 10  # documents of a pilot
_MISSING = 0.05  # share of the labels that is told
_TOO_MANY_MISSING = 0.5

OF_A_CROWD = (  # coefficients that do not ask who gave a label
    "krippendorff_alpha", "fleiss_kappa", "weighted_pi", "gwet_ac1", "gwet_ac2", "bennett_s",
    "weighted_s", "percent_agreement", "weighted_agreement",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlanAsked:
    """What is planned for: a coefficient, the width of its interval, and what may be spent.

    crew   the annotators to come are others of the same kind, not the pilot's own
    crowd  other people label each item: "annotators" are labels an item, whoever gives them
    """

    measure: str = "krippendorff_alpha"
    distance: str = "nominal"
    width: float = 0.1
    annotators: tuple[int, ...] = tuple(range(2, 11))
    level: float = 0.95
    crew: bool = False
    crowd: bool = False
    budget: float | None = None
    cost_per_label: float = 1.0
    cost_per_annotator: float = 0.0
    seed: int = 0


def read_pilot(
    path: Path, reading: Reading, asked: PlanAsked
) -> tuple[LabelMatrix, Account, list[str]]:
    """The pilot's labels as the plan takes them, the account of their rows, remarks on names.

    Raises DataError for what holds no label, MetricsError for what cannot be planned with it.
    """
    if not asked.annotators or min(asked.annotators) < 2:
        raise MetricsError("agreement needs two annotators: give numbers of at least 2")
    matrix, account = read_matrix(path, reading)
    if not reading.tagset:
        require_order(matrix.tagset, asked.distance, (asked.measure,), declare="--tagset")
    return _as_asked(matrix, asked, path), account, remarks_on_labels(matrix)


def _as_asked(matrix: LabelMatrix, asked: PlanAsked, path: Path) -> LabelMatrix:
    """The pilot's matrix; of a crowd, its columns are the first label of each item, the second …

    Raises MetricsError for a pilot of too few labels, and for what a crowd cannot be asked.
    """
    missing = float((matrix.codes < 0).mean())
    if not asked.crowd:
        if missing > _TOO_MANY_MISSING:
            raise MetricsError(
                f"{path}: {missing:.0%} of the labels that {matrix.n_annotators} annotators could "
                "have given are missing, which says little of annotators who label all: where "
                "other people label each item, add --crowd"
            )
        return matrix
    if asked.measure not in OF_A_CROWD:
        raise MetricsError(
            f"{asked.measure} asks who gave a label, which is another person for each item of a "
            f"crowd; take one of {', '.join(OF_A_CROWD)}"
        )
    if asked.crew:
        raise MetricsError("--crew is of annotators, --crowd of labels: leave one of them out")
    rng = np.random.default_rng(asked.seed)
    order = rng.random(matrix.codes.shape)
    order[matrix.codes < 0] = 2.0  # what is missing last
    columns = np.argsort(order, axis=1)[:, : int((matrix.codes >= 0).sum(axis=1).max(initial=0))]
    codes = np.take_along_axis(matrix.codes, columns, axis=1)
    names = tuple(f"label {k + 1}" for k in range(codes.shape[1]))
    return replace(matrix, codes=codes, annotators=names, roles=())


def remarks_on_pilot(matrix: LabelMatrix, pilot: PilotVariance) -> list[str]:
    found = []
    if pilot.n_documents < _FEW:
        what = "document" if matrix.documents is not None else "item"
        found.append(
            f"the pilot has {counted(pilot.n_documents, what)}: what it says of a variance is "
            "little more than its order of magnitude"
        )
    missing = float((matrix.codes < 0).mean())
    if missing > _MISSING:
        found.append(
            f"{missing:.0%} of the pilot's labels are missing, and the plan is for a campaign with "
            "as many missing; its labels are counted as if none were"
        )
    return found
