"""What a run does before Prefect is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "accordeur.flows.campaign.earlier.unchanged_run",
        "accordeur.flows.study.study_config",
        "accordeur.flows.progress.shown",
        "accordeur.flows.cli",
    ],
)
def test_prefect_is_not_imported_before_a_run_has_left_the_working_directory(module: str) -> None:
    """The import takes seconds, and reads settings from the working directory."""
    imported = f"import sys, {module}; print('prefect' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", imported], capture_output=True, check=True)
    assert done.stdout == b"False\n"
