"""Whether the first action names a planted fault, and whether there is none without a fault.

Campaigns of `benchmarks.planted_campaigns`, computed as a run computes its verdict, from labels and
from units. A campaign counts if its fault costs at least .05 of the value (α or γ).

Campaigns of `MECHANISMS` count whatever the fault costs, and the mechanism must be named, too.
Their faults have three sizes, each stated by what it costs, in standard errors of the value.

    python -m benchmarks.verdict [CAMPAIGNS] [FIRST SEED] [labels|units]   prints results/verdict.md
    python -m benchmarks.verdict CAMPAIGNS FIRST_SEED labels|units empty   without a fault, of many
                                                                           shapes
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from scipy.stats import beta

from accordeur.metrics.agreement.diagnosis.label_disagreement import label_disagreement
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.causes.campaign_parts import campaign_parts
from accordeur.metrics.causes.cause import Cause
from accordeur.metrics.causes.cause_search import find_causes
from accordeur.metrics.causes.disagreement import Disagreement
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.units.disagreement_of_pairs import disagreement_of_pairs
from accordeur.metrics.units.expected_documents import expected_per_document
from accordeur.metrics.units.gamma import compute_expectation
from accordeur.metrics.units.gamma_settings import DEFAULT_SETTINGS
from accordeur.metrics.units.observed import align_documents, observed_of_alignments
from accordeur.metrics.units.pairwise_f import units_of_corpus
from accordeur.metrics.units.unit_disagreement import UnitGroups, disorder_rows, unit_disagreement
from benchmarks.planted_campaigns import (
    ANNOTATORS,
    CATEGORIES,
    LENGTH,
    N_DOCUMENTS,
    N_ITEMS,
    Documents,
    Fault,
    documents,
    labels_of,
    units_of,
)
from benchmarks.planted_faults import FAULTS, MECHANISMS

LEAST_COST = 0.05
N_CAMPAIGNS, SEED = 40, 0
SIZES = (1.0, 0.75, 0.5)
_SETTINGS = replace(DEFAULT_SETTINGS, precision=0.02, replicates=0)
_METRIC = Dissimilarity()


def disagreement_of(kind: str, seed: int, fault: Fault | None) -> Disagreement:
    """Compute the disagreement of a campaign as a run does: of α, or of γ."""
    return disagreements_of(kind, seed, fault)["labels" if kind == "labels" else "gamma"]


def disagreements_of(kind: str, seed: int, fault: Fault | None) -> dict[str, Disagreement]:
    """Compute the disagreement of α, or of γ and the pairwise F."""
    of = documents()
    parts = campaign_parts(of.names, of.batches, of.weeks)
    if kind == "labels":
        found = label_disagreement(labels_of(seed, fault), "nominal", parts, of.work)
        assert found is not None
        return {"labels": found}
    return disagreements_of_units(units_of(seed, fault), of, range(N_DOCUMENTS))


def disagreements_of_units(
    continua: Sequence[Continuum], of: Documents, chosen: Sequence[int]
) -> dict[str, Disagreement]:
    """Compute the disagreement of γ and the pairwise F; `chosen` are the numbers of documents."""
    names, batches, weeks = ([one[d] for d in chosen] for one in (of.names, of.batches, of.weeks))
    parts = campaign_parts(names, batches, weeks)
    annotators, tagset = continua[0].annotators, continua[0].tagset
    work = [replace(one, of_work=one.of_work[[*chosen], : len(annotators)]) for one in of.work]
    corpus = corpus_of_continua(continua)
    alignments = align_documents(continua, _METRIC)
    counts = observed_of_alignments(continua, alignments)
    expected = compute_expectation(corpus, _METRIC, _SETTINGS)
    chances = counts.weights * expected_per_document(counts, expected).means
    usage = np.zeros((len(continua), len(tagset) + 1))
    for d, continuum in enumerate(continua):
        np.add.at(usage[d], continuum.categories, 1)
    every = np.ones((len(continua), len(annotators)), dtype=np.bool_)
    rows = disorder_rows(continua, alignments, _METRIC, annotators)
    by = UnitGroups.of_documents(usage, annotators, tagset, parts)
    found = unit_disagreement(rows, usage, chances, every, by)
    assert found is not None
    units = units_of_corpus(corpus, annotators)
    found, of_f = disagreement_of_pairs(found, units, by, ["pairwise_f"], work=work)
    return {"gamma": found, **of_f}


def empty_campaign(kind: str, seed: int) -> dict[str, Disagreement]:
    """Compute the disagreement of a campaign without a fault, of a shape that the seed draws.

    20 to 160 documents, 2 to 4 annotators, 2 to 5 categories, all or half of the items or units.
    """
    rng, of = np.random.default_rng([seed, 3]), documents()
    chosen = np.sort(rng.choice(N_DOCUMENTS, int(rng.integers(20, N_DOCUMENTS + 1)), replace=False))
    n_annotators, n_categories = int(rng.integers(2, 5)), int(rng.integers(2, len(CATEGORIES) + 1))
    share, tagset = float(rng.choice([0.5, 1.0])), CATEGORIES[:n_categories]
    annotators = ANNOTATORS[:n_annotators]
    if kind == "units":
        every, continua = units_of(seed, None), []
        for d in chosen.tolist():
            one = every[d]
            kept = (one.owners < n_annotators) & (one.starts < share * LENGTH)
            continua.append(
                Continuum(
                    one.starts[kept], one.ends[kept], one.categories[kept] % n_categories,
                    one.owners[kept], annotators, tagset, length=share * LENGTH,
                )
            )  # fmt: skip
        return disagreements_of_units(continua, of, chosen.tolist())
    matrix = labels_of(seed, None)
    assert matrix.documents is not None
    number = np.full(N_DOCUMENTS, -1)
    number[chosen] = np.arange(chosen.size)
    is_kept = (number[matrix.documents] >= 0) & (
        np.arange(matrix.n_items) % N_ITEMS < share * N_ITEMS
    )
    items = np.flatnonzero(is_kept)
    small = LabelMatrix(
        codes=matrix.codes[items, :n_annotators] % n_categories,
        tagset=tagset,
        annotators=annotators,
        documents=number[matrix.documents[items]],
        items=tuple(matrix.items[i] for i in items),
    )
    names, batches, weeks = ([one[d] for d in chosen] for one in (of.names, of.batches, of.weeks))
    work = [replace(one, of_work=one.of_work[chosen, :n_annotators]) for one in of.work]
    found = label_disagreement(small, "nominal", campaign_parts(names, batches, weeks), work)
    assert found is not None
    return {"labels": found}


def print_empty(kind: str, seeds: range) -> None:
    """Print how many values of campaigns of many shapes have a cause, and campaigns with one."""
    n_any, n_values = 0, Counter[str]()
    for seed in seeds:
        found = [
            name for name, one in empty_campaign(kind, seed).items() if find_causes(one).causes
        ]
        n_values.update(found)
        n_any += bool(found)
    limit = beta.ppf(0.95, n_any + 1, len(seeds) - n_any)
    shown = ", ".join(f"{name} {n}" for name, n in n_values.items())
    print(f"Without a fault, {kind}, seeds {seeds.start} to {seeds.stop - 1}: a cause in {n_any}")
    print(f"of {len(seeds)} (upper 95 % limit {limit:.1%}); by value: {shown or 'none'}.")


def described(cause: Cause) -> str:
    part = "" if cause.part is None else f" {cause.part.kind}={cause.part.name}"
    kind = " ".join((cause.kind.cause, "/".join(cause.kind.categories)))
    return f"{kind} {cause.annotator}{part} {cause.gain:+.3f}".strip()


@dataclass(frozen=True, slots=True)
class Row:
    """Campaigns with a fault that costs enough: its costs, and what was named first."""

    fault: str
    costs: list[float]
    n_first: int
    n_named: int
    others: list[str]


def row_of(kind: str, fault: Fault, values: dict[int, float]) -> Row:
    costs, named, anywhere, others = [], 0, 0, []
    for seed, value in values.items():
        found = disagreement_of(kind, seed, fault)
        cost = value - found.value
        if cost < LEAST_COST:
            continue
        causes = find_causes(found).causes
        costs.append(cost)
        is_first = bool(causes) and fault.is_named_by(causes[0])
        named += is_first
        anywhere += any(map(fault.is_named_by, causes))
        if not is_first:
            others.append(described(causes[0]) if causes else "none")
    return Row(fault.name, costs, named, anywhere, others)


def print_table(kind: str, seeds: range) -> None:
    print(f"\n## {kind.capitalize()}, seeds {seeds.start} to {seeds.stop - 1}\n")
    print("| fault | campaigns | mean cost | named first | named | first action instead |")
    print("|---|--:|--:|--:|--:|---|")
    values, n_empty = {}, 0
    for seed in seeds:
        found = disagreement_of(kind, seed, None)
        values[seed] = found.value
        n_empty += not find_causes(found).causes
    rows = []
    for fault in FAULTS:
        if not (fault.of_labels if kind == "labels" else fault.of_units):
            continue
        row = row_of(kind, fault, values)
        rows.append(row)
        mean = f"{np.mean(row.costs):.3f}" if row.costs else ""
        cells = (row.fault, len(row.costs), mean, row.n_first, row.n_named)
        print("|", *(f"{cell} |" for cell in cells), "; ".join(row.others[:3]), "|", flush=True)
    n, first = sum(len(row.costs) for row in rows), sum(row.n_first for row in rows)
    print(f"\nNamed first: {first} of {n} ({first / max(1, n):.1%}).")
    print(f"Without a fault: no action in {n_empty} of {len(seeds)} ({n_empty / len(seeds):.1%}).")


def print_mechanisms(kind: str, seeds: range) -> None:
    """Print how often the first cause has the person, the place and the mechanism of a fault."""
    print(f"\n## Mechanisms in {kind}, seeds {seeds.start} to {seeds.stop - 1}\n")
    print(
        "| fault | size | value | effect in SE | campaigns | right | none | wrong | wrong causes |"
    )
    print("|---|--:|---|--:|--:|--:|--:|--:|---|")
    without = {
        name: [one[name].value for one in campaigns]
        for campaigns in [[disagreements_of(kind, seed, None) for seed in seeds]]
        for name in campaigns[0]
    }
    for fault, size in product(MECHANISMS, SIZES):
        if not (fault.of_labels if kind == "labels" else fault.of_units):
            continue
        planted = replace(fault, size=size)
        found: dict[str, list[tuple[float, tuple[Cause, ...]]]] = {}
        for seed in seeds:
            for name, one in disagreements_of(kind, seed, planted).items():
                found.setdefault(name, []).append((one.value, find_causes(one).causes))
        for name, campaigns in found.items():
            costs = np.array(without[name]) - [value for value, _ in campaigns]
            effect = abs(costs.mean()) / np.std(without[name], ddof=1)
            firsts = [causes[0] for _, causes in campaigns if causes]
            others = [described(one) for one in firsts if not fault.is_named_by(one)]
            n = len(campaigns)
            cells = (
                fault.name, size, name, f"{effect:.1f}", n, len(firsts) - len(others),
                n - len(firsts), len(others),
            )  # fmt: skip
            print("|", *(f"{cell} |" for cell in cells), "; ".join(others[:3]), "|", flush=True)


def main() -> None:
    given = sys.argv[1:]
    n, first = (int(one) for one in (*given[:2], *(N_CAMPAIGNS, SEED)[len(given[:2]) :]))
    for kind in given[2:3] or ("labels", "units"):
        if given[3:] == ["empty"]:
            print_empty(kind, range(first, first + n))
            continue
        print_table(kind, range(first, first + n))
        print_mechanisms(kind, range(first, first + n))


if __name__ == "__main__":
    main()
