"""Names that look the same."""

from __future__ import annotations

from accordeur.metrics.annotator_checks import look_alike_names
from accordeur.reports.language import Language
from accordeur.reports.warnings import in_english, warning_sentence
from accordeur.tasks.inputs.data_warnings import warnings_on_names_of_campaign


def test_case_spaces_and_encodings_of_accents() -> None:
    names = [
        "PER",
        "Per",
        "LOC",
        "LOC ",
        "cafe\u0301",
        "caf\u00e9",
        "a\u200bb",
        "ab",
        "ORG",
        "O-RG",
    ]
    assert look_alike_names(names) == [
        ("LOC", "LOC "),
        ("PER", "Per"),
        ("ab", "a\u200bb"),
        ("cafe\u0301", "caf\u00e9"),
    ]


def test_a_number_written_in_two_ways() -> None:
    """A table that was once read as numbers, a missing one among them, has 1.0 for 1."""
    assert look_alike_names(["1", "1.0", "2", "02", "-0", "0", "nan", "NaN", "inf"]) == [
        ("-0", "0"),
        ("02", "2"),
        ("1", "1.0"),
        ("NaN", "nan"),
    ]


def test_different_names_are_no_look_alikes() -> None:
    assert look_alike_names([]) == []
    assert look_alike_names(["x", "x", "y", "", " ", "  "]) == []
    assert look_alike_names(["resume", "r\u00e9sum\u00e9", "1", "\u2460b", "10"]) == []


def test_a_run_warns_of_each_layer_and_of_the_people() -> None:
    tagsets = {"tone": ["good", "Good"], "topic": ["x", "y"]}
    found = warnings_on_names_of_campaign(tagsets, ["anna", "Anna", "ben"])
    assert [(one.code, one.figures.get("layer")) for one in found] == [
        ("similar_categories", "tone"),
        ("similar_annotators", None),
    ]
    assert "Layer tone: the categories “Good”, “good” are counted" in in_english(found[0])
    assert warning_sentence(Language("fr"), found[1])[0].startswith(
        "Les annotateurs “Anna”, “anna” sont comptés"
    )
