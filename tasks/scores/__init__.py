"""Systems against references: one analysis, for a run and for `accordeur score`.

| module | does |
|---|---|
| labels, units | the analysis of a layer: `merge` of counts, `summarise` |
| evaluation | settings and results that both share, comparisons of systems |
| exports | driver in memory: counts of exports, `accordeur score` |
| campaign | driver of a run: counts of shards, Prefect task |
| structures | segments, speakers' turns and chains, from exports alone |
| human_range | each human against the others' reference, to read beside |

Nothing here computes a chance-corrected coefficient.
"""
