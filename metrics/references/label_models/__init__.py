"""Models of annotators of labels: the true categories and the annotators' rates, and their fit.

| module | content |
|---|---|
| dawid_skene, glad, mace, minimax_entropy | the models |
| model_reference | their result, and the reference derived from it |
| held_out_loss | selection of the model that the labels support |
| predictive_check | check of the assumption that annotators err independently |
"""
