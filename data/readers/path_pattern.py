"""Patterns of paths that name documents and annotators: `{annotator}/{document}.tsv`.

Earlier versions had four options for the same. Their values are patterns here, so that old commands
and campaign files are still read, with a warning that names the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from ..errors import DataError, OptionError

PATHS = "paths"  # the option
ANNOTATOR_FROM = "annotator_from"  # the option that says what in a file names the annotator
ANNOTATOR, DOCUMENT = "annotator", "document"
_PIECE = re.compile(
    r"(?P<deep>\*\*/)?\{(?P<name>[^{}]*)\}|/\*\*$|\*\*/|\*|\?|\[[^]/]+\]|[^][{}*?/]+|[][{}/]"
)
_SIGNS = {"/**": "(?:/.*)?", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
_EXAMPLE = "'{annotator}/{document}.tsv'"


@dataclass(frozen=True, slots=True)
class PathPattern:
    """What the parts of paths below the folder that is read stand for.

    `{annotator}` and `{document}` stand for a name without "/"; several `{document}` are joined by
    "/". `*` and `?` stand for any characters of a name, `[-_]` for one of these, `**/` for any
    folders, which belong to the name in `**/{document}`, and `/**` at the end for anything below.
    Beside `{document}`, `{annotator}` is as short as it can be: `{document}_{annotator}` ends a
    name at its last `_`.
    """

    text: str
    _names: re.Pattern[str] = field(repr=False, compare=False)
    _n_documents: int = field(repr=False, compare=False)
    _folder: str = field(default="", repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> PathPattern:
        """Parse the text of the option. Raises OptionError for another name, or no annotator."""
        has_annotator = False
        expression, n_documents = "", 0
        for piece in _PIECE.finditer(text):
            sign, name, deep = piece[0], piece["name"], _SIGNS.get(piece["deep"], "")
            if name == DOCUMENT:
                n_documents += 1
                expression += f"(?P<{DOCUMENT}{n_documents}>{deep}[^/]+)"
            elif name == ANNOTATOR and not has_annotator:
                has_annotator = True
                expression += f"{deep}(?P<{ANNOTATOR}>[^/]+?)"
            elif name is not None or sign in "{}":
                raise OptionError(_problem(text, name, sign))
            elif len(sign) > 1 and sign[0] == "[":
                expression += f"[{re.escape(sign[1:-1])}]"
            else:
                expression += _SIGNS.get(sign, re.escape(sign))
        if not has_annotator:
            raise OptionError(
                f"option paths = {text!r}: write {{annotator}} where the annotator's name stands, "
                f"as in {_EXAMPLE}"
            )
        return cls(text, re.compile(expression, re.DOTALL), n_documents)

    @property
    def names_documents(self) -> bool:
        """Whether a path names the document, too."""
        return self._n_documents > 0

    def below(self, folder: str) -> PathPattern:
        """Return the pattern of paths that may begin with the name of the folder that is read."""
        return replace(self, _folder=f"{folder}/")

    def names_in(self, path: str) -> tuple[str, str]:
        """Return the document and annotator in a path, relative to the folder that is read.

        Without `{document}`, the document is the rest of the path without the extension, perhaps
        "". The pattern may omit the extension. Raises DataError for a path that does not fit.
        """
        stem = str(PurePosixPath(path).with_suffix(""))
        for above in ("", self._folder):
            for one in (above + stem, above + path):
                if found := self._names.fullmatch(one):
                    return self._names_of(found, above + stem)
        raise DataError(f"{path}: does not fit paths = {self.text!r}")

    def names_in_text(self, text: str) -> tuple[str, str] | None:
        """Return the document and annotator in a path or name as it is, None if it does not fit."""
        found = self._names.fullmatch(text)
        return None if found is None else self._names_of(found, text)

    def _names_of(self, found: re.Match[str], text: str) -> tuple[str, str]:
        parts = [found[f"{DOCUMENT}{k + 1}"] for k in range(self._n_documents)]
        if not parts:
            rest = text[: found.start(ANNOTATOR)] + text[found.end(ANNOTATOR) :]
            parts = [part for part in rest.split("/") if part]
        return "/".join(parts), found[ANNOTATOR]


def _problem(text: str, name: str | None, sign: str) -> str:
    if name == ANNOTATOR:
        return f"option paths = {text!r}: {{annotator}} stands once"
    return (
        f"option paths = {text!r}: {sign} is no name: write {{document}} again for what belongs to "
        "the document's name, and * for what means nothing"
    )


ANNOTATOR_DOCUMENT = PathPattern.parse("{annotator}/**/{document}")
DOCUMENT_ANNOTATOR = PathPattern.parse("**/{document}/{annotator}")
NAME_PATTERNS = tuple(
    map(PathPattern.parse, ("**/{document}[-._ ]{annotator}", "**/{annotator}[-._ ]{document}"))
)
FOUND_PATTERNS = (DOCUMENT_ANNOTATOR, ANNOTATOR_DOCUMENT, *NAME_PATTERNS)
"""Patterns that the texts or lengths of files can decide for."""

_OLDER: Mapping[str, Mapping[str, str]] = {
    "annotator_folder": {"first": ANNOTATOR_DOCUMENT.text, "last": "**/{annotator}/*"},
    "layout": {
        "document/annotator": DOCUMENT_ANNOTATOR.text,
        "annotator/document": ANNOTATOR_DOCUMENT.text,
        "document.annotator": NAME_PATTERNS[0].text,
        "annotator.document": NAME_PATTERNS[1].text,
    },
    "file": {"annotator": "{annotator}/**", "document": ""},
    ANNOTATOR_FROM: {"file": DOCUMENT_ANNOTATOR.text, "folder": "**/{annotator}/*"},
}


def with_pattern(given: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return options with `paths` in place of the older ones, and the pattern of each older one.

    Of several older options the first one of `_OLDER` decides. Raises OptionError for `paths`
    beside another option that names annotators.
    """
    older = {
        f"{name}={given[name]}": patterns[given[name]]
        for name, patterns in _OLDER.items()
        if given.get(name) in patterns
    }
    if PATHS in given and (older or ANNOTATOR_FROM in given):
        other = next(iter(older), ANNOTATOR_FROM)
        raise OptionError(f"give either the option {PATHS} or {other}, not both")
    names = {one.partition("=")[0] for one in older}
    found = {name: text for name, text in given.items() if name not in names}
    older = {one: pattern for one, pattern in older.items() if pattern}
    if older:
        found[PATHS] = next(iter(older.values()))
    return found, older
