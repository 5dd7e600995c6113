"""The sources of the measures: BibTeX entries of references.bib, and formatted references."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302"}  # combining marks
_MOST_NAMED = 3  # authors named; of more, only the first is named
_FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}")


@cache
def bibliography() -> dict[str, str]:
    """Return BibTeX entries by key, as written in references.bib."""
    text = (Path(__file__).parent / "references.bib").read_text(encoding="utf-8")
    entries: dict[str, str] = {}
    for block in text.split("\n@"):
        body = block if block.startswith("@") else "@" + block
        key = body.split("{", 1)[1].split(",", 1)[0]
        entries[key] = body.strip()
    return entries


def bibtex_of(keys: Sequence[str]) -> str:
    """Return the BibTeX entries of these keys."""
    return "\n\n".join(bibliography()[key] for key in keys)


def formatted_reference(entry: str) -> str:
    """Format a BibTeX entry as an entry of a list of references: authors (year). Title. Where."""
    fields = {name: _plain(text) for name, text in _FIELD.findall(entry)}
    authors = fields.get("author", "").replace(" and ", "; ")
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or ""
    place = place or fields.get("school", "") or fields.get("institution", "")
    number = f"({fields['number']})" if "number" in fields else ""
    volume = f" {fields['volume']}{number}" if "volume" in fields else ""
    pages = f", {fields['pages']}" if "pages" in fields else ""
    where = f"{place}{volume}{pages}"
    said = f"{authors} ({fields.get('year', '')}). {fields.get('title', '')}."
    return f"{said} {where}." if where else said


def author_year_citation(keys: Sequence[str]) -> str:
    """Format citations in a sentence: "Mathet, Widlöcher & Métivier 2015"; "" without any."""
    return ", ".join(_author_year(bibliography()[key]) for key in keys)


def _author_year(entry: str) -> str:
    fields = {name: _plain(text) for name, text in _FIELD.findall(entry)}
    names = [author.split(",")[0] for author in fields["author"].split(" and ")]
    if len(names) > _MOST_NAMED:
        return f"{names[0]} et al. {fields['year']}"
    cited = f"{', '.join(names[:-1])} & {names[-1]}" if names[1:] else names[0]
    return f"{cited} {fields['year']}"


def _plain(text: str) -> str:
    """Convert TeX's accents, dashes and mathematics to characters."""
    text = re.sub(
        r"\{?\\([\"'`^])\{?(\w)\}?\}?",
        lambda found: unicodedata.normalize("NFC", found[2] + _ACCENTS[found[1]]),
        text,
    )
    text = text.replace(r"\gamma", "γ").replace(r"\&", "&").replace("_{cat}", "-cat")
    return re.sub(r"[{}$]", "", text).replace("--", "–")
