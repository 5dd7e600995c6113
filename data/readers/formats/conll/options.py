"""Options of the format conll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ....errors import OptionError
from ...common.naming import NamedByPath
from ...options import Option
from .chunks import ChunkScheme
from .columns import LAST_COLUMN, Column, label_columns


def _index(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text[:4]) < 1000):
        raise OptionError(f"option token_column = {text!r}: give a number from 1")
    return int(text) - 1


@dataclass(frozen=True)
class ConllOptions(NamedByPath):
    columns: Annotated[
        tuple[Column, ...],
        Option(
            "label columns, counted from 1 and separated by commas; several columns need annotator "
            "names: `gold=3,predicted=4`; of CoNLL-U also names such as `UPOS`, or `TREE` for the "
            "dependency trees",
            unset="the last column",
            parse=label_columns,
        ),
    ] = (LAST_COLUMN,)
    token_column: Annotated[
        int | None, Option("the column of the token", unset="1, CoNLL-U: 2", parse=_index)
    ] = None
    scheme: Annotated[
        Literal[ChunkScheme, "coreference", "labels"] | None,
        Option("the tagging scheme", unset="guessed"),
    ] = None
    chunks: Annotated[
        Literal["lenient", "strict"],
        Option("how invalid chunk tags are read", values={"lenient": "conlleval's rule"}),
    ] = "lenient"
    offsets: Annotated[Literal["token", "char"], Option("what offsets count")] = "token"
    separator: Annotated[Literal["blanks", "tab"], Option("what separates the columns")] = "blanks"
