"""How often a corpus contains a category, from a system's labels and a human audit; no agreement.

A system labels all N items of a corpus, humans label a random part of them, the audit. The labels
of the system divide the corpus into strata whose shares are known; the audit estimates in each how
often humans give the category.
"""
