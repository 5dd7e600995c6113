"""The formats by name, the guess, and the way from a path to records."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers import registry
from accordeur.data.readers.base import Reader, SourceOptions
from accordeur.data.readers.common.records.repeated_documents import SameText
from accordeur.data.readers.options import option_descriptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment, Document, Unit


def test_every_format_is_a_reader_with_a_description():
    formats = registry.readers()
    assert set(registry.BUILT_IN) <= set(formats)
    assert list(formats) == sorted(formats)
    for name, each in formats.items():
        assert isinstance(each, Reader)
        assert name == each.NAME
        assert each.DESCRIPTION
        assert each.PATTERNS
        assert all(
            isinstance(text, str) and text for text in option_descriptions(each.OPTIONS).values()
        )


def test_a_file_has_the_formats_imported_that_it_may_be_of(tmp_path):
    for name, each in registry.BUILT_IN.items():
        assert each.patterns == registry.reader(name).PATTERNS
    (tmp_path / "units.csv").write_text("anna,A,1,2\nben,A,1,2\n")
    code = (
        "import sys; from accordeur.data.readers.base import SourceOptions;"
        "from accordeur.data.readers.registry import BUILT_IN;"
        "from accordeur.data.readers.sources import read_source;"
        f"list(read_source({str(tmp_path / 'units.csv')!r}, 'auto', SourceOptions()));"
        "there = [n for n, one in BUILT_IN.items()"
        " if f'accordeur.data.readers.{one.module}' in sys.modules];"
        "print(there)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['bregeon', 'pygamma_csv', 'table']"


def test_listing_the_formats_imports_no_parser():
    code = (
        "import sys; from accordeur.data.readers.registry import readers; readers();"
        "heavy = {'cassis', 'lxml', 'openpyxl', 'pandas', 'gatenlp', 'praatio', 'pympi', 'conllu'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_format_lists_the_known_ones(corpora, read):
    with pytest.raises(DataError, match="no format 'csv'; the formats are argilla, brat"):
        read(corpora / "formats" / "tables" / "long.csv", "csv")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("brat", "brat"),
        ("brat/anna", "brat"),
        ("brat/anna/emoji.ann", "brat"),
        ("webanno_tsv/meeting/anna.tsv", "webanno_tsv"),
        ("tables/long.csv", "table"),
        ("tables/wide.csv", "table"),
        ("tables/units.tsv", "table"),
        ("tables/bregeon.csv", "bregeon"),
        ("pygamma/whole.csv", "pygamma_csv"),
        ("pygamma/seconds.csv", "pygamma_csv"),
    ],
)
def test_detect(corpora, path, name):
    assert name == registry.detect_reader(corpora / "formats" / path).NAME


def test_a_table_of_other_columns_is_told_by_its_options(tmp_path):
    path = tmp_path / "units.csv"
    path.write_text("who,begin,stop\nanna,1,3\n", encoding="utf-8")
    named = {"annotator": "who", "start": "begin", "end": "stop"}
    assert registry.detect_reader(path, named).NAME == "table"
    with pytest.raises(DataError, match=r"missing columns.*who, begin"):
        registry.detect_reader(path)
    with pytest.raises(DataError, match="missing columns"):
        registry.detect_reader(path, {"annotator": "who", "sound": "loud"})


def test_exactly_one_probe_accepts_each_sample(corpora):
    for path in sorted((corpora / "formats").rglob("*")):
        if path.is_file() and path.suffix in (".ann", ".csv", ".tsv"):
            accepting = [each.NAME for each in registry.readers().values() if each.probe(path)]
            assert len(accepting) == 1, (path, accepting)


def test_a_format_is_asked_about_folders_if_it_may_read_them(corpora):
    of_folders = registry.readers_of_folders()
    for folder in filter(Path.is_dir, (corpora / "formats").rglob("*")):
        for each in registry.readers().values():
            assert each in of_folders or not each.probe(folder), (folder, each)


@pytest.mark.parametrize("data", [b"", b"\x00" * 100, b"\xff\xfe", b"PK\x03\x04", b"{", b"<", b"#"])
def test_a_probe_never_raises(tmp_path, data):
    for each in registry.readers().values():
        for pattern in each.PATTERNS:
            path = tmp_path / pattern.replace("*", "x")
            path.write_bytes(data)
            assert each.probe(path) in (True, False)
        assert each.probe(tmp_path / "nowhere") is False


def test_nobody_recognises_it(tmp_path):
    path = tmp_path / "x.bin"
    path.write_bytes(b"\x00\x01")
    with pytest.raises(
        DataError, match=r"no format has files that are called \*\.bin\. Name its format"
    ):
        registry.detect_reader(path)


def test_what_is_missing_for_the_formats_of_that_name_is_told(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('[{"greeting": "hello"}]', encoding="utf-8")
    with pytest.raises(DataError) as caught:
        registry.detect_reader(path)
    said = str(caught.value)
    assert "no format recognises it (as argilla: the record has no `id`; as coco: no COCO: " in said
    assert "`accordeur formats` lists them all; records of any shape are read by a query" in said
    assert "brat" not in said


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('[{"id": 1, "data": {"text": "a"}, "is_labeled": true}]', "as label_studio: a task with"),
        ('{"images": [], "labels": []}', "as coco: no COCO: it needs the lists"),
    ],
)
def test_the_closest_format_alone_gives_its_reason(tmp_path, content, reason):
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"no format recognises it \((.*?)\)\. Name") as caught:
        registry.detect_reader(tmp_path / "x.json")
    assert reason in str(caught.value)
    assert str(caught.value).count("; as ") == 0


def test_several_recognise_it(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text("anna,A,1,2\n")
    one = registry.reader("pygamma_csv")
    monkeypatch.setattr(registry, "readers_by_file_name", lambda path: [one, one])
    with pytest.raises(DataError, match="could be pygamma_csv and pygamma_csv"):
        registry.detect_reader(path)


class Added:
    NAME = "added"
    DESCRIPTION = "a format of the user's"
    PATTERNS = ("*.added",)
    OPTIONS: dict[str, str] = {}  # noqa: RUF012 - as a user would write it

    def probe(self, path: Path) -> bool:
        return path.suffix == ".added"

    def read(self, path, options):
        yield Unit("d", "anna", "1", 0, 1)


ADDED = Added()
NO_READER = object()


@pytest.fixture
def fresh():
    registry._readers_of_packages.cache_clear()
    yield
    registry._readers_of_packages.cache_clear()


def test_an_entry_point_adds_a_format(monkeypatch, fresh, tmp_path, read):
    point = EntryPoint("added", f"{__name__}:ADDED", registry.ENTRY_POINTS)
    monkeypatch.setattr(EntryPoint, "load", lambda self: ADDED)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    (tmp_path / "x.added").write_text("")
    assert "added" in registry.readers()
    assert len(read(tmp_path / "x.added").units) == 1


@pytest.mark.parametrize(
    ("loaded", "message"), [(NO_READER, "is not a reader"), (None, "already exists")]
)
def test_a_wrong_entry_point(monkeypatch, fresh, loaded, message):
    made = loaded if loaded is not None else registry.reader("brat")
    registry._readers_of_packages.cache_clear()
    point = EntryPoint("wrong", "x:y", registry.ENTRY_POINTS)
    monkeypatch.setattr(EntryPoint, "load", lambda self: made)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    with pytest.raises(DataError, match=message):
        registry.readers()


def test_a_glob_in_sorted_order_with_one_bad_file(tmp_path, read):
    for name in ("c", "a"):
        (tmp_path / f"{name}.csv").write_text("anna,A,1,2\n")
    (tmp_path / "b.csv").write_text("nonsense\n")
    found = read(tmp_path / "*.csv")
    assert [u.document for u in found.units] == ["a", "c"]
    (rejected,) = found.rejected
    assert (rejected.source, rejected.rule) == ("b.csv", "unreadable_file")


def test_the_only_file_that_cannot_be_read_is_an_error(tmp_path, read):
    (tmp_path / "b.csv").write_text("nonsense\n")
    with pytest.raises(DataError, match="missing columns"):
        read(tmp_path / "*.csv")


def test_names_are_relative_to_the_root_of_a_glob(tmp_path, read):
    for name in ("x", "y"):
        path = tmp_path / "sub" / name / "d.csv"
        path.parent.mkdir(parents=True)
        path.write_text("anna,A,1,2\n")
    found = read(tmp_path / "sub" / "*" / "d.csv")
    assert [u.document for u in found.units] == ["x/d", "y/d"]
    assert [u.source for u in found.units] == ["x/d.csv", "y/d.csv"]


def test_a_folder_of_files_without_hidden_ones(tmp_path, read):
    for name in ("a.csv", ".b.csv", "__MACOSX/c.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("anna,A,1,2\n")
    assert [u.document for u in read(tmp_path, "pygamma_csv").units] == ["a"]


@pytest.mark.parametrize(
    ("path", "message"),
    [("nowhere", "no such file"), ("*.csv", "no file or folder matches"), (".", "nothing to read")],
)
def test_nothing_there(tmp_path, read, path, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path / path, "pygamma_csv")


def test_a_file_whose_name_looks_like_a_pattern(tmp_path, read):
    path = tmp_path / "a[1].csv"
    path.write_text("anna,A,1,2\n")
    assert read(path).units[0].document == "a[1]"


def test_options_are_checked_before_anything_is_read(tmp_path):
    with pytest.raises(DataError, match=r"format 'brat' has no option 'x'"):
        list(read_source(tmp_path, "brat", SourceOptions(extra={"x": "1"})))


@pytest.mark.parametrize("path", ["brat", "tables/bregeon.csv", "pygamma/whole.csv"])
def test_layers_of_a_format_without_layers(corpora, read, path):
    with pytest.raises(DataError, match="has no layers"):
        read(corpora / "formats" / path, layers=("NamedEntity",))


def test_a_document_of_several_files_is_kept_once_for_each_of_its_texts():
    def file(annotator: str, text: str):
        yield Document("d", len(text), text=text, sha256=text, source=annotator)
        yield Assignment("d", annotator)
        yield Unit("d", annotator, "1", 0, 1)

    texts = SameText()
    kinds = [
        [type(row).__name__ for row in texts.without_repeated(file(who, text))]
        for who, text in (("anna", "one"), ("boris", "one"), ("carla", "two"))
    ]
    of_work = ["Assignment", "Unit"]
    assert kinds == [["Document", *of_work], of_work, ["Document", *of_work]]


@pytest.mark.parametrize("name", ["coco.json", "cvat.xml", "doccano", "glozz", "prodigy.jsonl"])
def test_a_source_yields_each_document_once_however_often_its_files_repeat_it(corpora, name):
    found = read_source(corpora / "formats" / name, "auto", SourceOptions())
    documents = [one.document for one in found if isinstance(one, Document)]
    assert len(documents) == len({*documents}) > 0
