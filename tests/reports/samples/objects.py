"""A campaign with a layer of objects of each kind that is drawn."""

from __future__ import annotations

from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.metrics.objects.evaluate import MeasuredObjects
from accordeur.metrics.objects.object_distance import ObjectDistance
from accordeur.metrics.objects.registry import OBJECT_DISTANCES
from accordeur.metrics.options import Sampling
from accordeur.reports.results import (
    Campaign,
    ItemAgreement,
    ObjectStudy,
    Results,
    Run,
    WorstObjects,
)
from accordeur.tasks.objects.object_agreement import objects_for_pictures

SAID = {
    "tree_edit": ["2:nsubj 0:root 2:obj", "2:nsubj 0:root 1:nmod", "2:nsubj 0:root 2:obj"],
    "word_error": ["the sea is calm", "the sea was so calm", "sea is calm"],
    "kendall_tau": ["a > b > c", "b > a = c", "a > b"],
    "box_iou": ["0 0 9 9 car; 20 20 5 5 bus", "1 1 9 9 bus", "0 0 9 9 car; 40 0 5 5"],
}


def layer_of_objects(distance: ObjectDistance, said: list[str]) -> ItemAgreement:
    of_annotators = dict(zip(("ann", "ben", "cat"), said, strict=True))
    matrix = label_matrix(items=["q1"] * 3, annotators=[*of_annotators], labels=said)
    measured = MeasuredObjects.from_matrix(matrix, distance, Sampling())
    worst = WorstObjects(
        document="d1",
        item="q1",
        mean_distance=0.5,
        said=of_annotators,
        drawn=objects_for_pictures(distance, of_annotators),
    )
    return ItemAgreement(
        layer=distance.name,
        tagset=[],
        annotators=list(of_annotators),
        n_items=1,
        values=measured.values(["krippendorff_alpha", "mean_distance"]),
        objects=ObjectStudy(
            distance=distance.name,
            kind=distance.kind.value,
            annotators=measured.values(["annotator_distance"]),
            worst=[worst],
        ),
    )


def objects() -> Results:
    layers = [layer_of_objects(OBJECT_DISTANCES[name], said) for name, said in SAID.items()]
    run = Run(version="0", input_hash="0")
    return Results(campaign=Campaign(name="Objects"), run=run, items=layers)
