"""Agreement on units that annotators located themselves.

| module | measure |
|---|---|
| `gamma` | γ (2015), soft γ, per document |
| `observed`, `expected_documents`, `gamma_from_counts` | the same from counts that add |
| `category_pairs`, `gamma_cat` | γ-cat and γ-k (2017) |
| `gamma_cat_empty_pairs` | the same as defined by pygamma-agreement |
| `holistic` | the holistic agreement of 2011, exact and greedy |
| `krippendorff` | α_U (1995); uα, |uα, cuα, (k)uα (2016) |
| `breakdown` | γ of annotator pairs, without each annotator, of categories |
| `pairwise_f`, `found_units` | F of pairs of annotators; found, where, what |
| `difference` | γ and γ-cat of two campaigns or guideline versions compared |
| `setting_curves` | curves of γ and of the alignment against Δ∅ and the weights |
| `category_proposal` | distances between categories proposed from annotators' confusions |
| `gamma_settings` | the settings of γ and their text in a signature |
"""
