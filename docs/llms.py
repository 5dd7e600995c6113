"""The documentation for language models: `llms.txt` lists the pages, `llms-full.txt` holds them.

Both are written beside the site whenever it is built (https://llmstxt.org). What a page answers is
taken from the lists of the index pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parent
SECTIONS = {
    "tutorials": "Tutorials",
    "how-to": "How-to guides",
    "concepts": "Concepts",
    "reference": "Reference",
}
ENTRY = re.compile(r"^\* \[([^\]]+)\]\((\S+?)\.md\): (.+?)$", re.M)
NOT_TEXT = re.compile(
    r"\A---\n.*?\n---\n|^```\{(?:index|toctree)\}.*?^```\n+|^```\{raw\} html\n.*?^```\n+",
    re.S | re.M,
)


def entries(section: str) -> list[tuple[str, str, str]]:
    """Return title, name and answer of the pages of a section, as its index lists them."""
    text = (DOCS / section / "index.md").read_text(encoding="utf-8")
    return [(title, f"{section}/{name}", answer) for title, name, answer in ENTRY.findall(text)]


def summary() -> str:
    """Return `llms.txt`: what Accordeur is, and every page with what it answers."""
    return "\n".join(_summary()) + "\n"


def _summary() -> Iterator[str]:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    lead = re.search(r"^\*\*.*?(?=\n\n)", text, re.S | re.M)
    yield "# Accordeur\n"
    yield f"> {' '.join(lead[0].replace('**', '').split()) if lead else ''}"
    for section, title in SECTIONS.items():
        yield f"\n## {title}\n"
        for name, page, answer in entries(section):
            yield f"- [{name}]({page}.html): {answer}"
    yield "\n## Optional\n"
    yield "- [Everything in one file](llms-full.txt): the text of all pages above"


def full() -> str:
    """Return `llms-full.txt`: the text of every page that `llms.txt` lists.

    The generated pages of the reference exist from the first time on that the site is built.
    """
    pages = [page for section in SECTIONS for _, page, _ in entries(section)]
    return "\n\n".join(_page(page) for page in pages if (DOCS / f"{page}.md").exists())


def _page(name: str) -> str:
    text = NOT_TEXT.sub("", (DOCS / f"{name}.md").read_text(encoding="utf-8"))
    return f"<!-- {name} -->\n{text.strip()}\n"


def write(site: Path) -> None:
    """Write both files at the top of the site."""
    (site / "llms.txt").write_text(summary(), encoding="utf-8")
    (site / "llms-full.txt").write_text(full(), encoding="utf-8")
