"""Markdown as HTML that is safe to show: HTML in the text stays text, and what is left is cleaned."""

from __future__ import annotations

from collections.abc import Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "ul", "ol", "li", "pre"),
    *("code", "em", "strong", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ATTRIBUTES = {"a": {"href"}, "th": {"scope"}} | {name: {"id"} for name in _HEADINGS}


def parsed(text: str) -> list[Token]:
    """The parts of a text; the headings of a table's columns say that they are."""
    tokens = _PARSER.parse(text)
    for token in tokens:
        if token.type == "th_open":
            token.attrs = {"scope": "col"}
    return tokens


def safe_html(tokens: Sequence[Token]) -> str:
    """The parts as HTML. No script, style, picture or form is among what may be in it."""
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https"})
