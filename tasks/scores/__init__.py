"""Scores of systems against references: one analysis for runs and for `accordeur score`.

| module | purpose |
|---|---|
| labels, units | the analysis of a layer: `summarise` |
| evaluation | shared settings and results, comparisons of systems |
| exports | driver in memory: counts of exports, `accordeur score` |
| campaign | driver of a run: counts of shards, Prefect task |
| structures | segments, speaker turns and chains, from exports only |
| human_range | each human scored against the reference of the others |

No module here computes a chance-corrected coefficient.
"""
