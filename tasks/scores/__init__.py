"""Scores of systems against references: one analysis for runs and for `accordeur score`.

| module | purpose |
|---|---|
| label_scores, unit_scores, soft_scores | the scores of a layer |
| evaluation | shared settings and results, comparisons of systems |
| sides_of_shard | what references, systems and humans annotated in a shard |
| scores_of_run, soft_scores_of_run | counts of the shards of a run, and their analysis |
| scored_works, shard_to_score | exports, each read as one shard, and put together as one |
| score_exports, score_soft_exports | `accordeur score` |
| structures | segments, speaker turns and chains, from exports only |
| human_range | each human scored against the reference of the others |

No module here computes a chance-corrected coefficient.
"""
