"""CPU time of the readers of annotated documents and binary tables, compared with plain parsers.

    python benchmarks/readers/documents.py [--documents 200] [--repeat 3] [--only elan]

Creates files of each format in a temporary folder: documents of 2,000 characters, or recordings,
with 40 units each; tables of 500 labels per document in one file. The plain parser reads the same
files and discards the result: ElementTree, `json`, lines split at white space (bounds of RTTM and
TextGrid as numbers), pyarrow, openpyxl. Each run is a separate process, which first reads a tenth
of the documents, so that imports are not counted. Prints a Markdown table of medians. The number of
rows read is compared with the number written.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
TEXT = "le roi et la reine arrivent en ville avec toute la cour royale " * 32
SPANS = [(k * 45 + 1, k * 45 + 12) for k in range(40)]
LABELS = 500


def sample_cas() -> Any:
    import cassis

    types = cassis.TypeSystem()
    entity = types.create_type("webanno.custom.Entity", "uima.tcas.Annotation")
    types.create_feature(entity, "value", "uima.cas.String")
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"
    for start, end in SPANS:
        cas.add(entity(begin=start, end=end, value="PER"))
    return cas


def xmi() -> dict[str, str]:
    cas = sample_cas()
    return {"anna.xmi": cas.to_xmi(), "TypeSystem.xml": cas.typesystem.to_xml()}


def json_cas() -> dict[str, str]:
    return {"anna.json": sample_cas().to_json()}


def textgrid() -> dict[str, str]:
    edges = [0, *(edge for span in SPANS for edge in span), 2000]
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", "xmax = 2000"]
    lines += ["tiers? <exists>", "size = 1", "item []:", "    item [1]:"]
    lines += ['        class = "IntervalTier"', '        name = "anna"', "        xmin = 0"]
    lines += ["        xmax = 2000", f"        intervals: size = {len(edges) - 1}"]
    for k in range(len(edges) - 1):
        lines += [f"        intervals [{k + 1}]:", f"            xmin = {edges[k]}"]
        lines += [f"            xmax = {edges[k + 1]}", f'            text = "{"PER" * (k % 2)}"']
    return {"anna.TextGrid": "\n".join([*lines, ""])}


def elan() -> dict[str, str]:
    slots, units = "", ""
    for k, (start, end) in enumerate(SPANS):
        for name, at in (("s", start), ("e", end)):
            slots += f'<TIME_SLOT TIME_SLOT_ID="{name}{k}" TIME_VALUE="{at}"/>\n'
        units += f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{k}" TIME_SLOT_REF1="s{k}" '
        units += f'TIME_SLOT_REF2="e{k}"><ANNOTATION_VALUE>PER</ANNOTATION_VALUE>'
        units += "</ALIGNABLE_ANNOTATION></ANNOTATION>\n"
    content = f"""<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-05-01T10:00:00+01:00" FORMAT="3.0" VERSION="3.0">
<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/><TIME_ORDER>
{slots}</TIME_ORDER><TIER TIER_ID="t" ANNOTATOR="anna" LINGUISTIC_TYPE_REF="u">
{units}</TIER><LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="u" TIME_ALIGNABLE="true"/>
</ANNOTATION_DOCUMENT>"""
    return {"anna.eaf": content}


def gate() -> dict[str, str]:
    text, at, units = "", 0, ""
    for k, (start, end) in enumerate(SPANS):
        for edge in (start, end):
            text += f'{TEXT[at:edge]}<Node id="{edge}"/>'
            at = edge
        units += f'<Annotation Id="{k}" Type="PER" StartNode="{start}" EndNode="{end}">'
        units += '<Feature><Name className="java.lang.String">sure</Name>'
        units += '<Value className="java.lang.String">yes</Value></Feature></Annotation>\n'
    content = f"""<?xml version="1.0" encoding="UTF-8"?>
<GateDocument version="3"><GateDocumentFeatures></GateDocumentFeatures>
<TextWithNodes>{text}{TEXT[at:]}</TextWithNodes>
<AnnotationSet Name="anna">
{units}</AnnotationSet></GateDocument>"""
    return {"anna.xml": content}


def glozz() -> dict[str, str]:
    units = "".join(
        f'<unit id="anna_{k}"><metadata><author>anna</author></metadata><characterisation>'
        "<type>PER</type><featureSet></featureSet></characterisation><positioning><start>"
        f'<singlePosition index="{start}"/></start><end><singlePosition index="{end}"/></end>'
        "</positioning></unit>\n"
        for k, (start, end) in enumerate(SPANS)
    )
    head = f'<metadata corpusHashcode="{len(TEXT)}-1"/>'
    content = f'<?xml version="1.0" encoding="UTF-8"?>\n<annotations>{head}\n{units}</annotations>'
    return {"story.aa": content, "story.ac": TEXT}


def rttm() -> dict[str, str]:
    rows = (f"SPEAKER tale 1 {a}.125 1.065 <NA> <NA> Anna <NA> <NA>\n" for a, _ in SPANS)
    return {"anna.rttm": "".join(rows)}


def conll() -> dict[str, str]:
    words = TEXT.split()
    marks = {k * len(words) // len(SPANS) for k in range(len(SPANS))}
    rows = (f"{word} X {'B-PER' if k in marks else 'O'}\n" for k, word in enumerate(words))
    return {"anna.conll": "".join(rows)}


def make_documents(files: Callable[[], dict[str, str]], folder: Path, n: int) -> int:
    made = files()
    for k in range(n):
        place = folder / f"d{k:05d}"
        place.mkdir(parents=True)
        for name, content in made.items():
            (place / name).write_text(content, "utf-8")
    return n * len(SPANS)


def labels(n: int) -> list[tuple[str, str, str, str]]:
    rows = n * LABELS
    return [(f"d{k // 20}", str(k % 20), f"a{k % 5}", f"L{k % 7}") for k in range(rows)]


COLUMNS = ("document", "item", "annotator", "label")


def make_parquet(folder: Path, n: int) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = zip(*labels(n * 20), strict=True)
    table = pa.table(dict(zip(COLUMNS, map(pa.array, columns), strict=True)))
    pq.write_table(table, folder / "x.parquet")
    return len(table)


def make_excel(folder: Path, n: int) -> int:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    rows = labels(max(n // 5, 1))
    for row in (COLUMNS, *rows):
        sheet.append(row)
    book.save(folder / "x.xlsx")
    return len(rows)


def plain_xml(file: Path) -> None:
    ElementTree.parse(file)


def plain_json(file: Path) -> None:
    json.loads(file.read_bytes())


def plain_lines(file: Path) -> None:
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            line.split()


def plain_textgrid(file: Path) -> None:
    """Read words and values, with times as numbers."""
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            name, _, value = line.strip().partition(" = ")
            if name in ("xmin", "xmax"):
                float(value)


def plain_rttm(file: Path) -> None:
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            fields = line.split()
            float(fields[3]), float(fields[4])


def plain_parquet(file: Path) -> None:
    import pyarrow.parquet as pq

    for _ in pq.ParquetFile(file).iter_batches():
        pass


def plain_excel(file: Path) -> None:
    import openpyxl

    for _ in openpyxl.load_workbook(file, read_only=True).worksheets[0].iter_rows(values_only=True):
        pass


# format: file pattern, plain parser, function that creates the files
CASES: dict[str, tuple[str, Callable[[Path], None], Any]] = {
    "uima_xmi": ("*.xmi", plain_xml, xmi),
    "uima_json": ("*.json", plain_json, json_cas),
    "textgrid": ("*.TextGrid", plain_textgrid, textgrid),
    "elan": ("*.eaf", plain_xml, elan),
    "gate": ("*.xml", plain_xml, gate),
    "glozz": ("*.aa", plain_xml, glozz),
    "rttm": ("*.rttm", plain_rttm, rttm),
    "conll": ("*.conll", plain_lines, conll),
    "parquet": ("*.parquet", plain_parquet, make_parquet),
    "excel": ("*.xlsx", plain_excel, make_excel),
}
TABLES = ("parquet", "excel")


def make(case: str, folder: Path, n: int) -> int:
    folder.mkdir()
    maker = CASES[case][2]
    return maker(folder, n) if case in TABLES else make_documents(maker, folder, n)


def plain(case: str, folder: Path) -> int:
    pattern, parse, _ = CASES[case]
    for file in sorted(folder.rglob(pattern)):
        parse(file)
    return 0


def ours(case: str, folder: Path) -> int:
    """Return the number of units or labels."""
    from accordeur.data.blocks import Block
    from accordeur.data.readers.base import SourceOptions
    from accordeur.data.readers.sources import read_rows

    format = "table" if case in TABLES else case
    options = SourceOptions(annotator=None if case in TABLES else "anna")
    count = 0
    for row in read_rows(folder, format, options):
        if row.TABLE == "rejected":
            raise SystemExit(f"{case}: {row}")
        if row.TABLE in ("units", "labels"):
            count += len(row) if isinstance(row, Block) else 1
    return count


def one_run(who: str, case: str, tenth: Path, whole: Path) -> None:
    read = plain if who == "plain" else ours
    read(case, tenth)
    start = time.process_time()
    count = read(case, whole)
    print(json.dumps([time.process_time() - start, count]))


def run(who: str, case: str, folder: Path, repeat: int) -> tuple[float, int]:
    places = [str(folder / "tenth"), str(folder / "whole")]
    command = [sys.executable, __file__, "--run", who, case, *places]
    outputs = [subprocess.run(command, check=True, stdout=-1).stdout for _ in range(repeat)]
    found = [json.loads(output) for output in outputs]
    return statistics.median(seconds for seconds, _ in found), found[0][1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=list(CASES))
    parser.add_argument("--run", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        who, case, tenth, whole = options.run
        one_run(who, case, Path(tenth), Path(whole))
        return
    print("| format | MB | rows | plain (s) | reader (s) | ratio |")
    print("|---|---|---|---|---|---|")
    for case in [options.only] if options.only else CASES:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            make(case, folder / "tenth", max(options.documents // 10, 1))
            expected = make(case, folder / "whole", options.documents)
            base, _ = run("plain", case, folder, options.repeat)
            seconds, rows = run("reader", case, folder, options.repeat)
            if rows != expected:
                raise SystemExit(f"{case}: {rows} rows where {expected} were written")
            files = (folder / "whole").rglob(CASES[case][0])
            size = sum(file.stat().st_size for file in files) / 1e6
        print(
            f"| {case} | {size:.1f} | {rows} | {base:.2f} | {seconds:.2f} | {seconds / base:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
