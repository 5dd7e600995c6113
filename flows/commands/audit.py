"""`accordeur audit`: what is published with a corpus, measured afresh; or a bundle read again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..progress.shown import LogJson, server_and_progress
from .options import Verbose

NOT_RELEASABLE = 1
_CHECKED = {
    "files": "every file matches its checksum, and the report matches results.json",
    "hash": "the checksums are those that were published",
    "exports": "the exports are unchanged, and measuring them again gives the same numbers and "
    "tables",
}
_NOT_CHECKED = {
    "hash": "whether these are the published checksums; give the hash with --sha256",
    "exports": "whether the exports give these numbers; give the campaign file",
}


def audit(
    campaign: Annotated[
        Path | None, typer.Argument(help="Campaign file (TOML); with --verify it is optional.")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="New folder for a copy of the bundle.")] = None,
    verify: Annotated[
        Path | None,
        typer.Option(help="Bundle to verify; with a campaign file, also against its exports."),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option(help="With --verify: the published hash of the bundle."),
    ] = None,
    verbose: Verbose = False,
    log_json: LogJson = False,
) -> None:
    """Measure a campaign again and write the bundle of its release, or verify a bundle."""
    from ..campaign.file.config import load
    from ..campaign.file.declared import require_runnable
    from ..errors import UserError

    if campaign is None and verify is None:
        raise UserError("give a campaign file to audit, or --verify BUNDLE")
    if campaign is not None:
        require_runnable(load(campaign))  # a mistake in the file is told before a server starts
    if sha256 is not None and verify is None:
        raise UserError("--sha256 is the hash of a bundle to check: give it with --verify BUNDLE")
    if to is not None and to.exists():
        raise UserError(f"{to} already exists: give a new folder for the bundle")
    if verify is not None:
        _verify(verify, campaign, sha256, quiet=not verbose, log_json=log_json)
    elif campaign is not None:
        _audit(campaign, to, quiet=not verbose, log_json=log_json)


def _audit(campaign: Path, to: Path | None, *, quiet: bool, log_json: bool) -> None:
    from ...data.store.store import Store
    from ..campaign.file.config import load
    from ..engine.startup import prepare_run

    config = load(campaign)
    campaign = campaign.resolve()
    place = "" if to is None else str(to)
    to = to and to.resolve()
    prepare_run(quiet=quiet or log_json)
    from ...reports.release.requirements import Missing
    from ..release_audit import incomplete_statement, lacking_sentences, release_audit
    from .run import print_outcome

    with server_and_progress(quiet=quiet, log_json=log_json):
        state = release_audit(str(campaign), return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    print_outcome(outcome)
    if outcome["missing"]:
        typer.echo(f"not complete: {incomplete_statement(outcome['missing'])}")
    for line in lacking_sentences([Missing(**one) for one in outcome["lacking"]]):
        typer.echo(line)
    place = place or outcome["bundle"]
    if to is not None:
        store = Store(config.store.url)
        for path in store.list(outcome["folder"]):
            copy = to / path.removeprefix(outcome["folder"] + "/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(store.read_bytes(path))
    typer.echo(f"bundle: {place}")
    typer.echo(f"SHA-256 of its SHA256SUMS: {outcome['digest']}")
    if state.is_failed():
        raise typer.Exit(NOT_RELEASABLE)


def _verify(
    bundle: Path, campaign: Path | None, published: str | None, *, quiet: bool, log_json: bool
) -> None:
    from ..bundle_check import (
        altered_files,
        altered_inputs,
        altered_numbers,
        bundle_hash,
        differences_sentence,
    )

    typer.echo(f"SHA-256 of its SHA256SUMS: {bundle_hash(bundle)}")
    checked = [_CHECKED["files"]]
    differing = altered_files(bundle, published)
    if published is not None:
        checked.append(_CHECKED["hash"])
    if campaign is not None and not differing:
        checked.append(_CHECKED["exports"])
        differing = altered_inputs(bundle, campaign)
        if not differing:
            with server_and_progress(quiet=quiet, log_json=log_json):
                differing = altered_numbers(bundle, campaign)
    typer.echo(differences_sentence(differing, "; ".join(checked)))
    if published is None:
        typer.echo(f"not checked: {_NOT_CHECKED['hash']}")
    if campaign is None:
        typer.echo(f"not checked: {_NOT_CHECKED['exports']}")
    if differing:
        raise typer.Exit(NOT_RELEASABLE)
