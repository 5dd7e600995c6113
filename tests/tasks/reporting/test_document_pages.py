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
    after, _ = write_document_pages(store, before, "run", most=2, drawn=1, language="en")
    pages = [path.removeprefix("run/") for path in store.list("run")]
    assert sorted(pages) == sorted(page_address(layer.layer, name) for name in names[:2])
    assert [one.link for one in after.units[0].alignments] == [page_address(layer.layer, names[0])]
    linked = {one.name: one.link for one in after.units[0].per_document if one.link}
    assert set(linked) <= set(names[:2])
    html = store.read_bytes(f"run/{page_address(layer.layer, names[1])}").decode()
    assert names[1] in html


def test_what_an_earlier_run_drew_of_a_document_is_drawn_again_only_if_it_changes_or_is_damaged(
    tmp_path: Path,
) -> None:
    from accordeur.tasks.reporting.document_pages import write_document_pages
    from tests.reports import samples

    store, results = Store(str(tmp_path)), samples.typical()
    layer = results.units[0]
    first, second, *_ = layer.alignments

    def reused(folder: str, **changes: object) -> list[bool]:
        other = second.model_copy(update=changes)
        units = [layer.model_copy(update={"alignments": [first, other]}), *results.units[1:]]
        given = results.model_copy(update={"units": units})
        _, outcomes = write_document_pages(store, given, folder, most=2, drawn=1, language="en")
        return [one.reused for one in outcomes[:2]]

    def pages(folder: str) -> list[bytes]:
        return [store.read_bytes(path) for path in sorted(store.list(folder))]

    assert reused("one") == [False, False]
    assert reused("two") == [True, True]
    assert pages("one") == pages("two")
    assert reused("three", disorder=second.disorder + 1) == [True, False]
    for kept in tmp_path.glob("drawn/*/drawn.html"):
        kept.write_text("damaged")
    assert reused("four") == [False, False]
    assert pages("one") == pages("four")
