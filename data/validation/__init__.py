"""Raw rows to accepted and rejected ones, every row accounted for.

* a shard's rows            preparation, merging
* the rules, as masks       rules, on the columns of rule_views
* the judge                 checks: the same rules as expectations
"""
