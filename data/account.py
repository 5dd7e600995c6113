"""What became of every row of an export: each has one fate, and they add up.

A row is one label, unit or relation that the export holds, or one rejected row of any table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from .schema import Role

Per = Literal["document", "item"]


@dataclass(frozen=True, slots=True)
class RowAccount:
    """The rows that a command read, by fate, and who gave the measured ones.

    n_read           rows that the export holds
    measured         rows that enter at least one measure of the command
    also_reference   of those, the rows that serve as reference too
    reference_only   rows of a reference that no agreement is measured on
    system           rows of systems
    excluded         reason (`ExclusionReason`) → valid rows that no measure uses
    rejected         rule → invalid rows
    n_annotators     people who gave measured rows, or finished a measured document without any
    most_annotators  the most of them that one document (or item, see `per`) has

    Raises RuntimeError when the fates do not add up to `n_read`.
    """

    n_read: int
    measured: int = 0
    also_reference: int = 0
    reference_only: int = 0
    system: int = 0
    excluded: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    n_annotators: int = 0
    most_annotators: int = 0
    per: Per = "document"

    def __post_init__(self) -> None:
        fates = self.measured + self.reference_only + self.system
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
    """Counts the rows of one or several exports while they are read and sorted out.

    references  (document, annotator) whose rows of the first pass serve as reference too
    copies      (document, annotator) whose rows are those of `references`, and are not counted
    """

    n_read: int = 0
    measured: int = 0
    also_reference: int = 0
    reference_only: int = 0
    system: int = 0
    excluded: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    annotators: set[str] = field(default_factory=set)
    most_annotators: int = 0
    per: Per = "document"
    references: set[tuple[str, str]] = field(default_factory=set)
    copies: set[tuple[str, str]] = field(default_factory=set)

    def copy(self) -> RowTally:
        return deepcopy(self)

    def exclude(self, reason: str, n: int = 1, *, n_reference: int = 0) -> None:
        """`n` rows that no agreement is measured on; `n_reference` of them serve as reference."""
        if n > n_reference:
            self.excluded[reason] += n - n_reference
        self.reference_only += n_reference

    def reject(self, rule: str, n: int = 1) -> None:
        if n:
            self.rejected[rule] += n

    def set_apart(self, role: str, n: int = 1) -> None:
        """Rows of a system or of a reference, of which no agreement is measured."""
        if role == Role.SYSTEM:
            self.system += n
        else:
            self.reference_only += n

    def measure(
        self, n: int, annotators: Iterable[str], most: int, *, n_reference: int = 0
    ) -> None:
        """`n` measured rows by these annotators, of whom a document (or item) has `most`.

        n_reference  of these rows, those that serve as reference too
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
            dict(self.excluded),
            dict(self.rejected),
            len(self.annotators),
            self.most_annotators,
            self.per,
        )
