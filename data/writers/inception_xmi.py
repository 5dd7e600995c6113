"""UIMA CAS XMI as INCEpTION and WebAnno import it: `<document>/<annotator>.xmi`, `TypeSystem.xml`.

The layout that `formats.uima.xmi_reader` reads. Units without a layer are named entities (a
layer of every project); units of a layer L are `webanno.custom.L`; the category is the feature
`value`. Relations are `webanno.custom.Relation` with Governor and Dependent. Fragments and
attributes are written as string features `fragments` and `attributes`, because the tool has
neither. dkpro-cassis writes the CAS and turns code points into UTF-16 units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DataError, import_optional
from ..schema import Record, Unit
from .base import AnnotatorPass, DocumentSheet, safe_path, sheets_by_document, write_files

if TYPE_CHECKING:
    from cassis import TypeSystem

NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_RELATION = "webanno.custom.Relation"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*$")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class InceptionXmiWriter:
    NAME = "inception_xmi"
    DESCRIPTION = "UIMA CAS XMI for INCEpTION and WebAnno, with its type system"

    def write(self, records: Iterable[Record], folder: Path) -> list[Path]:
        sheets = sheets_by_document(records)
        hands = [hand for sheet in sheets for hand in sheet.annotator_passes.values()]
        types = _type_system({unit.layer for hand in hands for unit in hand.units})
        files = {folder / "TypeSystem.xml": types.to_xml()}
        for sheet in sheets:
            place = folder / safe_path(sheet.document.document, "document", folders=True)
            for hand in sheet.sorted_passes():
                name = safe_path(hand.name, "annotator")
                files[place / f"{name}.xmi"] = _xmi_text(sheet, hand, types)
        return write_files(files)


WRITER = InceptionXmiWriter()


def _type_name(layer: str) -> str:
    if not layer or layer == "NamedEntity":
        return NAMED_ENTITY
    if not _IDENTIFIER.match(layer):
        raise DataError(
            f"layer {layer!r} cannot be a UIMA type (letters, digits, _); rename it in the campaign"
        )
    return f"webanno.custom.{layer}"


def _import_cassis() -> Any:
    return import_optional("cassis", "uima", "UIMA XMI is written")


def _type_system(layers: set[str]) -> TypeSystem:
    """Return the types that the records need, and the document's metadata."""
    cassis = _import_cassis()
    types = cassis.TypeSystem()
    annotation, string = "uima.tcas.Annotation", "uima.cas.String"
    metadata = types.create_type(_METADATA, "uima.tcas.DocumentAnnotation")
    for feature in ("documentTitle", "documentId"):
        types.create_feature(metadata, feature, string)
    for name in sorted({_type_name(layer) for layer in layers} | {NAMED_ENTITY}):
        created = types.create_type(name, annotation)
        for feature in ("value", "fragments", "attributes"):
            types.create_feature(created, feature, string)
    relation = types.create_type(_RELATION, annotation)
    types.create_feature(relation, "Governor", annotation)
    types.create_feature(relation, "Dependent", annotation)
    types.create_feature(relation, "value", string)
    return types


def _xmi_text(sheet: DocumentSheet, hand: AnnotatorPass, types: TypeSystem) -> str:
    document = sheet.document.document
    if hand.labels:
        raise DataError(
            f"document {document!r}: a CAS cannot represent the labels of items; write them as "
            "tables or for Label Studio"
        )
    _check_xml(sheet.text, document)
    cas = _import_cassis().Cas(types)
    cas.sofa_string = sheet.text
    cas.sofa_mime = "text/plain"
    title = types.get_type(_METADATA)
    cas.add(title(begin=0, end=len(sheet.text), documentTitle=document, documentId=document))
    made: dict[str, Any] = {}
    for unit in hand.units:
        made[unit.unit] = _structure(unit, types)
        cas.add(made[unit.unit])
    relation_type = types.get_type(_RELATION)
    for relation in hand.relations:
        ends = [made.get(unit) for unit in (relation.from_unit, relation.to_unit)]
        if ends[0] is None or ends[1] is None:
            raise DataError(
                f"document {document!r}: relation {relation.relation!r} joins a unit that is not "
                "among the records"
            )
        _check_xml(relation.category, document)
        cas.add(
            relation_type(
                begin=ends[1].begin,
                end=ends[1].end,
                Governor=ends[0],
                Dependent=ends[1],
                value=relation.category or None,
            )
        )
    return str(cas.to_xmi())


def _structure(unit: Unit, types: TypeSystem) -> Any:
    stated = dict(unit.attributes)  # a CAS written here and read again has both
    fragments = ";".join(f"{a} {b}" for a, b in unit.fragments) or stated.pop("fragments", "")
    kept = [stated.pop("attributes")] if "attributes" in stated else []
    attributes = "; ".join([*kept, *(f"{name}={value}" for name, value in stated.items())])
    for text in (unit.category, fragments, attributes):
        _check_xml(text, unit.document)
    return types.get_type(_type_name(unit.layer))(
        begin=unit.start_offset,
        end=unit.end_offset,
        value=unit.category or None,
        fragments=fragments or None,
        attributes=attributes or None,
    )


def _check_xml(text: str, document: str) -> None:
    bad = _NO_XML.search(text)
    if bad:
        raise DataError(
            f"document {document!r}: the character U+{ord(bad[0]):04X} is not allowed in XML; "
            "write tables or brat"
        )
