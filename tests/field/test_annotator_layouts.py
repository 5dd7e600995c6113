"""One file per annotator and document: every format, in every arrangement of folders and names."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.notes import SourceNotes
from accordeur.reports.warnings import in_english
from accordeur.tasks.inputs.reading_warnings import warnings_on_reading
from tests.flows.command_line import accordeur, results
from tests.flows.in_process import found, said, texts

PEOPLE = ("anna", "ben")
ROUGHLY = ("--replicates", "0", "--precision", "0.3")
WORDS = "aaa bbb ccc ddd eee fff "
Units = list[tuple[int, int, str]]


def units_of(who: str, day: int) -> Units:
    more = 4 * (who == "ben")
    return [(8 * k, 8 * k + 3 + more * (k % 3 == day), "XY"[k % 2]) for k in range(4 + day)]


def brat(units: Units, text: str, day: int) -> dict[str, str]:
    rows = (f"T{n}\t{c} {a} {b}\t{text[a:b]}\n" for n, (a, b, c) in enumerate(units, 1))
    return {"ann": "".join(rows), "txt": text}


def conll(units: Units, text: str, day: int) -> dict[str, str]:
    tags = ["O"] * (40 + day)
    for a, b, c in units:
        tags[a // 4 : b // 4 + 1] = [f"B-{c}", *[f"I-{c}"] * ((b - a) // 4)]
    return {"conll": "".join(f"w{k} {tag}\n" for k, tag in enumerate(tags)) + "\n"}


def rttm(units: Units, text: str, day: int) -> dict[str, str]:
    row = "SPEAKER day{} 1 {}.0 {}.0 <NA> <NA> {} <NA> <NA>\n".format
    return {"rttm": "".join(row(day, a, b - a, c) for a, b, c in units)}


def textgrid(units: Units, text: str, day: int) -> dict[str, str]:
    rows, last, end = [], 0, 100 + day
    for a, b, c in units:
        rows += [f'{last}\n{a}\n""\n'] * (a > last) + [f'{a}\n{b}\n"{c}"\n']
        last = b
    rows.append(f'{last}\n{end}\n""\n')
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'
    tier = f'"IntervalTier"\n"acts"\n0\n{end}\n{len(rows)}\n'
    return {"TextGrid": f"{head}0\n{end}\n<exists>\n1\n{tier}" + "".join(rows)}


def elan(units: Units, text: str, day: int) -> dict[str, str]:
    slot = '<TIME_SLOT TIME_SLOT_ID="{}{}" TIME_VALUE="{}000"/>'.format
    unit = (
        '<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{0}" TIME_SLOT_REF1="s{0}" '
        'TIME_SLOT_REF2="e{0}"><ANNOTATION_VALUE>{1}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>'
        "</ANNOTATION>"
    ).format
    slots = "".join(slot("s", k, a) + slot("e", k, b) for k, (a, b, _) in enumerate(units))
    inside = "".join(unit(k, c) for k, (_, _, c) in enumerate(units))
    return {
        "eaf": f"<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>"
        f'<TIER TIER_ID="acts" LINGUISTIC_TYPE_REF="act">{inside}</TIER></ANNOTATION_DOCUMENT>'
    }


def webanno_tsv(units: Units, text: str, day: int) -> dict[str, str]:
    out, at = f"#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n\n#Text={text}\n", 0
    for k, word in enumerate(text.split(), 1):
        end = at + len(word)
        cell = next(
            (f"{c}[{n}]" for n, (a, b, c) in enumerate(units, 1) if a < end and b > at), "_"
        )
        out += f"1-{k}\t{at}-{end}\t{word}\t{cell}\t\n"
        at = end + 1
    return {"tsv": out}


def gate(units: Units, text: str, day: int) -> dict[str, str]:
    cuts, body, last = sorted({x for a, b, _ in units for x in (a, b)}), "", 0
    for cut in cuts:
        body += f'{text[last:cut]}<Node id="{cut}"/>'
        last = cut
    row = '<Annotation Id="{}" Type="{}" StartNode="{}" EndNode="{}"/>'.format
    rows = "".join(row(k, c, a, b) for k, (a, b, c) in enumerate(units, 1))
    return {
        "xml": f"<GateDocument><TextWithNodes>{body}{text[last:]}</TextWithNodes>"
        f"<AnnotationSet>{rows}</AnnotationSet></GateDocument>"
    }


def glozz(units: Units, text: str, day: int) -> dict[str, str]:
    row = (
        '<unit id="u{}"><characterisation><type>{}</type></characterisation><positioning>'
        '<start><singlePosition index="{}"/></start><end><singlePosition index="{}"/></end>'
        "</positioning></unit>"
    ).format
    rows = "".join(row(k, c, a, b) for k, (a, b, c) in enumerate(units))
    head = f'<metadata corpusHashcode="{len(text)}-1"/>'
    return {"aa": f"<annotations>{head}{rows}</annotations>", "ac": text}


def uima_json(units: Units, text: str, day: int) -> dict[str, str]:
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView"}
    spans = [
        {"%ID": k, "%TYPE": "custom.Span", "@sofa": 1, "begin": a, "end": b, "label": c}
        for k, (a, b, c) in enumerate(units, 2)
    ]
    name = {"%NAME": "custom.Span", "%SUPER_TYPE": "uima.tcas.Annotation"}
    view = {"%SOFA": 1, "%INDEX": 1, "%MEMBERS": [one["%ID"] for one in spans]}
    whole = {
        "%TYPES": {
            "custom.Span": {**name, "label": {"%NAME": "label", "%RANGE": "uima.cas.String"}}
        },
        "%FEATURE_STRUCTURES": [{**sofa, "mimeType": "text", "sofaString": text}, *spans],
        "%VIEWS": {"_InitialView": view},
    }
    return {"json": json.dumps(whole)}


FORMATS = (brat, conll, rttm, textgrid, elan, webanno_tsv, gate, glozz, uima_json)
LAYOUTS = {
    "annotator/document": "{who}/day{day}",
    "document/annotator": "day{day}/{who}",
    "document.annotator": "day{day}.{who}",
    "flat suffix": "day{day}_{who}",
    "flat prefix": "{who}-day{day}",
}
EXPECTED = {(f"day{day}", who) for day in range(3) for who in PEOPLE}


def write(folder: Path, make: Callable[..., dict[str, str]], layout: str) -> Path:
    for who in PEOPLE:
        for day in range(3):
            place = folder / LAYOUTS[layout].format(who=who, day=day)
            place.parent.mkdir(parents=True, exist_ok=True)
            files = make(units_of(who, day), WORDS * (3 + day), day)
            for ending, content in files.items():
                place.with_name(f"{place.name}.{ending}").write_text(content, encoding="utf-8")
    return folder


def options_in(message: str) -> list[dict[str, str]]:
    """The options that a message advises."""
    found = re.findall(r"`--option ([^`]+)`", message)
    return [dict([shlex.split(one)[0].split("=", 1)]) for one in found]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("make", FORMATS)
def test_every_format_in_every_layout(
    tmp_path: Path, read: Callable[..., Any], make: Callable[..., dict[str, str]], layout: str
) -> None:
    """The layout is found, or an option that the message names reads it."""
    folder = write(tmp_path / "x", make, layout)
    notes = SourceNotes()

    def pairs(**options: Any) -> set[tuple[str, str]]:
        tables = read(folder, **options)
        assert not tables.rejected
        return {(one.document, one.annotator) for one in tables.units}

    if make is elan:  # its files state neither length nor text
        code, message = said("gamma", folder, *ROUGHLY)
        assert code == 2
        assert len(message.replace(str(folder), "x")) < 400
        assert EXPECTED in [pairs(extra=extra) for extra in options_in(message)]
        return
    assert pairs(notes=notes) == EXPECTED
    assert notes.n_named_files == (0 if "/" in layout else 12 if make in (brat, glozz) else 6)
    for warning in warnings_on_reading(notes):
        for extra in options_in(in_english(warning)):
            read(folder, extra=extra)


@pytest.mark.parametrize("make", FORMATS)
def test_folders_of_a_reference_and_a_system_are_scored(
    tmp_path: Path, make: Callable[..., dict[str, str]]
) -> None:
    """File names were taken for annotators: "holds several annotators (day0, day1, day2)"."""
    write(tmp_path, make, "annotator/document")
    sides = ("--reference", tmp_path / "anna", "--system", tmp_path / "ben", "--replicates", "0")
    code, output = said("score", *sides, "--json")
    if make is elan:
        options = options_in(output)
        assert {"paths": "{annotator}/{document}"} in options
        code, output = said("score", *sides, "--option", "paths={annotator}/{document}", "--json")
    assert code == 0, output
    result = json.loads(output)
    assert (result["reference"], result["rows"]["n_read"]) == ("anna", 30)
    [value] = [
        row["value"]
        for row in result["results"]
        if (row["system"], row["measure"]) == ("ben", "exact_f") and not row["category"]
    ]
    assert value == pytest.approx(0.6)


@pytest.mark.parametrize("command", ["gamma", "check", "agree"])
def test_a_folder_of_one_annotators_documents_is_no_document(tmp_path: Path, command: str) -> None:
    """The files were read as annotators of one document, whatever their lengths."""
    for day in range(3):
        content = conll(units_of("anna", day), "", day)["conll"]
        (tmp_path / f"text{day}.conll").write_text(content)
    if command == "check":
        campaign = tmp_path / "campaign.toml"
        campaign.write_text('[campaign]\nname = "x"\n[[sources]]\npath = "."\nformat = "conll"\n')
        output = said("check", campaign)[1]
    else:
        scheme = ("--option", "scheme=labels") if command == "agree" else ()
        code, output = said(command, tmp_path, *scheme)
        assert code == 2
    assert (
        "the files would be annotators of one document, but their texts or lengths differ" in output
    )
    if command == "gamma":
        for option in options_in(output):
            [(name, value)] = option.items()
            assert (
                "would be annotators"
                not in said(command, tmp_path, "--option", f"{name}={value}")[1]
            )
        asked = said(command, tmp_path, "--option", "paths={document}/{annotator}", *ROUGHLY)
        assert asked[0] == 0


def test_sessions_of_tiers_stay_tiers(tmp_path: Path, read: Callable[..., Any]) -> None:
    """Folders hold other recordings of the same names: their tiers are the annotators."""
    for n, session in enumerate(("s1", "s2")):
        (tmp_path / session).mkdir()
        for day in range(2):
            content = textgrid(units_of("anna", 0), "", 10 * n + day)["TextGrid"]
            (tmp_path / session / f"rec{day}.TextGrid").write_text(content)
    assert {u.annotator for u in read(tmp_path).units} == {"acts"}


@pytest.mark.parametrize("make", [textgrid, elan, gate])
def test_one_file_of_one_name_in_each_folder(
    tmp_path: Path, read: Callable[..., Any], make: Callable[..., dict[str, str]]
) -> None:
    """Recordings of one length may be two recordings, texts of one content are one text."""
    for who in PEOPLE:
        (tmp_path / who).mkdir()
        for ending, content in make(units_of(who, 0), WORDS * 3, 0).items():
            (tmp_path / who / f"rec.{ending}").write_text(content)
    if make is gate:
        assert {u.annotator for u in read(tmp_path).units} == {*PEOPLE}
        return
    with pytest.raises(DataError, match="not clear whether a folder is an annotator") as refusal:
        read(tmp_path)
    of_option = [
        {(u.document, u.annotator) for u in read(tmp_path, extra=extra).units}
        for extra in options_in(str(refusal.value))
    ]
    assert of_option == [
        {("rec", "anna"), ("rec", "ben")},
        {("anna", "rec"), ("ben", "rec")},
        {("anna/rec", "acts"), ("ben/rec", "acts")},
    ]


def test_files_given_one_by_one_are_read_like_their_folder(tmp_path: Path) -> None:
    write(tmp_path / "x", conll, "flat suffix")
    of_folder = found("gamma", tmp_path / "x", *ROUGHLY)
    of_files = found("gamma", *sorted((tmp_path / "x").iterdir()), *ROUGHLY)
    assert of_files["results"] == of_folder["results"]
    assert of_files["rows"]["n_annotators"] == 2
    assert any(text.startswith("The names of files are read") for text in texts(of_files))


def test_folders_of_weeks_whose_rows_name_the_annotators_are_read_by_item(tmp_path: Path) -> None:
    for week in range(2):
        folder = tmp_path / f"week-{week}"
        folder.mkdir()
        for who in PEOPLE:
            rows = (f"w{week}-{k},{who},{'xy'[k % 2]}" for k in range(6))
            (folder / f"{who}.csv").write_text("\n".join(["id,annotator,label", *rows]))
    refused = accordeur("agree", tmp_path, "--item", "id")
    assert refused.returncode != 0
    assert "as its rows name the annotator, `--document id`" in refused.stderr
    found = results("agree", tmp_path, "--item", "id", "--document", "id")
    assert found["krippendorff_alpha"]["value"] == 1.0
