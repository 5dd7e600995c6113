"""Account of the rows of an export: every row has exactly one fate, and the counts add up.

A row is a record of the files: one label, unit or relation, or what a reader rejected in its place.
Documents and assignments are derived from records and are no rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from .errors import DataError
from .schema import Rejected, Role
from .sentences import shorten

Per = Literal["document", "item"]


@dataclass(frozen=True, slots=True)
class RowAccount:
    """Numbers of rows that a command read, by fate, and the number of annotators.

    n_read           rows in the export
    measured         rows that enter at least one measure of the command
    also_reference   measured rows that also serve as reference
    reference_only   rows of a reference that enter no measure of agreement
    system           rows of systems
    audit            rows of an audit, which estimates the error of a reference
    excluded         reason (`ExclusionReason`) → valid rows that no measure uses
    rejected         rule → invalid rows
    n_annotators     annotators with measured rows, or who finished a measured document without rows
    most_annotators  largest number of annotators in one document (or item, see `per`)

    Raises RuntimeError when the fates do not add up to `n_read`.
    """

    n_read: int
    measured: int = 0
    also_reference: int = 0
    reference_only: int = 0
    system: int = 0
    audit: int = 0
    excluded: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    n_annotators: int = 0
    most_annotators: int = 0
    per: Per = "document"

    def __post_init__(self) -> None:
        fates = self.measured + self.reference_only + self.system + self.audit
        fates += self.n_excluded + self.n_rejected
        if fates != self.n_read:
            raise RuntimeError(
                f"rows were lost: {self.n_read} read, {fates} accounted for ({self}); please "
                "report this"
            )

    @property
    def n_excluded(self) -> int:
        return sum(self.excluded.values())

    @property
    def n_rejected(self) -> int:
        return sum(self.rejected.values())

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class RowTally:
    """Counts rows by fate while one or several exports are read.

    references  (document, annotator) pairs whose rows of the first pass also serve as reference
    copies      (document, annotator) pairs that repeat rows of `references`; they are not counted
    """

    n_read: int = 0
    measured: int = 0
    also_reference: int = 0
    reference_only: int = 0
    system: int = 0
    audit: int = 0
    excluded: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    annotators: set[str] = field(default_factory=set)
    most_annotators: int = 0
    per: Per = "document"
    references: set[tuple[str, str]] = field(default_factory=set)
    copies: set[tuple[str, str]] = field(default_factory=set)

    @property
    def n_accepted(self) -> int:
        """Number of rows that no rule rejects and no reader excludes."""
        return self.n_read - self.rejected.total() - self.excluded.total()

    def copy(self) -> RowTally:
        return deepcopy(self)

    def exclude(self, reason: str, n: int = 1, *, n_reference: int = 0) -> None:
        """Count `n` rows without an agreement measure; `n_reference` of them serve as reference."""
        if n > n_reference:
            self.excluded[reason] += n - n_reference
        self.reference_only += n_reference

    def reject(self, rule: str, n: int = 1) -> None:
        if n:
            self.rejected[rule] += n

    def set_apart(self, role: str, n: int = 1) -> None:
        """Count `n` rows of a role that enters no measure of agreement."""
        match role:
            case Role.SYSTEM:
                self.system += n
            case Role.AUDIT:
                self.audit += n
            case _:
                self.reference_only += n

    def measure(
        self, n: int, annotators: Iterable[str], most: int, *, n_reference: int = 0
    ) -> None:
        """Count `n` measured rows of these annotators.

        most         largest number of annotators in one document (or item)
        n_reference  number of these rows that also serve as reference
        """
        self.measured += n
        self.also_reference += n_reference
        self.annotators.update(annotators)
        self.most_annotators = max(self.most_annotators, most)

    def account(self) -> RowAccount:
        return RowAccount(
            self.n_read,
            self.measured,
            self.also_reference,
            self.reference_only,
            self.system,
            self.audit,
            dict(self.excluded),
            dict(self.rejected),
            len(self.annotators),
            self.most_annotators,
            self.per,
        )


class ExportAccount(NamedTuple):
    """Account of the rows of an export: counts by fate, and the rejected rows.

    settings  how the layer was read, for the signatures of its measures
    """

    tally: RowTally
    rejected: list[Rejected]
    settings: Mapping[str, str] = MappingProxyType({})

    @property
    def rows(self) -> RowAccount:
        """Return the row account. Raises RuntimeError while some rows have no fate."""
        return self.tally.account()


def require_no_rejected(rejected: Sequence[Rejected]) -> None:
    """Raise DataError naming the first rejected row, if there is one."""
    if rejected:
        more = len(rejected) - 1
        raise DataError(
            rejection_sentence(rejected[0]) + (f" (and {more:,} more rejected)" if more else "")
        )


def rejection_summary(rejected: Sequence[Rejected]) -> str:
    """Describe how many rows were rejected, and the first of them; "" for none."""
    if not rejected:
        return ""
    rows = "1 row" if len(rejected) == 1 else f"{len(rejected):,} rows"
    return f"{rows} rejected; the first: {rejection_sentence(rejected[0])}"


def rejection_sentence(row: Rejected) -> str:
    """Say where the row is and what is wrong; messages about a whole file already name it."""
    place = "" if row.source in row.message else f"{row.source} {row.location}".strip() + ": "
    return shorten(f"{place}{row.message}")
