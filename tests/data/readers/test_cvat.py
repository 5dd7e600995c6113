"""CVAT for images: the boxes of a picture are one label, of the annotator that the job names."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError


def test_the_boxes_and_the_tags_of_a_picture_are_a_label_each(corpora: Path, read) -> None:
    tables = read(corpora / "formats" / "cvat.xml")
    assert [(x.document, x.annotator, x.layer, x.labels) for x in tables.labels] == [
        ("street.png", "anna", "boxes", ("10 20 30.5 40 car; 50 60 10 10 old, bus",)),
        ("street.png", "anna", "tags", ("day",)),
    ]
    assert [(r.rule, r.location, r.message) for r in tables.rejected] == [
        ("not_a_box", "street.png", "a rotated rectangle, whose sides are not upright"),
        ("not_a_box", "street.png", "a polygon is not read, only rectangles and tags"),
    ]
    finished = read(corpora / "formats" / "cvat.xml", extra={"empty": "finished"})
    assert [(x.document, x.layer, x.labels) for x in finished.labels][2:] == [
        ("empty.png", "boxes", ()),
        ("empty.png", "tags", ()),
    ]


def test_an_attribute_may_be_the_category_of_a_box(corpora: Path, read) -> None:
    tables = read(corpora / "formats" / "cvat.xml", extra={"category": "colour"})
    assert tables.labels[0].labels == ("10 20 30.5 40 red, blue; 50 60 10 10",)


def test_the_annotator_is_the_layout_s_then_the_assignee_then_the_path_s(
    corpora: Path, read, tmp_path
) -> None:
    whole = (corpora / "formats" / "cvat.xml").read_text(encoding="utf-8")
    path = tmp_path / "ben" / "annotations.xml"
    path.parent.mkdir()
    path.write_text(whole, encoding="utf-8")
    assert {x.annotator for x in read(path).labels} == {"anna"}
    layout = {"paths": "{annotator}/{document}"}
    assert {x.annotator for x in read(tmp_path, extra=layout).labels} == {"ben"}
    path.write_text(whole.replace("<username>anna</username>", ""), encoding="utf-8")
    assert {x.annotator for x in read(path).labels} == {"annotations"}


def test_the_tasks_of_a_project_have_their_own_assignees(read, tmp_path) -> None:
    tasks = "".join(
        f"<task><id>{k}</id><assignee><username>{who}</username></assignee></task>"
        for k, who in ((7, "anna"), (8, "ben"))
    )
    box = '<box label="car" xtl="1" ytl="1" xbr="2" ybr="2"/>'
    images = "".join(f'<image name="a.png" task_id="{k}">{box}</image>' for k in (7, 8))
    path = tmp_path / "project.xml"
    path.write_text(
        f"<annotations><version>1.1</version><meta><project><tasks>{tasks}</tasks></project></meta>"
        f"{images}</annotations>"
    )
    assert [(x.document, x.annotator) for x in read(path).labels] == [
        ("a.png", "anna"),
        ("a.png", "ben"),
    ]


def test_tracks_of_a_video_are_refused_with_what_to_export(read, tmp_path) -> None:
    path = tmp_path / "video.xml"
    path.write_text('<annotations><version>1.1</version><track id="0" label="x"/></annotations>')
    with pytest.raises(DataError, match="tracks of a video; export it as CVAT for images"):
        read(path)
