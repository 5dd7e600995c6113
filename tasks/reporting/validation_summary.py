"""Validation results of a run or an export: row counts, and the first rejected rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from ...data.row_account import ExportAccount
from ...data.store.store import Store
from ...data.validation.deliveries import Copies
from ...data.validation.rule import Checked
from ...reports import results as page
from ..intake.shards import MOST_NAMED, ShardFacts

MOST_SHOWN = 500  # rejected rows on the page of an export


def validation_of_shards(
    store: Store,
    shards: Sequence[ShardFacts],
    of_campaign: Sequence[Checked] = (),
    *,
    on_rejected: str,
    shown: int,
    links: Mapping[str, str],
) -> page.Validation:
    """Combine the checks of the shards and the checks `of_campaign` on all shards together.

    links  source file as named in rejected rows → its address relative to the page
    """
    checks: dict[tuple[str, str, str, str], list[Checked]] = {}
    for one in chain(*(shard.checks for shard in shards), of_campaign):
        checks.setdefault((one.table, one.rule, one.layer, one.description), []).append(one)
    rejected: list[page.RejectedRow] = []
    for shard in shards:
        if len(rejected) >= shown:
            break
        rows = store.accepted_rows(shard.key, "rejected").to_pylist()
        rejected += [page.RejectedRow(**row, link=links.get(row["source"], "")) for row in rows]
    rejected.sort(key=lambda row: (row.source, row.document, row.location, row.rule))
    return page.Validation(
        rows_in=sum(shard.rows_in for shard in shards),
        rows_accepted=sum(shard.rows_accepted for shard in shards),
        rows_rejected=sum(shard.rows_rejected for shard in shards),
        on_rejected=on_rejected,
        expectations=[
            page.Expectation(
                name=rule,
                table=table,
                layer=layer,
                description=description,
                passed=all(one.passed for one in found),
                n_rows=sum(one.n_rows for one in found),
                n_unexpected=sum(one.n_unexpected for one in found),
                examples=list(dict.fromkeys(e for one in found for e in one.examples))[:5],
            )
            for (table, rule, layer, description), found in checks.items()
        ],
        copied_work=_copied_work(shards),
        rejected=rejected[:shown],
    )


def _copied_work(shards: Sequence[ShardFacts]) -> list[page.CopiedWork]:
    """Return the work in several files, of all shards."""
    found = []
    for how in Copies:
        work = sorted(one for shard in shards for one in shard.copied_work.get(how, ()))
        if work:
            n = sum(shard.n_copied_work[how] for shard in shards if how in shard.n_copied_work)
            found.append(page.CopiedWork(copies=how, n=n, work=work[:MOST_NAMED]))
    return found


def validation_of_export(account: ExportAccount, *, is_private: bool = False) -> page.Validation:
    """Return the validation of an export read without a campaign.

    is_private  whether to keep only place and rule of a rejected row, as other fields may name
                annotators or quote a text
    """
    private = {"value": "", "message": "", "document": "", "annotator": ""} if is_private else {}
    rows = account.rows
    return page.Validation(
        rows_in=rows.n_read,
        rows_accepted=rows.n_read - rows.n_rejected,
        rows_rejected=rows.n_rejected,
        account=rows,
        on_rejected="set_aside",
        rejected=[
            page.RejectedRow.from_measured(row, **private) for row in account.rejected[:MOST_SHOWN]
        ],
    )


def validation_without_links(results: Mapping[str, Any]) -> page.Validation | None:
    """Return the validation of a run's results for use on another page, without links."""
    if results.get("validation") is None:
        return None
    validation = page.Validation.model_validate(results["validation"])
    rows = [row.model_copy(update={"link": ""}) for row in validation.rejected]
    return validation.model_copy(update={"rejected": rows})
