"""A small check of pages: tags that nest, identifiers used once, references that resolve."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser

from markupsafe import escape

VOID = {"meta", "link", "input", "br", "hr", "img"}
SPOKEN = ("aria-label", "title", "placeholder", "alt")
REFERENCES = ("aria-labelledby", "aria-describedby", "popovertarget", "for", "data-copy")

# Words that no French sentence of the page holds.
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|were|with|without|which|that|this|these|than|from|where|when|"
    r"nobody|annotators?|units|labels|items?|chance|between|would|should|only|less|more|not|"
    r"rows?|accepted|rejected|undeclared|layer|there|have|has|each|they|their|value|other)\b",
    re.IGNORECASE,
)
FRENCH_TOO = {"item", "items", "value"}  # words of the page's French, or names of the samples


class PageCheck(HTMLParser):
    """Feed it a page, then read its findings."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.identifiers: Counter[str] = Counter()
        self.references: list[str] = []
        self.addresses: list[tuple[str, str, str]] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self.languages: list[str] = []  # of the open tags
        self.said: list[tuple[str, str]] = []  # language and text, code left out

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
            before = self.languages[-1] if self.languages else ""
            self.languages.append(dict(attrs).get("lang") or before)
        for name, value in attrs:
            text = value or ""
            if name in SPOKEN:
                self._say(text)
            elif name == "data-words":  # what the script says
                for word in json.loads(text).values():
                    self._say(word)
            if name == "id":
                self.identifiers[text] += 1
            elif name in REFERENCES:
                self.references += text.split()
            elif name in ("href", "src", "srcset", "action", "poster", "xlink:href", "data"):
                self.addresses.append((tag, name, text))
            elif name.startswith("on"):
                self.faults.append(f"handler {name} in <{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()
            self.languages.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]} at {self.getpos()}")
        else:
            self.open.pop()
            self.languages.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif self.open and self.open[-1] != "style":
            self.words.append(data)
            if not {"code", "pre"} & set(self.open):
                self._say(data)

    def _say(self, text: str) -> None:
        if text.strip():
            self.said.append((self.languages[-1] if self.languages else "", text.strip()))

    def words_of(self, language: str) -> list[str]:
        """The texts of one language, attributes that are read aloud included."""
        return [text for of, text in self.said if of == language]


def checked(page: str) -> PageCheck:
    check = PageCheck()
    check.feed(page)
    check.close()
    return check


def english_in(page: str, *, names: Sequence[str] = ()) -> list[str]:
    """The texts of a French page that hold an English word; code and other languages left out.

    `names` are the campaign's own words, which stand in our sentences as they are.
    """
    for name in names:
        page = page.replace(html.escape(name, quote=False), "").replace(str(escape(name)), "")
    return [
        text
        for text in checked(page).words_of("fr")
        if any(found.lower() not in FRENCH_TOO for found in ENGLISH.findall(text))
    ]
