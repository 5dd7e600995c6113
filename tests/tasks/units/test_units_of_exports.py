"""The units of exports: who takes part in which document, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.metrics.errors import MetricsError
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.units.units_of_exports import read_units


def written(folder: Path, rows: Sequence[str], header: str) -> Path:
    path = folder / "units.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_several_exports_are_read_together(corpora: Path) -> None:
    folder = corpora / "formats"
    units = read_units(
        [folder / "pygamma" / "whole.csv", folder / "tables" / "units.tsv", folder / "brat"]
    )
    marked = [one.document for one in units.documents if one.continuum.n_units]
    assert marked == ["d1", "emoji", "suite/events", "whole", "windows"]
    by_name = {one.document: one.continuum for one in units.documents}
    emoji = by_name["emoji"]
    assert emoji.annotators == ("anna", "boris")  # boris marked nothing, and counts
    assert {*emoji.owners.tolist()} == {0}
    assert by_name["suite/events"].annotators == ("anna",)
    assert [row.rule for row in units.account().rejected] == ["zero_length"]


def test_a_row_without_a_unit_says_that_the_document_was_gone_through(tmp_path: Path) -> None:
    rows = ["d,l,anna,3,7,x", "d,,boris,,,", "d,l,anna,,,", "e,l,boris,,,"]
    header = "document,layer,annotator,start,end,category"
    first, second = read_units([written(tmp_path, rows, header)]).continua
    assert (first.annotators, second.annotators) == (("anna", "boris"), ("boris",))


def test_documents_have_the_length_of_their_column(tmp_path: Path) -> None:
    rows = ["d,anna,1.5,2,20", "d,boris,,,20.0", "e,anna,1,2,", "e,boris,1,2,7.25"]
    rows += ["d,anna,3,4,21", "d,anna,5,6,0"]
    path = written(tmp_path, rows, "document,annotator,start,end,length")
    units = read_units([path], Reading(options={"offset_unit": "s", "length": "length"}))
    assert [(one.document, one.continuum.length) for one in units.documents] == [
        ("d", 20_000),
        ("e", 7250),
    ]
    assert len(units.account().rejected) == 2


def test_who_has_only_a_later_pass_takes_no_part(tmp_path: Path) -> None:
    rows = ["d,ann,human,0,3,1", "d,cleo,human,0,3,1", "d,ben,human,0,3,2"]
    rows += ["d,gpt,system,0,3,1", "d,gpt,system,1,3,2"]
    units = read_units([written(tmp_path, rows, "document,annotator,role,start,end,pass")])
    [continuum] = units.continua
    assert continuum.annotators == ("ann", "cleo")
    account = units.account().rows
    assert (account.excluded["later_pass"], account.system, account.measured) == (1, 2, 2)


def test_who_has_only_rejected_units_takes_no_part(tmp_path: Path) -> None:
    """As in a run: who did not leave the document empty is not counted as having missed all."""
    for who, text in (("anna", "one two"), ("ben", "one two"), ("carla", "ONE TWO")):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.txt").write_text(text, encoding="utf-8")
        unit = f"T1\tX 0 3\t{text[:3]}\n"
        (tmp_path / who / "d.ann").write_text("" if who == "ben" else unit, encoding="utf-8")
    units = read_units([tmp_path])
    assert [row.rule for row in units.account().rejected] == ["text_differs"]
    assert units.continua[0].annotators == ("anna", "ben")


def test_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no unit"):
        read_units([written(tmp_path, [], "annotator,start,end")])
    with pytest.raises(DataError, match="try `accordeur agree`"):
        read_units([written(tmp_path, ["1,a,x", "1,b,x"], "item,annotator,label")])


@pytest.mark.parametrize(
    ("names", "pattern"),
    [
        (("rec_1_anna", "rec_1_ben"), "{document}[-._ ]{annotator}"),
        (("anna-rec_1", "ben-rec_1"), "{annotator}[-._ ]{document}"),
        (("rec_1", "rec_2"), ""),
    ],
)
def test_names_that_hold_document_and_annotator_are_recognised(
    tmp_path: Path, names: tuple[str, str], pattern: str
) -> None:
    for name in names:
        (tmp_path / f"{name}.txt").write_text("one two", encoding="utf-8")
        (tmp_path / f"{name}.ann").write_text("T1\tX 0 3\tone\n", encoding="utf-8")
    with pytest.raises(MetricsError) as raised:
        read_units([tmp_path])
    advice = f"are one document by two annotators, set `--option 'paths={pattern}'`"
    assert (advice in str(raised.value)) == bool(pattern)


def test_reading_units_imports_nothing_heavy(corpora: Path, tmp_path: Path) -> None:
    plain, headed = tmp_path / "plain.csv", tmp_path / "headed.csv"
    plain.write_text("".join(f"a,X,{k},{k + 9}\nb,X,{k + 1},{k + 9}\n" for k in range(200)))
    headed.write_text("annotator,category,start,end\na,X,0,10\nb,X,1,10\n")
    code = (
        "import sys; from accordeur.tasks.units.units_of_exports import read_units;"
        f"read_units([{str(plain)!r}]).account(); read_units([{str(headed)!r}]).account();"
        "heavy = {'cassis', 'lxml', 'openpyxl', 'pandas', 'numba', 'scipy', 'filelock'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
