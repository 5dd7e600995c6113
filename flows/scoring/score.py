"""`accordeur score`: systems against a reference, from exports, without a campaign.

The evaluation is that of a run (`tasks.validity.evaluation`): what is scored are the documents that
the reference finished, and a document that a system's export lacks is wrong. No chance-corrected
coefficient is computed here, and asking for one is refused (`metrics.wall`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from ...data.errors import DataError
from ...data.readers.folders import distinct_paths
from ...data.readers.quick.accepted import require_none
from ...data.reference_documents import mismatch
from ...data.schema import Rejected
from ...metrics.errors import MetricsError
from ...metrics.measures import GROUPS_OF_SCORES, SCORES, STRUCTURES
from ...metrics.signature import read_with
from ...metrics.wall import require_direct
from ...tasks.validity.evaluation import ScoredDocuments, compare_pairs
from ..measure_names import refusal
from ..wording import counted
from .labels import score_labels
from .rows import account_of_scores
from .scores import Options, Scores
from .sides import Named, Work, choose_reference, choose_systems, read_export
from .units import score_units

MOST_COMPARED = 20


def check_measures(measures: Sequence[str]) -> None:
    """Raise RoleError for a chance-corrected coefficient, DataError for an unknown measure."""
    accepted = (*SCORES, *GROUPS_OF_SCORES)
    for measure in measures:
        if measure not in accepted:
            require_direct(measure)
            raise DataError(refusal(measure, accepted, "the measures are"))


def score(
    reference: str,
    systems: Sequence[str],
    *,
    format: str = "auto",
    reference_options: Mapping[str, str] | None = None,
    system_options: Mapping[str, str] | None = None,
    layer: str | None = None,
    single_annotator: bool = False,
    unfinished: bool = False,
    strict: bool = False,
    options: Options | None = None,
) -> Scores:
    """Score every system against the reference.

    reference, systems  paths, or `path#annotator` where an export holds several
    strict              refuse an export for a row that cannot be scored (else it is set aside)
    Raises RoleError for a chance-corrected measure, DataError for what cannot be read or compared.
    """
    chosen = options or Options()
    check_measures(chosen.measures)
    named = Named.of(reference)
    asked = [Named.of(system) for system in systems]

    set_aside: list[Rejected] = []

    def people(path: str, extra: Mapping[str, str] | None) -> dict[str, Work]:
        found, refused = read_export(
            path, format=format, options=extra, layer=layer, unfinished=unfinished
        )
        if strict:
            require_none(refused)
        set_aside.extend(refused)
        return found

    of_reference = people(named.path, reference_options)
    same = [one for one in asked if one.path == named.path]
    scored_here = [one.annotator for one in same if one.annotator is not None]
    if same and any(one.annotator is None for one in same):
        scored_here = [name for name in of_reference if name != named.annotator]
    gold = choose_reference(of_reference, named, systems=scored_here, single=single_annotator)
    gold = gold.without(gold.all_rejected)
    works: list[Work] = []
    for one in asked:
        is_same = one.path == named.path and (system_options or {}) == (reference_options or {})
        of_system = of_reference if is_same else people(one.path, system_options)
        works += choose_systems(of_system, one, gold.name if is_same else None)
    result = Scores(gold.name, single_annotator, set_aside=set_aside)
    for work in works:
        if work.read_with and gold.read_with and work.read_with != gold.read_with:
            raise DataError(
                f"{work.name!r} was read with {_read_with(work)}, the reference with "
                f"{_read_with(gold)}: choose one feature for both with the option category"
            )
    result.rows = account_of_scores(gold, works)
    names = _names(works)
    _note_refused(result, [gold, *works])
    aligned = {
        name: _aligned(gold, work, name, result) for name, work in zip(names, works, strict=True)
    }
    for name, work in aligned.items():
        result.documents[name] = ScoredDocuments.of(list(gold.documents), work.presence())
        result.notes += [one.text for one in result.documents[name].notices(name)]
    if gold.is_labels:
        score_labels(gold, aligned, chosen, result)
    else:
        score_units(gold, aligned, chosen, result)
    result.scores = [
        replace(one, estimate=estimate)
        for one in result.scores
        for estimate in read_with([one.estimate], {**works[0].read_with, **gold.read_with})
    ]
    if len({frozenset(work.not_scored(gold)) for work in aligned.values()}) > 1:
        for measure in STRUCTURES:  # counted on each system's own documents
            result.compared.pop(measure, None)
    _compare(result, chosen)
    if not result.scores:
        raise MetricsError(
            f"{', '.join(chosen.measures)} cannot be computed on "
            f"{'labels' if gold.is_labels else 'units'}; leave --measure out to see what can"
        )
    return result


def _read_with(work: Work) -> str:
    return ", ".join(f"{key} {value}" for key, value in work.read_with.items())


def _names(works: Sequence[Work]) -> list[str]:
    """The annotators' names; where a name comes twice, the shortest paths that tell them apart."""
    plain = [work.name for work in works]
    paths = distinct_paths([Path(work.source) for work in works])
    names = []
    for work, path in zip(works, paths, strict=True):
        is_of_path = PurePath(path).name == work.name
        apart = path if is_of_path else f"{path}#{work.name}"
        names.append(work.name if plain.count(work.name) == 1 else apart)
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{name!r} is given twice as a system")
    return names


def _note_refused(result: Scores, works: Sequence[Work]) -> None:
    for work in works:
        if work.n_refused:
            result.notes.append(
                f"{work.name}: {counted(work.n_refused, 'run')} of chunk tags that the scheme does "
                "not allow, no unit in the strict reading"
            )


def _aligned(gold: Work, work: Work, name: str, result: Scores) -> Work:
    """The system's work under the reference's names of documents, on its documents only.

    Two single documents are one, whatever their files are called.
    """
    if gold.is_labels != work.is_labels and (work.labels or work.units):
        kinds = ("labels", "units")
        raise DataError(
            f"the reference has {kinds[not gold.is_labels]} and {name!r} has "
            f"{kinds[not work.is_labels]}: they cannot be compared"
        )
    renamed = {document: document for document in work.documents}
    if len(gold.documents) == len(work.documents) == 1:
        renamed = dict(zip(work.documents, gold.documents, strict=True))
    shared = [document for document in renamed.values() if document in gold.documents]
    if not shared:
        raise DataError(f"{name!r}: {mismatch(gold.documents, work.documents)}")
    if wrong := mismatch(gold.documents, renamed.values()):
        result.notes.append(f"{name}: {wrong}")
    more = len(renamed) - len(shared)
    if more:
        result.notes.append(f"{counted(more, 'document')} of {name} excluded: not in the reference")
    kept = {before: after for before, after in renamed.items() if after in gold.documents}
    return replace(
        work,
        documents={after: work.documents[before] for before, after in kept.items()},
        not_assigned=work.not_assigned & gold.documents.keys(),
        labels={(kept[d], item): label for (d, item), label in work.labels.items() if d in kept},
        units=[(kept[d], start, end, c) for d, start, end, c in work.units if d in kept],
        bounds={(kept[d], unit): at for (d, unit), at in work.bounds.items() if d in kept},
        links=[(kept[d], a, b) for d, a, b in work.links if d in kept],
    )


def _compare(result: Scores, options: Options) -> None:
    """Every pair of systems, by each measure that was asked for, else by the main one."""
    n_systems = max((len(counts) for counts in result.compared.values()), default=0)
    if n_systems < 2 or not options.n_replicates:
        return
    if n_systems > MOST_COMPARED:
        result.notes.append(
            f"more than {MOST_COMPARED} systems: not compared in pairs; name fewer with --system"
        )
        return
    result.comparisons += compare_pairs(result.compared, options.settings())
