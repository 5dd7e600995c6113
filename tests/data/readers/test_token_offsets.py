"""`offsets=token`: the units of WebAnno TSV, XMI and CAS JSON in indices of the export's tokens."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.validation.preparation import accepted_rows
from tests.data.readers.uima import samples as uima

TSV = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Span|value
#T_RL=webanno.custom.Link|kind|BT_webanno.custom.Span


#Text=👑 Anna met Bob.
1-1\t0-2\t👑\tA[1]\t_\t_
1-2\t3-7\tAnna\tA[1]\t_\t_
1-3\t8-11\tmet\t_\t_\t_
1-4\t12-15\tBob\tB\tknows\t1-1[1_0]
1-4.1\t12-13\tB\tC\t_\t_
1-5\t15-16\t.\t_\t_\t_
"""
TOKEN = {"offsets": "token"}


def write_meeting(folder: Path, format: str) -> Path:
    home = folder / "meeting"
    home.mkdir()
    if format == "webanno_tsv":
        (home / "anna.tsv").write_text(TSV)
    elif format == "uima_json":
        (home / "anna.json").write_bytes(uima.as_json())
    else:
        (home / "anna.xmi").write_bytes(uima.xmi())
        (folder / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
    return folder


@pytest.mark.parametrize("format", ["uima_xmi", "uima_json"])
def test_units_and_length_in_tokens(tmp_path: Path, read, format: str) -> None:
    found = read(write_meeting(tmp_path, format), extra=TOKEN)
    [document] = found.documents
    assert (document.length, document.offset_unit) == (4, "token")
    places = {(u.layer, u.surface): (u.start_offset, u.end_offset) for u in found.units}
    assert places["NamedEntity", "👑 Anna"] == (0, 2)
    assert places["NamedEntity", "Bob"] == (3, 4)
    assert places["Event", "met"] == (2, 3)
    # "She" has no token in this export
    assert [r.rule for r in found.rejected] == ["not_on_tokens", "rejected_unit"]
    assert "remove the option" in found.rejected[0].message


def test_webanno_tsv(tmp_path: Path, read) -> None:
    found = read(write_meeting(tmp_path, "webanno_tsv"), extra=TOKEN)
    [document] = found.documents
    assert (document.length, document.offset_unit) == (5, "token")
    assert [(u.start_offset, u.end_offset, u.category) for u in found.units] == [
        (0, 2, "A"),
        (3, 4, "B"),
    ]
    assert len(found.relations) == 1
    assert [(r.rule, r.location) for r in found.rejected] == [("not_on_tokens", "line 11")]


@pytest.mark.parametrize("format", ["uima_xmi", "uima_json", "webanno_tsv"])
def test_the_same_units_as_in_characters(tmp_path: Path, read, format: str) -> None:
    path = write_meeting(tmp_path, format)
    in_characters = {u.unit: u.surface for u in read(path).units}
    in_tokens = read(path, extra=TOKEN)
    lost = {r.location for r in in_tokens.rejected if r.table_name == "units"}
    assert {u.unit: u.surface for u in in_tokens.units}.items() <= in_characters.items()
    assert len(in_characters) == len(in_tokens.units) + len(lost)


def test_another_tokenisation_is_refused(tmp_path: Path) -> None:
    """Indices of other tokens are other places."""
    path = write_meeting(tmp_path, "webanno_tsv")
    joined = TSV.replace("1-4\t12-15\tBob\tB", "1-4\t12-16\tBob.\tB")
    joined = "\n".join(line for line in joined.split("\n") if not line.startswith(("1-5", "1-4.1")))
    (path / "meeting" / "ben.tsv").write_text(joined)
    found = accepted_rows(read_source(path, "auto", SourceOptions(extra=TOKEN)))
    assert {*found.tables["units"]["annotator"].to_pylist()} == {"anna"}
    of_units = found.rejected.filter(pc.equal(found.rejected["table_name"], "units"))
    assert "text_agrees" in of_units["rule"].to_pylist()


def test_the_option_is_checked(tmp_path: Path, read) -> None:
    path = write_meeting(tmp_path, "uima_json") / "meeting" / "anna.json"
    with pytest.raises(
        DataError, match="offsets = 'tokens': the allowed values are char and token"
    ):
        read(path, extra={"offsets": "tokens"})
    bare = uima.as_json().replace(b"segmentation.type.Token", b"segmentation.type.Word")
    path.write_bytes(bare)
    with pytest.raises(DataError, match="has no tokens"):
        read(path, extra=TOKEN)
