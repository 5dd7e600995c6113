"""Convert raw exports into validated Parquet tables.

| folder | contents |
|---|---|
| this folder | rows and tables (`schema`, `blocks`), `file_listing`, changes between runs |
| `readers`, `writers` | formats of annotation tools, for input and output |
| `intake` | reading of exports: list files, adapt rows, spill and sort them |
| `validation` | validation rules as masks, which accept or reject each row |
| `streaming_check` | the same rules applied to rows while they are read, without a store |
| `store` | stored results, their hashes and locks, and receipts of what was computed |
"""
