"""The report: converts results to one self-contained HTML page.

`results`   the results document, with a versioned schema
`render`    results to the page, or to the page of one document
`summary`   results to a few lines of Markdown
`page`      what all pages share: blocks, identifiers, formatting of numbers
`views`     content of each section of the report: words and figures ready to print
`figures`   charts as small SVG
`language`  message catalogues and number formats of each language
`measure_facts`  formulas, ranges and undefined cases of the measures
`privacy`   results without source text
`study`, `calibration`  separate pages: studies and simulations, the settings of γ
"""
