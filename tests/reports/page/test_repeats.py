"""A page says a note once."""

from __future__ import annotations

from accordeur.reports.page.blocks import Fold, Prose, Section, Table
from accordeur.reports.page.repeats import without_repeats

LONG = "Values of small documents vary a lot by chance alone."
OTHER = "A single document has no interval, because intervals resample documents."


def test_a_note_that_an_earlier_section_has_is_left_out() -> None:
    table = Table("c", [], [], note=f"{LONG} {OTHER}")
    first = Section("a", "A", [Prose(LONG, "note"), Prose("Short.", "note")], lead=OTHER)
    second = Section("b", "B", [Fold("more", [table, Prose(LONG)]), Prose("Short.", "note")])
    made, other = without_repeats([first, second])
    assert made == first
    [fold, short] = other.blocks
    assert isinstance(fold, Fold)
    [kept, text] = fold.blocks
    assert isinstance(kept, Table)
    assert kept.note == ""
    assert text == Prose(LONG)  # a text that is no note stays
    assert short == Prose("Short.", "note")
