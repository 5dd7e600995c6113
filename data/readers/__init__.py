"""One file a format; each reader has a probe, so that format = "auto" works.

| folder | what is in it |
|---|---|
| here | the formats, the parts that belong to one of them, and `registry`, which finds them |
| `tables` | rows and columns of any tabular file, and what they become |
| `common` | what formats share: lines, JSON, XML, bounds, names, records, blocks |
| `quick` | the light path of the quick looks: from exports straight to columns |
"""
