"""What the columns of a run's tables hold, written into their Parquet fields and the reference."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

_COLUMNS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

DESCRIPTIONS: Mapping[str, str] = _COLUMNS["descriptions"]
UNITS: Mapping[str, str] = _COLUMNS["units"]
"""Unit of a column of numbers; `offset_unit`: the column of `documents` that has it."""


def described(schema: pa.Schema, *, campaign: str = "") -> pa.Schema:
    """Return the schema with the description and unit of each field, and the campaign's name.

    The run is not stated: equal inputs give equal bytes in every run.
    """
    fields = []
    for one in schema:
        known = {"description": DESCRIPTIONS.get(one.name), "unit": UNITS.get(one.name)}
        told = {name: text for name, text in known.items() if text}
        fields.append(one.with_metadata(told) if told else one)
    return pa.schema(fields, metadata={"accordeur.campaign": campaign} if campaign else None)
