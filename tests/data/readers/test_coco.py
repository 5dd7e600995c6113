"""COCO: the boxes of a picture are one label, of the annotator that file or picture names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordeur.data.errors import DataError


def test_the_boxes_of_a_picture_are_one_label(corpora: Path, read) -> None:
    path = corpora / "formats" / "coco.json"
    tables = read(path, extra={"paths": "{document}/{annotator}"})
    assert [(x.document, x.annotator, x.layer, x.labels) for x in tables.labels] == [
        ("street.png", "coco", "boxes", ("10 20 30.5 40 car; 50 60 10 10 old, bus",))
    ]
    assert [(r.rule, r.location) for r in tables.rejected] == [
        ("not_a_box", "3"),
        ("no_document", "4"),
    ]
    finished = read(path, annotator="anna", extra={"empty": "finished"})
    assert [(x.document, x.labels) for x in finished.labels][1:] == [("empty.png", ())]


def test_a_picture_may_name_its_annotator(corpora: Path, read, tmp_path) -> None:
    whole = json.loads((corpora / "formats" / "coco.json").read_text(encoding="utf-8"))
    images = [{"id": k, "file_name": "a.png", "annotator": who} for k, who in ((1, "x"), (9, "y"))]
    path = tmp_path / "both.json"
    path.write_text(json.dumps({**whole, "images": images}))
    assert [(x.document, x.annotator) for x in read(path).labels] == [
        ("a.png", "x"),
        ("a.png", "y"),
    ]
    path.write_text(json.dumps({"images": [], "annotations": {}}))
    with pytest.raises(DataError, match="needs the lists images, annotations and categories"):
        read(path, "coco")
