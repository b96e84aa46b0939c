"""How verdicts are made, for the page that says so: the same files in docs/ that the repository shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from django.conf import settings
from markdown_it.token import Token

from cachewatch.markdown import parsed, safe_html

ChapterName = Literal["verdicts", "accuracy", "money"]
# A file of the repository, and a heading inside it.
_FILE = re.compile(r"(?!\w+:)(?P<name>[^#]+)\.md(?:#(?P<anchor>.*))?$")
CHAPTERS: tuple[ChapterName, ...] = ("verdicts", "accuracy", "money")


class Part(NamedTuple):
    """A heading inside a chapter, and the id it is found by."""

    anchor: str
    title: str


class Chapter(NamedTuple):
    """One file of docs/: its heading, the headings inside it, and the rest as HTML."""

    name: ChapterName
    title: str
    parts: tuple[Part, ...]
    html: str


@cache
def chapters() -> tuple[Chapter, ...]:
    """Every chapter, in the order of reading. Raises OSError where docs/ is not beside the package."""
    folder = settings.BASE_DIR / "docs"
    return tuple(chapter(name, (folder / f"{name}.md").read_text("utf-8")) for name in CHAPTERS)


def chapter(name: ChapterName, text: str) -> Chapter:
    """A file as a chapter of a page that has a heading of its own: each heading one level lower."""
    tokens = parsed(text)
    title, tokens = tokens[1].content, tokens[3:]
    parts = tuple(_lowered(name, tokens))
    for token in tokens:
        _without_files(token.children or [])
    return Chapter(name, title, parts, safe_html(tokens))


def _lowered(name: str, tokens: list[Token]) -> Iterable[Part]:
    """Move each heading one level down and give it an id; the parts they begin."""
    for place, token in enumerate(tokens):
        if token.type not in ("heading_open", "heading_close"):
            continue
        token.tag = f"h{int(token.tag[1]) + 1}"
        if token.type == "heading_open":
            title = tokens[place + 1].content
            anchor = f"{name}-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}"
            token.attrs = {"id": anchor}
            yield Part(anchor, title)


def _place(target: str) -> str:
    """Where a link of docs/ leads on the page: `money.md` to #money, `money.md#dollars` into it."""
    found = _FILE.match(target)
    if found is None or found["name"] not in CHAPTERS:
        return target
    return "#" + "-".join(filter(None, (found["name"], found["anchor"])))


def _without_files(tokens: list[Token]) -> None:
    """Links into a chapter lead to its place on the page; other files are named, but not here."""
    link: Token | None = None
    for token in tokens:
        if token.type == "link_open":
            link = token
            token.attrs = {"href": _place(str(token.attrs.get("href", "")))}
        elif token.type == "link_close" and link is not None:
            if _FILE.match(str(link.attrs["href"])):
                link.type = token.type = "text"
                link.content = token.content = ""
                link.nesting = token.nesting = 0
            link = None
