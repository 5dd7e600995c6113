"""Type systems as corpora have them: merged, redefined, incomplete; errors name the type."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from xml.sax.saxutils import quoteattr

import cassis
import pytest

from accordeur.data.errors import DataError
from tests.data.readers.uima import samples as uima

TEXT = "The sea is calm"


def described(name: str, supertype: str = "uima.tcas.Annotation", **features: str) -> str:
    inside = "".join(
        f"<featureDescription><name>{feature.rstrip('_')}</name><rangeTypeName>{range_}"
        "</rangeTypeName></featureDescription>"
        for feature, range_ in features.items()
    )
    return (
        f"<typeDescription><name>{name}</name><supertypeName>{supertype}</supertypeName>"
        f"<features>{inside}</features></typeDescription>"
    )


def type_system(*types: str) -> str:
    return (
        '<?xml version="1.0"?><typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">'
        f"<types>{''.join(types)}</types></typeSystemDescription>"
    )


def element(name: str, id: int, begin: int, end: int, children: str = "", **features: str) -> str:
    given = "".join(f" {key.rstrip('_')}={quoteattr(value)}" for key, value in features.items())
    return (
        f'<x:{name} xmi:id="{id}" sofa="1" begin="{begin}" end="{end}"{given}>{children}</x:{name}>'
    )


def xmi(*elements: str, sofas: str = "", members: str = "10 11 12 13 14") -> str:
    sofas = sofas or (
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="{TEXT}"/>'
        f'<cas:View sofa="1" members="{members}"/>'
    )
    return (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
        'xmlns:tcas="http:///uima/tcas.ecore" xmlns:x="http:///x.ecore" xmi:version="2.0">'
        f"{''.join(elements)}{sofas}</xmi:XMI>"
    )


A = described("x.A", value="uima.cas.String")
ONE = element("A", 10, 0, 3, value="v")


@pytest.fixture
def read_xmi(tmp_path: Path, read):
    def reading(types: str | dict[str, str], content: str, **extra: str):
        files = types if isinstance(types, dict) else {"TypeSystem.xml": types}
        for name, described_types in files.items():
            (tmp_path / name).write_text(described_types)
        (tmp_path / "anna.xmi").write_text(content)
        return read(tmp_path / "anna.xmi", "uima_xmi", extra=extra)

    return reading


def categories(found) -> list[tuple[str, str]]:
    return [(unit.layer, unit.category) for unit in found.units]


@pytest.mark.parametrize(
    "types",
    [
        type_system(A, described("x.A", other="uima.cas.String")),  # described twice
        type_system(described("x.A", value="uima.cas.String", list="uima.cas.FSArray")),
        type_system(A, described("uima.tcas.DocumentAnnotation", genre="uima.cas.String")),
        type_system(A, described("uima.tcas.Annotation", "uima.cas.AnnotationBase", extra="x.A")),
        type_system(described("x.B", "x.A"), A),  # before its supertype
        type_system(described("x.A", value="uima.cas.String", self_="uima.cas.Integer")),
        type_system(described("x.A", value="x.V"), described("x.V", "uima.cas.String")),
        # broken types that the export has no data of
        type_system(A, described("x.B", "x.Nowhere"), described("x.C", f="x.Nowhere")),
        type_system(A, described("x.B", "x.C"), described("x.C", "x.B")),
    ],
)  # fmt: skip
def test_what_can_be_read_is_read(read_xmi, types) -> None:
    assert categories(read_xmi(types, xmi(ONE))) == [("A", "v")]


@pytest.mark.parametrize(
    ("types", "content", "told"),
    [
        (type_system(described("x.A", value="x.Text")), ONE,
         "id 10: type x.A, feature value: its range x.Text is not defined"),
        (type_system(described("x.A", "x.Base", value="uima.cas.String")), ONE,
         "id 10: type x.A: its supertype x.Base is not defined"),
        (type_system(described("x.A", "x.B"), described("x.B", "x.A")), ONE,
         "inherits from itself"),
        (type_system(described("x.B")), ONE, "id 10: type x.A is not in the type system"),
        (type_system(described("x.A")), ONE, "feature value: not in the type system"),
        (type_system(A), element("A", 10, 0, 3, "<more>a</more>"), "feature more: not"),
        (type_system(A), '<x:A sofa="1" begin="0" end="3"/>', "type x.A has no xmi:id"),
    ],
)  # fmt: skip
def test_an_error_names_type_and_feature_and_the_way_out(read_xmi, types, content, told) -> None:
    with pytest.raises(DataError) as raised:
        read_xmi(types, xmi(content))
    assert told in str(raised.value)
    assert "Error" not in str(raised.value)  # no exception's name


def test_lenient_skips_broken_types_with_a_count(read_xmi) -> None:
    types = type_system(A, described("x.B", "x.Nowhere"), described("x.C", f="x.Nowhere"))
    content = xmi(
        ONE,
        *(element("B", 11 + k, 0, 3) for k in range(3)),
        element("C", 14, 4, 7, f="as it stands"),
    )
    with pytest.raises(DataError, match="lenient=yes"):
        read_xmi(types, content)
    found = read_xmi(types, content, lenient="yes")
    assert categories(found) == [("A", "v"), ("C", "")]
    assert found.units[1].attributes == (("f", "as it stands"),)
    assert [(r.reason, r.location, r.n_rows) for r in found.excluded] == [
        ("broken_type", "type x.B", 3)
    ]
    assert not found.rejected


def test_several_type_systems_of_a_folder_are_merged(read_xmi, tmp_path, read) -> None:
    files = {"base.xml": type_system(described("x.Base", value="uima.cas.String"))}
    files["own.xml"] = type_system(described("x.A", "x.Base"))
    (tmp_path / "notes.xml").write_text("<notes/>")
    assert categories(read_xmi(files, xmi(ONE))) == [("A", "v")]
    inside = {"anna.xmi": xmi(ONE).encode()} | {n: t.encode() for n, t in files.items()}
    path = tmp_path / "both.zip"
    path.write_bytes(uima.zipped(inside))
    assert categories(read(path, "uima_xmi")) == [("A", "v")]
    for name in files:
        (tmp_path / name).unlink()
    types = tmp_path / "types"
    types.mkdir()
    for name, text in files.items():
        (types / name).write_text(text)
    for named in ("types", "types/base.xml,types/own.xml"):
        found = read(tmp_path / "anna.xmi", "uima_xmi", extra={"typesystem": named})
        assert categories(found) == [("A", "v")]


def test_a_folder_with_type_system_is_read_without_naming_the_format(read_xmi, tmp_path, read):
    read_xmi(type_system(A), xmi(ONE, members="10"))
    found = read(tmp_path)
    assert categories(found) == [("A", "v")]
    assert not found.rejected


def test_gzipped_xmi(tmp_path, read) -> None:
    (tmp_path / "TypeSystem.xml").write_text(type_system(A))
    (tmp_path / "anna.xmi.gz").write_bytes(gzip.compress(xmi(ONE).encode()))
    found = read(tmp_path)
    assert categories(found) == [("A", "v")]
    assert {one.annotator for one in found.assignments} == {"anna"}
    (tmp_path / "anna.xmi.gz").write_bytes(gzip.compress(xmi(ONE).encode())[:60])
    with pytest.raises(DataError, match="cannot be unpacked"):
        read(tmp_path / "anna.xmi.gz", "uima_xmi")


def two_views(first: str, second: str) -> str:
    """Sofas in the order of neither their numbers nor their ids."""
    return (
        f'<cas:Sofa xmi:id="7" sofaNum="2" sofaID="{second}" sofaString="La mer"/>'
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="{first}" sofaString="{TEXT}"/>'
        '<cas:View sofa="7" members="11 12"/><cas:View sofa="1" members="10"/>'
    )


def test_annotations_of_other_views_are_counted(read_xmi) -> None:
    types = type_system(A)
    more = [element("A", 11, 0, 2, value="w"), element("A", 12, 3, 6, value="w")]
    found = read_xmi(types, xmi(ONE, *more, sofas=two_views("_InitialView", "french")))
    assert categories(found) == [("A", "v")]
    assert [(r.reason, r.n_rows) for r in found.excluded] == [("other_view", 2)]
    content = xmi(ONE, *more, sofas=two_views("english", "french"))
    with pytest.raises(DataError, match=r"several views have a text \(french, english\); choose"):
        read_xmi(types, content)
    assert categories(read_xmi(types, content, view="french")) == [("A", "w"), ("A", "w")]
    with pytest.raises(DataError, match="no view of that name"):
        read_xmi(types, content, view="german")


def test_a_view_without_its_text_and_a_reference_to_nothing(read_xmi) -> None:
    types = type_system(described("x.A", value="uima.cas.String", next="x.A"))
    found = read_xmi(types, xmi(element("A", 10, 0, 3, value="v", next="99")))
    assert len(found.units) == 1
    assert [r.rule for r in found.rejected] == ["missing_structure"]  # 11 to 14 of the view
    with pytest.raises(DataError, match="no text in any view"):
        read_xmi(types, xmi(ONE, sofas='<cas:View sofa="1" members="10"/>'))


def test_arrays_and_lists_in_every_form(read_xmi) -> None:
    """As UIMA writes them: inline, as child elements, or as structures of their own."""
    types = type_system(
        described("x.A", tags="uima.cas.StringArray", n="uima.cas.IntegerArray"),
        described("x.B", tags="uima.cas.StringList"),
    )
    cells = (
        '<cas:NonEmptyStringList xmi:id="30" head="a" tail="31"/>'
        '<cas:NonEmptyStringList xmi:id="31" head="b" tail="30"/>'  # a circle
    )
    found = read_xmi(
        types,
        xmi(
            element("A", 10, 0, 3, "<tags>a</tags><tags>b c</tags>", n="1 2"),
            element("B", 11, 4, 7, "<tags>d</tags>"),
            cells,
        ),
    )
    units = {unit.layer: unit for unit in found.units}
    assert units["A"].category == "a + b c"
    assert units["A"].attributes == (("n", "1"), ("n", "2"))
    assert units["B"].category == "d"


def test_the_reader_agrees_with_dkpro_cassis(tmp_path, read) -> None:
    """The same spans, features and relations as the library of UIMA's own users sees."""
    (tmp_path / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
    (tmp_path / "anna.xmi").write_bytes(uima.xmi())
    found = read(tmp_path / "anna.xmi", "uima_xmi", layers=("NamedEntity", "POS", "Event"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        types = cassis.load_typesystem((tmp_path / "TypeSystem.xml").read_text())
        cas = cassis.load_cas_from_xmi((tmp_path / "anna.xmi").read_text(), typesystem=types)
    theirs = {
        (one.begin, one.end, one.get_covered_text())
        for name in (uima.NE, uima.POS, uima.EVENT)
        for one in cas.select(name)
    }
    assert {(u.start_offset, u.end_offset, u.surface) for u in found.units} == theirs
