"""Official validators of the documents of a release, without a network.

`mlcroissant` and `prov` are in the locked environment. The validators of RO-Crate and CITATION.cff
need other versions of our dependencies: `make validators` installs them in their own environment.
Without it they are skipped with a warning.
"""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OWN_PYTHON = Path(
    os.environ.get("ACCORDEUR_VALIDATORS", ROOT / "build" / "validators" / "bin" / "python")
)


def validate(bundle: Path) -> list[str]:
    """What validators complain of in the documents of a bundle."""
    return [*_croissant(bundle), *_provenance(bundle), *_elsewhere(bundle)]


def _croissant(bundle: Path) -> list[str]:
    import mlcroissant

    issues = mlcroissant.Dataset(jsonld=str(bundle / "croissant.json")).metadata.issues
    return [*issues.errors, *issues.warnings]


def _provenance(bundle: Path) -> list[str]:
    from prov.model import ProvDocument

    document = ProvDocument.deserialize(str(bundle / "prov.json"), format="json")
    return [] if document.records else ["prov.json has no record"]


def _elsewhere(bundle: Path) -> list[str]:
    if not OWN_PYTHON.exists():
        warnings.warn(
            "RO-Crate and CITATION.cff are not validated: run `make validators`", stacklevel=2
        )
        return []
    script = Path(__file__).with_name("validate_elsewhere.py")
    done = subprocess.run(
        [str(OWN_PYTHON), str(script), str(bundle)], capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() + ([done.stderr] if done.returncode else [])
