"""A text is compared by document and file, by one rule wherever the files are."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

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
