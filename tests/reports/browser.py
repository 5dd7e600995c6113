"""Chromium for the tests of pages: how it is started, axe-core, and a tab that is watched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from playwright.sync_api import Browser, Page, Request, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CONTRAST = "color-contrast"  # the slow rule
_AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
_RUN_AXE = """([within, options]) => axe.run(within, options).then((found) =>
    found.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 300)]))"""


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


def violations(
    page: Page, *, contrast: bool = True, only_contrast: bool = False, within: str = "html"
) -> Any:
    """What axe-core finds wrong: rule, number of places, the first of them."""
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if only_contrast:
        options["runOnly"] = {"type": "rule", "values": [CONTRAST]}
    elif not contrast:
        options["rules"] = {CONTRAST: {"enabled": False}}
    page.evaluate(_AXE)
    return page.evaluate(_RUN_AXE, [within, options])


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")


def n_pages(page: Page) -> int:
    """Sheets of A4 that the page prints on."""
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))


def pages_of_the_brief(page: Page) -> int:
    """How many sheets of A4 the report has before its appendix, which this takes off the page."""
    page.evaluate("""() => {
        const mark = document.querySelector('.appendix');
        while (mark.nextSibling) mark.nextSibling.remove();
        mark.remove();
        document.querySelector('.colophon').remove();
    }""")
    return n_pages(page)


class Watched:
    """A tab that keeps what went wrong: console messages, page errors, requests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", self._request)

    def _request(self, request: Request) -> None:
        if not request.url.startswith("data:"):
            self.requests.append(request.url)
