"""The coreference column of CoNLL-2012: `(12` opens a mention of chain 12, `12)` closes it.

A cell holds several of them separated by `|`; `(3)` is a mention of one token, `-` is none. Among
nested mentions of one chain, the last one opened is closed first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from ...common.span_rules import Problem

COREFERENCE = "coreference"
NO_MENTION = ("-", "_", "*", "O", "")
LINK = "Equiv"  # category of the links of a chain, as in brat
_PART = re.compile(r"(\()?([^()|\s]+)(\))?")
_CELL = re.compile(r"(?:\(\d+\)?|\d+\))(?:\|(?:\(\d+\)?|\d+\)))*")


class Mention(NamedTuple):
    """Tokens `[start, end)` of a chain."""

    chain: str
    start: int
    end: int


def are_chains(cells: Sequence[str]) -> bool:
    """Return whether the cells are from a coreference column and contain a mention."""
    given = {cell for cell in cells if cell not in NO_MENTION}
    return bool(given) and all(_CELL.fullmatch(cell) for cell in given)


@dataclass(slots=True)
class ChainReader:
    """Takes the cells of a document's tokens in order."""

    mentions: list[Mention] = field(default_factory=list)
    _open: dict[str, list[int]] = field(default_factory=dict)

    def cell(self, position: int, cell: str) -> Iterator[Problem]:
        """Open and close the mentions at a token; yield what is wrong with the cell."""
        if cell in NO_MENTION:
            return
        for part in cell.split("|"):
            found = _PART.fullmatch(part)
            if found is None or not (found[1] or found[3]):
                yield Problem("bad_chain", part[:40], f"{part[:40]!r} is not `(n`, `n)` or `(n)`")
                continue
            opens, chain, closes = found.groups()
            if opens:
                self._open.setdefault(chain, []).append(position)
            if closes:
                starts = self._open.get(chain)
                if starts:
                    self.mentions.append(Mention(chain, starts.pop(), position + 1))
                else:
                    message = f"a mention of chain {chain} ends here, but none is open"
                    yield Problem("chain_not_opened", part[:40], message)

    def end(self) -> Iterator[Problem]:
        """Yield the mentions that are still open at the document's end."""
        for chain, starts in self._open.items():
            for start in starts:
                message = f"a mention of chain {chain} begins at token {start} but never ends"
                yield Problem("chain_not_closed", chain[:40], message)

    def links(self) -> Iterator[tuple[Mention, Mention]]:
        """Yield each mention with the next one of its chain, in text order."""
        chains: dict[str, list[Mention]] = {}
        for mention in dict.fromkeys(self.mentions):
            chains.setdefault(mention.chain, []).append(mention)
        for mentions in chains.values():
            yield from pairwise(sorted(mentions, key=lambda one: (one.start, one.end)))
