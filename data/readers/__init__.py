"""Readers: one module per format, or a package with a `reader` module; probes detect formats.

| folder | contents |
|---|---|
| this folder | the formats of one or two modules, and `registry`, which finds all formats |
| `conll`, `label_studio`, `uima`, `webanno_tsv` | formats or families with more modules |
| `tables` | rows and columns of any tabular file, and their conversion to records |
| `common` | what formats share: lines, JSON, XML, bounds, names, records |

"""
