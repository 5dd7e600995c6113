"""Convert raw exports into validated Parquet tables.

| folder | contents |
|---|---|
| this folder | rows and tables (`schema`, `blocks`, `columns`), `row_account`, `file_listing` |
| `untrusted` | files, archives, JSON, TOML, XML, Parquet and workbooks of others, within limits |
| `readers`, `writers` | formats of annotation tools, for input and output |
| `intake` | reading of exports: list files, adapt rows, spill and sort them |
| `validation` | validation rules as masks: the one place where a row is accepted or rejected |
| `store` | stored results, their hashes and locks, and receipts of what was computed |
"""
