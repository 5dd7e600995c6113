"""What every result of the interface can do: become a table of another kind, as text or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import narwhals as nw

from ..reports.text_tables import TextForm, table_as_text


class Tabular:
    """A result with a table, its `to_frame`."""

    to_frame: Callable[..., Any]

    def to_markdown(self) -> str:
        """Return the table in Markdown, with three digits."""
        return self._as_text("markdown")

    def to_latex(self) -> str:
        """Return the table in LaTeX, with the rules of booktabs and three digits."""
        return self._as_text("latex")

    def to_csv(self) -> str:
        """Return the table as comma-separated values, with all digits."""
        return self._as_text("csv")

    def _as_text(self, form: TextForm) -> str:
        frame = nw.from_native(self.to_frame(), eager_only=True)
        return table_as_text(frame.to_dict(as_series=False), form)
