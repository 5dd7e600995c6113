"""Two pictures of the demonstration's report, for the README: `make pictures`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

WIDTH = 1120
MOST_BYTES = 250_000


def verdict(page: Page) -> None:
    """The first view: contents, verdict, main values, gates."""
    page.set_viewport_size({"width": WIDTH, "height": 860})


def alignments(page: Page) -> None:
    """The section of alignments, one unitary alignment lit."""
    page.set_viewport_size({"width": WIDTH, "height": 760})
    page.locator("#alignments").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#alignments').scrollIntoView({behavior: 'instant'})")
    page.locator("#alignments details[open] .unit:not(.alone)").nth(8).hover()


def take(report: Path, folder: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit(
            "Chromium is not installed (on Debian or Ubuntu: apt-get install chromium)"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(device_scale_factor=1.25, reduced_motion="reduce")
        for show in (verdict, alignments):
            page.goto(report.resolve().as_uri())
            show(page)
            path = folder / f"{show.__name__}.png"
            page.screenshot(path=path)
            if path.stat().st_size > MOST_BYTES:
                raise SystemExit(f"{path.name} has more than {MOST_BYTES} bytes")
        browser.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]), Path(__file__).parent)
