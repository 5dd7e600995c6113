"""Calls measured by `agreement.py`: labels from a seed, our functions and the peers' ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

N_CATEGORIES = 8
N_ANNOTATORS = 10
N_DOCUMENTS = 1_000
Data = Any


# ---------------------------------------------------------------------------------------- data


def matrix(n_items: int, missing: float) -> np.ndarray:
    """Labels of annotators who are right three times out of four, float64 (A, N), nan: missing."""
    rng = np.random.default_rng(0)
    truth = rng.choice(N_CATEGORIES, n_items, p=rng.dirichlet(np.full(N_CATEGORIES, 3.0)))
    guess = rng.integers(0, N_CATEGORIES, (N_ANNOTATORS, n_items))
    labels = np.where(rng.random(guess.shape) < 0.75, truth, guess) + 1.0
    labels[rng.random(guess.shape) < missing] = np.nan
    return labels


def columns(labels: np.ndarray) -> dict[str, list[str]]:
    annotators, items = np.indices(labels.shape)
    return {
        "item": [f"item-{k}" for k in items.ravel().tolist()],
        "annotator": [f"annotator-{k}" for k in annotators.ravel().tolist()],
        "label": [f"category-{k:.0f}" for k in labels.ravel().tolist()],
    }


def write_csv(path: Path, labels: np.ndarray) -> None:
    """Write by annotator: a process begins with the peak memory of the process that starts it."""
    with path.open("w", encoding="utf-8") as file:
        file.write("item,annotator,label\n")
        for k, row in enumerate(labels):
            file.writelines(f"item-{i},annotator-{k},category-{x:.0f}\n" for i, x in enumerate(row))


def write_campaign(folder: Path, labels: np.ndarray) -> Path:
    """Write a campaign of documents with as many items each; return its file."""
    n_items = labels.shape[1]
    document = np.arange(n_items) * N_DOCUMENTS // n_items
    with (folder / "labels.csv").open("w", encoding="utf-8") as file:
        file.write("document,item,annotator,label\n")
        for k, row in enumerate(labels):
            rows = zip(document.tolist(), row.tolist(), strict=True)
            file.writelines(f"d{d:04},i{i},a{k},c{x:.0f}\n" for i, (d, x) in enumerate(rows))
    tagset = ", ".join(f'"c{k + 1}"' for k in range(N_CATEGORIES))
    path = folder / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "Many labels"\n[[sources]]\npath = "labels.csv"\nformat = "table"\n'
        f'[layers.labels]\nkind = "items"\ntagset = [{tagset}]\n',
        encoding="utf-8",
    )
    return path


def as_matrix(labels: np.ndarray) -> Data:
    return labels


def two_annotators(labels: np.ndarray) -> Data:
    return labels[:2]


def pandas_frame(labels: np.ndarray) -> Data:
    import pandas as pd

    return pd.DataFrame(columns(labels))


def polars_frame(labels: np.ndarray) -> Data:
    import polars as pl

    return pl.DataFrame(columns(labels))


def arrow_table(labels: np.ndarray) -> Data:
    import pyarrow as pa

    return pa.table(columns(labels))


def campaign_matrix(labels: np.ndarray) -> Data:
    from accordeur.metrics.agreement.label_matrix import LabelMatrix

    n_items = labels.shape[1]
    return LabelMatrix(
        codes=labels.T.astype(np.int32) - 1,
        tagset=tuple(f"category-{k + 1}" for k in range(N_CATEGORIES)),
        annotators=tuple(f"annotator-{k}" for k in range(N_ANNOTATORS)),
        documents=np.arange(n_items) * N_DOCUMENTS // n_items,
    )


# ---------------------------------------------------------------------------------------- ours


def coefficient(name: str, **options: Any) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import accordeur as acc

        return float(acc.coefficient(name, data, rows="annotators", **options).value)

    return call


def our_alpha(**options: Any) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import accordeur as acc

        return float(acc.krippendorff_alpha(data, rows="annotators", **options).value)

    return call


def agreement(data: Data) -> float:
    import accordeur as acc

    return next(v.value for v in acc.agreement(data) if v.measure == "krippendorff_alpha")


def diagnosis(data: Data) -> float:
    """Return the number of findings; the labels are counted anew."""
    from accordeur.metrics.agreement.diagnosis.diagnose import diagnose

    return float(len(diagnose(replace(data))))


# --------------------------------------------------------------------------------------- peers
# These run in the peers' interpreter, without the project's packages.


def alpha_of_peer(level: str) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import krippendorff

        return float(krippendorff.alpha(data, level_of_measurement=level))

    return call


def irrcac(name: str) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import pandas as pd
        from irrCAC.raw import CAC

        found = getattr(CAC(pd.DataFrame(data.T), digits=6), name)()
        return float(found["est"]["coefficient_value"])

    return call


def statsmodels_fleiss(data: Data) -> float:
    """Count with NumPy: statsmodels' own `aggregate_raters` takes minutes."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    table = np.stack([(data == k + 1).sum(axis=0) for k in range(N_CATEGORIES)], axis=1)
    return float(fleiss_kappa(table))


def sklearn_cohen(data: Data) -> float:
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(data[0], data[1]))


@dataclass(frozen=True)
class Call:
    """A call of a function.

    missing  share of labels that are missing
    slow     measured once
    times    how many times the rows of the other calls
    """

    text: str
    function: Callable[[Data], float]
    convert: Callable[[np.ndarray], Data] = as_matrix
    missing: float = 0.2
    slow: bool = False
    times: int = 1


PEERS = {
    "krippendorff": Call("`krippendorff.alpha(m)`", alpha_of_peer("nominal")),
    "krippendorff interval": Call("`krippendorff.alpha`, interval", alpha_of_peer("interval")),
    "irrCAC gwet": Call("`CAC(frame).gwet()`", irrcac("gwet"), slow=True),
    "irrCAC conger": Call("`CAC(frame).conger()`", irrcac("conger"), slow=True),
    "statsmodels": Call("`fleiss_kappa`, counted by NumPy", statsmodels_fleiss, missing=0.0),
    "scikit-learn": Call("`cohen_kappa_score`", sklearn_cohen, two_annotators, missing=0.0),
}
ALONE: dict[str, Any] = {"replicates": 0}
OURS = {
    "alpha": Call("`acc.krippendorff_alpha(m, replicates=0)`", our_alpha(**ALONE)),
    "alpha interval": Call("`acc.krippendorff_alpha(m)`, with its interval", our_alpha()),
    "alpha numeric": Call(
        '`acc.krippendorff_alpha(m, scale="interval", replicates=0)`',
        our_alpha(scale="interval", **ALONE),
    ),
    "gwet": Call(
        '`acc.coefficient("gwet_ac1", m, replicates=0)`', coefficient("gwet_ac1", **ALONE)
    ),
    "conger": Call(
        '`acc.coefficient("conger_kappa", m, replicates=0)`', coefficient("conger_kappa", **ALONE)
    ),
    "fleiss": Call(
        '`acc.coefficient("fleiss_kappa", m, replicates=0)`, none missing',
        coefficient("fleiss_kappa", **ALONE),
        missing=0.0,
    ),
    "cohen": Call(
        '`acc.coefficient("cohen_kappa", m, replicates=0)`, two annotators, none missing',
        coefficient("cohen_kappa", **ALONE),
        two_annotators,
        missing=0.0,
    ),
    "pandas": Call("`acc.agreement(frame)`, pandas", agreement, pandas_frame, missing=0.0),
    "polars": Call("`acc.agreement(frame)`, polars", agreement, polars_frame, missing=0.0),
    "Arrow": Call("`acc.agreement(frame)`, Arrow", agreement, arrow_table, missing=0.0),
    "diagnosis": Call(
        "diagnosis in a campaign, ten times as many labels",
        diagnosis,
        campaign_matrix,
        missing=0.0,
        times=10,
    ),
}
BESIDE = {  # our call: the peer's
    "alpha": "krippendorff",
    "alpha interval": "krippendorff",
    "alpha numeric": "krippendorff interval",
    "gwet": "irrCAC gwet",
    "conger": "irrCAC conger",
    "fleiss": "statsmodels",
    "cohen": "scikit-learn",
}
FRAMES = ("pandas", "polars", "Arrow")
