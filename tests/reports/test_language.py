"""The catalogues of messages and the numbers of each language."""

from __future__ import annotations

import math
import string
from collections import Counter

import pytest
from babel import Locale
from babel.lists import format_list
from babel.numbers import get_decimal_symbol, get_group_symbol

from accordeur.reports.language import (
    AUDIT,
    CALIBRATION,
    LANGUAGES,
    PASSPORT,
    PORTFOLIO,
    Code,
    Language,
    MissingMessageError,
    load_messages,
)

NARROW = "\u202f"
ALL = ("language", *CALIBRATION, *PORTFOLIO, *PASSPORT, *AUDIT, "judge")


def _figures(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


def test_every_language_says_the_same_things():
    english, french = load_messages("en", ALL), load_messages("fr", ALL)
    assert set(english) == set(french)


def test_no_key_is_in_two_catalogues() -> None:
    """Catalogues are loaded together, so that the same key in two of them is another sentence."""
    homes = Counter(key for name in dict.fromkeys(ALL) for key in load_messages("en", (name,)))
    assert [key for key, n in homes.items() if n > 1] == []


def test_messages_of_a_key_name_the_same_figures():
    english, french = load_messages("en", ALL), load_messages("fr", ALL)
    differing = [key for key in english if _figures(english[key]) != _figures(french[key])]
    assert differing == []


def test_french_punctuation_never_begins_a_line():
    for key, message in load_messages("fr", ALL).items():
        for mark in (" ;", " !", " ?", " %", " :", " »", "« "):
            assert mark not in message, key


def test_a_missing_message_is_told():
    with pytest.raises(MissingMessageError, match=r"no\.such\.key"):
        Language("en")("no.such.key")


@pytest.mark.parametrize(
    ("value", "english", "french"),
    [
        (0.6412, "0.641", "0,641"),
        (-0.3333, "−0.333", "−0,333"),
        (0.0, "0.000", "0,000"),
        (1.0, "1.000", "1,000"),
        (0.99996, "0.99996", "0,99996"),
        (0.00001, "0.00001", "0,00001"),
        (-1e-12, "0.000", "0,000"),
        (1234.5, "1,234.500", f"1{NARROW}234,500"),
        (math.nan, "undefined", "non défini"),
        (math.inf, "∞", "∞"),
    ],
)
def test_numbers(value: float, english: str, french: str):
    assert Language("en").number(value) == english
    assert Language("fr").number(value) == french


@pytest.mark.parametrize(("code", "locale"), [("en", "en_GB"), ("fr", "fr_FR")])
def test_numbers_plural_forms_and_lists_are_those_of_the_cldr(code: Code, locale: str) -> None:
    cldr, say = Locale.parse(locale), Language(code)
    assert say("language.decimal_mark") == get_decimal_symbol(cldr)
    assert say("language.thousands_mark") == get_group_symbol(cldr)
    for n in range(-3, 300):
        form = cldr.plural_form(n)
        assert say.counted("document", n) == say(f"count.document.{form}", n=say.integer(n))
    for n in range(1, 6):
        words = [f"w{k}" for k in range(n)]
        assert say.listed(words) == format_list(words, locale=cldr)
        assert say.listed_or(words) == format_list(words, style="or", locale=cldr)
    assert say.listed([]) == ""


def test_numbers_that_differ_by_an_error_of_the_last_bit_are_written_alike():
    assert {Language("en").number(x) for x in (0.3125, 0.3125 + 1e-16, 0.3125 - 1e-16)} == {"0.312"}


def test_counts_agree_in_number():
    assert Language("en").counted("document", 0) == "0 documents"
    assert Language("fr").counted("document", 0) == "0 document"
    assert Language("en").counted("item", 1) == "1 item"
    assert Language("fr").counted("unit", 12345) == f"12{NARROW}345 unités"


def test_percentages_and_lists():
    assert Language("en").percent(0.787) == "78.7%"
    assert Language("fr").percent(0.787) == f"78,7{NARROW}%"
    assert Language("en").percents([0.547, 0.338, 0.115]) == ["55%", "34%", "11%"]
    assert Language("en").percents([0.333, 0.333, 0.333]) == ["34%", "33%", "33%"]
    assert Language("en").percents([1.0]) == ["100%"]
    assert Language("en").listed(["a", "b", "c"]) == "a, b and c"
    assert Language("fr").listed(["a", "b"]) == "a et b"
    assert [Language(code).listed([]) for code in LANGUAGES] == ["", ""]
