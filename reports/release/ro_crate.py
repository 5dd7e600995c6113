"""RO-Crate 1.1 metadata of the bundle: the type, creator and origin of each file.

Source: RO-Crate Metadata Specification 1.1 (https://w3id.org/ro/crate/1.1).
"""

from __future__ import annotations

from ..results.release import Creator
from .corpus_to_release import Corpus
from .croissant import agent

FILE = "ro-crate-metadata.json"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/crate/1.1"
_SOFTWARE, _ACTION = "#accordeur", "#measurement"


def ro_crate(corpus: Corpus) -> dict[str, object]:
    """Return the whole document; the files of the bundle are its data entities."""
    metadata, campaign = corpus.metadata, corpus.results.campaign
    creators = [_entity(one, n) for n, one in enumerate(metadata.creators)]
    affiliations: list[dict[str, object]] = [
        {"@id": f"#affiliation-{n}", "@type": "Organization", "name": one.affiliation}
        for n, one in enumerate(metadata.creators)
        if one.affiliation
    ]
    licence_id = corpus.licence_url if "://" in corpus.licence_url else "#licence"
    publisher: dict[str, object] | None = (
        {"@id": "#publisher", "@type": "Organization", "name": metadata.publisher}
        if metadata.publisher
        else None
    )
    licence: dict[str, object] = {
        "@id": licence_id,
        "@type": "CreativeWork",
        "name": campaign.licence,
        "description": campaign.licence,
    }
    root: dict[str, object] = {
        "@id": "./",
        "@type": "Dataset",
        "name": corpus.title,
        "description": campaign.description,
        "datePublished": metadata.date.isoformat() if metadata.date else "",
        "license": {"@id": licence_id} if corpus.licence_url else "",
        "version": metadata.version,
        "keywords": list(metadata.keywords),
        "identifier": corpus.identifier,
        "author": [{"@id": one["@id"]} for one in creators],
        "publisher": {"@id": "#publisher"} if publisher else "",
        "citation": _citation(metadata.paper),
        "mentions": {"@id": _ACTION},
        "hasPart": [{"@id": file.path} for file in corpus.files],
    }
    descriptor: dict[str, object] = {
        "@id": FILE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    software: dict[str, object] = {
        "@id": _SOFTWARE,
        "@type": "SoftwareApplication",
        "name": "Accordeur",
        "version": corpus.results.run.version,
    }
    action: dict[str, object] = {
        "@id": _ACTION,
        "@type": "CreateAction",
        "name": corpus.say("passport.generated"),
        "instrument": {"@id": _SOFTWARE},
        "result": [{"@id": file.path} for file in corpus.files],
    }
    files: list[dict[str, object]] = [
        {
            "@id": file.path,
            "@type": "File",
            "name": file.name,
            "contentSize": str(file.size),
            "encodingFormat": file.format,
            "sha256": file.sha256,
        }
        for file in corpus.files
    ]
    entities = [descriptor, root, *creators, *affiliations, software, action, *files]
    entities += [publisher] if publisher else []
    if "://" in metadata.paper:
        entities.append(
            {"@id": metadata.paper, "@type": "ScholarlyArticle", "name": metadata.paper}
        )
    entities += [licence] if corpus.licence_url else []
    return {
        "@context": [CONTEXT, {"sha256": "https://schema.org/sha256"}],
        "@graph": [_without_empty(one) for one in entities],
    }


def _entity(creator: Creator, number: int) -> dict[str, object]:
    """Describe a creator as a separate entity, with terms of the RO-Crate context."""
    node = agent(creator)
    if creator.affiliation:
        node["affiliation"] = {"@id": f"#affiliation-{number}"}
    kind = str(node["@type"]).removeprefix("sc:")
    return {"@id": f"#creator-{number}", **node, "@type": kind}


def _citation(paper: str) -> object:
    return {"@id": paper} if "://" in paper else paper


def _without_empty(entity: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in entity.items() if value not in ("", [], None)}
