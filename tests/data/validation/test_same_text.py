"""A text is compared by document and file, by one rule wherever the files are."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.units.gamma_of_exports import gamma

TEXTS = {1: "one two three four", 2: "five six seven eight", 3: "nine ten eleven twelve"}


def lines(*, ends: str = "", other: int = 0) -> str:
    """A doccano file: three documents with two spans each; one may have another text."""
    rows = []
    for number, text in TEXTS.items():
        own = "Quite another text." if number == other else text + ends
        rows.append(json.dumps({"id": number, "text": own, "label": [[0, 4, "A"], [5, 8, "B"]]}))
    return "\n".join(rows) + "\n"


def test_a_folder_and_a_zip_of_the_same_files_have_one_result(tmp_path: Path) -> None:
    files = {"anna": lines(), "ben": lines(ends=" \n"), "carl": lines(other=2)}
    folder, packed = tmp_path / "folder", tmp_path / "packed.zip"
    folder.mkdir()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
            archive.writestr(f"{name}.jsonl", text)
    of_folder, of_zip = gamma([folder]), gamma([packed])
    assert of_folder.rows.n_rejected == of_zip.rows.n_rejected == 2  # units of carl on document 2
    assert of_folder.rows.measured == of_zip.rows.measured == 16
    values = [
        [(one.measure, one.value, one.interval) for one in found.estimates]
        for found in (of_folder, of_zip)
    ]
    assert str(values[0]) == str(values[1])


def labelled(label: str, *, ends: str = "", other: int = 0) -> str:
    """A doccano file of three texts with a label each; one may have another text."""
    rows = [
        {"id": number, "text": "Quite another text." if number == other else text + ends}
        for number, text in TEXTS.items()
    ]
    return "\n".join(json.dumps({**row, "label": [label]}) for row in rows) + "\n"


LABELS = {"anna": labelled("A"), "ben": labelled("A", ends=" \n"), "carl": labelled("B", other=2)}


def packed(folder: Path) -> list[Path]:
    path = folder / "packed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in LABELS.items():
            archive.writestr(f"{name}.jsonl", text)
    return [path]


def in_a_folder(folder: Path) -> list[Path]:
    in_files(folder)
    return [folder]


def in_files(folder: Path) -> list[Path]:
    for name, text in LABELS.items():
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return sorted(folder.glob("*.jsonl"))


@pytest.mark.parametrize("write", [in_a_folder, packed, in_files])
def test_labels_on_another_text_are_rejected_in_every_container(
    tmp_path: Path, write: Callable[[Path], list[Path]]
) -> None:
    found = agree(write(tmp_path))
    [rejected] = [row for row in found.rejected if row.table_name == "labels"]
    assert (rejected.rule, rejected.document, rejected.annotator) == ("text_agrees", "2", "carl")
    assert "rename them" in rejected.message
    assert (found.rows.n_rejected, found.rows.measured) == (1, 8)
