"""The audit page of a release: claims, numbers, limits, how to verify it, on four printed pages.

It is what a reviewer reads first. The report beside it is complete, so each list here is shortened
and states how many more entries the report has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from ..account import account_sentence
from ..columns import text
from ..page.blocks import (
    Block,
    Bullets,
    Cell,
    Code,
    Facts,
    GateView,
    Prose,
    Section,
    Table,
    Verdict,
)
from ..page.page import Page
from ..page.tables import table
from ..page.values import AGREEMENT_SENTENCE, SCORE_SENTENCE, forest_table, name_with_symbol
from ..reference_in_words import error_sentence
from ..release.corpus_to_release import Corpus
from ..release.requirements import Standard, missing_information
from ..results import Gate, GateOutcome, ItemAgreement, Named, Results, UnitAgreement
from ..warnings import finding_parts, warning_sentence
from .relations import translated_names
from .statement import bibliography_section, limit_keys, missing_statement_parts
from .verdict import gate_in_words, headline, overall_outcome

_Row: TypeAlias = tuple[str, Named]  # phrase naming what the value is about; the row

REPORT = "report.html"
N_GATES = 12
N_OF_LAYER = 3  # values per layer, besides values with a gate
N_ROWS = 12  # rows per table
N_WARNINGS = 6
FILES = {
    "report": REPORT,
    "results": "results.json",
    "values": "values.parquet",
    "summary": "summary.md",
    "campaign": "campaign.toml",
    "sbom": "sbom.cdx.json",
    "checksums": "SHA256SUMS",
}
DESCRIBED = {  # only with a section [release] in the campaign file
    "card": "README.md",
    "dictionary": "data/dictionary.csv",
    "croissant": "croissant.json",
    "crate": "ro-crate-metadata.json",
}


def audit_sections(page: Page) -> list[Section]:
    """Return the sections in order; the references come last because the others cite."""
    made = [
        _claim_section(page),
        _number_section(page),
        _system_section(page),
        _limits_section(page),
        _check_section(page),
    ]
    return [one for one in (*made, bibliography_section(page)) if one is not None]


def _claim_section(page: Page) -> Section:
    results, say = page.results, page.say
    outcome = overall_outcome(results.gates)
    verdict = Verdict(
        outcome=outcome,
        headline=headline(page) if results.gates else say("audit.no_gates"),
        first_step=None,
        cards=[],
        axis_note="",
        further=[_claim(page, gate) for gate in results.gates[:N_GATES]],
        cause_heading="",
        cause="",
        cause_note="",
        cause_of="",
        examples=None,
        actions=[],
        data=[],
        alerts=[],
    )
    more = len(results.gates) - N_GATES
    notes = [Prose(say("audit.more_claims", n=say.integer(more)), "note")] if more > 0 else []
    lead = say("audit.claims_lead") if results.gates else ""
    blocks: list[Block] = [
        verdict,
        *notes,
        page.heading(say("audit.corpus")),
        *_corpus_blocks(page),
    ]
    return Section("claims", say("audit.claims"), blocks, lead=lead)


def _claim(page: Page, gate: Gate) -> GateView:
    """Return the gate in words with the confidence interval, also if it is not undecided."""
    claim, say = gate_in_words(page, gate), page.say
    interval = say.interval(gate.interval)
    if not interval or gate.outcome is GateOutcome.undecided:
        return claim
    known = say("value.interval", level=say.percent(gate.level, 0), interval=interval)
    return replace(claim, sentence=f"{claim.sentence} {known}.")


def _corpus_blocks(page: Page) -> list[Block]:
    results, say = page.results, page.say
    campaign, validation = results.campaign, results.validation
    roles = [one.role for one in results.annotators]
    counted = [
        say.counted(role, roles.count(role)) for role in ("human", "system") if role in roles
    ]
    facts = [
        (say("audit.documents"), say.integer(results.coverage.n_documents))
        if results.coverage
        else ("", ""),
        (say("audit.annotators"), say.listed(counted)),
        (
            say("audit.rows"),
            account_sentence(validation.account, say, explained=True)
            if validation and validation.account
            else "",
        ),
        *(
            (say(f"statement.{key}"), getattr(campaign, key))
            for key in ("language", "guideline", "licence", "contact")
        ),
    ]
    described: list[Block] = (
        [Prose(campaign.description, language=page.language_of_texts)]
        if campaign.description
        else []
    )
    return [*described, Facts([(term, known) for term, known in facts if known])]


def _number_section(page: Page) -> Section | None:
    results, say = page.results, page.say
    relations = [
        (layer.layer, one.model_copy(update={"name": _value_name(page, layer.layer, one.name)}))
        for layer in results.relations
        for one in translated_names(page, layer.values)
    ]
    blocks: list[Block] = []
    for name, values, counted in (
        ("items", _main_value_rows(page, results.items), "item"),
        ("units", _main_value_rows(page, results.units), "unit"),
        ("relations", relations, "compared"),
    ):
        if values:
            blocks += _table(page, say(f"audit.{name}"), say("audit.value"), values, counted)
    return page.section(
        "numbers", blocks, title=say("audit.numbers"), lead=say("audit.numbers_lead")
    )


def _main_value_rows(page: Page, layers: Sequence[ItemAgreement | UnitAgreement]) -> list[_Row]:
    """Return the first values of each layer, and the values with a gate."""
    gated = {(gate.layer, gate.measure) for gate in page.results.gates}
    return [
        (layer.layer, Named(name=_value_name(page, layer.layer, name), value=value))
        for layer in layers
        for number, value in enumerate(layer.values)
        for name in [name_with_symbol(page.say, value)]
        if number < N_OF_LAYER or (layer.layer, value.measure) in gated
    ]


def _value_name(page: Page, layer: str, measure: str) -> str:
    return page.say("audit.of_layer", layer=layer, measure=measure) if layer else measure


def _table(
    page: Page,
    caption: str,
    first_column: str,
    rows: Sequence[_Row],
    counted: str,
    kind: str = AGREEMENT_SENTENCE,
) -> list[Block]:
    shown = forest_table(
        page,
        caption,
        [row for _, row in rows[:N_ROWS]],
        first_column=first_column,
        about="",
        names=[about for about, _ in rows[:N_ROWS]],
        counted=counted,
        kind=kind,
    )
    more = len(rows) - N_ROWS
    say = page.say
    note = [Prose(say("audit.more", n=say.integer(more)), "note")] if more > 0 else []
    return [replace(shown, css="forest"), *note]


def _system_section(page: Page) -> Section | None:
    """Show the first score of each system, separate from agreement."""
    say = page.say
    blocks: list[Block] = []
    for kind, counted in (("items", "item"), ("units", "unit")):
        scores = [
            (
                say(
                    "validity.about",
                    system=one.system,
                    layer=one.layer,
                    reference=validity.reference,
                ),
                Named(
                    name=say(
                        "audit.of_system",
                        system=one.system,
                        layer=one.layer,
                        measure=name_with_symbol(say, one.values[0]),
                    ),
                    value=one.values[0],
                ),
            )
            for validity in page.results.validity
            for one in validity.systems
            if one.kind == kind and one.values
        ]
        if scores:
            caption = say(f"kind.{kind}")
            blocks += _table(page, caption, say("audit.system"), scores, counted, SCORE_SENTENCE)
    blocks += [
        Prose(f"{one.reference} ({one.layer or say('kind.' + one.kind)}): {sentence}")
        for one in page.results.validity
        if one.error is not None
        for sentence in (error_sentence(say, one.error),)
    ]
    if not blocks:
        return None
    lead = say("audit.systems_lead")
    return Section("systems", say("audit.systems"), blocks, css="apart", lead=lead)


def _limits_section(page: Page) -> Section:
    say, results = page.say, page.results
    blocks: list[Block] = [
        Bullets([(say(f"limits.{key}"), say.code) for key in limit_keys(results)])
    ]
    lacking = [*missing_statement_parts(page), *_missing_by_standard(page)]
    if lacking:
        blocks += [page.heading(say("audit.missing")), Bullets(lacking)]
    blocks.append(page.heading(say("audit.warnings")))
    warnings = [warning_sentence(say, alert) for alert in results.alerts]
    layers: list[ItemAgreement | UnitAgreement] = [*results.items, *results.units]
    for layer in layers:
        for finding in layer.findings:
            _, text, _, language = finding_parts(say, finding)
            warnings.append((_value_name(page, layer.layer, text), language))
    if warnings:
        blocks.append(Bullets(warnings[:N_WARNINGS]))
    else:
        blocks.append(Prose(say("audit.no_warnings")))
    if len(warnings) > N_WARNINGS:
        more = say.integer(len(warnings) - N_WARNINGS)
        blocks.append(Prose(say("audit.more_warnings", n=more), "note"))
    return Section("limits", say("audit.limits"), blocks, lead=say("audit.limits_lead"))


def _missing_by_standard(page: Page) -> list[tuple[str, str]]:
    """Return what each standard requires and the release lacks, besides the data statement."""
    if page.results.release is None or page.results.release.metadata is None:
        return []
    found: dict[str, list[str]] = {}
    for one in missing_information(Corpus(page.results, ())):
        if one.required and one.standard != Standard.STATEMENT:
            found.setdefault(one.standard, []).append(one.property)
    return [
        (page.say("audit.lacking", standard=standard, names=", ".join(names)), page.say.code)
        for standard, names in found.items()
    ]


def _check_section(page: Page) -> Section:
    run, say = page.results.run, page.say
    commands = {
        "files": "sha256sum --check SHA256SUMS",
        "hash": "accordeur audit --verify . --sha256 HASH",
        "signature": "accordeur audit --verify . --signers SIGNERS",
        "exports": "accordeur audit CAMPAIGN --verify .",
    }
    facts = [
        (say("reproduce.version"), run.version),
        (say("reproduce.seed"), str(run.seed)),
        (say("reproduce.input"), run.input_hash),
        (say("reproduce.config"), run.config_hash),
    ]
    blocks: list[Block] = [
        Code(command, page.identifier("k"), say(f"audit.check_{name}"))
        for name, command in commands.items()
    ]
    if "campaign" not in _published_files(page.results):
        blocks.append(Prose(say("audit.check_private"), "note"))
    blocks += [
        Prose(say("audit.check_note"), "note"),
        Facts([(term, known) for term, known in facts if known]),
        _file_table(page),
    ]
    lead = say("audit.check_lead", version=run.version)
    return Section("check", say("audit.check"), blocks, lead=lead)


def _file_table(page: Page) -> Table:
    say = page.say
    return table(
        say, say("audit.files"), _published_files(page.results).items(),
        text(say("audit.file"), lambda row: Cell(row[1], href=row[1])),
        text(say("audit.content"), lambda row: say(f"audit.file_{row[0]}")),
    )  # fmt: skip


def _published_files(results: Results) -> dict[str, str]:
    """Return the published files, without the campaign file if that contains names."""
    release = results.release
    is_private = results.campaign.privacy
    has_campaign = not is_private and (release is None or release.has_campaign_file)
    files = {name: file for name, file in FILES.items() if name != "campaign" or has_campaign}
    described = release is not None and release.metadata is not None
    return {**DESCRIBED, **files} if described else files
