"""The results of the Python interface that are frozen: name → function without arguments.

Simulated labels of a seed: 60 items in 6 documents, 5 annotators, 4 categories, with gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import accordeur as acc

RNG = np.random.default_rng(38)
TRUTH = RNG.integers(1, 5, 60)
GIVEN = np.where(RNG.random((5, 60)) < 0.7, TRUTH, RNG.integers(1, 5, (5, 60))).astype(float)
GIVEN[RNG.random((5, 60)) < 0.2] = np.nan
LABELS = pd.DataFrame(
    [
        (f"d{i // 10}", f"i{i}", f"a{a}", f"c{int(GIVEN[a, i])}", ("x", "y")[a % 2])
        for i in range(60)
        for a in range(5)
        if not np.isnan(GIVEN[a, i])
    ],
    columns=["document", "item", "annotator", "label", "group"],
)
WITH_SYSTEM = pd.concat(
    [
        LABELS,
        pd.DataFrame(
            {
                "document": [f"d{i // 10}" for i in range(60)],
                "item": [f"i{i}" for i in range(60)],
                "annotator": "model",
                "label": [f"c{label}" for label in TRUTH],
            }
        ),
    ]
)
RATINGS = pd.DataFrame(
    [(i, f"a{a}", GIVEN[a, i]) for i in range(60) for a in range(5) if not np.isnan(GIVEN[a, i])],
    columns=["item", "annotator", "label"],
)
COMPLETE = RATINGS[RATINGS.groupby("item").label.transform("count") == 5]
UNITS = pd.DataFrame(
    [
        (f"d{d}", who, start := 10 * u + int(RNG.integers(0, 3)), start + 5, "ABC"[(u + d) % 3])
        for d in range(6)
        for who in ("ann", "bob", "cleo")
        for u in range(4)
        if RNG.random() < 0.85
    ],
    columns=["document", "annotator", "start", "end", "category"],
)
GOLD = LABELS[LABELS.annotator == "a0"][["document", "item", "label"]]
OF_A1 = LABELS[LABELS.annotator == "a1"][["document", "item", "label"]]
PEOPLE = {"group": {f"a{a}": ("x", "y")[a % 2] for a in range(5)}}


def _values(found: Any) -> Any:
    return {
        "values": [one.to_dict() for one in found],
        "warnings": found.warnings,
        "account": found.account,
    }


def _frame(frame: Any) -> Any:
    return frame.reset_index(drop=True).astype(object).where(frame.notna(), None).to_dict("records")


RESULTS: dict[str, Callable[[], Any]] = {
    "python-agreement": lambda: _values(acc.agreement(LABELS, document="document")),
    "python-agreement-annotators": lambda: _values(
        acc.agreement(LABELS, interval="annotators", measures=["krippendorff_alpha"])
    ),
    "python-alpha": lambda: acc.krippendorff_alpha(GIVEN, rows="annotators").to_dict(),
    "python-alpha-interval": lambda: acc.krippendorff_alpha(
        GIVEN, rows="annotators", scale="interval"
    ).to_dict(),
    "python-kappa": lambda: acc.cohen_kappa(*GIVEN[:2], complete=True).to_dict(),
    "python-ac2": lambda: acc.coefficient(
        "gwet_ac2", GIVEN, rows="annotators", distance="quadratic"
    ).to_dict(),
    "python-modification": lambda: _values(acc.modification_rate(LABELS)),
    "python-plan": lambda: _frame(acc.plan(LABELS, width=0.1).to_frame()),
    "python-gamma": lambda: _values(acc.gamma(UNITS, precision=0.05).values),
    "python-score": lambda: _frame(
        acc.score(GOLD, {"a1": OF_A1}, item="item", label="label").to_frame()
    ),
    "python-score-units": lambda: _frame(
        acc.score(
            UNITS[UNITS.annotator == "ann"], {"bob": UNITS[UNITS.annotator == "bob"]}
        ).to_frame()
    ),
    "python-consensus": lambda: _frame(acc.consensus(LABELS, label="label").annotators),
    "python-soft": lambda: _frame(acc.soft_labels(LABELS, rule="dirichlet").to_frame()),
    "python-mistakes": lambda: _frame(acc.mistakes(LABELS).to_frame()),
    "python-replace": lambda: _frame(acc.replacement(WITH_SYSTEM, systems=["model"]).to_frame()),
    "python-groups": lambda: _frame(acc.compare_groups(LABELS, PEOPLE, replicates=200).to_frame()),
    "python-icc": lambda: _values(acc.icc(COMPLETE)),
    "python-g-study": lambda: _values(acc.g_study(RATINGS)),
    "python-limits": lambda: _values(acc.limits_of_agreement(COMPLETE)),
    "python-scales": lambda: _values(acc.scales(COMPLETE)),
    "python-k-rater": lambda: _values(acc.k_rater_reliability(LABELS, document="document")),
    "python-next": lambda: _frame(
        acc.next_labels(LABELS, document="document", budget=20).to_frame()
    ),
}
