"""γ, the unified and holistic agreement of annotators on units (Mathet, Widlöcher & Métivier 2015).

    γ = 1 - δ / δ_e

δ is the disorder of the best alignment, δ_e the expected disorder of chance annotation. Over a
corpus the counts are added before the ratio is taken: with T_d the sum of unitary disorders of
document d, x̄_d its mean number of units per annotator and e_d the expected disorder for as many
annotators,

    γ = 1 - Σ_d T_d / Σ_d x̄_d e_d

which is 1 - (ΣT / Σx̄) / e if every document has the same number of annotators. The same module
serves the soft alignment (a covering) and, with the number of unitary alignments for x̄, the
holistic measure of 2011 (`metrics.units.holistic_agreement`).

| function | result |
|---|---|
| `gamma` | everything: observed, chance, value, interval, documents |
| `evaluate_gamma` | the values of a corpus and of its documents, from counts and samples |
| `gamma_of_counts` | the value of a corpus from counts and an expectation computed elsewhere |
| `gamma_of_documents` | the same for each document |

Range: at most 1 (every annotator marked the same units); 0 is chance, negative is worse than
chance. `nan` with a reason if no annotator marked a unit, or if the expected disorder is 0. A
document in which only one annotator marked units is defined: each of them costs Δ∅.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..chance.chance_samples import ExpectedDisorder
from ..chance.corpus import Corpus, corpus_hash, corpus_of_continua
from ..chance.expected_disorder import Compute, expected_disorder
from ..errors import MetricsError
from ..estimate import Estimate
from ..measures import GAMMAS
from ..signature import How
from .expected_disorder_by_document import chance_influences
from .expected_documents import Expectation, expectations_with_value
from .gamma_from_counts import gamma_of_counts, gamma_of_documents
from .gamma_settings import DEFAULT_SETTINGS, GammaSettings, dissimilarity_settings, set_mean_length
from .observed import Observed, align_documents, observed_of_alignments

GAMMA_2015 = Dissimilarity()


@dataclass(frozen=True, slots=True, eq=False)
class GammaResult:
    """γ of a corpus and of each document, with the data that it was computed from.

    corpus      the value from the added counts
    documents   one Estimate per document, in the given order
    observed    counts, one row per document
    expected    the expectation of the corpus, or one per document (None for a document without
                units or with fewer than two annotators)
    alignments  the best alignment of each document, None with fewer than two annotators
    influences  influence of each document on the common chance, None if chance is held fixed
    """

    corpus: Estimate
    documents: tuple[Estimate, ...]
    observed: Observed
    expected: Expectation
    alignments: tuple[Alignment | None, ...]
    influences: Floats | None


def gamma(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    settings: GammaSettings = DEFAULT_SETTINGS,
    *,
    compute: Compute | None = None,
    **options: Any,
) -> GammaResult:
    """Compute γ of a corpus of documents; one document is a corpus of one.

    options  fields of `metrics.units.gamma_settings.GammaSettings`, in place of `settings`
    compute  as in `metrics.chance.expected_disorder.expected_disorder`: a map-like function that
             distributes the samples

    Raises RoleError if an annotator is not human, MetricsError if no document has two annotators,
    for settings out of range, and for random2 with fewer documents than annotators.
    """
    settings = replace(settings, **options)
    measured = _measure(continua, dissimilarity, settings, compute)
    corpus, dissimilarity, alignments, counts, expected = measured
    value, documents, influences = evaluate_gamma(corpus, counts, expected, dissimilarity, settings)
    return GammaResult(value, documents, counts, expected, tuple(alignments), influences)


def gamma_value(
    continua: Sequence[Continuum], dissimilarity: Dissimilarity, settings: GammaSettings
) -> float:
    """Compute only the value of `gamma`, without what its intervals need, for simulations."""
    _, _, _, counts, expected = _measure(continua, dissimilarity, settings, None)
    return gamma_of_counts(counts, expected, n_replicates=0).value


def _measure(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    compute: Compute | None,
) -> tuple[Corpus, Dissimilarity, Sequence[Alignment | None], Observed, Expectation]:
    corpus = corpus_of_continua(continua, measure="γ")
    dissimilarity = set_mean_length(dissimilarity, corpus)
    alignments = align_documents(
        continua, dissimilarity, objective=settings.objective, time_limit=settings.time_limit
    )
    counts = observed_of_alignments(continua, alignments, objective=settings.objective)
    expected = compute_expectation(corpus, dissimilarity, settings, compute=compute)
    return corpus, dissimilarity, alignments, counts, expected


def evaluate_gamma(
    corpus: Corpus,
    counts: Observed,
    expected: Expectation,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    *,
    documents: Iterable[int] | None = None,
) -> tuple[Estimate, tuple[Estimate, ...], Floats | None]:
    """Return the value of a corpus, the values of its documents, and their influences on chance.

    counts     counts of the documents, wherever they were aligned: the same counts give the same
               values and intervals
    documents  indices of the documents, in the required order; None: all documents
    """
    influences = chance_influences(corpus, counts, expected, study=settings.seed)
    how = _how(corpus, dissimilarity, settings, expected)
    value = gamma_of_counts(
        counts,
        expected,
        how=how,
        **settings.arguments,
        influences=influences,
        n_paired_annotators=corpus.n_paired_annotators,
        lone_unit=dissimilarity.delta_empty,
    )
    of_documents = gamma_of_documents(
        counts, expected, how=how, level=settings.confidence_level, documents=documents
    )
    return value, of_documents, influences


def compute_expectation(
    corpus: Corpus,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    *,
    compute: Compute | None = None,
) -> Expectation:
    """Compute the expected disorder of the corpus, or of each document, depending on the settings.

    For single documents the samples have equal weights, as in the 2015 paper; for a corpus they are
    weighted by their units, like the documents in the observed disorder.
    """
    per_document = settings.per == "document"

    def expect(part: Corpus) -> ExpectedDisorder:
        return expected_disorder(
            part,
            replace(settings, processes=settings.processes_for(corpus)),
            dissimilarity=dissimilarity,
            objective=settings.objective,
            seed=settings.seed,
            weighting="equal" if per_document else "units",
            time_limit=settings.time_limit,
            compute=compute,
        )

    if not per_document:
        return expect(corpus)
    if (corpus.annotators_per_document < 2).all():
        raise MetricsError("no document has two annotators: there is nothing to compare")
    documents = (corpus.document(d) for d in range(corpus.n_documents))
    return tuple(
        expect(part) if part.n_units and part.annotators_per_document[0] >= 2 else None
        for part in documents
    )


def _how(
    corpus: Corpus, dissimilarity: Dissimilarity, settings: GammaSettings, expected: Expectation
) -> How:
    """Return measure, dissimilarity, chance, precision, seed and input.

    The settings of the interval are added where it is computed (`gamma_from_counts`).
    """
    chosen = expectations_with_value(expected)
    drawn = (sample.process for one in chosen for sample in one.samples)
    processes = tuple(dict.fromkeys(drawn)) or settings.processes_for(corpus)
    return How(
        measure=GAMMAS[settings.objective],
        objective=settings.objective,
        **dissimilarity_settings(dissimilarity),
        expected_per=settings.per,
        processes="+".join(processes),
        chosen="+".join(dict.fromkeys(e.process for e in chosen)),
        length=corpus.length_setting,
        reconcile=settings.reconcile if "random2" in processes else None,
        pivot_gap=settings.min_gap if "shuffle" in processes else None,
        pivot_axis=settings.axis if "shuffle" in processes else None,
        precision=settings.precision,
        samples=sum(e.n_samples for e in chosen),
        seed=settings.seed,
        time_limit=settings.time_limit,
        input=corpus_hash(corpus),
    )
