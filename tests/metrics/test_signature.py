"""A signature is one line, keeps its settings, and comes back from a file as it was."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from accordeur.metrics.signature import VERSION, Signature

NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda name: name != "version")


def test_a_line_has_the_settings_in_their_order_and_the_version() -> None:
    line = Signature("gamma", alpha=0.5, chosen=None, seed=7)
    assert line == f"gamma|alpha:0.5|seed:7|version:{VERSION}"
    assert line.settings == {"alpha": "0.5", "seed": "7", "version": VERSION}


def test_further_settings_stand_before_the_version_and_replace_earlier_ones() -> None:
    line = Signature("gamma", seed=7, input="a").with_settings(seed=8, feature="x")
    assert line == f"gamma|input:a|seed:8|feature:x|version:{VERSION}"
    assert line.without("input").of_measure("gamma_cat").startswith("gamma_cat|seed:8|")


def test_without_a_measure_the_line_is_empty() -> None:
    assert Signature() == ""
    assert Signature().of_measure("gamma") == ""


@given(st.dictionaries(NAMES, st.text(max_size=8), max_size=4))
def test_a_line_that_was_written_is_read_again(settings: dict[str, str]) -> None:
    line = Signature("gamma", **settings)
    for again in (Signature.read(str(line)), pickle.loads(pickle.dumps(line))):
        assert (again, again.measure, again.settings) == (line, line.measure, line.settings)
