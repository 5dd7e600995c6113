"""Time to build a report, its size, and its loading time in Chromium.

    python -m benchmarks.report

The campaigns are the tests' large sample (1,000 documents, 5 annotators) and one of 100,000
documents. Each page is opened from disk in a new tab, `REPEATS` times; the minimum is reported,
because other load on the machine only adds time.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from accordeur.reports.render import render
from tests.reports.browser import ARGUMENTS
from tests.reports.samples import large

REPEATS = 7
_PAINT = "JSON.stringify(performance.getEntriesByName('first-contentful-paint'))"
_LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def first_views(browser: Browser, address: str) -> list[tuple[float, float]]:
    """Return (first paint, end of loading) in seconds, for each of several new tabs."""
    found = []
    for _ in range(REPEATS):
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.goto(address, wait_until="load")
        page.wait_for_function(f"{_LOADED} > 0 && {_PAINT} !== '[]'")
        paint = json.loads(page.evaluate(_PAINT))[0]["startTime"]
        found.append((paint / 1000, page.evaluate(_LOADED) / 1000))
        page.close()
    return found


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("Chromium is not installed (on Debian or Ubuntu: apt-get install chromium)")
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("documents   built     size      first view (median)   loaded")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for n_documents in (1_000, 100_000):
            results = large(n_documents)
            start = time.process_time()
            page = render(results)
            built = time.process_time() - start
            path = Path(folder) / f"{n_documents}.html"
            path.write_text(page, encoding="utf-8")
            views = sorted(first_views(browser, path.as_uri()))
            median = views[len(views) // 2][0]
            print(
                f"{n_documents:>9,}  {built:5.2f} s  {len(page.encode()) / 1e6:4.2f} MB"
                f"    {views[0][0]:.2f} s ({median:.2f} s)        {views[0][1]:.2f} s"
            )
        browser.close()


if __name__ == "__main__":
    main()
