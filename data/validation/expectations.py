"""The user's expectations about the tables: entries of `[[expectations]]` in the campaign file.

A critical condition on single rows is a rule like ours: rows that break it are rejected. All other
expectations (a number of rows, a mean, a share with `mostly`, other severities) are evaluated on
the accepted rows of the whole campaign, are reported, and reject nothing. `data.validation.checks`
evaluates both with Great Expectations, which this module does not import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..schema import SCHEMAS
from .rule import Booleans, Declared, Rule, shown_column

_COLUMN_ARGUMENTS = ("column", "column_A", "column_B", "column_list")


class Severity(StrEnum):
    """Severities of Great Expectations; only `critical` rejects rows."""

    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Expectation:
    """An entry of `[[expectations]]`; `number` is its index there, from 0.

    `type` is its name in Great Expectations: `expect_column_values_to_be_in_set`.
    """

    number: int
    table: str
    type: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    severity: str = Severity.CRITICAL
    description: str = ""

    @property
    def key(self) -> str:
        """Return its key in the campaign file, for messages."""
        return f"expectations[{self.number}]"

    @property
    def words(self) -> str:
        """Return a description of the expectation."""
        arguments = ", ".join(f"{name} = {value!r}" for name, value in self.arguments.items())
        return self.description or f"{self.type} ({arguments})"

    @property
    def column(self) -> str:
        """Return the column with the values of rows that break it, and null for other rows."""
        return f"value for {self.key}"

    @property
    def columns(self) -> list[str]:
        """Return the columns of the table that its arguments name."""
        named: list[str] = []
        for argument in _COLUMN_ARGUMENTS:
            value = self.arguments.get(argument, ())
            named += [value] if isinstance(value, str) else value
        return named

    def rule(self) -> Rule:
        """Return the rule that rejects its rows; the view must have its `column`."""

        def broken(rows: pa.Table, declared: Declared) -> Booleans:
            return pc.is_valid(rows[self.column])

        advice = f"correct the row, or {self.key} in the campaign file"
        return Rule(
            self.type,
            self.table,
            self.words,
            f"not as expected: {self.words}",
            self.column,
            advice,
            broken,
        )


def columns_for_expectations(table: str) -> list[str]:
    """Return the columns of the table that an expectation may name: all that are not lists.

    For labels, `category` has the labels of the item, joined by " + ".
    """
    flat = [one.name for one in SCHEMAS[table] if not pa.types.is_nested(one.type)]
    return [*flat, "category"] if table == "labels" else flat


def with_expectation_columns(table: str, rows: pa.Table) -> pa.Table:
    """Return the rows with the columns that expectations use."""
    if table == "labels":
        rows = rows.append_column("category", shown_column(rows, "category"))
    return rows.select(columns_for_expectations(table))
