"""Print what RO-Crate and CITATION.cff violate, in the environment of `make validators`.

The validator of RO-Crate fetches the JSON-LD context of RO-Crate. The package `rocrate` contains
one of a later version, which has every term of 1.1. No other address is reachable.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import requests
import rocrate
from cffconvert import Citation
from rocrate_validator import models, services

CONTEXT = Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"


def answer(_session: object, request: Any, **_options: object) -> requests.Response:
    response = requests.Response()
    response.request, response.url = request, request.url
    is_context = request.url.startswith("https://w3id.org/ro/crate/")
    response.status_code = 200 if is_context else 504
    response._content = CONTEXT.read_bytes() if is_context else b""
    response.headers["Content-Type"] = "application/ld+json"
    return response


def main(bundle: Path) -> None:
    requests.Session.send = answer  # type: ignore[method-assign,assignment]
    settings = services.ValidationSettings(
        rocrate_uri=str(bundle),
        profile_identifier="ro-crate-1.1",
        requirement_severity=models.Severity.REQUIRED,
        no_cache=True,
    )
    for issue in services.validate(settings).get_issues():
        sys.stdout.write(f"RO-Crate {issue.check.identifier}: {issue.message}\n")
    Citation((bundle / "CITATION.cff").read_text(encoding="utf-8")).validate()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
