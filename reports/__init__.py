"""The report: results in, one self-contained HTML page out.

`results`   the results document, its schema versioned
`render`    results to the page, or to the page of one document
`summary`   results to a few lines of Markdown
`views`     what each section says: words and figures ready to print
`figures`   charts as small SVG
`language`  the catalogues of messages and the numbers of each language
`measures`  names, symbols and references of the measures
`privacy`   results without source text
`study`     the page of studies and simulations
"""
