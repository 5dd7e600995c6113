"""A section of the report: labels and units per finished document, by annotator."""

from __future__ import annotations

from accordeur.reports.page.blocks import Cell, Section, Table
from accordeur.reports.page.page import Page, ReportSection


def section(page: Page) -> Section | None:
    say = page.say
    rows = [
        [
            Cell(one.name),
            Cell(say.number((one.n_labels + one.n_units) / one.n_documents, 1), kind="number"),
        ]
        for one in page.results.annotators
        if one.n_documents
    ]
    if not rows:
        return None
    columns = [Cell(say("campaign.annotator")), Cell(say("workload.rate"), kind="number")]
    table = Table(say("workload.caption"), columns, rows)
    return Section("workload", say("workload.title"), [table])


WORDS = {
    "en": {
        "workload.title": "Workload",
        "workload.caption": "Labels and units per finished document",
        "workload.rate": "Per document",
    },
    "fr": {
        "workload.title": "Charge de travail",
        "workload.caption": "Étiquettes et unités par document achevé",
        "workload.rate": "Par document",
    },
}
WORKLOAD = ReportSection("workload", section, after="campaign", words=WORDS)
