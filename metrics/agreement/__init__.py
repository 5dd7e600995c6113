"""Coefficients on given items, their chance models, their uncertainty and their diagnosis.

Source: Artstein & Poesio 2008 for the family; each coefficient's own paper is in `sources`.

Conventions: a `LabelMatrix` has category codes int32 (N items, A annotators), −1 for a missing
label, over a declared tagset. Every coefficient is 1 − D_o/D_e with D = 1 − p; where undefined,
nan with a reason. Human annotators only.

* from labels to counts     label_matrix, label_sets, universes, counts, counting, kernels, sums
* distances                 distances, observed_distances
* coefficients              formulas (kappa, alpha, gwet, aickin, finn)
* by name, in detail        coefficients, sources, registry, detail
* uncertainty               groups, interval, inference, linearized, difference
* explanation               diagnosis (of a campaign), simulations (annotators that are known)
* relations and chains      structures
"""
