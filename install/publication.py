"""Write the files that archives and registries read: CITATION.cff, codemeta.json, .zenodo.json.

Version and date are those of the newest release in CHANGELOG.md, everything else is stated in
pyproject.toml. Addresses of the repository in the documentation follow `[project.urls]`.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITH_ADDRESSES = (
    "docs/how-to/pull-requests.md",
    "docs/how-to/cite-a-value.md",
    "SECURITY.md",
)
_RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\] – (\d{4}-\d{2}-\d{2})$", re.MULTILINE)
_ADDRESS = re.compile(r"(?<=[ /])[\w.-]+/accordeur(?=\n|@v|/security)")
_VERSION = re.compile(r"((?:rev: v|deur@v|version = \{|\|version:))\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Publication:
    """What is said about the newest release, everywhere alike."""

    version: str
    date: str
    title: str
    description: str
    licence: str
    author: str
    repository: str
    keywords: tuple[str, ...]

    @property
    def slug(self) -> str:
        """The account and the name of the repository, as services write them."""
        return self.repository.removeprefix("https://github.com/")


def publication(root: Path = ROOT) -> Publication:
    """Read the newest release. Raises ValueError if CHANGELOG.md has none with a date."""
    release = _RELEASE.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if release is None:
        raise ValueError("CHANGELOG.md: no heading such as `## [0.2.0] – 2026-11-27`")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Publication(
        version=release[1],
        date=release[2],
        title="Accordeur: inter-annotator agreement from raw annotation exports",
        description=project["description"],
        licence=project["license"],
        author=project["authors"][0]["name"],
        repository=project["urls"]["Repository"],
        keywords=tuple(project["keywords"]),
    )


def files(about: Publication, root: Path = ROOT) -> dict[str, str]:
    """Return the text of each file by its path: the metadata, and pages with addresses."""
    texts = {
        "CITATION.cff": _citation(about),
        "codemeta.json": _as_json(_codemeta(about)),
        ".zenodo.json": _as_json(_zenodo(about)),
    }
    for name in WITH_ADDRESSES:
        text = _ADDRESS.sub(about.slug, (root / name).read_text(encoding="utf-8"))
        texts[name] = _VERSION.sub(rf"\g<1>{about.version}", text)
    return texts


def _citation(about: Publication) -> str:
    keywords = "".join(f"  - {one}\n" for one in about.keywords)
    return (
        "cff-version: 1.2.0\n"
        'message: "If you publish values that Accordeur computed, please cite it and the '
        'publication of each measure."\n'
        f'title: "{about.title}"\n'
        "type: software\n"
        f"version: {about.version}\n"
        f"date-released: {about.date}\n"
        f"license: {about.licence}\n"
        f'repository-code: "{about.repository}"\n'
        f'authors:\n  - name: "{about.author}"\n'
        f"keywords:\n{keywords}"
    )


def _codemeta(about: Publication) -> dict[str, object]:
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": about.title,
        "description": about.description,
        "version": about.version,
        "dateModified": about.date,
        "license": f"https://spdx.org/licenses/{about.licence}",
        "codeRepository": about.repository,
        "programmingLanguage": "Python",
        "operatingSystem": "Linux",
        "author": [{"@type": "Organization", "name": about.author}],
        "keywords": list(about.keywords),
    }


def _zenodo(about: Publication) -> dict[str, object]:
    return {
        "title": about.title,
        "description": about.description,
        "upload_type": "software",
        "version": about.version,
        "publication_date": about.date,
        "license": about.licence,
        "creators": [{"name": about.author}],
        "keywords": list(about.keywords),
        "related_identifiers": [
            {"identifier": about.repository, "relation": "isSupplementTo", "scheme": "url"}
        ],
    }


def _as_json(content: dict[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for name, text in files(publication()).items():
        (ROOT / name).write_text(text, encoding="utf-8")
