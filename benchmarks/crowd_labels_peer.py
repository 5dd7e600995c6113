"""Aggregations of crowd-kit for `crowd_labels.py`, in an interpreter that has it.

PYTHON benchmarks/crowd_labels_peer.py labels.json    # prints labels and reliabilities as JSON

HMMCrowd, which crowd-kit does not have, is a model of sequences: `consensus.py` compares with it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def diagonal(errors: Any, priors: Any) -> dict[str, float]:
    """Return the expected share of right labels from confusion matrices (worker, label; true)."""
    found: dict[str, float] = {}
    for (worker, label), row in errors.iterrows():
        found[worker] = found.get(worker, 0.0) + float(row.get(label, 0.0)) * float(priors[label])
    return found


def main(path: str) -> None:
    import pandas as pd
    from crowdkit.aggregation import GLAD, MACE, DawidSkene, MajorityVote, OneCoinDawidSkene

    rows = json.loads(Path(path).read_text(encoding="utf-8"))
    table = pd.DataFrame(rows, columns=["task", "worker", "label"])
    found = {}
    for one in (MajorityVote(), DawidSkene(), OneCoinDawidSkene(), GLAD(), MACE()):
        labels = one.fit_predict(table)
        name = type(one).__name__
        reliability: dict[str, float] = {}
        if name == "DawidSkene":
            reliability = diagonal(one.errors_, one.priors_)
        elif name == "GLAD":
            reliability = {str(k): float(v) for k, v in one.alphas_.items()}
        elif name == "MACE":
            spam = one.spamming_[:, 1]
            workers = list(dict.fromkeys(table["worker"]))
            reliability = dict(zip(workers, spam.tolist(), strict=True))
        elif getattr(one, "skills_", None) is not None:
            reliability = {str(k): float(v) for k, v in one.skills_.items()}
        found[f"crowd-kit {name}"] = {
            "labels": {str(k): str(v) for k, v in labels.items()},
            "reliability": reliability,
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
