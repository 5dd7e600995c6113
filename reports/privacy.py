"""Privacy mode: results without source text.

Pseudonyms are assigned when the campaign is read; here the texts are removed, so that neither the
page nor `results.json` contains them.
"""

from __future__ import annotations

from collections.abc import Mapping

from .results import Alignment, Results, UnitAgreement


def without_text(results: Results) -> Results:
    """Return the results without source text: no texts, contexts, or values of rejected rows."""
    validation = results.validation
    if validation is not None:
        validation = validation.model_copy(
            update={
                "expectations": [
                    e.model_copy(update={"examples": []}) for e in validation.expectations
                ],
                "rejected": [
                    row.model_copy(update={"value": "", "message": "", "link": ""})
                    for row in validation.rejected
                ],
            }
        )
    return results.model_copy(
        update={
            "validation": validation,
            "units": [_layer_without_text(layer) for layer in results.units],
            "disagreements": [
                d.model_copy(
                    update={"context": "", "marked": (0, 0), "said": _without_unit_texts(d.said)}
                )
                for d in results.disagreements
            ],
        }
    )


def _without_unit_texts(said: Mapping[str, str]) -> dict[str, str]:
    """Return the annotations without the unit's text: `person “Ana”` becomes `person`."""
    return {annotator: word.split(" “", 1)[0] for annotator, word in said.items()}


def _layer_without_text(layer: UnitAgreement) -> UnitAgreement:
    alignments = [_alignment_without_text(alignment) for alignment in layer.alignments]
    return layer.model_copy(update={"alignments": alignments})


def _alignment_without_text(alignment: Alignment) -> Alignment:
    units = [unit.model_copy(update={"text": ""}) for unit in alignment.units]
    return alignment.model_copy(update={"text": "", "units": units})
