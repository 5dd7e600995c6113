"""XML bombs and external entities are refused before a parser that would follow them."""

from __future__ import annotations

import pytest

from accordeur.data.errors import DataError
from accordeur.data.untrusted.xml import guard_xml, parse_xml

BOMB = b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>"""
FILE = b"""<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>"""
REMOTE = b"""<!DOCTYPE a SYSTEM "http://localhost:9/a.dtd"><a/>"""


@pytest.mark.parametrize("check", [guard_xml, parse_xml])
@pytest.mark.parametrize("data", [BOMB, FILE, REMOTE, BOMB.decode().encode("utf-16")])
def test_a_document_type_is_refused(check, data):
    with pytest.raises(DataError, match=r"refused|document type|well-formed"):
        check(data, "x.xml")


@pytest.mark.parametrize("check", [guard_xml, parse_xml])
@pytest.mark.parametrize("data", [b"", b"<", b"text", b"<?xml version='1.0' encoding='no'?><a/>"])
def test_what_is_no_xml_is_one_error(check, data):
    with pytest.raises(DataError):
        check(data, "x.xml")


def test_a_doctype_after_a_long_prolog_is_found():
    with pytest.raises(DataError, match="document type"):
        guard_xml(b"<!--" + b"x" * 100_000 + b"-->" + BOMB[21:], "x.xml")


def test_plain_xml_passes():
    data = "<?xml version='1.1'?><a b='👑'><c/></a>".encode()
    guard_xml(data, "x.xml")
    assert parse_xml(b"<a b='1'><c/></a>", "x.xml").get("b") == "1"
