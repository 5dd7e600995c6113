"""Commands that write pages replace their own pages, and nothing else of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.flows.commands.compare import compare
from accordeur.flows.errors import UserError
from accordeur.flows.portfolio import write_index
from accordeur.reports.portfolio.portfolio_results import Index


def test_an_index_replaces_an_index_and_no_other_page(tmp_path: Path) -> None:
    index, page = Index(version="0", campaigns=[]), tmp_path / "index.html"
    for _ in range(2):
        write_index(index, Store(str(tmp_path / "new")))
    page.write_text("my site", encoding="utf-8")
    with pytest.raises(DataError, match=r"index\.html exists already and is not an index"):
        write_index(index, Store(str(tmp_path)))
    assert page.read_text("utf-8") == "my site"


def test_a_comparison_is_not_written_over_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder; give an HTML file"):
        compare(["a", "b"], to=str(tmp_path))
