"""Names that look the same."""

from __future__ import annotations

from accordeur.metrics.annotator_checks import look_alike_names
from accordeur.reports.language import Language
from accordeur.reports.warnings import in_english, warning_sentence
from accordeur.tasks.inputs.name_warnings import warnings_on_similar_names


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


def test_names_of_a_layer_and_of_annotators_are_worded_in_each_language() -> None:
    [tone] = warnings_on_similar_names("categories", ["good", "Good"], layer="tone")
    [people] = warnings_on_similar_names("annotators", ["anna", "Anna", "ben"])
    assert in_english(tone).startswith("tone: the categories 'Good', 'good' are counted")
    assert in_english(people).startswith("the annotators 'Anna', 'anna' are counted")
    on_page = warning_sentence(Language("en"), tone)[0]
    assert on_page.startswith("tone: The categories 'Good', 'good' are")
    assert "(annotateurs)\u00a0: 'Anna', 'anna'." in warning_sentence(Language("fr"), people)[0]
