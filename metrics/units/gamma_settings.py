"""Settings of γ, and their text in a signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ..agreement.category_tree import require_paths
from ..agreement.distances import OF_UNITS, category_values, distance_table, split_parameter
from ..alignment.dissimilarity import Dissimilarity, numerical_distances, ordinal_distances
from ..arrays import Floats
from ..chance.corpus import Corpus
from ..chance.sample_drawing import PROCESSES
from ..chance.sample_plan import check_precision
from ..errors import MetricsError
from ..measure import Objective
from ..options import Chance, Process, Sampling, field_values
from ..signature import input_hash

Per = Literal["corpus", "document"]
ENOUGH_DOCUMENTS = 5


@dataclass(frozen=True)
class GammaSettings(Chance, Sampling):
    """How an alignment measure is computed, apart from its dissimilarity.

    processes    chance models; by default random2 if the corpus has at least five documents (and as
                 many as annotators), else the lower of shuffle and statistical
    precision    relative half width of the 95 % CI of each expected disorder
    per          `corpus`: one expectation for the corpus (recommended by the authors);
                 `document`: one for each document, drawn from that document alone (not random2)
    objective    `sum` (γ 2015), `soft` (covering), `mean` (holistic 2011)
    replicates   resamples of the documents for the interval, 0 for none
    time_limit   seconds for each alignment; alignments not proven optimal are counted in the result
    reconcile, min_gap, axis  settings of random2 and shuffle, see `metrics.chance`
    """

    per: Per = "corpus"
    objective: Objective = "sum"
    time_limit: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "processes", tuple(self.processes or ()))
        check_precision(self)
        for process in self.processes:
            if process not in PROCESSES:
                raise MetricsError(
                    f"the chance model is {process!r}; choose one of {', '.join(PROCESSES)}"
                )
        if self.per not in ("corpus", "document"):
            raise MetricsError(f"per is {self.per!r}; choose corpus or document")
        if self.per == "document" and "random2" in self.processes:
            raise MetricsError(
                "random2 takes each virtual annotator from a different document: for an "
                "expectation per document choose shuffle, statistical or random1, or set per to "
                "corpus"
            )

    @classmethod
    def from_options(
        cls, chance: Chance, sampling: Sampling, objective: Objective = "sum"
    ) -> GammaSettings:
        """Return the settings with these options of chance samples and of intervals."""
        given = field_values(Chance, chance) | field_values(Sampling, sampling)
        return cls(**given, objective=objective)

    def processes_for(self, corpus: Corpus) -> tuple[Process, ...]:
        """Return the chosen chance models, or the default for this corpus."""
        if self.processes:
            return self.processes
        n_annotated = int((corpus.annotators_per_document > 0).sum())
        enough = max(ENOUGH_DOCUMENTS, int(corpus.annotators_per_document.max(initial=0)))
        if self.per == "corpus" and n_annotated >= enough:
            return ("random2",)
        return ("shuffle", "statistical")

    def for_annotator_numbers(self, numbers: Sequence[int]) -> GammaSettings:
        """Return the settings for a part whose documents have these numbers of annotators.

        random2 is dropped if there are fewer documents than annotators; if nothing else was chosen,
        the default replaces it.
        """
        if not self.processes or sum(n > 0 for n in numbers) >= max(numbers, default=0):
            return self
        kept = tuple(one for one in self.processes if one != "random2")
        return replace(self, processes=kept)


DEFAULT_SETTINGS = GammaSettings()


def set_mean_length(dissimilarity: Dissimilarity, corpus: Corpus) -> Dissimilarity:
    """Set the mean unit length of the campaign in the dissimilarity, if `hamming` needs it."""
    if dissimilarity.position != "hamming" or dissimilarity.mean_length is not None:
        return dissimilarity
    if corpus.n_units == 0:
        return dissimilarity
    return replace(dissimilarity, mean_length=float((corpus.ends - corpus.starts).mean()))


def dissimilarity_settings(dissimilarity: Dissimilarity) -> dict[str, Any]:
    """Return the settings of a dissimilarity for `How`."""
    if dissimilarity.pair_function is not None:
        name = getattr(dissimilarity.pair_function, "__name__", "given")
        return {"dissimilarity": f"function {name}", "delta_empty": dissimilarity.delta_empty}
    matrix = dissimilarity.category_distances
    return {
        "dissimilarity": dissimilarity.position,
        "alpha": dissimilarity.alpha,
        "beta": dissimilarity.beta,
        "delta_empty": dissimilarity.delta_empty,
        "categories": "nominal" if matrix is None else f"matrix {input_hash([matrix])}",
        "unlabelled": dissimilarity.unlabelled_distance,
        "mean_length": dissimilarity.mean_length,
    }


def scale_distances(distance: str, tagset: Sequence[str]) -> Floats | None:
    """float64 (K, K): by ranks in the tagset (`ordinal`), numbers (`interval`) or paths (`tree`).

    None for nominal.

    Distances are divided by the largest, so that the ends of the scale are as far apart as two
    nominal categories. Raises MetricsError for another distance, and for an interval without
    numbers.
    """
    if distance == "nominal":
        return None
    if distance == "ordinal":
        return ordinal_distances(len(tagset)) if len(tagset) > 1 else None
    name, parameter = split_parameter(distance)
    if name == "tree":
        require_paths(tagset, *(() if parameter is None else (str(parameter),)))
        return distance_table(distance, tagset=tagset, marginals=np.zeros(len(tagset)))
    if distance != "interval":
        raise MetricsError(
            f"units have no {distance} distance: choose one of {', '.join(OF_UNITS)}, or "
            "give the distances of pairs of categories"
        )
    values = category_values(tagset)
    if values is None:
        raise MetricsError(
            f"the interval distance needs numbers, and the categories ({', '.join(tagset)}) are "
            "not all numbers: use ordinal, with the categories in the scale's order"
        )
    return numerical_distances(values)
