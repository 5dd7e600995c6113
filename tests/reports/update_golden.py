"""Write the golden files again: `python -m tests.reports.update_golden`; then read the diff."""

from __future__ import annotations

import json

from accordeur.reports.language import LANGUAGES
from accordeur.reports.render import render
from accordeur.reports.results import SCHEMA_VERSION, Results
from tests.reports.samples import typical
from tests.reports.test_render import GOLDEN


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for language in LANGUAGES:
        _write(f"report-{language}.html", render(typical(), language=language))
    schema = Results.model_json_schema()
    kinds = {**schema["$defs"], "Results": schema}
    fields = {
        kind: sorted(kinds[kind]["properties"])
        for kind in sorted(kinds)
        if "properties" in kinds[kind]  # enumerations have none
    }
    noted = {"version": SCHEMA_VERSION, "fields": fields}
    _write("results-fields.json", json.dumps(noted, indent=1, ensure_ascii=False) + "\n")


def _write(name: str, text: str) -> None:
    (GOLDEN / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
