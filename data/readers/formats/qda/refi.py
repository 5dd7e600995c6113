"""REFI-QDA projects (.qdpx), which ATLAS.ti, MAXQDA, NVivo, QualCoder and others exchange.

The standard (REFI-QDA 1.5, with an XML schema) describes a zip of `project.qde` and of its sources.

Conventions:
* the document is a source of text, or the text of a transcript or of a PDF, by its name;
* the annotator is the user whom a `Coding` names, else the one of its selection;
* the category is the code's name; where two codes have one name, with those above it;
* offsets are code points of the plain text, which is in the zip or in the project file. Without
  the text, the bounds of its passages are not checked;
* passages of pictures, sound and film, and places on the pages of a PDF, are excluded, with their
  number (`other_kind`).

A user who coded nothing in a document took no part in it: the format has no states.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element

from ....errors import DataError
from ....schema import Record
from ....untrusted.archives import Archive, is_zip, open_archive
from ....untrusted.documents import decode_text
from ....untrusted.files import read_file
from ....untrusted.xml import parse_xml
from ...base import SourceOptions
from ...common.files.text import first_bytes
from ...common.naming import source_name
from ...options import FormatOptions
from .codings import CodedTexts, Coding, category_names

_PROJECT, _NAMESPACE = ".qde", "{urn:QDA-XML:project:1.0}"
_SELECTION = "PlainTextSelection"
_TEXTS = ("Transcript", "Representation")  # of the text that belongs to a recording
_INTERNAL = "internal://"


class RefiQdaReader:
    NAME = "refi_qda"
    DESCRIPTION = "REFI-QDA project (.qdpx) of ATLAS.ti, MAXQDA, NVivo, QualCoder: coded texts"
    PATTERNS: tuple[str, ...] = ("*.qdpx", "*.qde")
    OPTIONS = FormatOptions

    def probe(self, path: Path) -> bool:
        if path.is_dir():
            return False
        if path.suffix.lower() == _PROJECT:
            return b"QDA-XML:project" in first_bytes(path)
        if not is_zip(path):
            return False
        try:
            with open_archive(path, path.name) as archive:
                return any(name.lower().endswith(_PROJECT) for name in archive.names)
        except DataError:
            return False

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        if path.suffix.lower() == _PROJECT:
            yield from _project(read_file(path, source), None, source).records(source, options)
            return
        with open_archive(path, source) as archive:
            names = (one for one in archive.names if one.lower().endswith(_PROJECT))
            name = next(names, None)
            if name is None:
                archive.require_sound()
                raise DataError(f"{source}: contains no project.qde: export it again as REFI-QDA")
            project = _project(archive.read(name), archive, source)
        yield from project.records(source, options)


READER = RefiQdaReader()


def _project(data: bytes, archive: Archive | None, source: str) -> CodedTexts:
    root = parse_xml(data, f"{source}/project{_PROJECT}")
    if not root.tag.endswith("Project"):
        raise DataError(f"{source}: the root is <{root.tag}>, not <Project>")
    for element in root.iter():  # with and without the namespace
        element.tag = element.tag.removeprefix(_NAMESPACE)
    users = {
        one.get("guid", ""): one.get("name") or one.get("id") or "" for one in root.iter("User")
    }
    codes = dict(_codes(root))
    texts: dict[str, str | None] = {}
    codings: list[Coding] = []
    n_other = 0
    for sources in root.findall("Sources"):
        for one in sources:
            for name, holder in _text_holders(one):
                if holder.find(_SELECTION) is not None or one.tag == "TextSource":
                    name = _free_name(name, texts)
                    texts[name] = _text(holder, archive)
                    codings += _codings(holder, name, users)
            n_codings = sum(1 for _ in one.iter("Coding"))
            n_other += n_codings - sum(
                len(chosen.findall("Coding")) for chosen in one.iter(_SELECTION)
            )
    return CodedTexts(texts, category_names(codes), codings, n_other)


def _codes(root: Element) -> Iterator[tuple[str, list[str]]]:
    """Yield the key of each code, with the names from the root of the codebook down to it."""
    above: list[tuple[Element, list[str]]] = [
        (one, []) for codebook in root.findall("CodeBook") for one in codebook.findall("Codes")
    ]
    while above:
        element, path = above.pop()
        for code in element.findall("Code"):
            names = [*path, code.get("name", "")]
            yield code.get("guid", ""), names
            above.append((code, names))


def _text_holders(source: Element) -> Iterator[tuple[str, Element]]:
    """Yield the elements of a source that have a plain text, each with a name."""
    name = source.get("name") or PurePosixPath(source.get("plainTextPath", "")).name
    name = name or source.get("guid", "")
    if source.tag == "TextSource":
        yield name, source
    for tag in _TEXTS:
        for one in source.findall(tag):
            own = one.get("name", "")
            yield (f"{name}/{own}" if tag == "Transcript" and own else name), one


def _free_name(name: str, taken: dict[str, str | None]) -> str:
    """Return the name of a document, numbered if another one has it."""
    found, n = name, 2
    while found in taken:
        found, n = f"{name} ({n})", n + 1
    return found


def _text(holder: Element, archive: Archive | None) -> str | None:
    """Return the plain text of a source; None if the project does not have it."""
    content = holder.findtext("PlainTextContent")
    if content is not None:
        return content
    wanted = holder.get("plainTextPath", "").removeprefix(_INTERNAL).replace("\\", "/")
    name = PurePosixPath(wanted).name.casefold()
    if archive is None or not name:
        return None
    found = [one for one in archive.names if PurePosixPath(one).name.casefold() == name]
    if not found:
        return None
    text = decode_text(archive.read(found[0]), f"{archive.source}/{found[0]}")
    return text if text.strip() else None


def _codings(holder: Element, document: str, users: dict[str, str]) -> Iterator[Coding]:
    for selection in holder.findall(_SELECTION):
        bounds = selection.get("startPosition", ""), selection.get("endPosition", "")
        for number, coding in enumerate(selection.findall("Coding"), 1):
            user = coding.get("creatingUser") or selection.get("creatingUser") or ""
            for code in coding.findall("CodeRef"):
                name = coding.get("guid") or f"{selection.get('guid', '')}#{number}"
                target = code.get("targetGUID", "")
                yield Coding(name, document, users.get(user, user), target, *bounds)
