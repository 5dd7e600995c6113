"""Untrusted XML: no document type, entities or network access, whatever the parser.

No annotation format needs a document type declaration, and every known XML bomb or file disclosure
does: a file that has one is rejected before any parser sees it.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat

from ..errors import DataError

_CHUNK = 4096


class _FirstElement(Exception):  # noqa: N818 - a signal, not an error
    """The prolog ends here."""


def guard_xml(data: bytes, source: str) -> None:
    """Check the prolog of `data`, up to the first element.

    Raises DataError when it has a document type declaration or is not XML. Call it before passing
    bytes to a parser that resolves entities (lxml in dkpro-cassis).
    """
    parser = expat.ParserCreate()

    def refuse(*_: Any) -> None:
        raise DataError(
            f"{source}: has a document type declaration, which no annotation tool writes; it is "
            "refused because entities can read files or fill memory"
        )

    def stop(*_: Any) -> None:
        raise _FirstElement

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = stop
    try:
        for at in range(0, len(data), _CHUNK):
            parser.Parse(data[at : at + _CHUNK], False)
        parser.Parse(b"", True)
    except _FirstElement:
        return
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise DataError(f"{source}: not well-formed XML ({error})") from error
    raise DataError(f"{source}: not XML: the file contains no element")


def parse_xml(data: bytes, source: str) -> Element:
    """Return the root element. Raises DataError if damaged, or with document type or entities."""
    guard_xml(data, source)
    try:
        # without a document type no entity can be declared or resolved
        root: Element = ElementTree.fromstring(data)  # noqa: S314 - guarded
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise DataError(f"{source}: not well-formed XML ({error})") from error
    return root


def inner_elements(element: Element, outer: str, tag: str) -> list[Element]:
    """Return `element.findall("outer/tag")`; ElementTree is much faster with single-step paths."""
    return [child for each in element.findall(outer) for child in each.findall(tag)]


def text_at(element: Element, outer: str, tag: str) -> str:
    """Return the text of the first of the `inner_elements`; "" without an element or text."""
    found = inner_elements(element, outer, tag)
    return found[0].text or "" if found else ""
