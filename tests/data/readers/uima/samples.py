"""Small CAS documents made with dkpro-cassis, as INCEpTION would write them."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from typing import Any

import cassis

TEXT = "👑 Anna met Bob.\r\nShe left."
NE = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"
TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"
LINK = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
META = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
EVENT = "webanno.custom.Event"
ROLE = "webanno.custom.EventRolesLink"
GENRE = "webanno.custom.Genre"
CHAIN = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceChain"


@cache
def typesystem() -> Any:
    types = cassis.TypeSystem()
    string, annotation = "uima.cas.String", "uima.tcas.Annotation"
    meta = types.create_type(META, annotation)
    for name in ("documentTitle", "documentId"):
        types.create_feature(meta, name, string)
    entity = types.create_type(NE, annotation)
    for name in ("identifier", "value"):
        types.create_feature(entity, name, string)
    pos = types.create_type(POS, annotation)
    for name in ("PosValue", "coarseValue"):
        types.create_feature(pos, name, string)
    token = types.create_type(TOKEN, annotation)
    types.create_feature(token, "pos", POS)
    dependency = types.create_type(DEPENDENCY, annotation)
    types.create_feature(dependency, "DependencyType", string)
    for name in ("Governor", "Dependent"):
        types.create_feature(dependency, name, TOKEN)
    link = types.create_type(LINK, annotation)
    types.create_feature(link, "next", LINK)
    for name in ("referenceType", "referenceRelation"):
        types.create_feature(link, name, string)
    genre = types.create_type(GENRE, "uima.cas.AnnotationBase")
    types.create_feature(genre, "value", string)
    chain = types.create_type(CHAIN, "uima.cas.AnnotationBase")
    types.create_feature(chain, "first", LINK)
    role = types.create_type(ROLE, "uima.cas.TOP")
    types.create_feature(role, "role", string)
    types.create_feature(role, "target", NE)
    event = types.create_type(EVENT, annotation)
    types.create_feature(event, "kind", string)
    types.create_feature(event, "roles", "uima.cas.FSArray", elementType=ROLE)
    return types


def sample(*, annotator: str = "anna", text: str = TEXT, empty: bool = False) -> Any:
    """A CAS with a span, a slot, a chain, two dependencies; or only its tokens."""
    types = typesystem()
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string = text
    cas.sofa_mime = "text/plain"

    def add(name: str, start: int, end: int, **features: Any) -> Any:
        made = types.get_type(name)(begin=start, end=end, **features)
        cas.add(made)
        return made

    add(META, 0, len(text), documentTitle="meeting.txt", documentId=annotator)
    words = [add(TOKEN, *span) for span in ((0, 1), (2, 6), (7, 10), (11, 14))]
    if empty:
        return cas
    words[1].pos = add(POS, 2, 6, coarseValue="PROPN")
    words[2].pos = add(POS, 7, 10, PosValue="VERB", coarseValue="V")
    add(DEPENDENCY, 2, 6, DependencyType="subj", Governor=words[2], Dependent=words[1])
    add(DEPENDENCY, 11, 14, DependencyType="obj", Governor=words[2], Dependent=words[3])
    anna = add(NE, 0, 6, value="PER", identifier="Q1")
    bob = add(NE, 11, 14)
    roles = [types.get_type(ROLE)(role=r, target=t) for r, t in (("agent", anna), ("other", bob))]
    array = types.get_type("uima.cas.FSArray")(elements=roles)
    add(EVENT, 7, 10, kind="meeting", roles=array)
    she = add(LINK, 17, 20, referenceType="pron")
    first = add(LINK, 2, 6, referenceType="name", referenceRelation="same", next=she)
    cas.add(types.get_type(CHAIN)(first=first))
    cas.add(types.get_type(GENRE)(value="news"))
    return cas


def xmi(**options: Any) -> bytes:
    return sample(**options).to_xmi().encode()


def as_json(**options: Any) -> bytes:
    return sample(**options).to_json().encode()


@cache
def typesystem_xml() -> bytes:
    return typesystem().to_xml().encode()


def work_zip(annotator: str, **options: Any) -> bytes:
    """One annotator's XMI and the type system, as INCEpTION puts them in a project."""
    return zipped(
        {
            f"{annotator}.xmi": xmi(annotator=annotator, **options),
            "TypeSystem.xml": typesystem_xml(),
        }
    )


def zipped(entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return file.getvalue()


def project(
    entries: dict[str, bytes], states: dict[tuple[str, str], str], **documents: str
) -> bytes:
    """A project zip: its entries, states by (document, annotator), state of each document."""
    described = {
        "source_documents": [{"name": name, "state": state} for name, state in documents.items()],
        "annotation_documents": [
            {"name": document, "user": user, "state": state, "updated": 1630093984687}
            for (document, user), state in states.items()
        ],
    }
    return zipped({**entries, "exportedproject1.json": json.dumps(described).encode()})
