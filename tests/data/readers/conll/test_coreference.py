"""CoNLL-2012: mentions as units, chains as runs of links, parts of a document as documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from tests.flows.command_line import accordeur

# in the manner of the shared task's description (Pradhan et al. 2012); words of our own
TWO_PARTS = """#begin document (bc/sea/0001); part 000
bc/sea/0001 0 0 The DT (TOP(S(NP* - - - ana * (12
bc/sea/0001 0 1 captain NN *) - - - ana * 12)|(5
bc/sea/0001 0 2 and CC * - - - ana * -
bc/sea/0001 0 3 crew NN * - - - ana * 5)

bc/sea/0001 0 0 She PRP * - - - ana * (12)
bc/sea/0001 0 1 left VBD * - - - ana * -
bc/sea/0001 0 2 them PRP * - - - ana * (5)
#end document
#begin document (bc/sea/0001); part 001
bc/sea/0001 1 0 She PRP * - - - ana * (12)
bc/sea/0001 1 1 sang VBD * - - - ana * -
#end document
"""


def write(folder: Path, text: str, name: str = "sea.v4_gold_conll") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_mentions_and_chains_of_each_part(tmp_path: Path, read) -> None:
    found = read(write(tmp_path, TWO_PARTS), annotator="anna")
    first, second = (d.document for d in found.documents)
    assert [d.length for d in found.documents] == [7, 2]
    assert [(u.start_offset, u.end_offset) for u in found.by("units", document=first)] == [
        *[(0, 2), (1, 4), (4, 5), (6, 7)],
    ]
    places = {u.unit: (u.start_offset, u.end_offset) for u in found.by("units", document=first)}
    assert {(places[r.from_unit], places[r.to_unit]) for r in found.relations} == {
        ((0, 2), (4, 5)),
        ((1, 4), (6, 7)),
    }
    assert {r.category for r in found.relations} == {"Equiv"}
    assert [(u.start_offset, u.end_offset) for u in found.by("units", document=second)] == [(0, 1)]
    assert not found.rejected


def test_characters(tmp_path: Path, read) -> None:
    extra = {"offsets": "char", "token_column": "4"}
    found = read(write(tmp_path, TWO_PARTS), annotator="anna", extra=extra)
    text = found.documents[0].text
    assert text == "The captain and crew\nShe left them\n"
    document = found.documents[0].document
    marked = [text[u.start_offset : u.end_offset] for u in found.by("units", document=document)]
    assert marked == ["The captain", "captain and crew", "She", "them"]


def test_nested_mentions_of_one_chain_close_from_the_inside(tmp_path: Path, read) -> None:
    cells = ["(1|(1", "1)", "1)"]
    found = read(write(tmp_path, "".join(f"w x {c}\n" for c in cells)), annotator="anna")
    assert {(u.start_offset, u.end_offset) for u in found.units} == {(0, 2), (0, 3)}


@pytest.mark.parametrize(
    ("cells", "rule"),
    [
        (["(1", "-", "(2)"], "chain_not_closed"),
        (["(1)", "2)", "-"], "chain_not_opened"),
        (["(1)", "x", "-"], "bad_chain"),
    ],
)
def test_a_broken_mention_is_rejected_alone(tmp_path: Path, read, cells, rule) -> None:
    path = write(tmp_path, "".join(f"w x {cell}\n" for cell in cells))
    found = read(path, "conll", annotator="anna", extra={"scheme": "coreference"})
    assert [r.rule for r in found.rejected] == [rule]
    assert len(found.units) == 1


def test_chains_are_compared_in_a_campaign(tmp_path: Path) -> None:
    """Two annotators: the links are chains without further settings."""
    for name, text in (("anna", TWO_PARTS), ("ben", TWO_PARTS.replace("* (5)", "* (12)"))):
        (tmp_path / name).mkdir()
        write(tmp_path / name, text)
    path = tmp_path / "campaign.toml"
    sources = [f'[[sources]]\npath = "{name}"\nannotator = "{name}"\n' for name in ("anna", "ben")]
    path.write_text('[campaign]\nname = "Chains"\n' + "".join(sources))
    found = accordeur("check", path, "--json")
    assert found.returncode == 0, found.stdout + found.stderr
    layers = {one["name"]: one["measures"] for one in json.loads(found.stdout)["layers"]}
    assert "chain_alpha" in layers["relations"]


def test_an_unknown_scheme_is_refused(tmp_path: Path, read) -> None:
    with pytest.raises(DataError, match="coreference"):
        read(write(tmp_path, TWO_PARTS), "conll", extra={"scheme": "chains"})
