"""Write the golden files again: `python -m tests.reports.update_golden`; then read the diff."""

from __future__ import annotations

import json

from accordeur.reports.results import SCHEMA_VERSION, Results
from tests.reports.test_render import GOLDEN, GOLDEN_PAGES


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name, page in GOLDEN_PAGES.items():
        _write(name, page())
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
