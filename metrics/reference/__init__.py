"""References: the annotation that systems are scored against.

| module | content |
|---|---|
| votes | labels by majority or unanimity |
| dawid_skene, glad, mace, minimax_entropy | labels by a model of annotators |
| label_models | selection of the model that the labels support, by held-out log-loss |
| unit_reference | units from the best alignment |
| unit_consensus | units from reliable annotators (segments, sequence_model, held_out) |
| unit_error_counts | errors of each annotator relative to the consensus |
| adjudication, disagreements | labels and units by joint revision |
| mistakes, right_sets, place_labels | probable errors, and places where annotators differ |

Each reference reports its ties, its coverage and its unresolved items. Only annotations by humans
are used.
"""
