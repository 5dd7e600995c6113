"""Machine-readable output of a calibration: TOML for the campaign file, and JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from ...metrics.arrays import Ints32
from ...metrics.close_names import probable_misspellings
from ...metrics.estimate import Estimate, json_value
from ...metrics.options import Weights
from ...metrics.reason import reason_fields
from ...metrics.results import DocumentShare, ProposedDistance
from ..inputs.results_of_exports import rows_json, warnings_json
from .calibrate import Calibration, Material

_DIGITS = 2  # decimal places of a proposed distance
_ASK = (
    "# Proposed by `accordeur calibrate` from how these annotators confused categories: for a",
    "# person to accept, change or leave. Near means confused here, which is a reason only where",
    "# the guideline means it so. Pairs that are not named are 1 apart.",
)


def as_toml(found: Calibration) -> str:
    """Return the current setting and the proposed distances in the syntax of a campaign file."""
    present = found.material.dissimilarity
    lines = [
        "[units]  # the current setting, for you to change: no curve says which is right",
        *(f"{option.name} = {_value(getattr(present, option.name))}" for option in fields(Weights)),
    ]
    if found.proposal is None:
        return "\n".join(lines)
    continua = found.material.continua
    codes = np.concatenate([one.categories for one in continua])
    as_found = "  # as found" if found.material.account else ""
    tagset, listed = proposed_tagset(continua[0].tagset, codes, as_found)
    named = [
        one
        for one in found.proposal.seen
        if one.first in tagset and one.second in tagset and round(one.distance, _DIGITS) < 1
    ]
    if not named:
        return "\n".join(lines)
    layer = _toml_key(found.material.layer or "units")
    mine = "" if found.material.layer else "  # your name of the layer"
    lines += ["", *_ASK, f"[layers.{layer}]{mine}", *listed]
    lines += ["", f"[layers.{layer}.distance]"]
    for one in named:
        known = not math.isnan(one.interval[0])
        span = f"{one.interval[0]:.2f} … {one.interval[1]:.2f}, " if known else ""
        lines.append(
            f"{_toml_key(one.first)}.{_toml_key(one.second)} = {one.distance:.{_DIGITS}f}  "
            f"# {span}weight of their pairs {one.weight:.3g}"
        )
    return "\n".join(lines)


def proposed_tagset(
    tagset: Sequence[str], codes: Ints32, remark: str = ""
) -> tuple[list[str], list[str]]:
    """Return the categories that are not probably misspelt, and lines of TOML that list them."""
    n_uses = np.bincount(codes[codes >= 0], minlength=len(tagset)).tolist()
    wrong = probable_misspellings(tagset, n_uses)
    said = ", ".join(f"{_text(name)} for {_text(meant)}" for name, meant in wrong.items())
    left_out = [f"# left out, used once and probably misspelt: {said}"] if wrong else []
    kept = [name for name in tagset if name not in wrong]
    return kept, [f"categories = [{', '.join(map(_text, kept))}]{remark}", *left_out]


def current_distance(material: Material, one: ProposedDistance) -> float:
    """Return the current distance between the two categories."""
    tagset = material.continua[0].tagset
    distances = material.dissimilarity.distances_with_unlabelled(len(tagset))
    row, column = (
        tagset.index(name) if name in tagset else len(tagset) for name in (one.first, one.second)
    )
    return float(distances[row, column])


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _value(setting: float | str) -> str:
    return _text(setting) if isinstance(setting, str) else f"{setting:g}"


def _text(name: str) -> str:
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_json(found: Calibration) -> dict[str, Any]:
    """Return plain values for JSON: null where undefined."""
    material, proposal = found.material, found.proposal
    return {
        "present": {
            "position": material.dissimilarity.position,
            "alpha": material.dissimilarity.alpha,
            "beta": material.dissimilarity.beta,
            "delta_empty": material.dissimilarity.delta_empty,
            "gamma": _gamma_json(found.present),
            "n_documents": found.n_documents,
        },
        "curves": {
            setting: [
                {
                    "value": point.value,
                    "gamma": _gamma_json(point.gamma),
                    "n_unitary": point.n_unitary,
                    "aligned_units": _share_json(point.aligned),
                    "kept_pairs": _share_json(point.kept),
                }
                for point in points
            ]
            for setting, points in found.curves.items()
        },
        "distances": None
        if proposal is None
        else {
            "tagset": list(proposal.tagset),
            "matrix": proposal.distances.tolist(),
            "seen": [
                {
                    **one._asdict(),
                    "interval": json_value(one.interval),
                    "at_present": current_distance(material, one),
                }
                for one in proposal.seen
            ],
            "unseen": list(proposal.unseen),
            "signature": found.proposal_signature,
        },
        "toml": as_toml(found),
        **_row_counts(material),
        "warnings": warnings_json(material.remarks),
    }


def _row_counts(material: Material) -> dict[str, Any]:
    """Row counts of an export; those of a campaign are in the results of its run."""
    account = material.account
    return (
        {"rows": None, "rejected": []}
        if account is None
        else rows_json(account.rows, account.rejected)
    )


def _gamma_json(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": json_value(estimate.value),
        "interval": json_value(estimate.interval),
        **reason_fields(estimate.reason),
        "signature": estimate.signature,
    }


def _share_json(share: DocumentShare) -> dict[str, Any]:
    return {"value": json_value(share.value), "interval": json_value(share.interval)}
