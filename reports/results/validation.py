"""Rows in, accepted and rejected, with what was expected of them."""

from __future__ import annotations

from pydantic import Field

from ...data.account import RowAccount
from ..value import Model


class Expectation(Model):
    name: str
    table: str
    description: str
    layer: str = ""  # of the expectations on a layer's tagset
    passed: bool
    n_rows: int
    n_unexpected: int = 0
    examples: list[str] = Field(default_factory=list)


class RejectedRow(Model):
    source: str
    location: str
    rule: str
    value: str
    message: str
    document: str = ""
    annotator: str = ""
    table_name: str = ""
    link: str = ""  # address of the source relative to the page, "" for none


class Validation(Model):
    """Rows of all tables that the run read. `account` counts labels, units and relations by fate.

    What stands in the account as excluded by the readers is not in `rows_in`.
    """

    rows_in: int
    rows_accepted: int
    rows_rejected: int
    account: RowAccount | None = None
    on_rejected: str = "continue"  # continue | stop; of an export without campaign: set_aside
    expectations: list[Expectation] = Field(default_factory=list)
    rejected: list[RejectedRow] = Field(default_factory=list)  # the first of them; Parquet has all
