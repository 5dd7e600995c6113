"""How to cite the corpus: CITATION.cff (Citation File Format 1.2.0) and BibTeX."""

from __future__ import annotations

import json
import re
import unicodedata

from ..results.release import Creator
from .corpus_to_release import Corpus

FILE = "CITATION.cff"


def citation_file(corpus: Corpus) -> str:
    """Return CITATION.cff for a corpus with a creator."""
    metadata = corpus.metadata
    found: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": "Please cite this corpus as below.",
        "type": "dataset",
        "title": corpus.title,
        "abstract": corpus.results.campaign.description,
        "authors": [_author(one) for one in metadata.creators],
        "version": metadata.version,
        "date-released": metadata.date.isoformat() if metadata.date else "",
        "doi": metadata.doi,
        "url": metadata.url,
        "keywords": list(metadata.keywords),
        "license": corpus.spdx,
        "license-url": "" if corpus.spdx or "://" not in corpus.licence_url else corpus.licence_url,
    }
    return "".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}\n"  # JSON is YAML
        for name, value in found.items()
        if value not in ("", [])
    )


def _author(creator: Creator) -> dict[str, str]:
    found = {
        "name": creator.name,
        "family-names": creator.family,
        "given-names": creator.given,
        "orcid": f"https://orcid.org/{creator.orcid}" if creator.orcid else "",
        "affiliation": "" if creator.name else creator.affiliation,
        "email": creator.email,
    }
    return {name: text for name, text in found.items() if text}


def bibtex(corpus: Corpus) -> str:
    """Return the campaign file's entry, or one made of creators, title, date and address; or ""."""
    metadata = corpus.metadata
    if metadata.citation:
        return metadata.citation
    if not metadata.creators:
        return ""
    first = metadata.creators[0]
    year = str(metadata.date.year) if metadata.date else ""
    fields = {
        "title": corpus.title,
        "author": " and ".join(
            f"{{{one.name}}}" if one.name else f"{one.family}, {one.given}".rstrip(", ")
            for one in metadata.creators
        ),
        "year": year,
        "version": metadata.version,
        "publisher": metadata.publisher,
        "doi": metadata.doi,
        "url": metadata.url,
    }
    lines = [f"  {name} = {{{text}}}" for name, text in fields.items() if text]
    return f"@misc{{{_key(first.family or first.name)}{year},\n" + ",\n".join(lines) + "\n}"


def _key(name: str) -> str:
    """Convert a name to letters allowed in a BibTeX key."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"\W", "", plain).lower() or "corpus"
