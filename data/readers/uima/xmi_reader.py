"""UIMA CAS XMI (INCEpTION, WebAnno, DKPro), with its type system beside it or in one zip.

A plain `x.xmi` needs `TypeSystem.xml` in its folder or in one above it, up to the source's root; it
is named by its place (option `layout`). A zip that holds XMI files and their type system, as
INCEpTION exports one document, gives annotator = the inner file's name and document = the title in
it. A loose file does not say whether its annotator has finished: it counts as finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.common.files.archives import Archive, is_zip, open_archive
from data.readers.common.files.probing import first_bytes
from data.readers.common.files.text import read_bytes
from data.readers.common.layers import CATEGORY_OPTION
from data.readers.common.naming import (
    LAYOUT_OPTION,
    document_and_annotator,
    document_name,
    source_name,
)
from data.readers.common.records.steps import rejected
from data.readers.common.records.work import Work, loose_work
from data.readers.inception_states import PROJECT_MARK
from data.readers.uima.records import cas_records
from data.schema import Record

TYPE_SYSTEM = "TypeSystem.xml"


class UimaXmiReader:
    NAME = "uima_xmi"
    DESCRIPTION = "UIMA CAS XMI with its TypeSystem.xml, loose or in a zip"
    PATTERNS: tuple[str, ...] = ("*.xmi", "*.zip")
    OPTIONS: Mapping[str, str] = {
        **LAYOUT_OPTION,
        **CATEGORY_OPTION,
        "typesystem": f"the type system's file, when it is not {TYPE_SYSTEM} beside the XMI",
    }

    def probe(self, path: Path) -> bool:
        if path.is_dir():
            return False
        if is_zip(path):
            try:
                with open_archive(path, path.name) as archive:
                    names = archive.names
            except DataError:
                return False
            xmi = any(name.endswith(".xmi") for name in names)
            return xmi and not any(PROJECT_MARK in name for name in names)
        return b"<xmi:XMI" in first_bytes(path)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        if is_zip(path):
            yield from _from_zip(path, options)
            return
        source = source_name(path, options)
        document, annotator = document_and_annotator(path, options)
        types = _type_system(path, source, options)
        work = xmi_work(read_bytes(path, source), types, document, annotator, source, options)
        yield from loose_work(work, document, annotator, source, options)


READER = UimaXmiReader()


def xmi_work(
    data: bytes,
    types: bytes,
    document: str,
    annotator: str,
    source: str,
    options: SourceOptions,
    *,
    titled: bool = False,
) -> Work:
    """One XMI as its annotator's work on `document`, or (`titled`) on the document it names."""
    from data.readers.uima.cas import load_xmi

    loaded = load_xmi(data, types, source)
    name = (titled and loaded.title) or document
    return Work(loaded.text, list(cas_records(loaded, name, annotator, source, options)), name)


def _type_system(path: Path, source: str, options: SourceOptions) -> bytes:
    """The named type system, else the nearest TypeSystem.xml from the file up to the root."""
    named = options.extra.get("typesystem")
    root = options.root if options.root is not None else path.parent
    if named is not None:
        inside = root / named
        return read_bytes(inside if inside.is_file() else Path(named))
    for folder in path.parents:
        if (folder / TYPE_SYSTEM).is_file():
            return read_bytes(folder / TYPE_SYSTEM)
        if folder == root:
            break
    raise DataError(
        f"{source}: an XMI says nothing without its type system: put {TYPE_SYSTEM} beside it, or "
        "name it with the option typesystem"
    )


def type_system_entry(archive: Archive, name: str) -> str:
    """The type system beside the XMI `name` in a zip (WebAnno writes it in small letters)."""
    folder = PurePosixPath(name).parent
    for each in archive.names:
        path = PurePosixPath(each)
        if path.parent == folder and path.name.casefold() == TYPE_SYSTEM.casefold():
            return each
    raise DataError(f"{archive.source}/{name}: the zip has no {TYPE_SYSTEM} beside it")


def _from_zip(path: Path, options: SourceOptions) -> Iterator[Record]:
    source = source_name(path, options)
    with open_archive(path, source) as archive:
        for name, problem in archive.refused:
            yield rejected(problem, source=f"{source}/{name}", where="")
        for name in (each for each in archive.names if each.endswith(".xmi")):
            inner = f"{source}/{name}"
            annotator = options.annotator or PurePosixPath(name).stem
            work = xmi_work(
                archive.read(name),
                archive.read(type_system_entry(archive, name)),
                document_name(path, options),
                annotator,
                inner,
                options,
                titled=True,
            )
            yield from loose_work(work, work.document, annotator, inner, options)
