"""The report: results in, one self-contained HTML page out.

`results`   the results document, its schema versioned
`render`    results to the page, or to the page of one document
`summary`   results to a few lines of Markdown
`page`      what every page is made of: blocks, numbers as they are printed
`views`     what each section of the report says: words and figures ready to print
`figures`   charts as small SVG
`language`  the catalogues of messages and the numbers of each language
`measures`  names, symbols and references of the measures
`privacy`   results without source text
`study`, `calibration`  pages of their own: studies and simulations, the settings of γ
"""
