"""Write the golden pages again: `python -m tests.reports.update_golden`; then read the diff."""

from __future__ import annotations

from reports.language import LANGUAGES
from reports.render import render
from tests.reports.samples import typical
from tests.reports.test_render import GOLDEN


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for language in LANGUAGES:
        path = GOLDEN / f"report-{language}.html"
        path.write_text(render(typical(), language=language), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
