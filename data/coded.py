"""A column of texts as numbers: rows are compared and counted by arrays, not by their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Coded(Sequence[Any]):
    """A column of texts by number: row r holds `texts[codes[r]]`, or None where it is -1.

    codes  int32 (R,)
    texts  the different texts, used or not
    """

    codes: NDArray[np.int32]
    texts: Sequence[str]

    @classmethod
    def of(cls, column: Sequence[str | None]) -> Coded:
        """Number the texts of a column in the order of their first rows."""
        if isinstance(column, Coded):
            return column
        texts = [text for text in dict.fromkeys(column) if text is not None]
        code_of: dict[str | None, int] = {text: code for code, text in enumerate(texts)}
        code_of[None] = -1
        codes = np.fromiter(map(code_of.__getitem__, column), dtype=np.int32, count=len(column))
        return cls(codes, texts)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return Coded(self.codes[row], self.texts)
        code = self.codes[row]
        return self.texts[code] if code >= 0 else None

    def __iter__(self) -> Iterator[Any]:
        return map([*self.texts, None].__getitem__, self.codes.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]  # like a list

    def texts_in_use(self) -> set[str]:
        """Return the texts that rows hold."""
        rows = np.bincount(self.codes.ravel() + 1, minlength=len(self.texts) + 1)[1:]
        return {self.texts[code] for code in np.flatnonzero(rows).tolist()}

    def sorted(self, order: Callable[[set[str]], Sequence[str]]) -> Coded:
        """Return the column with its texts in use only, in the order of that function."""
        return self.only_texts(order(self.texts_in_use()))

    def only_texts(self, texts: Sequence[str]) -> Coded:
        """Return the column with these texts; rows of any other text hold nothing."""
        if [*texts] == [*self.texts]:
            return Coded(self.codes, texts)
        code_of = {text: code for code, text in enumerate(texts)}
        new = np.array([*(code_of.get(text, -1) for text in self.texts), -1], dtype=np.int32)
        return Coded(new[self.codes], texts)
