"""What was assumed or ignored while an export was read, for the output of commands and runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field


@dataclass(slots=True)
class SourceNotes:
    """Notes that are collected while a source is read.

    ignored_columns      columns of tables that no row uses
    n_annotator_folders  folders with files of the same names, each read as one annotator's
    """

    ignored_columns: list[str] = field(default_factory=list)
    n_annotator_folders: int = 0

    def ignore(self, columns: Iterable[str]) -> None:
        self.ignored_columns += [one for one in columns if one not in self.ignored_columns]

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    def add(self, other: SourceNotes) -> None:
        """Add the notes of another source."""
        self.ignore(other.ignored_columns)
        self.n_annotator_folders += other.n_annotator_folders

    @staticmethod
    def from_json(value: Mapping[str, object]) -> SourceNotes:
        """Make notes from `as_json`. Raises TypeError for other fields."""
        return SourceNotes(**value)  # type: ignore[arg-type]  # written by `as_json`
