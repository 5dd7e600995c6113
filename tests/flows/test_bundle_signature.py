"""Signatures of bundles, made and verified with OpenSSH."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accordeur.data.store.checksums import write_checksums
from accordeur.data.store.store import Store
from accordeur.flows.cli import app
from accordeur.flows.errors import UserError
from accordeur.flows.release.bundle_signature import require_verifier, signer_of

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)
AUTHOR = "anna@example.org"


def new_key(path: Path) -> str:
    """A key without a passphrase; returns its line in a file of allowed signers."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, check=True)
    return f"{AUTHOR} {path.with_suffix('.pub').read_text(encoding='utf-8')}"


@pytest.fixture
def signers(tmp_path: Path) -> Path:
    path = tmp_path / "allowed_signers"
    path.write_text(new_key(tmp_path / "key"), encoding="utf-8")
    return path


@pytest.fixture
def bundle(tmp_path: Path, signers: Path) -> Path:
    """Signed as docs/how-to/releases.md says."""
    bundle = tmp_path / "release"
    bundle.mkdir()
    (bundle / "data.csv").write_text("A\n", encoding="utf-8")
    write_checksums(Store(str(tmp_path)), "release")
    command = ["ssh-keygen", "-Y", "sign", "-f", str(tmp_path / "key"), "-n", "file"]
    subprocess.run([*command, str(bundle / "SHA256SUMS")], check=True, capture_output=True)
    return bundle


def test_a_signed_bundle_names_its_signer(bundle: Path, signers: Path) -> None:
    assert signer_of(bundle, signers) == (AUTHOR, [])


def test_checksums_changed_after_signing_are_found(bundle: Path, signers: Path) -> None:
    (bundle / "data.csv").write_text("B\n", encoding="utf-8")
    write_checksums(Store(str(bundle.parent)), bundle.name)
    changed = f"SHA256SUMS was changed: the signature of {AUTHOR} does not match it"
    assert signer_of(bundle, signers) == ("", [changed])


def test_the_signature_of_another_key_is_refused(bundle: Path, tmp_path: Path) -> None:
    others = tmp_path / "others"
    others.write_text(new_key(tmp_path / "other"), encoding="utf-8")
    assert signer_of(bundle, others) == ("", [f"SHA256SUMS.sig was not made by a key in {others}"])


def test_a_bundle_without_a_signature_is_not_signed(bundle: Path, signers: Path) -> None:
    (bundle / "SHA256SUMS.sig").unlink()
    assert signer_of(bundle, signers)[1] == ["SHA256SUMS.sig is missing: the bundle is not signed"]


def test_missing_signers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--signers needs a file of allowed signers"):
        require_verifier(tmp_path / "none")
    done = CliRunner().invoke(app, ["audit", "campaign.toml", "--signers", str(tmp_path)])
    assert done.exit_code != 0
