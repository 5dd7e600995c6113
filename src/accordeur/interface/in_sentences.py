"""Results for notebooks that read as sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from .frames import Frame, Kind, html_table


class InSentences:
    """Part of the results document with a table: its text are sentences, in notebooks a table."""

    warnings: Sequence[str]
    _found: Any

    @property
    @abstractmethod
    def sentences(self) -> list[str]: ...

    @abstractmethod
    def to_frame(self, kind: Kind | None = None) -> Frame: ...

    def to_dict(self) -> dict[str, Any]:
        """Return what the command prints with ``--json``, without the rows."""
        return dict(self._found.model_dump(mode="json"))

    def __repr__(self) -> str:
        return "\n".join([*self.sentences, *(f"warning: {one}" for one in self.warnings)])

    def _repr_html_(self) -> str:
        return html_table(self.to_frame("pandas"))
