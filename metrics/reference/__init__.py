"""References: the annotation that systems are judged by.

| module | makes |
|---|---|
| votes | labels by majority or unanimity |
| dawid_skene, glad, mace, minimax_entropy | labels by a model of annotators |
| label_models | which of them the labels support, by held-out log-loss |
| units | units from the best alignment |
| unit_consensus | units from reliable annotators (segments, sequence_model, held_out) |
| annotator_errors | what each annotator did otherwise than the consensus |
| adjudication, disagreements | labels and units by collegial revision |
| mistakes, right_sets, place_labels | probable errors, and places where annotators differ |

Each says its ties, its coverage and what is unresolved. Only humans' annotations are taken.
"""
