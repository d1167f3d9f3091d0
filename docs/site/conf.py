"""Sphinx's settings. The sources are those that prepare.py puts together in build/docs/source;
nothing is fetched, neither now nor by who reads.
"""

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = Path(
    os.environ.get("THRIFTLENS_DOCS_SOURCE", HERE.parents[1] / "build" / "docs" / "source")
)

project = "thriftlens"
author = "the authors of thriftlens"
copyright = "the authors of thriftlens, Apache License 2.0"
version = release = (SOURCE / "version.txt").read_text().strip()

extensions = ["myst_parser", "sphinx_click"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
master_doc = "index"
myst_enable_extensions = ["colon_fence", "deflist", "attrs_block"]
myst_heading_anchors = 4
# A block without a language is text; what a lexer does not know of C++20 or of the shell stays
# plain.
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]
python_maximum_signature_line_length = 88
pygments_dark_style = "github-dark"  # furo's underlines names like links
smartquotes = False  # two hyphens are an option
add_module_names = False
toc_object_entries_show_parents = "hide"
nitpicky = False

html_theme = "furo"
html_title = f"thriftlens {release}"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_extra_path = [str(SOURCE / "extra")]
html_favicon = str(HERE / "static" / "lens.svg")
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5c8a",
        "color-brand-content": "#0b5c8a",
        "color-problematic": "#9a3412",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4ee",
        "color-brand-content": "#7cc4ee",
        "color-problematic": "#f2a073",
    },
    "top_of_page_buttons": [],
}


def setup(app):
    import sys

    sys.path.insert(0, str(HERE))
    import accessible

    app.connect("build-finished", accessible.mend)
    import command_line

    app.connect("sphinx-click-process-epilog", command_line.epilog_as_code)
    for part in ("description", "options"):
        app.connect(f"sphinx-click-process-{part}", command_line.backquotes_as_code)
