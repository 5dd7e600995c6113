"""From raw exports to validated Parquet tables.

| folder | what is in it |
|---|---|
| here | rows and tables (`schema`, `blocks`), files of a folder (`walk`), what changed since |
| `readers`, `writers` | formats of annotation tools, in and out |
| `intake` | exports on their way in: files found, rows adapted, spilled, sorted |
| `validation` | rows to accepted and rejected ones: rules as masks, and their judge |
| `sifting` | the same rules on rows as they are read, without a store |
| `store` | what is kept, under hashes and locks, with receipts of what was computed |
"""
