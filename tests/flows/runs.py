"""Runs and audits of campaigns in this process, on a server that is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def campaign_run(campaign: Path) -> tuple[dict[str, Any], Any]:
    """(facts, state) of a run; raises what the run raises."""
    from accordeur.flows.campaign_quality import campaign_quality

    return _outcome(campaign_quality(str(campaign), return_state=True))


def audit_run(campaign: Path) -> tuple[dict[str, Any], Any]:
    """The same of an audit."""
    from accordeur.flows.release_audit import release_audit

    return _outcome(release_audit(str(campaign), return_state=True))


def _outcome(state: Any) -> tuple[dict[str, Any], Any]:
    outcome = state.result(raise_on_failure=False)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome, state
