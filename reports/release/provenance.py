"""Provenance of the release in PROV (W3C 2013), as PROV-JSON."""

from __future__ import annotations

from .corpus_to_release import Corpus

FILE = "prov.json"
_RELEASE, _EXPORTS, _DOCUMENTS = "release:corpus", "release:exports", "release:documents"
_COLLECTING, _ANNOTATING, _MEASURING = "release:collection", "release:annotation", "release:audit"
_SOFTWARE, _ANNOTATORS = "release:accordeur", "release:annotators"


def provenance(corpus: Corpus) -> dict[str, object]:
    """Return documents → exports → release, with the activities and agents between them.

    Dates of activities come from the campaign file; the annotators are one agent, as a group.
    """
    say, metadata, run = corpus.say, corpus.metadata, corpus.results.run
    entities: dict[str, object] = {
        _DOCUMENTS: {"prov:label": say("passport.documents")},
        _EXPORTS: {"prov:label": say("passport.exports"), "release:inputHash": run.input_hash},
        _RELEASE: {
            "prov:type": {"$": "prov:Collection", "type": "prov:QUALIFIED_NAME"},
            "prov:label": corpus.title,
            "release:version": metadata.version,
        },
    }
    entities |= {
        f"release:{file.path}": {"prov:label": file.path, "release:sha256": file.sha256}
        for file in corpus.files
    }
    sources = {f"release:source{n}": name for n, name in enumerate(metadata.sources)}
    entities |= {key: {"prov:label": name} for key, name in sources.items()}
    creators = {f"release:creator{n}": one for n, one in enumerate(metadata.creators)}
    agents: dict[str, object] = {
        _SOFTWARE: {
            "prov:type": {"$": "prov:SoftwareAgent", "type": "prov:QUALIFIED_NAME"},
            "prov:label": f"Accordeur {run.version}",
        },
        _ANNOTATORS: {"prov:label": say("passport.annotators")},
    }
    agents |= {key: {"prov:label": one.full_name} for key, one in creators.items()}
    collected = {
        "prov:startTime": f"{metadata.collected_from}T00:00:00" if metadata.collected_from else "",
        "prov:endTime": f"{metadata.collected_until}T00:00:00" if metadata.collected_until else "",
    }
    activities: dict[str, object] = {
        _COLLECTING: {"prov:label": say("passport.collection"), **_without_blanks(collected)},
        _ANNOTATING: {"prov:label": say("passport.annotation")},
        _MEASURING: {
            "prov:label": say("passport.generated"),
            **_without_blanks({"release:command": run.command}),
        },
    }
    derived = [
        (_EXPORTS, _DOCUMENTS),
        (_RELEASE, _EXPORTS),
        *((_DOCUMENTS, key) for key in sources),
    ]
    made = [(_DOCUMENTS, _COLLECTING), (_EXPORTS, _ANNOTATING), (_RELEASE, _MEASURING)]
    return {
        "prefix": {"release": (corpus.identifier or "urn:release") + "#"},
        "entity": entities,
        "activity": activities,
        "agent": agents,
        "wasDerivedFrom": _relations("d", "prov:generatedEntity", "prov:usedEntity", derived),
        "wasGeneratedBy": _relations("g", "prov:entity", "prov:activity", made),
        "used": _relations(
            "u", "prov:activity", "prov:entity",
            [(_ANNOTATING, _DOCUMENTS), (_MEASURING, _EXPORTS)],
        ),
        "wasAssociatedWith": _relations(
            "a", "prov:activity", "prov:agent",
            [(_MEASURING, _SOFTWARE), (_ANNOTATING, _ANNOTATORS)],
        ),
        "wasAttributedTo": _relations(
            "t", "prov:entity", "prov:agent", [(_RELEASE, key) for key in creators]
        ),
        "hadMember": _relations(
            "m", "prov:collection", "prov:entity",
            [(_RELEASE, f"release:{file.path}") for file in corpus.files],
        ),
    }  # fmt: skip


def _relations(
    prefix: str, first: str, second: str, pairs: list[tuple[str, str]]
) -> dict[str, object]:
    return {f"_:{prefix}{n}": {first: one, second: other} for n, (one, other) in enumerate(pairs)}


def _without_blanks(texts: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}
