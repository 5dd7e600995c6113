"""Notes that a page says once: a definition or a warning that a section before already has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .blocks import Block, Fold, Grid, Prose, Section, Table

_FEWEST_LETTERS = 40  # shorter sentences may be said again
_SENTENCES = re.compile(r"(?<=[.!?]) +(?=[^a-z])")


def without_repeats(sections: Iterable[Section]) -> list[Section]:
    """Return the sections without the sentences of leads and notes that an earlier one has."""
    said: set[str] = set()
    found = []
    for section in sections:
        lead = _unsaid(section.lead, said)
        found.append(
            replace(section, lead=lead, blocks=_blocks_without_repeats(section.blocks, said))
        )
    return found


def _blocks_without_repeats(blocks: Sequence[Block], said: set[str]) -> list[Block]:
    found = [_block_without_repeats(block, said) for block in blocks]
    return [one for one in found if not isinstance(one, Prose) or one.text]


def _block_without_repeats(block: Block, said: set[str]) -> Block:
    if isinstance(block, Table):
        return replace(block, note=_unsaid(block.note, said))
    if isinstance(block, Prose) and block.tone in ("note", "lead"):
        return replace(block, text=_unsaid(block.text, said))
    if isinstance(block, (Fold, Grid)):
        return replace(block, blocks=_blocks_without_repeats(block.blocks, said))
    return block


def _unsaid(text: str, said: set[str]) -> str:
    """Return the text without the long sentences that are said, and remember the others."""
    kept = []
    for sentence in _SENTENCES.split(text):
        if len(sentence) < _FEWEST_LETTERS or sentence not in said:
            kept.append(sentence)
            said.add(sentence)
    return " ".join(kept)
