"""`accordeur audit`: measure a corpus again for its release, or verify a bundle."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..progress.shown import LogJson, server_and_progress
from .terminal import print_line
from .typer_options import Verbose

if TYPE_CHECKING:
    from ...data.store.store import Store

NOT_RELEASABLE = 1
_CHECKS = {
    "files": "each file against its checksum and the manifest",
    "values": "{files} against results.json and each other",
    "pages": "the pages and the documents of the release against results.json",
    "hash": "the checksums against the published hash",
    "signature": "the signature of the checksums",
    "inputs": "the campaign file and the exports against those that were measured",
    "numbers": "all numbers and tables against a new measurement of the exports",
}
_MISSING = {  # how to have a check made
    "hash": "give the published hash with --sha256",
    "signature": "give the public keys with --signers",
    "inputs": "give the campaign file",
    "numbers": "give the campaign file",
}
_SEALS = ("hash", "signature")  # either shows that the checksums are the publisher's
_OTHER_PAGES = (
    "made by another version of Accordeur, so that they cannot be compared; the tables were: "
    "{maker} wrote them, and this is {own}"
)
_OTHER_VERSION = (
    "the exports are unchanged, but {maker} measured the bundle and this is {own}, which may "
    "compute these values in another way: verify with what measured it to be sure"
)


def audit(
    campaign: Annotated[
        Path | None, typer.Argument(help="Campaign file (TOML); with --verify it is optional.")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="New folder for a copy of the bundle.")] = None,
    deposit: Annotated[
        Path | None,
        typer.Option(
            help="New zip file or folder for the bundle, with names and sizes checked for "
            "repositories; with --verify, written only if nothing differs."
        ),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            help="Bundle (folder or zip file) to verify; with a campaign file, also against its "
            "exports."
        ),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option(help="With --verify: the published hash of the bundle."),
    ] = None,
    signers: Annotated[
        Path | None,
        typer.Option(
            help="With --verify: file of allowed signers (see ssh-keygen); one of them must have "
            "signed SHA256SUMS."
        ),
    ] = None,
    verbose: Verbose = False,
    log_json: LogJson = False,
) -> None:
    """Measure a campaign again and write the bundle of its release, or verify a bundle."""
    from ..campaign.file.campaign_config import load_campaign
    from ..campaign.file.declared import require_runnable
    from ..campaign.file.fetched_sources import fetch_sources
    from ..errors import UserError
    from ..release.bundle_signature import require_verifier
    from ..release.deposit import opened_bundle, require_new

    if campaign is None and verify is None:
        raise UserError("give a campaign file to audit, or --verify BUNDLE")
    if campaign is not None:
        # report an error in the file before a server starts
        config = load_campaign(campaign)
        if verify is None:  # of others: nothing that it names is contacted
            fetch_sources(config)
        require_runnable(config, campaign)
    if sha256 is not None and verify is None:
        raise UserError("--sha256 is the hash of a bundle to check: give it with --verify BUNDLE")
    if signers is not None:
        if verify is None:
            raise UserError("--signers is to check a signed bundle: give it with --verify BUNDLE")
        require_verifier(signers)
    if to is not None and to.exists():
        raise UserError(f"{to} already exists: give a new folder for the bundle")
    if deposit is not None:
        require_new(deposit)
    if verify is not None:
        with opened_bundle(verify) as bundle:
            _verify_bundle(bundle, campaign, sha256, signers, quiet=not verbose, log_json=log_json)
            if deposit is not None:
                _deposit_bundle(bundle, deposit)
    elif campaign is not None:
        _write_bundle(campaign, to, deposit, quiet=not verbose, log_json=log_json)


def _write_bundle(
    campaign: Path, to: Path | None, deposit: Path | None, *, quiet: bool, log_json: bool
) -> None:
    from ...data.store.store import Store
    from ..campaign.file.campaign_config import load_campaign
    from ..engine.startup import prepare_run

    config = load_campaign(campaign)
    campaign = campaign.resolve()
    place = "" if to is None else str(to)
    to, target = to and to.resolve(), deposit and deposit.resolve()
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
        print_line(f"not complete: {incomplete_statement(outcome['missing'])}")
    for line in lacking_sentences([Missing(**one) for one in outcome["lacking"]]):
        print_line(line)
    place = place or outcome["bundle"]
    store = Store(config.store.url)
    if to is not None:
        _copy_folder(store, outcome["folder"], to)
    print_line(f"bundle: {place}")
    if target is not None:
        with tempfile.TemporaryDirectory() as folder:
            copy = to or Path(folder) / "bundle"
            if to is None:
                _copy_folder(store, outcome["folder"], copy)
            _deposit_bundle(copy, target, str(deposit))
    print_line(f"SHA-256 of its SHA256SUMS: {outcome['digest']}")
    if state.is_failed():
        raise typer.Exit(NOT_RELEASABLE)


def _copy_folder(store: Store, folder: str, to: Path) -> None:
    for path in store.list(folder):
        copy = to / path.removeprefix(folder + "/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(store.read_bytes(path))


def _deposit_bundle(bundle: Path, target: Path, shown: str = "") -> None:
    from ..release.deposit import copy_bundle_for_deposit

    for warning in copy_bundle_for_deposit(bundle, target):
        print_line(f"warning: {warning}")
    print_line(f"deposit: {shown or target}")


def _queries(campaign: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the query of each source that has one, each on one line."""
    from ..campaign.file.campaign_config import load_campaign

    for source in load_campaign(campaign).sources:
        if source.query:
            yield Path(source.path).name, " ".join(source.query.split())


def _verify_bundle(
    bundle: Path,
    campaign: Path | None,
    published: str | None,
    signers: Path | None,
    *,
    quiet: bool,
    log_json: bool,
) -> None:
    from ...data.errors import DataError
    from ...data.store.checksums import SIGNATURE
    from ...data.store.store import Store
    from ...metrics.signature import VERSION
    from ..release.bundle_check import (
        altered_files,
        altered_inputs,
        altered_numbers,
        checksum_file_hash,
        compared_files,
        differences_lines,
        maker_of_other_code,
        read_results,
    )
    from ..release.bundle_signature import signer_of

    print_line(f"SHA-256 of its SHA256SUMS: {checksum_file_hash(bundle)}")
    unchecked, remark = dict(_MISSING), ""
    differing = altered_files(bundle, published)
    if published is not None:
        del unchecked["hash"]
    if signers is not None:
        signer, faults = signer_of(bundle, signers)
        differing = faults + differing
        unchecked = {name: how for name, how in unchecked.items() if name not in _SEALS}
        if signer:
            print_line(f"signed by {signer}")
    elif not (bundle / SIGNATURE).exists():
        del unchecked["signature"]
    try:
        maker = maker_of_other_code(Store(str(bundle)), read_results(bundle))
    except DataError:  # it is among the differences
        reason = "results.json or run.json cannot be read"
        unchecked |= dict.fromkeys(("values", "pages", "inputs", "numbers"), reason)
    else:
        if maker:
            unchecked["pages"] = _OTHER_PAGES.format(maker=maker, own=VERSION)
        if campaign is not None:
            del unchecked["inputs"]
            inputs = altered_inputs(bundle, campaign)
            differing += inputs
            if inputs:
                unchecked["numbers"] = (
                    "the exports or the campaign file are not those of the bundle"
                )
            else:
                del unchecked["numbers"]
                for path, query in _queries(campaign):
                    print_line(f"the exports {path} are read with the query: {query}")
                with server_and_progress(quiet=quiet, log_json=log_json):
                    numbers = altered_numbers(bundle, campaign)
                differing += numbers
                if numbers and maker:
                    remark = _OTHER_VERSION.format(maker=maker, own=VERSION)
    for line in differences_lines(list(dict.fromkeys(differing))):
        print_line(line)
    if remark:
        print_line(remark)
    made = {"hash": published, "signature": signers}
    files = compared_files(bundle)
    checks = {name: what.format(files=files) for name, what in _CHECKS.items()}
    for name, what in checks.items():
        if name not in unchecked and made.get(name, True) is not None:
            print_line(f"checked: {what}")
    for name, why in unchecked.items():
        print_line(f"not checked: {checks[name]} ({why})")
    if differing:
        raise typer.Exit(NOT_RELEASABLE)
