"""Documents that describe a release, written beside its results and regenerated to verify it."""

from __future__ import annotations

from ...data.store.checksums import CHECKSUMS, SIGNATURE, path_below
from ...data.store.store import Store
from ...reports.language import LANGUAGES, Code
from ...reports.release.corpus_to_release import BundleFile, Corpus
from ...reports.release.documents import release_documents
from ...reports.release.requirements import Missing, missing_information
from ...reports.results import Results

RESULTS = "results.json"


def write_documents(store: Store, folder: str, code: Code) -> list[Missing]:
    """Write the documents that describe the files below `folder`; return what they lack.

    Without a section [release], no documents are written.
    """
    results = Results.model_validate_json(store.read_bytes(f"{folder}/{RESULTS}"))
    if results.release is None or results.release.metadata is None:
        return []
    corpus = _corpus(store, folder, results, code)
    for path, content in release_documents(corpus).items():
        store.write_bytes(f"{folder}/{path}", content)
    return missing_information(corpus)


def release_document_paths(results: Results) -> set[str]:
    """Return the paths of the documents in the bundle; none without a section [release]."""
    if results.release is None or results.release.metadata is None:
        return set()
    return {*release_documents(Corpus(results, ()))}


def altered_documents(store: Store, folder: str) -> list[str]:
    """Return the documents that differ from those generated from the results and other files."""
    results = Results.model_validate_json(store.read_bytes(path_below(folder, RESULTS)))
    if results.release is None or results.release.metadata is None:
        return []
    differing = [
        [
            path
            for path, content in release_documents(_corpus(store, folder, results, code)).items()
            if store.content(path_below(folder, path)) != content
        ]
        for code in LANGUAGES
    ]
    return min(differing, key=len)


def _corpus(store: Store, folder: str, results: Results, code: Code) -> Corpus:
    """Return the results with the files below `folder` that do not describe the release."""
    own = {*release_document_paths(results), CHECKSUMS, SIGNATURE}
    files = []
    for path in store.list(folder):
        name = path.removeprefix(path_below(folder, ""))
        digest = None if name in own else store.digest(path)
        if digest is not None:
            files.append(BundleFile(name, digest.n_bytes, digest.sha256))
    return Corpus(results, tuple(sorted(files, key=lambda file: file.path)), code)
