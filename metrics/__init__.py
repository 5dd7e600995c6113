"""Arrays in, numbers out: no files, no tables, no Prefect, no Dask.

| folder | what it answers |
|---|---|
| `agreement` | do annotators agree beyond chance on given items? |
| `alignment` | which units of different annotators are the same one? (the exact engine) |
| `chance` | what would annotators who never read the text have produced? |
| `unitizing` | do annotators agree on units that they located themselves? (γ and its family) |
| `reference` | which annotation should systems be judged by? |
| `resampling` | what is an agreement value worth? |
| `scoring` | how do systems fare against a reference? (never sees a chance-corrected coefficient) |
| `replacement` | may a system replace an annotator? (no coefficient either) |

What agreement and scores share stands below both: `measure` (of the registry),
`bootstrap`, `coreference`.

Imports go resampling → reference → unitizing → chance → alignment, never back.
"""
