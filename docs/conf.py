"""Sphinx: the documentation site, built by `make docs` without the network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

project = "Accordeur"
author = "The Accordeur developers"
extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
html_theme = "pydata_sphinx_theme"
html_title = "Accordeur"
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_search_scorer = str(Path(__file__).parent / "_static" / "search.js")
html_static_path = ["_static"]
html_css_files = ["gamma.css", "figures.css", "site.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": []}
exclude_patterns = ["_build", "tutorials/data"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "myst.xref_missing"]  # README files outside the site
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 900  # a tutorial runs whole campaigns, on a busy machine too
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
copyright = "The Accordeur developers, Apache-2.0"


def setup(app: Any) -> None:
    """Write the generated pages first; run commands of tutorials; write formulas as MathML."""
    import figures
    import llms
    import mathematics
    import reference
    import shell

    def run_commands(_: Any, __: str, source: list[str]) -> None:
        source[0] = shell.as_cells(source[0])

    def write_pages(app: Any) -> None:
        reference.write_all()
        figures.write_style(Path(app.srcdir))
        shell.write_letters(Path(app.srcdir, "tutorials", "letters.pyz"))

    def write_beside(app: Any, failed: Exception | None) -> None:
        if failed is None:
            llms.write(Path(app.outdir))
            page = Path(app.srcdir, "demonstration.html").read_text(encoding="utf-8")
            page = re.sub(r'<a href="\.\./[^"]*">(.*?)</a>', r"\1", page)  # exports stay outside
            Path(app.outdir, "demonstration.html").write_text(page, encoding="utf-8")

    mathematics.setup_renderer(app)
    app.connect("builder-inited", write_pages)
    app.connect("source-read", run_commands)
    app.connect("build-finished", write_beside)
