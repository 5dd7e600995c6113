"""Divide raw rows into accepted and rejected ones; every row is accounted for.

* a shard's rows            preparation, merging
* the rules, as masks       rules, on the columns of rule_views
* Great Expectations        checks: the same rules as expectations
"""
