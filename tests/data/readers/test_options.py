"""Options of formats: declared once, parsed once, described from the declaration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest

from accordeur.data.errors import OptionError
from accordeur.data.readers.base import SourceOptions, require_valid_options
from accordeur.data.readers.common.records.empty_answers import EmptyOption
from accordeur.data.readers.options import FormatOptions, Names, Option, OptionOfEach
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Unit


@dataclass(frozen=True)
class Toy(EmptyOption):
    how: Annotated[
        Literal["kept", "dropped"], Option("what becomes of it", {"dropped": "and counted"})
    ] = "kept"
    names: Annotated[Names, Option("whose it is")] = ("anna", "ben")
    size: Annotated[int | None, Option("how large", unset="any", parse=int)] = None
    columns: Annotated[Mapping[str, str], OptionOfEach({"pass": "the column of the pass"})] = field(
        default_factory=dict
    )


def test_texts_become_values_of_the_type_of_their_field():
    given = {"how": "dropped", "names": " carl ,, dora", "size": "3", "pass": "round", "x": "1"}
    found = SourceOptions(extra=given).of_format(Toy)
    assert found == Toy(None, "dropped", ("carl", "dora"), 3, {"pass": "round"})
    assert SourceOptions().of_format(Toy) == Toy(columns={})
    assert SourceOptions(extra={"empty": "finished"}).of_format(EmptyOption).empty == "finished"


def test_defaults_and_allowed_values_are_described_from_the_declaration():
    texts = Toy.descriptions()
    assert texts["how"] == "what becomes of it: `kept` (default) or `dropped` (and counted)"
    assert texts["names"] == "whose it is (default: `anna,ben`)"
    assert texts["size"] == "how large (default: any)"
    assert texts["pass"] == "the column of the pass"
    assert list(texts) == ["how", "names", "size", "pass", "empty"]


def test_a_value_that_is_not_allowed_is_refused_with_those_that_are():
    with pytest.raises(OptionError, match="how = 'lost': the allowed values are kept and dropped"):
        Toy.of({"how": "lost"})


@pytest.mark.parametrize(
    ("format", "option"),
    [
        ("conll", "scheme"), ("conll", "separator"),
        ("doccano", "offsets"), ("elan", "annotator_from"), ("glozz", "hashcode"),
        ("label_studio", "email"), ("prodigy", "reject"), ("table", "header"), ("table", "empty"),
        ("uima_json", "lenient"),
    ],
)  # fmt: skip
def test_a_misspelt_value_is_refused_before_anything_is_read(format, option, tmp_path):
    (tmp_path / "empty").touch()
    options = SourceOptions(extra={option: "anotator"})
    with pytest.raises(OptionError, match=f"option {option} = 'anotator': the allowed values are"):
        list(read_source(tmp_path / "empty", format, options))


def test_a_format_of_a_package_may_name_its_options_without_a_class(tmp_path):
    class Words:
        NAME = "words"
        DESCRIPTION = "words"
        PATTERNS = ("*.words",)
        OPTIONS = {"sign": "what separates them"}  # noqa: RUF012

    reader = Words()
    require_valid_options(reader, SourceOptions(extra={"sign": "-"}))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'words' has no option 'sing'; its options are: sign"):
        require_valid_options(reader, SourceOptions(extra={"sing": "-"}))  # type: ignore[arg-type]


def test_a_pattern_of_paths_is_an_option_of_every_format(tmp_path):
    """With it, pygamma's CSV, which has no such option of its own, was read as another table."""
    for who in ("anna", "ben"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.csv").write_text(f"{who},A,1,2\n{who},B,5,9\n", encoding="utf-8")
    options = SourceOptions(extra={"paths": "{annotator}/{document}"})
    units = [one for one in read_source(tmp_path, "auto", options) if isinstance(one, Unit)]
    assert {(one.document, one.annotator) for one in units} == {("d", "anna"), ("d", "ben")}


def test_a_field_that_is_no_option_is_named():
    @dataclass(frozen=True)
    class Wrong(FormatOptions):
        size: int = 3

    with pytest.raises(TypeError, match=r"Wrong.size: declare it as Annotated\[TYPE, Option"):
        Wrong.descriptions()
