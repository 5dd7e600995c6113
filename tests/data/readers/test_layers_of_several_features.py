"""A layer with several features: its category is certain, or the user is asked for it."""

from __future__ import annotations

import json
from pathlib import Path

import cassis
import pytest

from accordeur.data.errors import DataError
from accordeur.data.option_names import in_campaign_file
from tests.data.readers.uima import samples as uima
from tests.flows.command_line import accordeur

LAYER = "webanno.custom.Request"
FEATURES = ("Medium", "RType")
FORMATS = ("uima_xmi", "uima_json", "webanno_tsv", "inception_project")
ANNA = [(0, 3, "mail", "order"), (4, 7, "mail", "question"), (4, 7, "phone", "question")]
BEN = [(0, 3, "phone", "order"), (4, 7, "phone", "question")]
ONE_FEATURE = [(0, 3, "", "order"), (4, 7, "", "question")]
Annotations = list[tuple[int, int, str, str]]


def a_cas(annotations: Annotations, layer: str = LAYER):
    types = cassis.TypeSystem()
    layer_type = types.create_type(layer, "uima.tcas.Annotation")
    for feature in FEATURES:
        types.create_feature(layer_type, feature, "uima.cas.String")
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string, cas.sofa_mime = "The sea", "text/plain"
    for start, end, *values in annotations:
        given = {name: value for name, value in zip(FEATURES, values, strict=True) if value}
        cas.add(layer_type(begin=start, end=end, **given))
    return cas


def a_tsv(annotations: Annotations, layer: str = LAYER) -> str:
    cells = {0: ["_", "_"], 4: ["_", "_"]}
    for start in cells:
        found = [values for place, _, *values in annotations if place == start]
        if found:
            stacks = zip(*([value or "*" for value in values] for values in found), strict=True)
            cells[start] = [
                "|".join(f"{value}[{start + k + 1}]" for k, value in enumerate(stack))
                for stack in stacks
            ]
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        f"#T_SP={layer}|{'|'.join(FEATURES)}",
        *["", "", "#Text=The sea"],
        "\t".join(["1-1", "0-3", "The", *cells[0]]),
        "\t".join(["1-2", "4-7", "sea", *cells[4]]),
    ]
    return "\n".join([*lines, ""])


def write_export(format: str, folder: Path, layer: str = LAYER, **people: Annotations) -> Path:
    """Everybody's work on the document `d` in the format."""
    home = folder / format / "d"
    home.mkdir(parents=True)
    if format == "inception_project":
        entries = {
            f"annotation/d/{name}.json": a_cas(given, layer).to_json().encode()
            for name, given in people.items()
        }
        path = folder / "project.zip"
        path.write_bytes(uima.project(entries, {("d", name): "FINISHED" for name in people}))
        return path
    for name, given in people.items():
        if format == "webanno_tsv":
            (home / f"{name}.tsv").write_text(a_tsv(given, layer))
        elif format == "uima_json":
            (home / f"{name}.json").write_text(a_cas(given, layer).to_json())
        else:
            cas = a_cas(given, layer)
            (home / f"{name}.xmi").write_text(cas.to_xmi())
            (home.parent / "TypeSystem.xml").write_text(cas.typesystem.to_xml())
    return home.parent


@pytest.mark.parametrize("format", FORMATS)
def test_several_features_with_values_are_refused_with_their_list(format, tmp_path, read):
    path = write_export(format, tmp_path, anna=ANNA, ben=BEN)
    with pytest.raises(DataError) as raised:
        read(path)
    told = str(raised.value)
    assert "layer Request has several features" in told
    assert "Medium (5 values, 2 different: 'mail', 'phone')" in told
    assert "RType (5 values, 2 different: 'order', 'question')" in told
    assert "--option category=Request.Medium" in told
    with in_campaign_file(), pytest.raises(DataError, match=r'{ category = "Request.Medium" }'):
        read(path)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("option", ["RType", "Request.RType", f"{LAYER}.RType"])
def test_the_option_chooses_the_category(format, option, tmp_path, read):
    path = write_export(format, tmp_path, anna=ANNA, ben=BEN)
    found = read(path, extra={"category": option})
    assert [(u.start_offset, u.category) for u in found.units if u.annotator == "ben"] == [
        (0, "order"),
        (4, "question"),
    ]
    assert found.units[0].attributes == (("Medium", "mail"),)
    assert not found.rejected


@pytest.mark.parametrize("format", FORMATS)
def test_the_only_feature_with_values_is_the_category(format, tmp_path, read):
    path = write_export(format, tmp_path, anna=ONE_FEATURE, ben=ONE_FEATURE)
    assert {u.category for u in read(path).units} == {"order", "question"}


@pytest.mark.parametrize("format", FORMATS)
def test_another_feature_in_each_file_is_refused(format, tmp_path, read):
    """Each file by itself has one candidate, and the two are not the same question."""
    path = write_export(format, tmp_path, anna=ONE_FEATURE, ben=[(0, 3, "mail", "")])
    with pytest.raises(DataError, match="several features"):
        read(path)


@pytest.mark.parametrize("format", FORMATS)
def test_a_feature_that_does_not_exist_is_refused(format, tmp_path, read):
    path = write_export(format, tmp_path, anna=ANNA)
    for option, told in (
        ("Request.Rtype", "layer Request has no feature Rtype; its features are Medium, RType"),
        ("Rtype", "no layer has that feature; the features are Medium, RType"),
        ("Order.RType", "there is no layer Order; the layers are Request"),
    ):
        with pytest.raises(DataError, match=told):
            read(path, extra={"category": option})


@pytest.mark.parametrize("format", FORMATS)
def test_segmentation_is_read_where_it_is_named(format, tmp_path, read):
    lemma = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Lemma"
    path = write_export(format, tmp_path, layer=lemma, anna=ONE_FEATURE)
    assert not read(path).units
    found = read(path, layers=("Lemma",), extra={"category": "RType"})
    assert {u.category for u in found.units} == {"order", "question"}


def test_a_built_in_layer_has_its_own_category(tmp_path, read):
    """NamedEntity: `value`, whatever `identifier` holds."""
    (tmp_path / "anna.json").write_bytes(uima.as_json())
    found = read(tmp_path / "anna.json")
    assert {u.category for u in found.units if u.layer == "NamedEntity"} == {"PER", ""}
    assert json.loads(uima.as_json())


def test_score_compares_one_feature_of_reference_and_system(tmp_path: Path) -> None:
    paths = []
    for name, values in (("gold", ("", "order")), ("other", ("mail", "")), ("tagger", ("", "x"))):
        (tmp_path / name).mkdir()
        paths.append(write_export("uima_json", tmp_path / name, **{name: [(0, 3, *values)]}))
    gold, other, tagger = paths
    single = ("--single-annotator", "--json")
    found = accordeur("score", "--reference", gold, "--system", other, *single)
    assert found.returncode == 2
    assert "was read with category_feature Medium" in found.stderr
    found = accordeur("score", "--reference", gold, "--system", tagger, *single)
    assert found.returncode == 0, found.stderr
    assert "|category_feature:RType|" in found.stdout
