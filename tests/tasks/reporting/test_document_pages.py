"""Pages of single documents."""

from __future__ import annotations

from pathlib import Path

from accordeur.data.store.store import Store


def test_the_worst_documents_have_pages_that_the_report_links(tmp_path: Path) -> None:
    from accordeur.tasks.reporting.document_pages import page_address, write_document_pages
    from tests.reports import samples

    store = Store(str(tmp_path))
    before = samples.typical()
    layer = before.units[0]
    names = [one.document for one in layer.alignments]
    after = write_document_pages(store, before, "run", most=2, drawn=1, language="en")
    pages = [path.removeprefix("run/") for path in store.list("run")]
    assert sorted(pages) == sorted(page_address(layer.layer, name) for name in names[:2])
    assert [one.link for one in after.units[0].alignments] == [page_address(layer.layer, names[0])]
    linked = {one.name: one.link for one in after.units[0].per_document if one.link}
    assert set(linked) <= set(names[:2])
    html = store.read_bytes(f"run/{page_address(layer.layer, names[1])}").decode()
    assert names[1] in html
