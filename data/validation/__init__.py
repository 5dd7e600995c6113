"""Divide raw rows into accepted and rejected ones; every row is accounted for.

* rows as read              raw_rows: in memory, or in shards on disk
* accepted and rejected     preparation, fates, merging
* the rules, as masks       rules, on the columns of rule_views; trimming of units before them
* Great Expectations        checks: the same rules as expectations
"""
