"""What changes the key of a cached result."""

from __future__ import annotations

import pytest

from accordeur.tasks import cache_keys
from accordeur.tasks.cache_keys import cache_key


@pytest.mark.parametrize("number", ["RESULTS", "VERSION", "SCHEMA_VERSION"])
def test_another_version_of_results_code_or_tables_gives_another_key(
    number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache_key("input", {"option": 1})
    monkeypatch.setattr(cache_keys, number, "another")
    assert cache_key("input", {"option": 1}) != before


def test_the_key_depends_on_every_input() -> None:
    assert len({cache_key("a"), cache_key("b"), cache_key("a", None), cache_key("a", 1)}) == 4
