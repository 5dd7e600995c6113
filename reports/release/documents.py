"""All documents of a release, by file name."""

from __future__ import annotations

import csv
import io
import json

from . import card, citation, croissant, provenance, ro_crate
from .corpus_to_release import DATA, BundleFile, Corpus
from .requirements import missing_information

MISSING = "missing.json"
DICTIONARY = f"{DATA}/dictionary.csv"


def release_documents(corpus: Corpus) -> dict[str, bytes]:
    """Return path in the bundle → content; the same results and files give the same bytes.

    `corpus.files` holds the other files of the bundle. RO-Crate also lists the documents that are
    made before it.
    """
    missing = missing_information(corpus)
    made = {
        DICTIONARY: data_dictionary(corpus).encode(),
        card.FILE: card.dataset_card(corpus).encode(),
        card.STATEMENT: card.data_statement(corpus).encode(),
        card.MISSING: card.missing_list(corpus, missing).encode(),
        MISSING: _json([one.model_dump(mode="json") for one in missing]),
        croissant.FILE: _json(croissant.croissant(corpus)),
        provenance.FILE: _json(provenance.provenance(corpus)),
    }
    if corpus.metadata.creators:  # the format requires an author
        made[citation.FILE] = citation.citation_file(corpus).encode()
    files = (*corpus.files, *(BundleFile.of(path, content) for path, content in made.items()))
    whole = Corpus(corpus.results, tuple(sorted(files, key=lambda file: file.path)), corpus.code)
    return made | {ro_crate.FILE: _json(ro_crate.ro_crate(whole))}


def data_dictionary(corpus: Corpus) -> str:
    """Return a CSV table: table, column, type, meaning."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["table", "column", "type", "meaning"])
    for table in corpus.release.tables:
        for column, kind in table.columns.items():
            rows.writerow([table.name, column, kind, corpus.column_text(table.name, column)])
    return text.getvalue()


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
