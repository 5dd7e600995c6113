"""The dataset card (README.md with the YAML header of Hugging Face), and the data statement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from ..summary import plain_markdown
from .citation import bibtex
from .cited_numbers import Citations
from .corpus_to_release import DATA, Corpus
from .requirements import Missing
from .wording import Wording

FILE = "README.md"
STATEMENT = "data_statement.md"
MISSING = "missing.md"
TABLES_AGAIN = "measure_tables.toml"  # measures the published tables
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"),
          (10_000_000, "1M<n<10M"))  # fmt: skip
_LARGEST = "n>10M"


def dataset_card(corpus: Corpus) -> str:
    """Return the content of README.md."""
    return "---\n" + _header(corpus) + "---\n\n" + "\n".join(_card_parts(corpus))


def _header(corpus: Corpus) -> str:
    """Return the YAML header of the card; a licence outside SPDX is `other`, as on the hub."""
    metadata, licence = corpus.metadata, corpus.results.campaign.licence
    found: dict[str, object] = {
        "pretty_name": corpus.title,
        "license": corpus.spdx.lower() or ("other" if licence else ""),
        "license_name": "" if corpus.spdx else licence,
        "language": list(metadata.languages),
        "task_categories": list(metadata.tasks),
        "annotations_creators": list(metadata.annotation_creators),
        "tags": list(metadata.keywords),
        "configs": [
            {"config_name": table.name, "data_files": f"{DATA}/{table.name}.parquet"}
            for table in corpus.release.tables
        ],
    }
    lines = [
        f"{name}: {json.dumps(value, ensure_ascii=False)}\n"  # JSON is YAML
        for name, value in found.items()
        if value not in ("", [])
    ]
    sizes = [table.n_rows for table in corpus.release.tables]
    if sizes:
        most = max(sizes)
        size = next((name for limit, name in _SIZES if most < limit), _LARGEST)
        lines.append(f"size_categories: [{json.dumps(size)}]\n")
    return "".join(lines)


def _card_parts(corpus: Corpus) -> Iterator[str]:
    say, campaign = corpus.say, corpus.results.campaign
    said = Wording(corpus, "markdown")
    yield f"# {plain_markdown(corpus.title)}\n"
    if campaign.description:
        yield f"{plain_markdown(campaign.description)}\n"
    if corpus.metadata.version and corpus.metadata.date:
        yield say("passport.version", version=plain_markdown(corpus.metadata.version),
                  date=corpus.metadata.date) + "\n"  # fmt: skip
    yield from _bullet_list(said.texts())
    columns = _column_lists(corpus)
    yield from _card_section(corpus, "contents", _table_list(corpus, said.cite), columns)
    who = [*said.annotators(), *said.guideline(), *said.per_item(), *said.demographics()]
    who += said.individual()
    protocol = _release_texts(corpus, "annotation_protocol", "platforms", "machine_tools")
    yield from _card_section(corpus, "annotation", protocol, _bullet_list(who))
    yield from _card_section(
        corpus,
        "agreement",
        _bullet_list([*said.value_to_quote(), *said.agreement(), *said.gates(), *said.intervals()]),
    )
    yield from _card_section(
        corpus, "reference", _bullet_list([*said.references(), *said.errors()])
    )
    yield from _card_section(corpus, "estimates", _bullet_list(said.estimates()))
    collection = _release_texts(
        corpus, "collection", "raw_data", "sources", "missing_data", "imputation", "manipulation",
        "preprocessing",
    )  # fmt: skip
    stated = say.semicolon_list(map(plain_markdown, campaign.statement))
    statement = [say("passport.statement", file=STATEMENT, headings=stated)] if stated else []
    rows = _bullet_list([*said.rows(), *statement])
    yield from _card_section(corpus, "collection", collection, rows)
    considerations = _release_texts(
        corpus, "uses", "unsuitable_uses", "social_impact", "maintenance"
    )
    yield from _card_section(corpus, "considerations", considerations)
    yield from _card_section(
        corpus, "personal", _release_texts(corpus, "personal_information", "sensitive_content")
    )
    limits = _release_texts(corpus, "biases", "limitations")
    yield from _card_section(corpus, "limits", limits, _bullet_list(said.limits()))
    entry = bibtex(corpus)
    licence = [f"{plain_markdown(campaign.licence)}\n"] if campaign.licence else []
    citation = [f"```bibtex\n{entry}\n```\n"] if entry else []
    paper = _release_texts(corpus, "paper")
    yield from _card_section(corpus, "licence", licence, paper, citation)
    contact = [say("passport.contact", text=plain_markdown(campaign.contact)), ""]
    yield from _card_section(corpus, "contact", contact if campaign.contact else [])
    checks = [
        say("passport.check.files"),
        say("passport.check.values"),
        say("passport.check.version", version=said.cite.text("/run/version"),
            seed=said.cite.number("/run/seed")),
        say("passport.check.beside"),
    ]  # fmt: skip
    if any(one.path == TABLES_AGAIN for one in corpus.files):
        again = "again_with_chance" if corpus.results.units else "again"
        checks.insert(2, say(f"passport.check.{again}", file=TABLES_AGAIN))
    yield from _card_section(corpus, "check", _bullet_list(checks))


def _table_list(corpus: Corpus, cite: Citations) -> Iterator[str]:
    say = corpus.say
    heads = [say(f"passport.heading.{name}") for name in ("table", "rows", "meaning")]
    yield f"| {' | '.join(heads)} |\n|---|--:|---|"
    for n, table in enumerate(corpus.release.tables):
        rows = cite.number(f"/release/tables/{n}/n_rows")
        meaning = say(f"passport.table.{table.name}")
        yield f"| `{DATA}/{table.name}` | {rows} | {meaning} |"
    yield ""


def _column_lists(corpus: Corpus) -> Iterator[str]:
    """Yield the columns of each table with their meaning."""
    for table in corpus.release.tables:
        yield f"`{DATA}/{table.name}`:\n"
        yield from _bullet_list(
            f"`{name}` ({kind}): {corpus.column_text(table.name, name)}"
            for name, kind in table.columns.items()
        )


def data_statement(corpus: Corpus) -> str:
    """Return the headings of Bender & Friedman (2018) with the texts of the campaign file."""
    lines = [f"# {corpus.say('passport.heading.statement')}\n"]
    for heading, text in corpus.results.campaign.statement.items():
        lines += [f"## {plain_markdown(heading)}\n", f"{plain_markdown(text)}\n"]
    return "\n".join(lines)


def missing_list(corpus: Corpus, missing: Sequence[Missing]) -> str:
    """Return a table of what each standard lacks."""
    say = corpus.say
    lines = [f"# {say('passport.heading.missing')}\n"]
    if not missing:
        return "\n".join([*lines, say("passport.missing.none"), ""])
    lines.append(f"{say('passport.missing.lead')}\n")
    heads = [say(f"passport.missing.{name}") for name in ("standard", "property", "key", "status")]
    lines += [f"| {' | '.join(heads)} |", "|---|---|---|---|"]
    for one in missing:
        status = say(f"passport.missing.{'required' if one.required else 'recommended'}")
        lines.append(f"| {one.standard} | {one.property} | `{one.key}` | {status} |")
    return "\n".join([*lines, ""])


def _card_section(corpus: Corpus, name: str, *parts: Iterable[str]) -> Iterator[str]:
    """Return a heading with its parts; empty if all of them are empty."""
    lines = [line for part in parts for line in part]
    if lines:
        yield f"## {corpus.say(f'passport.heading.{name}')}\n"
        yield from lines


def _release_texts(corpus: Corpus, *keys: str) -> Iterator[str]:
    """Return the given texts of keys of [release], each after its subject."""
    for key in keys:
        given = getattr(corpus.metadata, key)
        texts = [given] if isinstance(given, str) else given
        texts = [text.rstrip(".") for text in texts[:-1]] + [*texts[-1:]]
        shown = "; ".join(plain_markdown(text) for text in texts if text)
        if shown:
            yield f"**{corpus.say(f'passport.key.{key}')}:** {shown}\n"


def _bullet_list(sentences: Iterable[str]) -> Iterator[str]:
    lines = [f"* {sentence}" for sentence in sentences]
    if lines:
        yield "\n".join([*lines, ""])
