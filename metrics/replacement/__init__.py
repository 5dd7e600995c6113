"""Whether a system may replace an annotator: it is compared with each annotator against the others.

| module | question |
|---|---|
| comparison | does the system agree better with an item's other annotators than one of them does? |
| unit_comparison | the same for units that annotators located, document by document |
| alt_test | the published alternative annotator test: winning rate ω, advantage probability ρ |
| verdict | may, may not or undecided, from the mean advantage; how stable, what would settle it |
| judge_checks | consistency, drift, order and length of a judge of labels, beside the verdict |
| unit_checks | the same for units: consistency, number and length of units, trends |
| replaceability | all of it on one system, by part, over ε; Holm's correction for several |
| options | what is asked |

This package uses no coefficient of agreement, and no system enters a coefficient.
"""
