"""Markdown as HTML that is safe to show: HTML in the text stays text, and what is left is cleaned."""

from __future__ import annotations

from collections.abc import Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TAGS = {
    *_HEADINGS,
    *("p", "br", "hr", "blockquote", "ul", "ol", "li", "pre", "code", "em", "strong", "a", "div"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {
    "a": {"href"},
    "th": {"scope"},
    "div": {"class", "role", "tabindex", "aria-label"},
    **{name: {"id"} for name in _HEADINGS},
}


def parsed(text: str) -> list[Token]:
    """The parts of a text. A table says which cells are headings, and scrolls by itself in a box
    that can be reached by keyboard, named after the heading above it.
    """
    tokens: list[Token] = []
    heading = ""
    for token in _PARSER.parse(text):
        if token.type == "inline" and tokens and tokens[-1].type == "heading_open":
            heading = token.content
        if token.type == "th_open":
            token.attrs = {"scope": "col"}
        if token.type == "table_open":
            box = {"class": "scroll", "role": "region", "tabindex": "0", "aria-label": heading}
            tokens.append(Token("box_open", "div", 1, attrs={**box}, block=True))
        tokens.append(token)
        if token.type == "table_close":
            tokens.append(Token("box_close", "div", -1, block=True))
    return tokens


def safe_html(tokens: Sequence[Token]) -> str:
    """The parts as HTML. No script, style, picture or form is among what may be in it."""
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https"})
