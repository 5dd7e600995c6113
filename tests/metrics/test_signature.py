"""A signature states every setting in one line, and is read again from a results document."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.metrics.signature import (
    VERSION,
    How,
    IntervalMethod,
    add_to_signature_line,
    signature_line,
)

NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda name: name != "version")
METHOD = IntervalMethod("jackknife", "items and annotators", 0.9)


def test_a_line_has_the_settings_in_the_order_of_the_fields_and_the_version() -> None:
    how = How(measure="gamma", seed=7, alpha=0.5, chosen=None, interval=METHOD)
    interval = "interval:jackknife/items and annotators/0.9"
    assert how.signature == f"gamma|alpha:0.5|{interval}|seed:7|version:{VERSION}"


def test_settings_added_to_a_value_stand_before_the_version_and_replace_earlier_ones() -> None:
    how = How(measure="gamma", seed=7, input="a").add_settings(seed=8, offsets="x")
    assert how.signature == f"gamma|input:a|seed:8|offsets:x|version:{VERSION}"
    assert (
        how.add_settings(input=None)
        .for_measure("cu_alpha")
        .signature.startswith("cu_alpha|seed:8|")
    )


def test_settings_that_do_not_apply_leave_a_value_as_it_was() -> None:
    how = How(measure="kappa", seed=3)
    assert how.add_settings(first=None, second=None) is how
    assert how.add_settings(seed=None) == How(measure="kappa", added=("seed",))


def test_an_unknown_setting_cannot_be_added() -> None:
    with pytest.raises(TypeError, match="depth"):
        How(measure="gamma").add_settings(depth=3)


def test_without_a_measure_the_line_is_empty() -> None:
    assert How().signature == How().for_measure("gamma").signature == How.read("").signature == ""


def test_a_line_that_is_read_has_settings_of_their_types() -> None:
    line = (
        "u_alpha|alpha:2|categories:nominal|interval:jackknife/items and annotators/0.9|input:012"
    )
    how = How.read(line)
    assert (how.alpha, how.categories, how.input, how.interval) == (2, "nominal", "012", METHOD)


@given(st.dictionaries(NAMES, st.text(max_size=8), max_size=4))
def test_a_line_that_was_written_is_read_again(settings: dict[str, str]) -> None:
    settings.pop("interval", None)
    line = signature_line("gamma", **settings)
    how = How.read(line)
    assert (how.measure, how.signature) == ("gamma", line)
    assert pickle.loads(pickle.dumps(how)) == how
    assert add_to_signature_line(line, offsets="x") == how.add_settings(offsets="x").signature


def test_a_setting_of_an_earlier_version_is_kept_as_it_was_named() -> None:
    line = "manhattan|crew:split halves|splits:40|seed:0|version:0.2.0"
    assert How.read(line).signature == line
