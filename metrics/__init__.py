"""Measures: arrays in, numbers out. No files, no tables, no Prefect, no Dask.

| folder | question that it answers |
|---|---|
| `agreement` | do annotators agree beyond chance on given items? |
| `alignment` | which units of different annotators correspond? (the exact engine) |
| `chance` | what would annotators produce who never read the text? |
| `unitizing` | do annotators agree on units that they located themselves? (γ and its family) |
| `reference` | which annotation should systems be scored against? |
| `resampling` | how reliable is an agreement value? |
| `scoring` | how well do systems match a reference? (never uses a chance-corrected coefficient) |
| `replacement` | may a system replace an annotator? (uses no coefficient either) |

Agreement and scoring share the modules of this folder: `measure` (an entry of the registry),
`bootstrap`, `coreference`.

Imports go in one direction: resampling → reference → unitizing → chance → alignment.
"""
