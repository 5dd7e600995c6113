"""Whether a system may replace an annotator: it is compared with each annotator against the others.

| module | question |
|---|---|
| comparison | does the system agree better with an item's other annotators than one of them does? |
| unit_comparison | the same for units that annotators located, document by document |
| alt_test | the published alternative annotator test: winning rate ω, advantage probability ρ |
| verdict | may, may not or undecided, from the mean advantage, with its stability |
| replaceability | all results for one system, by part, over ε; Holm's correction |
| options | the options |

This package uses no coefficient of agreement, and no system enters a coefficient.
"""
