"""One file a format, or a folder with its `reader`, and a probe each, for format = "auto".

| folder | what is in it |
|---|---|
| here | the formats of one or two files, and `registry`, which finds them all |
| `conll`, `label_studio`, `uima`, `webanno_tsv` | a format, or a family of them, of more files |
| `tables` | rows and columns of any tabular file, and what they become |
| `common` | what formats share: lines, JSON, XML, bounds, names, records, blocks |
| `quick` | the light path of the quick looks: from exports straight to columns |
"""
