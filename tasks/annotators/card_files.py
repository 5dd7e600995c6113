"""The files of the cards: one page per annotator, and a table of all for the lead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...data.spreadsheet import csv_text
from ...data.store.hashes import settings_hash
from ...data.writers.base import write_files
from ...reports.annotators import card_values
from ...reports.columns import is_missing
from ...reports.language import Code
from ...reports.render import render_card
from ...reports.results.annotators import AnnotatorCards
from ..references.release import slug

TABLE = "annotators.csv"


def card_address(annotator: str) -> str:
    """Return the name of an annotator's page; a hash separates names with the same slug."""
    return f"{slug(annotator)[:60]}-{settings_hash(annotator)[:8]}.html"


def write_cards(
    folder: Path,
    found: AnnotatorCards,
    *,
    pages_of: Sequence[str],
    privacy: bool = False,
    language: Code = "en",
) -> list[Path]:
    """Write the table of all annotators and the pages of some; return the paths."""
    columns = card_values(found)
    rows = [
        ["" if is_missing(cell) else str(cell) for cell in row]
        for row in zip(*columns.values(), strict=True)
    ]
    files = {folder / TABLE: csv_text([list(columns), *rows])}
    for card in found.cards:
        if card.annotator in pages_of:
            page = render_card(found, card, privacy=privacy, language=language)
            files[folder / card_address(card.annotator)] = page
    return write_files(files)
