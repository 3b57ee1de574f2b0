"""How the pages are built: MyST text, autodoc, citations, and a gallery of the examples.

Two things are done to the sources before Sphinx reads them. ``[key]`` with a key of references.bib
becomes a citation, in pages and in docstrings alike. And each folder of ``examples/`` with a
README.md becomes a page of ``docs/examples/``, which is written here and not kept in git.
"""

import os
import re
from pathlib import Path

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
GALLERY = HERE / "examples"

project = "dyverse"
author = "The dyverse authors"
project_copyright = author
version = release = re.search(
    r'^version = "(.+)"$', (HERE.parent / "pyproject.toml").read_text(encoding="utf-8"), re.M
)[1]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinxcontrib.bibtex",
]
exclude_patterns = ["_build"]
default_role = "code"  # docstrings write names in single backquotes
highlight_language = "text"

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
math_eqref_format = "({number})"
html_math_renderer = "mathml"  # browsers draw it by themselves, also where there is no network

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_display_short_literal_types = True
autodoc_type_aliases = {
    name: name
    for name in (
        *("Array", "Assignments", "Flags", "Formula", "Json", "Known", "Location", "Mode", "Part"),
        *("Progress", "Quantity", "Rate", "RigidLocation", "Shape", "StepFunction", "Term"),
        *("Triple", "Vector"),
    )
}

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"
bibtex_reference_style = "author_year"

html_theme = "furo"
html_title = "dyverse"
html_show_sphinx = False

KEYS = re.findall(r"^@\w+\{(\w+),", (HERE / "references.bib").read_text(encoding="utf-8"), re.M)
CITED = re.compile(rf"(?<![\w`\]])\[({'|'.join(KEYS)})\](?!\()")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def cite_in_page(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = CITED.sub(r"{cite}`\1`", source[0])


def cite_in_docstring(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    lines[:] = [CITED.sub(r":cite:`\1`", line) for line in lines]


def shorten(
    app: Sphinx,
    what: str,
    name: str,
    thing: object,
    options: object,
    written: str | None,
    answer: str | None,
) -> tuple[str | None, str | None]:
    """Types by their names alone, and defaults as people would write them."""
    if written == "(*args, **kwargs)":  # a protocol, which nobody calls
        return "", None
    return brief(written), brief(answer)


def brief(signature: str | None) -> str | None:
    if signature is None:
        return None
    for long, short in (
        (r"TypeAliasForwardRef\('(\w+)'\)", r"\1"),
        (r"\(Number\(value=0\.0\)(, Number\(value=0\.0\)){2}\)", "(0, 0, 0)"),
        (r"Number\(value=(\d)\.0\)", r"\1"),
        (r"<factory>", "..."),
        (r"(?<!message: str), span: ~?[\w.]*Span \| None = None", ""),
    ):
        signature = re.sub(long, short, signature)
    return signature


def write_inline(page: HTML5Translator, node: nodes.math) -> None:
    page.body.append(mathml(node, block=False))
    raise nodes.SkipNode


def write_block(page: HTML5Translator, node: nodes.math_block) -> None:
    """A formula on its own line, with its number and a link to it if it has one."""
    page.body.append(page.starttag(node, "div", CLASS="math"))
    if node["number"]:
        number = get_node_equation_number(page, node)
        page.body.append(f'<span class="eqno">({number})')
        page.add_permalink_ref(node, "Link to this equation")
        page.body.append("</span>")
    page.body.append(f"{mathml(node, block=True)}</div>\n")
    raise nodes.SkipNode


def mathml(node: nodes.math | nodes.math_block, *, block: bool) -> str:
    """A formula as MathML; one that docutils cannot read fails the build."""
    text = re.sub(r"\\dots\b", r"\\ldots", node.astext())  # which docutils does not know
    if block and ("\\\\" in text or "&" in text) and "\\begin" not in text:
        text = f"\\begin{{aligned}}{text}\\end{{aligned}}"
    try:
        return latex2mathml.tex2mathml(text, as_block=block)
    except ValueError as error:  # its MathError
        raise ExtensionError(f"{node.source}:{node.line}: {error} in {text}") from error


def write_gallery() -> None:
    """One page per example, and the page that lists them."""
    GALLERY.mkdir(exist_ok=True)
    names = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))
    for stale in GALLERY.glob("*.md"):
        if stale.stem not in [*names, "index"]:
            stale.unlink()
    for name in names:
        write(GALLERY / f"{name}.md", example_page(name))
    head = "# Examples\n\nEach is a folder of `examples/` in the repository; the tests run all.\n"
    tree = "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n"
    write(GALLERY / "index.md", f"{head}\n{tree}" if names else f"{head}\nThere are none yet.\n")


def example_page(name: str) -> str:
    """The README of an example, followed by its model and its script."""
    folder = EXAMPLES / name
    text = (folder / "README.md").read_text(encoding="utf-8").rstrip()
    parts = [LINK.sub(lambda link: moved(link, folder), text)]
    for title, file, language in (("Model", "model.drbt", "text"), ("Script", "run.py", "python")):
        if (folder / file).is_file():
            path = f"../../examples/{name}/{file}"
            parts.append(f"## {title}\n\n```{{literalinclude}} {path}\n:language: {language}\n```")
    return "\n\n".join(parts) + "\n"


def moved(link: re.Match[str], folder: Path) -> str:
    """A link of a README as it must read in the gallery; to a file with no page, just its name."""
    picture, words, target = link.groups()
    if "://" in target or target.startswith("#"):
        return link[0]
    path = (folder / target.partition("#")[0]).resolve()
    if picture:
        return f"![{words}]({os.path.relpath(path, GALLERY)})"
    if path.parent.parent == EXAMPLES and path.name == "README.md":
        return f"[{words}]({path.parent.name}.md)"
    if path.is_relative_to(HERE) and path.is_file():
        return f"[{words}]({os.path.relpath(path, GALLERY)})"
    return words if words.startswith("`") else f"`{words}`"


def write(path: Path, text: str) -> None:
    """Only what has changed, so that Sphinx need not read it again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    write_gallery()
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    app.connect("source-read", cite_in_page)
    app.connect("autodoc-process-docstring", cite_in_docstring)
    app.connect("autodoc-process-signature", shorten)
