"""Functions of frames give the same values whatever the columns are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc

LABELS = {"item": "tweet", "annotator": "worker", "label": "stance", "document": "thread"}
UNITS = {"document": "text", "annotator": "who", "start": "from", "end": "to", "category": "type"}
FAST: dict[str, Any] = {"replicates": 20}


def labels() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=40)
    rows = [
        (f"i{item}", who, "xyz"[code if rng.random() < 0.7 else rng.integers(3)], f"d{item % 8}")
        for item, code in enumerate(truth)
        for who in ("ana", "ben", "cem", "gpt")
    ]
    return pd.DataFrame(rows, columns=[*LABELS])


def units() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    rows = [
        (f"d{home}", who, 20 * k + int(rng.integers(3)), 20 * k + 9, "xy"[rng.integers(2)])
        for home in range(5)
        for k in range(4)
        for who in ("ana", "ben", "cem")
    ]
    return pd.DataFrame(rows, columns=[*UNITS])


def gold() -> pd.DataFrame:
    return labels().query("annotator == 'ana'").drop(columns="annotator")


def system() -> pd.DataFrame:
    return labels().query("annotator == 'gpt'").drop(columns="annotator")


OF_LABELS: dict[str, Callable[..., Any]] = {
    "agreement": lambda f, **c: acc.agreement(f, **c, **FAST),
    "agreement by pair": lambda f, **c: acc.agreement(f, by="pair", **c, **FAST),
    "consensus": acc.consensus,
    "majority": lambda f, **c: acc.consensus(f, rule="majority", **c),
    "consensus with gold": lambda f, **c: acc.consensus(f, gold="ana", **c),
    "compare": lambda f, **c: acc.compare(f, f, **c, **FAST),
    "modification_rate": acc.modification_rate,
    "plan": lambda f, **c: acc.plan(f, width=0.2, **c),
    "mistakes": acc.mistakes,
    "soft_labels": acc.soft_labels,
    "next_labels": lambda f, **c: acc.next_labels(f, budget=5, **c),
    "judge": lambda f, **c: acc.judge(f, judges="gpt", **c, **FAST),
    "replacement": lambda f, **c: acc.replacement(f, systems="gpt", **c, **FAST),
    "estimate": lambda f, **c: acc.estimate(f, systems="gpt", audit_is_random=True, **c),
    "compare_groups": lambda f, **c: acc.compare_groups(
        f,
        {"team": {"ana": "a", "ben": "a", "cem": "b", "gpt": "b"}},
        smallest_group=2, permutations=9, **c, **FAST,
    ),
}  # fmt: skip
OF_UNITS: dict[str, Callable[..., Any]] = {
    "gamma": lambda f, **c: acc.gamma(f, **c, **FAST),
    "consensus": acc.consensus,
    "compare": lambda f, **c: acc.compare(f, f, **c, **FAST),
    "mistakes": acc.mistakes,
}


@pytest.mark.parametrize("name", OF_LABELS)
def test_labels_of_renamed_columns_have_the_same_result(name: str) -> None:
    function = OF_LABELS[name]
    _are_alike(function(labels().rename(columns=LABELS), **LABELS), function(labels()), LABELS)


@pytest.mark.parametrize("name", OF_UNITS)
def test_units_of_renamed_columns_have_the_same_result(name: str) -> None:
    function = OF_UNITS[name]
    _are_alike(function(units().rename(columns=UNITS), **UNITS), function(units()), UNITS)


def _are_alike(renamed: Any, plain: Any, names: Mapping[str, str]) -> None:
    """The values are the same, and a table of items names its columns as the data do."""
    columns, own = renamed.to_frame(), plain.to_frame()
    assert columns.to_csv(header=False) == own.to_csv(header=False)
    assert [*columns] in ([*own], [names.get(one, one) for one in own])


def test_scores_of_renamed_columns_are_the_same() -> None:
    named = {name: own for name, own in LABELS.items() if name != "annotator"}
    plain = acc.score(gold(), {"gpt": system()}, **FAST)
    renamed = (one.rename(columns=named) for one in (gold(), system()))
    assert acc.score(next(renamed), {"gpt": next(renamed)}, **named, **FAST) == plain


def test_an_item_of_two_columns_has_the_same_consensus() -> None:
    """The joined names are those of the items, and nothing else differs."""
    frame = labels().drop(columns="document")
    parted = frame.assign(page="p", line=frame["item"])
    found = acc.consensus(parted, item=["page", "line"])
    assert [*found.data["item"]] == [f"p + {one}" for one in acc.consensus(frame).data["item"]]
    assert [*found.data["label"]] == [*acc.consensus(frame).data["label"]]
