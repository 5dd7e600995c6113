"""References: the annotation that systems are scored against.

| module | content |
|---|---|
| votes | labels by majority or unanimity |
| `label_models` | labels by a model of annotators |
| soft_labels | distributions of labels instead of labels |
| object_consensus | of objects: on each item the one that is closest to all |
| unit_reference | units from the best alignment |
| `unit_models` | units from reliable annotators, and the errors of each annotator |
| adjudication, disagreement_cases | labels and units by joint revision |
| mistakes, right_sets, place_labels | probable errors, and places where annotators differ |
| differences_from_others | categories in which an annotator differs from all others |

Each reference reports its ties, its coverage and its unresolved items. Only annotations by humans
are used.
"""
