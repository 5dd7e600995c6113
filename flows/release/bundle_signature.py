"""Verification that the checksums of a bundle are signed with a trusted key.

Signatures are OpenSSH signatures: `ssh-keygen -Y sign` creates one with any SSH key, and verifies
it against a file of allowed signers (ssh-keygen(1), "ALLOWED SIGNERS"). Accordeur holds no key.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from ...data.store.checksums import CHECKSUMS, SIGNATURE
from ...data.untrusted.files import read_file
from ..errors import UserError

NAMESPACE = "file"  # namespace of file signatures in ssh-keygen(1)


def require_verifier(signers: Path) -> None:
    """Raise UserError if ssh-keygen or the file of allowed signers is missing."""
    if shutil.which("ssh-keygen") is None:
        raise UserError("ssh-keygen is not installed: install OpenSSH, or omit --signers")
    if not signers.is_file():
        raise UserError(f"{signers}: no such file: --signers needs a file of allowed signers")


def signer_of(bundle: Path, signers: Path) -> tuple[str, list[str]]:
    """Return the signer of the bundle's checksums ("" unless valid), and the problems found."""
    signature = bundle / SIGNATURE
    if not signature.is_file():
        return "", [f"{SIGNATURE} is missing: the bundle is not signed"]
    found = _ssh_keygen("find-principals", "-s", str(signature), "-f", str(signers))
    if found.returncode:
        return "", [f"{SIGNATURE} was not made by a key in {signers}"]
    signer = found.stdout.decode(errors="replace").splitlines()[0].split(",")[0]
    verified = _ssh_keygen(
        *("verify", "-n", NAMESPACE, "-I", signer, "-s", str(signature), "-f", str(signers)),
        content=read_file(bundle / CHECKSUMS),
    )
    if verified.returncode:
        return "", [f"{CHECKSUMS} was changed: the signature of {signer} does not match it"]
    return signer, []


def _ssh_keygen(*arguments: str, content: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 - arguments are file names, after their options
        ["ssh-keygen", "-Y", *arguments],  # noqa: S607 - the user's installation
        input=content,
        capture_output=True,
        check=False,
        timeout=60,
    )
