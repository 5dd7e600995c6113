"""An unpruned oracle for small continua, and the random continua it is asked about.

Every tuple of at most one unit per annotator is a variable of a mixed-integer programme solved by
HiGHS; costs are computed here from the definitions, with none of the engine's code.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity


def unit_cost(continuum: Continuum, u: int, v: int, settings: Dissimilarity) -> float:
    """d(u, v) of two real units, written from the definitions."""
    s, e = continuum.starts, continuum.ends
    lengths = (e[u] - s[u]) + (e[v] - s[v])
    shift = abs(s[u] - s[v]) + abs(e[u] - e[v])
    if settings.position == "positional":
        position = (shift / lengths) ** 2 * settings.delta_empty
    elif settings.position == "sporadic":
        position = (shift / (lengths / 2)) ** 2
    elif settings.position == "hamming":
        position = abs(e[u] - e[v]) / (np.mean(e - s) / 2)
    else:
        position = 0.0
    a, b = continuum.categories[u], continuum.categories[v]
    if a == b:
        category = 0.0
    elif a < 0 or b < 0:
        category = settings.unlabelled_distance
    elif settings.category_distances is None:
        category = 1.0
    else:
        category = settings.category_distances[a, b]
    return settings.alpha * position + settings.beta * category * settings.delta_empty


@dataclass(frozen=True)
class Oracle:
    """Every unitary alignment of a small continuum, with its disorder."""

    incidence: NDArray[np.float64]  # (U, tuples)
    disorders: NDArray[np.float64]

    def least_sum(self, *, covering: bool = False, rate: float = 0.0) -> float:
        """Least Σ (disorder - rate) over the partitions, or over the coverings.

        The least mean disorder is the only rate at which this is 0 for partitions.
        """
        solution = milp(
            self.disorders - rate,
            constraints=LinearConstraint(self.incidence, 1.0, np.inf if covering else 1.0),
            integrality=np.ones(len(self.disorders)),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0.0},
        )
        return float(solution.fun)


def oracle(continuum: Continuum, settings: Dissimilarity) -> Oracle:
    """Enumerate all ∏ (card + 1) - 1 unitary alignments."""
    n, n_units = continuum.n_annotators, continuum.n_units
    cost = np.full((n_units + 1, n_units + 1), settings.delta_empty)
    for u, v in itertools.product(range(n_units), repeat=2):
        if u != v:
            cost[u, v] = unit_cost(continuum, u, v, settings)
    choices = [[-1, *np.flatnonzero(continuum.owners == a)] for a in range(n)]
    tuples = [t for t in itertools.product(*choices) if max(t) >= 0]
    incidence = np.zeros((n_units, len(tuples)))
    disorders = np.empty(len(tuples))
    for j, members in enumerate(tuples):
        for u in members:
            if u >= 0:
                incidence[u, j] = 1.0
        disorders[j] = np.mean([cost[u, v] for u, v in itertools.combinations(members, 2)])
    return Oracle(incidence, disorders)


def random_case(seed: int) -> tuple[Continuum, Dissimilarity]:
    """A small continuum with every oddity, and a dissimilarity with random settings."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([2, 3, 4, 5], p=[0.25, 0.4, 0.25, 0.1]))
    K = int(rng.integers(1, 5))
    most = {2: 8, 3: 6, 4: 4, 5: 3}[n]
    starts, ends, codes, owners = [], [], [], []
    span = float(rng.choice([8, 20, 60]))
    for a in range(n):
        for _ in range(int(rng.integers(0, most + 1))):
            if starts and rng.random() < 0.15:  # a duplicate, perhaps the annotator's own
                j = int(rng.integers(len(starts)))
                start, end = starts[j], ends[j]
            else:
                start = float(rng.integers(0, span))
                end = start + float(rng.choice([rng.integers(1, 5), rng.integers(1, 30)]))
                if rng.random() < 0.3:
                    start, end = start + rng.random() * 0.5, end + rng.random() * 0.5
            starts.append(start)
            ends.append(end)
            codes.append(int(rng.integers(-1 if rng.random() < 0.3 else 0, K)))
            owners.append(a)
    continuum = Continuum(
        np.array(starts, dtype=np.float64),
        np.array(ends, dtype=np.float64),
        np.array(codes, dtype=np.int32),
        np.array(owners, dtype=np.int32),
        tuple(f"annotator {a}" for a in range(n)),
        tuple(f"category {k}" for k in range(K)),
    )
    distances = None
    if rng.random() < 0.6:
        distances = np.triu(rng.choice([rng.random((K, K)), rng.integers(0, 2, (K, K))]), 1)
        distances = distances + distances.T
    settings = Dissimilarity(
        str(rng.choice(["positional", "positional", "sporadic", "hamming", "none"])),  # type: ignore[arg-type]
        alpha=float(rng.choice([0.0, 0.5, 1.0, 3.0])),
        beta=float(rng.choice([0.0, 0.3, 1.0, 2.0])),
        delta_empty=float(rng.choice([0.25, 1.0, 4.0])),
        category_distances=distances,
        unlabelled_distance=float(rng.choice([0.0, 0.5, 1.0])),
    )
    return continuum, settings


def random_continuum(
    n_annotators: int, n_units: int, rng: np.random.Generator, *, span: float | None = None
) -> Continuum:
    """About n_units a head: each annotator's version of one set of units, with faults."""
    width = span if span is not None else 12.0 * n_units
    starts = np.sort(rng.integers(0, int(width), n_units)).astype(np.float64)
    lengths = rng.integers(2, 20, n_units)
    labels = rng.integers(0, 4, n_units)
    rows = []
    for a in range(n_annotators):
        for start, length, label in zip(starts, lengths, labels, strict=True):
            if rng.random() < 0.1 and rows:
                continue
            shift = rng.uniform(-0.4, 0.4, 2) * length
            begin = max(0.0, round(float(start + shift[0])))
            end = max(begin + 1.0, round(float(start + length + shift[1])))
            code = rng.integers(0, 4) if rng.random() < 0.2 else label
            rows.append((begin, end, int(code), a))
    columns = np.array(rows, dtype=np.float64)
    return Continuum(
        columns[:, 0],
        columns[:, 1],
        columns[:, 2].astype(np.int32),
        columns[:, 3].astype(np.int32),
        tuple("abcdefghijkl"[:n_annotators]),
        tuple("wxyz"),
    )
