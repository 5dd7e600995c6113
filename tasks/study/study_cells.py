"""Cells of a study: from serialisable specifications to objects that run trials on a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.hashes import settings_hash
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.resampling.grids.alignment_measures import AlignmentMeasure
from ...metrics.resampling.grids.perfect_campaign import PerfectCampaign, uniform_campaign
from ...metrics.resampling.study import Cell, GridCell, SyntheticCell
from ...metrics.resampling.study_plugins import label_generators, study_variables, unit_degradations
from ...metrics.resampling.synthetic.changed_campaigns import (
    merge_categories,
    swap_prevalence,
)
from ...metrics.resampling.synthetic.reading_table import profile_from_summary
from ...metrics.resampling.synthetic.synthetic_annotators import (
    ItemProfile,
    Synthesis,
    item_profile,
    set_unanimous_share,
)
from ...metrics.resampling.synthetic.trials import USUAL_OF_TRIALS
from ...metrics.signature import input_hash
from ..node import place_of
from ..stored_arrays import read_arrays, write_arrays
from ..units.alignment import DissimilaritySpec
from .campaign_cells import ReferenceModelCell, SubsetCell

Inputs = LabelMatrix | PerfectCampaign | None
Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class CellSpec:
    """Specification of one cell as plain, hashable values.

    name     contains every option, so that it and its seeds do not change when the grid is extended
    options  arguments of the builder of its kind (below), only tuples and numbers
    drawn    name that its trials are drawn by; cells that differ in the rule for ties share it
    """

    kind: str
    name: str
    options: Options
    drawn: str = ""

    def __getitem__(self, key: str) -> Any:
        return dict(self.options)[key]


def write_inputs(store: Store, inputs: Inputs) -> str:
    """Write the user's labels, or the model of their units, to where every worker can read them."""
    if inputs is None:
        return ""
    if isinstance(inputs, LabelMatrix):
        arrays: dict[str, NDArray[Any]] = {"codes": inputs.codes}
        if inputs.documents is not None:
            arrays["documents"] = inputs.documents
        meta = {
            "tagset": inputs.tagset,
            "annotators": inputs.annotators,
            "n_duplicates": inputs.n_duplicates,
        }
    else:
        arrays = {"lengths": inputs.lengths, "categories": inputs.categories}
        meta = {
            "tagset": inputs.tagset,
            "n_units": inputs.n_units,
            "length": inputs.length,
            "overlapping": inputs.overlapping,
        }
    digest = settings_hash(meta, {name: input_hash([array]) for name, array in arrays.items()})
    place = f"{Folder.STUDIES}/{digest}"
    write_arrays(store, f"{place}/inputs.parquet", arrays)  # a file there may be damaged
    store.write_json(f"{place}/inputs.json", meta)
    return place


@lru_cache(maxsize=4)
def read_inputs(store_url: str, place: str) -> Inputs:
    if not place:
        return None
    store = Store(store_url)
    meta = store.read_json(f"{place}/inputs.json")
    arrays: dict[str, Any] = read_arrays(store, f"{place}/inputs.parquet")
    meta["tagset"] = tuple(meta["tagset"])
    if "codes" in arrays:
        meta["annotators"] = tuple(meta["annotators"])
        return LabelMatrix(documents=arrays.get("documents"), codes=arrays["codes"], **meta)
    return PerfectCampaign(lengths=arrays["lengths"], categories=arrays["categories"], **meta)


def build_cell(spec: CellSpec, inputs: Inputs) -> Cell:
    """Build the cell that runs the trials. Raises MetricsError if the data rule an option out."""
    match spec.kind:
        case "synthetic":
            label_generators()
            return _synthetic_cell(spec, inputs)
        case "reading_grid":
            unit_degradations()
            return _grid_cell(spec, inputs)
    if not isinstance(inputs, LabelMatrix):
        raise MetricsError(f"a study of kind {spec.kind!r} needs a table of labels")
    matrix = _change_labels(spec, inputs)
    if spec.kind == "reference_models":
        return ReferenceModelCell(spec.name, matrix, spec["model"])
    return SubsetCell(
        name=spec.name,
        matrix=matrix,
        ties=spec["ties"],
        ordered=spec["ordered"],
        values=_category_numbers(spec, inputs),
        ks=spec["ks"] or tuple(range(1, matrix.n_annotators)),
        coefficient=spec["coefficient"],
        distance=spec["distance"],
        most=spec["enumerate_up_to"],
        samples=spec["samples"],
        seed=spec["seed"],
    )


def profile_of_cell(spec: CellSpec, inputs: Inputs) -> ItemProfile:
    """Return the items that the synthetic annotators of a cell label."""
    if isinstance(inputs, LabelMatrix):
        profile = item_profile(_change_labels(spec, inputs), seed=spec["seed"])
    else:
        profile = profile_from_summary(
            np.resize(np.array(spec["p1"], dtype=np.float64), spec["n_items"]),
            tagset=[str(c + 1) for c in range(spec["n_categories"])],
            prevalence=spec["prevalence"] or None,
            seed=spec["seed"],
        )
    if spec["unanimous"] is None:
        return profile
    return set_unanimous_share(profile, spec["unanimous"], seed=spec["seed"])


def _synthetic_cell(spec: CellSpec, inputs: Inputs) -> SyntheticCell:
    measures, distance = tuple(spec["coefficients"]), spec["distance"]
    is_usual = {*measures} == {*USUAL_OF_TRIALS} and distance == "nominal"
    return SyntheticCell(
        name=spec.name,
        drawn=spec.drawn,
        profile=profile_of_cell(spec, inputs),
        measures=USUAL_OF_TRIALS if is_usual else measures,
        alpha_distance=None if is_usual else distance,
        synthesis=Synthesis(
            n_annotators=spec["n_annotators"],
            generator=spec["generator"],
            p2=spec["p2"],
            spread=spec["spread"],
            wrong_class=spec["wrong_class"],
            influence=spec["influence"],
        ),
        ties=spec["ties"],
        ordered=spec["ordered"],
        values=_category_numbers(spec, inputs) if isinstance(inputs, LabelMatrix) else None,
    )


def _grid_cell(spec: CellSpec, inputs: Inputs) -> GridCell:
    if isinstance(inputs, PerfectCampaign):
        model = inputs
    else:
        made: Mapping[str, Any] = dict(spec["units"])
        model = uniform_campaign(**made)
    asked = dict(spec.options)
    dissimilarity: DissimilaritySpec | None = asked.get("dissimilarity")
    return GridCell(
        name=spec.name,
        measure=AlignmentMeasure(
            spec["measure"],
            dissimilarity=None
            if dissimilarity is None
            else dissimilarity.dissimilarity_for(spec["layer"]),
            processes=asked.get("processes"),
        ),
        model=model,
        degradation=spec["degradation"],
        magnitude=spec["magnitude"],
        n_documents=spec["n_documents"],
        n_annotators=spec["n_annotators"],
        n_perfect=spec["n_perfect"],
    )


def _change_labels(spec: CellSpec, matrix: LabelMatrix) -> LabelMatrix:
    merged, swap = dict(spec.options).get("merged"), dict(spec.options).get("prevalence_swap", 0.0)
    if merged:
        matrix = merge_categories(matrix, dict(merged))
    if swap:
        matrix = swap_prevalence(matrix, swap, seed=spec["seed"])
    for name, value in dict(spec.options).items():
        if name in study_variables():
            matrix = study_variables()[name].change(matrix, value, spec["seed"])
    return matrix


def _category_numbers(spec: CellSpec, matrix: LabelMatrix) -> NDArray[np.float64] | None:
    """Return the positions on the scale; a merged category has the mean of its parts."""
    given = dict(spec.options).get("values") or ()
    if not given:
        return None
    if len(given) != len(matrix.tagset):
        raise MetricsError(
            f"data.values has {len(given)} positions for the {len(matrix.tagset)} categories "
            f"{', '.join(matrix.tagset)}"
        )
    merged = dict(spec["merged"] or ())
    names = [merged.get(name, name) for name in matrix.tagset]
    return np.array(
        [
            np.mean([v for n, v in zip(names, given, strict=True) if n == name])
            for name in dict.fromkeys(names)
        ]
    )


def cell_place(cell: Cell, root: str) -> str:
    """Return the folder of the cell's rows, named by its content and the study's root seed."""
    return place_of(Folder.STUDIES, [root], cell)
