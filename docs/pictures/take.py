"""Pictures of the demonstration's report and audit page, for README and tutorials: `make pictures`.

python docs/pictures/take.py REPORT AUDIT     writes verdict, alignment, alignments, systems, audit
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import FloatRect, Page, sync_playwright

WIDTH = 1120
MOST_BYTES = 250_000


@dataclass(frozen=True)
class Picture:
    """A part of a page: at most `height` pixels from where `place` finds its top."""

    name: str
    height: int
    place: Callable[[Page], FloatRect | None]
    is_audit: bool = False


def top(page: Page) -> FloatRect | None:
    """The top of the page."""
    return {"x": 0, "y": 0, "width": WIDTH, "height": 10_000}


def verdict(page: Page) -> FloatRect | None:
    """The verdict without the column of contents."""
    return page.locator("#verdict").bounding_box()


def alignment(page: Page) -> FloatRect | None:
    """One document with its lines between aligned units."""
    return page.locator("#alignments details[open]").first.bounding_box()


def alignments(page: Page) -> FloatRect | None:
    """The section of alignments, one unitary alignment lit."""
    page.locator("#alignments details[open] .unit:not(.alone)").nth(8).hover()
    return page.locator("#alignments").bounding_box()


def systems(page: Page) -> FloatRect | None:
    """The scores of systems, and of the annotators beside them, which are closed at first."""
    page.locator("#systems-title").click()
    return page.locator("#systems").bounding_box()


PICTURES = (
    Picture("verdict", 540, verdict),
    Picture("alignment", 250, alignment),
    Picture("alignments", 760, alignments),
    Picture("systems", 620, systems),
    Picture("audit", 760, top, is_audit=True),
)


def take(report: Path, audit: Path, folder: Path) -> None:
    """Write every picture to `folder`."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit(
            "Chromium is not installed (on Debian or Ubuntu: apt-get install chromium)"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(
            device_scale_factor=1.25,
            reduced_motion="reduce",
            viewport={"width": WIDTH, "height": 860},
        )
        for one in PICTURES:
            page.goto((audit if one.is_audit else report).resolve().as_uri())
            box = one.place(page)
            if box is None:
                raise SystemExit(f"the page does not show what {one.name}.png is a picture of")
            if box["height"] < one.height / 2:
                raise SystemExit(f"{one.name}.png would show {box['height']:.0f} pixels")
            path = folder / f"{one.name}.png"
            page.screenshot(path=path, full_page=True, clip=_clip(page, box, one.height))
            if path.stat().st_size > MOST_BYTES:
                raise SystemExit(f"{path.name} has more than {MOST_BYTES} bytes")
        browser.close()


def _clip(page: Page, box: FloatRect, height: int) -> FloatRect:
    """The box on the whole page, a little larger, and not higher than `height`."""
    scrolled = page.evaluate("window.scrollY")
    left, up = max(0.0, box["x"] - 16), max(0.0, box["y"] + scrolled)
    width = min(box["width"] + 32, WIDTH - left)
    return {"x": left, "y": up, "width": width, "height": min(box["height"] + 12, height)}


if __name__ == "__main__":
    take(Path(sys.argv[1]), Path(sys.argv[2]), Path(__file__).parent)
