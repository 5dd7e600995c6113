"""From raw exports to validated Parquet tables.

| folder | what is in it |
|---|---|
| `readers`, `writers` | formats of annotation tools, in and out |
| `sifting` | rows through the rules as they are read, without a store |

* tables and their rows     schema, blocks, errors
* exports on their way in   walk, inputs, source_rows, adaptation, spill, runs
* validation                preparation, merging, rules, rule_views, checks
* what changed since        fingerprints, changes
* the store                 store, hashes, patience, locks, series
* what is kept and compared receipts, manifest, checksums
"""
