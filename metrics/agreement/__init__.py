"""Coefficients on given items, with their chance models, uncertainty and diagnosis.

Source: Artstein & Poesio 2008 for the family; the paper of each coefficient is in its declaration.

Conventions: a `LabelMatrix` has category codes int32 (N items, A annotators), −1 for a missing
label, over a declared tagset. Every coefficient is 1 − D_o/D_e with D = 1 − p; an undefined value
is nan with a reason. Human annotators only.

* from labels to counts     label_matrix, label_sets, item_subsets, counts, sums
* distances                 distances, distance_table, distance_checks, observed_distances
* coefficients              formulas, coefficients, evaluate
* ratings                   intraclass, rating_variances, generalizability, limits_of_agreement
* uncertainty               interval_methods, coefficient_posterior, normal_limit,
                            linearized_variance, annotator_sample
* comparisons               coefficient_difference, annotator_groups, cross_replication, k_rater
* explanation               diagnosis (of a campaign), simulations (with known annotators)
* relations and chains      structures
"""
