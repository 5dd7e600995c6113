"""The reference pages that follow from declarations, written whenever the site is built.

Measures come from the registry, commands from the command line, keys from the JSON schema of the
campaign file, formats from the readers, tables from their Arrow schemas. Nothing is written by hand
twice; `reports/measures.toml` adds formulas and the names that other packages use.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import certified_values
import pyarrow as pa
import reproduced
import typer.main
from mathematics import is_formula, with_formulas

from accordeur.data.column_descriptions import DESCRIPTIONS, UNITS
from accordeur.data.ledger import LEDGER
from accordeur.data.readers.base import GeneralOptions
from accordeur.data.readers.options import option_descriptions
from accordeur.data.readers.registry import readers
from accordeur.data.schema import SCHEMAS
from accordeur.flows.cli import app
from accordeur.flows.commands.on_demand import COMMANDS
from accordeur.metrics.measure import Measure
from accordeur.metrics.measures import MEASURES
from accordeur.reports.bibliography import author_year_citation, bibliography, formatted_reference
from accordeur.reports.language import Language
from accordeur.reports.measure_facts import example, facts, formulas, measure_groups
from accordeur.reports.page.values import measure_name

HERE = Path(__file__).parent / "reference"
QUESTIONS = {
    "Agreement on items": "Do annotators give the same labels to given items?",
    "Agreement on objects": "Do annotators give similar trees, texts, rankings or boxes?",
    "Agreement on units": "Do annotators mark the same spans, with the same categories?",
    "Agreement on relations": "Do annotators link the same pairs of units?",
    "Agreement on coreference chains": "Do annotators put the same mentions into a chain?",
    "Reliability of ratings": "How much of the variance of numbers is due to the items?",
    "Differences of ratings": "How many points apart are two annotators, or one twice?",
    "Agreement of two groups of annotators": "Do two groups label the same items alike?",
    "Scores of labels": "How often are a system's labels right?",
    "Scores against distributions of labels": "How close is a system to the soft labels?",
    "Scores of units": "Which spans of the reference does a system find, and how exactly?",
    "Scores of coreference chains": "How close are a system's chains to the reference?",
    "Scores of segmentations": "Are a system's boundaries where the reference has them?",
    "Scores of speakers' turns": "How much speech is misattributed, missed or invented?",
    "Stability of a reference": "How many majority labels would change with fewer annotators?",
    "Error of a reference": "How often is the reference wrong, by an audit?",
    "Forecasts of reliability": "How reliable would the labels of k annotators together be?",
    "Replacement of an annotator": "May a system do an annotator's work, and what are its biases?",
    "Ranking of systems": "Which of the systems do people prefer, and how surely?",
    "Estimates of a corpus": "What does a corpus contain, if a system labelled all of it?",
}


def write_all() -> None:
    _measures()
    (HERE / "commands.md").write_text("".join(_commands()), encoding="utf-8")
    (HERE / "campaign-file.md").write_text("".join(_campaign_file()), encoding="utf-8")
    (HERE / "formats.md").write_text("".join(_formats()), encoding="utf-8")
    (HERE / "files.md").write_text("".join(_files()), encoding="utf-8")
    certified = "".join(certified_values.page())
    (HERE / "certified-values.md").write_text(certified, encoding="utf-8")
    (HERE / "reproduced.md").write_text("".join(reproduced.page()), encoding="utf-8")


def _measures() -> None:
    say = Language("en")
    folder = HERE / "measures"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    index = [
        "# Measures\n\n",
        "Every measure has one name, the same in commands, files and Python.\n",
        "`accordeur measures NAME` shows its page on a terminal. Groups say what is measured;\n",
        "[Choose a coefficient](../how-to/choose-a-coefficient.md) says which measure to take.\n",
    ]
    for title, members in measure_groups().items():
        index.append(
            f"\n## {title}\n\n{QUESTIONS[title]}\n\n"
            "| name | measure | symbol | publication |\n|---|---|---|---|\n"
        )
        for one in members:
            named = f"[`{one.name}`](measures/{one.name}.md)"
            index.append(
                f"| {named} | {measure_name(say, one.name)} | {_cell(one.symbol)} | "
                f"{author_year_citation(one.sources) or '–'} |\n"
            )
    index += _contents_of_measures()
    (HERE / "measures.md").write_text("".join(index), encoding="utf-8")
    for one in MEASURES.values():
        page = "".join(_measure(one, say))
        (folder / f"{one.name}.md").write_text(page, encoding="utf-8")


def _contents_of_measures() -> Iterator[str]:
    """The pages by group; a measure with two purposes is in the first of its groups."""
    listed: set[str] = set()
    for title, members in measure_groups().items():
        names = [one.name for one in members if one.name not in listed]
        listed.update(names)
        if names:
            pages = "".join(f"measures/{name}\n" for name in names)
            yield f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n{pages}```\n"


def _measure(one: Measure, say: Language) -> Iterator[str]:
    name = measure_name(say, one.name)
    yield f"# {name[:1].upper() + name[1:] if name[:1].isascii() else name}\n\n"
    yield f"`{one.name}`" + (f", symbol {one.symbol}" if one.symbol else "") + "\n\n"
    if equations := formulas(one):
        for line in equations:
            formula = with_formulas(line)
            yield f"$${formula.strip('$')}$$\n\n" if is_formula(line) else f"{formula}\n\n"
    yield "| | |\n|---|---|\n"
    yield from (f"| {heading} | {_cell(text)} |\n" for heading, text in facts(one, say).items())
    if command := example(one):
        yield f"\n```sh\n{command}\n```\n"
    if one.sources:
        yield "\n## Publications\n\n"
        yield from (f"* {formatted_reference(bibliography()[source])}\n" for source in one.sources)


def _commands() -> Iterator[str]:
    yield "# Commands\n\n`accordeur COMMAND --help` prints the same on a terminal.\n"
    yield (
        "\n| exit status | meaning |\n|---|---|\n| 0 | done |\n"
        "| 1 | a quality gate failed, or a check found a problem |\n"
        "| 2 | bad input or configuration, explained in one sentence |\n"
        "| 130, 143 | interrupted by SIGINT or SIGTERM |\n"
    )
    group = typer.main.get_command(app)
    for name in COMMANDS:
        command = group.get_command(typer.Context(group), name)  # type: ignore[attr-defined]
        if command is None:
            continue
        yield f"\n## accordeur {name}\n\n{_sentence(command.help or '')}\n\n"
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        for argument in arguments:
            yield f"* `{argument.name}`: {getattr(argument, 'help', '') or ''}\n"
        options = [one for one in command.params if one.param_type_name == "option"]
        shown = [one for one in options if one.name != "help"]
        if shown:
            yield "\n| option | default | meaning |\n|---|---|---|\n"
        for one in shown:
            default = one.default
            is_plain = isinstance(default, str | int | float) and not isinstance(default, bool)
            default_text = f"`{default}`" if is_plain and default != "" else ""
            yield f"| `{one.opts[0]}` | {default_text} | {_cell(one.help or '')} |\n"


def _campaign_file() -> Iterator[str]:
    schema = json.loads((HERE.parent / "campaign.schema.json").read_text(encoding="utf-8"))
    known = schema["$defs"]
    yield "# Campaign file\n\n"
    yield (
        "A TOML file. All sections except `[campaign]` and `[[sources]]` have defaults. "
        "[The JSON schema](../campaign.schema.json) completes and checks the file in an editor.\n"
    )
    for name, section in schema["properties"].items():
        found, head = _section(name, section, known)
        if found is None:
            yield f"\n## `{name}`\n\n{section.get('description', '')} "
            yield f"Default: `{section.get('default')}`.\n"
            continue
        said = found.get("description", section.get("description", ""))
        yield f"\n## {head}\n\n{_sentence(said)}\n\n"
        yield "| key | type | default | meaning |\n|---|---|---|---|\n"
        for key, value in found.get("properties", {}).items():
            required = key in found.get("required", ())
            default = "required" if required else f"`{json.dumps(value.get('default'))}`"
            default = "" if default in ("`null`", '`""`', "`[]`", "`{}`") else default
            yield (
                f"| `{key}` | {_cell(_type(value, known))} | {_cell(default)} | "
                f"{_cell(value.get('description', ''))} |\n"
            )


def _section(
    name: str, section: Mapping[str, Any], known: Mapping[str, Any]
) -> tuple[Mapping[str, Any] | None, str]:
    """What a section holds, and how its head is written."""
    for one in (section, *section.get("anyOf", ())):
        if "$ref" in one:
            return known[one["$ref"].rpartition("/")[2]], f"`[{name}]`"
        if "$ref" in (items := one.get("items", {})):
            return known[items["$ref"].rpartition("/")[2]], f"`[[{name}]]`"
        more = one.get("additionalProperties")
        if isinstance(more, dict) and "$ref" in more:
            return known[more["$ref"].rpartition("/")[2]], f"`[{name}.NAME]`"
    return None, ""


def _type(value: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    if "$ref" in value:
        return _type(known[value["$ref"].rpartition("/")[2]], known)
    if "enum" in value:
        return ", ".join(f"`{one}`" for one in value["enum"])
    if "const" in value:
        return f"`{value['const']}`"
    if "anyOf" in value:
        return " or ".join(_type(one, known) for one in value["anyOf"] if one != {"type": "null"})
    kind = value.get("type", "")
    if kind == "array":
        items = value.get("items")
        return f"list of {_type(items, known)}" if isinstance(items, dict) else "list"
    words = {
        "object": "table",
        "integer": "whole number",
        "string": "text",
        "boolean": "true, false",
    }
    bounds = [
        f"{sign} {value[key]:g}"
        for key, sign in (
            ("minimum", "≥"), ("exclusiveMinimum", ">"),
            ("maximum", "≤"), ("exclusiveMaximum", "<"),
        )
        if key in value
    ]  # fmt: skip
    return " ".join([words.get(kind, kind), ", ".join(bounds)]).strip()


def _formats() -> Iterator[str]:
    yield "# Formats\n\n"
    yield (
        "`--from` on the command line, `format` of a source. Without it, the format is "
        "recognised by file name and content. "
        'Options: `--option NAME=VALUE`, or `options = { NAME = "VALUE" }`.\n'
        "\n## every format\n\n| option | meaning |\n|---|---|\n"
    )
    yield from _options(GeneralOptions.descriptions())
    for name, one in readers().items():
        yield f"\n## {name}\n\n{_sentence(one.DESCRIPTION)}\n\nFiles: `{' '.join(one.PATTERNS)}`\n"
        if described := option_descriptions(one.OPTIONS):
            yield "\n| option | meaning |\n|---|---|\n"
            yield from _options(described)


def _options(described: Mapping[str, str]) -> Iterator[str]:
    return (f"| `{key}` | {_cell(text)} |\n" for key, text in described.items())


def _files() -> Iterator[str]:
    yield "# Files of a run\n\n"
    yield (
        "`reports/run-NNNN/` in the store holds `report.html` (one file, readable offline), "
        "`results.json` (the contents of the report; [JSON schema](../results.schema.json)), "
        "`values.parquet` (every number as a row), `summary.md`, `run.json` (time and duration) "
        "and `manifest.json` (every file with its hash). `tables/` holds the [accepted tables]"
        "(../how-to/tables.md), `validation_result.json` the validation and "
        "`expectation_suites.json` its expectations for [Great Expectations]"
        "(../how-to/expectations.md).\n\n## Accepted tables\n\n"
        "Texts and their hashes (`text`, `sha256`) are not in `tables/`.\n"
    )
    for name, schema in SCHEMAS.items():
        yield from _columns(f"### {name}", schema)
    yield from _columns("## Ledger", LEDGER)
    yield (
        "\n`ledger.parquet` beside the report has one row per annotator, layer and document: "
        "[what became of work](../how-to/store-and-faults.md#what-a-run-reports-about-earlier-runs)"
        ".\n"
    )


def _columns(title: str, schema: pa.Schema) -> Iterator[str]:
    yield f"\n{title}\n\n| column | type | meaning |\n|---|---|---|\n"
    for field in schema:
        unit = f" (in {unit})" if (unit := UNITS.get(field.name)) else ""
        yield f"| `{field.name}` | {field.type} | {_cell(DESCRIPTIONS[field.name])}{unit} |\n"


def _sentence(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _cell(text: str) -> str:
    return _sentence(text).replace("|", "\\|")
