"""A format whose package is not installed says what to install."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from accordeur.data.errors import MissingPackageError, import_optional
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.reading_options import Reading


def test_what_is_absent_is_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["item", "annotator", "label"])
    book.save(tmp_path / "labels.xlsx")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingPackageError) as raised:
        agree(tmp_path / "labels.xlsx")
    assert str(raised.value) == (
        "Excel files are read with the package openpyxl, which is not installed: "
        'pip install "accordeur[excel]"'
    )


def test_a_query_without_duckdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.csv").write_text("item,annotator,label\n1,a,x\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingPackageError, match=r"accordeur\[query\]"):
        agree(tmp_path / "labels.csv", Reading(query="select * from source"))


def test_a_package_that_is_broken_is_not_called_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("import nothing_of_this_name\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        import_optional("broken_package", "excel", "It is read")
    with pytest.raises(MissingPackageError, match="not installed"):
        import_optional("no_package_of_this_name", "excel", "It is read")
