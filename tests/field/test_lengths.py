"""Lengths of documents: a column called `length`, and values that use lengths nobody gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.in_process import found, texts

UNITS = """document,annotator,start,end,category,length
d1,a,5,10,x,60
d1,a,20,30,y,60
d1,b,6,12,x,60
d1,b,22,30,x,60
d2,a,4,9,x,50
d2,b,4,12,x,50
"""


def table(folder: Path, text: str, name: str = "u.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def value(path: Path, measure: str, *options: str) -> tuple[float, str, list[str]]:
    whole = found("gamma", path, "--measure", measure, "--replicates", 0, *options)
    row = next(one for one in whole["results"] if one["measure"] == measure)
    return row["value"], row["signature"], texts(whole)


@pytest.mark.parametrize("measure", ["alpha_u", "u_alpha", "u_alpha_binary"])
def test_a_column_of_document_lengths_is_read(tmp_path, measure):
    path = table(tmp_path, UNITS)
    plain = value(path, measure)
    assert plain == value(path, measure, "--option", "length=length")
    assert "|length:given|" in plain[1]
    assert not any("length" in word for word in plain[2])
    without, signature, words = value(path, measure, "--option", "length=")
    assert without != plain[0]
    assert "|length:units|" in signature
    assert any("2 documents of unknown length" in word for word in words)


# Units (annotator, start, end) in documents that end after the last unit, and the published α_U:
# C of Krippendorff 1995, p. 57, recomputed on a fine line (printed: 0.679, with rounded D_e);
# the example of dkpro-statistics, `UnitizingAgreementTest.createExample`.
PUBLISHED = [
    (
        "a 2 8, a 10 12, a 14 18, a 20 22, b 0 2, b 4 8, b 10 14, b 16 18, b 20 22",
        *(24, 50_000, 0.69307879),
    ),
    ("a 1 9, b 2 3, b 4 5, b 6 7", 10, 1, -0.70034602),
]


@pytest.mark.parametrize(("units", "length", "grain", "published"), PUBLISHED)
def test_published_values_depend_on_the_length(tmp_path, units, length, grain, published):
    rows = [one.split() for one in units.split(",")]
    lines = [f"{who},{int(a) * grain},{int(b) * grain},C,{length * grain}" for who, a, b in rows]
    path = table(tmp_path, "annotator,start,end,category,length\n" + "\n".join(lines))
    assert value(path, "alpha_u")[0] == pytest.approx(published, abs=1e-7)
    of_units, *_ = value(path, "alpha_u", "--option", "length=")
    assert abs(of_units - published) > 0.02


@pytest.mark.parametrize(
    "rows",
    [
        [("d1,a,5,10,x,60", "d1,a,5,10,x,61")],  # two lengths of a document
        [("d2,b,4,12,x,50", "d2,b,4,51,x,50")],  # a unit ends later
        [(",60\n", ",10\n"), (",50\n", ",8\n")],  # of the units
        [(",60\n", ",long\n")],
    ],
)
def test_other_columns_of_this_name_are_ignored_with_a_warning(tmp_path, rows):
    text = UNITS
    for old, new in rows:
        text = text.replace(old, new)
    _, signature, words = value(table(tmp_path, text), "u_alpha")
    assert "|length:units|" in signature
    assert any("not used (1): length" in word for word in words)


@pytest.mark.parametrize("name", ["u.jsonl", "u.tsv"])
def test_other_containers(tmp_path, name):
    head, *rows = [line.split(",") for line in UNITS.splitlines()]
    if name.endswith("tsv"):
        text = UNITS.replace(",", "\t")
    else:
        pairs = [", ".join(f'"{k}": "{v}"' for k, v in zip(head, row, strict=True)) for row in rows]
        text = "".join(f"{{{one}}}\n" for one in pairs)
    assert "|length:given|" in value(table(tmp_path, text, name), "u_alpha")[1]


def test_chance_in_documents_of_unknown_length_is_said(tmp_path):
    """γ of few documents draws from `shuffle` and `statistical`, both over the document."""
    path = table(tmp_path, UNITS)
    fast = ("--precision", "0.2", "--seed", "1")
    given = value(path, "gamma", *fast)
    unknown = value(path, "gamma", *fast, "--option", "length=")
    assert ("|length:given|" in given[1], "|length:units|" in unknown[1]) == (True, True)
    assert not any("unknown length" in word for word in given[2])
    assert any("the chance models shuffle+statistical place" in word for word in unknown[2])
    cat = found("gamma", path, "--measure", "gamma_cat", "--replicates", 0)
    assert not any("unknown length" in word for word in texts(cat))
