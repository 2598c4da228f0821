"""Elements of the report page. Every text is escaped here and nowhere else."""

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import quote

from toolmem.core.report.style import SCRIPT, STYLE
from toolmem.core.shown import show

Html = str
"""Markup that is safe to be part of the page."""


class Links(NamedTuple):
    """Addresses of files and commits; none with an empty ``base``.

    ``base`` is the address of the repository on its host; or one with ``{path}`` in
    it, which is then that of a file. ``prefix`` leads from the repository's top to
    the vault.
    """

    base: str = ""
    prefix: str = ""

    def file(self, path: str) -> Html:
        """The path of a file in the vault, with its link."""
        place = quote("/".join(filter(None, (self.prefix, path))))
        if "{path}" in self.base:
            address = self.base.replace("{path}", place)
        else:
            address = f"{self.base}/blob/HEAD/{place}"
        shown = text(path).replace("/", "/<wbr>")
        return self._link(address, f'<span class="path">{shown}</span>')

    def commit(self, commit_id: str) -> Html:
        """The short id of a commit, with its link."""
        if "{path}" in self.base:
            return f"<code>{text(commit_id[:10])}</code>"
        address = f"{self.base}/commit/{commit_id}"
        return self._link(address, f"<code>{text(commit_id[:10])}</code>")

    def _link(self, address: str, shown: Html) -> Html:
        return f'<a href="{text(address)}">{shown}</a>' if self.base else shown


class Tile(NamedTuple):
    """A figure with its name; one that is an ``alert`` stands out unless it is 0."""

    name: str
    figure: int
    alert: bool = False


class BarRow(NamedTuple):
    """A bar of several pieces: (number, colour) in the order of the legend."""

    name: Html
    pieces: tuple[tuple[int, str], ...]
    remark: str = ""

    @property
    def total(self) -> int:
        """The sum of the pieces."""
        return sum(number for number, _ in self.pieces)


def text(value: object) -> Html:
    """Escape a text and put it on one line, with its invisible characters spelt out."""
    return html.escape(show(value), quote=True)


def page(title: str, about: str, sections: Iterable[tuple[str, str, Html]]) -> Html:
    """The whole page: (name, anchor, content) of each section; no name, no heading."""
    parts = list(sections)
    links = "".join(
        f'<a href="#{anchor}">{text(name)}</a>' for name, anchor, _ in parts if name
    )
    body = "\n".join(
        f'<h2 id="{anchor}">{text(name)}</h2>\n{content}' if name else content
        for name, anchor, content in parts
    )
    digest = hashlib.sha256(SCRIPT.encode()).digest()
    script = f"'sha256-{base64.b64encode(digest).decode()}'"
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {script}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{text(title)}</h1>\n<p class="about">{text(about)}</p>\n'
        f"<nav>{links}</nav>\n"
        '<input id="search" type="search" placeholder="Search rules, memories, files…" '
        'aria-label="Search" hidden>\n'
        f"{body}\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def about(words: str) -> Html:
    """A sentence or two below a heading."""
    return f'<p class="about">{text(words)}</p>'


def nothing(words: str) -> Html:
    """A few words where there is nothing to show."""
    return f'<p class="none">{text(words)}</p>'


def tiles(shown: Iterable[Tile]) -> Html:
    """Figures side by side."""
    made = "".join(
        f'<div class="tile{" alert" if tile.alert and tile.figure else ""}">'
        f"<b>{tile.figure:,}</b>{text(tile.name)}</div>"
        for tile in shown
    )
    return f'<div class="tiles">{made}</div>'


def chip(words: str, kind: str = "") -> Html:
    """A short label in a frame."""
    return f'<span class="chip {kind}">{text(words)}</span>'


def legend(names: Iterable[tuple[str, str]]) -> Html:
    """The names of colours: (name, colour)."""
    keys = (f'<span><i class="{kind}"></i>{text(name)}</span>' for name, kind in names)
    return f'<div class="key">{"".join(keys)}</div>'


def head(names: Sequence[str], numbers: int = 0) -> Html:
    """The head of a table; the last ``numbers`` columns are numbers."""
    first = len(names) - numbers
    kinds = ["" if n < first else ' class="n"' for n in range(len(names))]
    cells = (
        f'<th scope="col"{k}>{text(n)}</th>' for k, n in zip(kinds, names, strict=True)
    )
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def cell(content: Html, label: str = "") -> Html:
    """A cell of text; ``label`` is its name where the table is narrow."""
    named = f' data-label="{text(label)}"' if label else ""
    return f"<td{named}>{content}</td>"


def number(value: int, label: str) -> Html:
    """A cell with a number; ``label`` is its name where the table is narrow."""
    zero = "" if value else " zero"
    return f'<td class="n{zero}" data-label="{text(label)}">{value:,}</td>'


def row(*cells: Html) -> Html:
    """A row that the search box finds."""
    return f'<tr class="item">{"".join(cells)}</tr>'


def group(title: Html, rows: Iterable[Html], columns: int) -> Html:
    """Rows under a separate heading."""
    return (
        f'<tbody class="group"><tr><th scope="rowgroup" colspan="{columns}">'
        f"{title}</th></tr>"
        f"{''.join(rows)}</tbody>"
    )


def table(heading: Html, rows: Iterable[Html], none: str) -> Html:
    """A table of rows, or a few words where there are none."""
    made = "".join(rows)
    if not made:
        return nothing(none)
    body = made if made.startswith("<tbody") else f"<tbody>{made}</tbody>"
    return f"<table>{heading}{body}</table>"


def bars(names: Sequence[str], rows: Sequence[BarRow], none: str) -> Html:
    """A table of bars: heads of the name and of the sum."""
    most = max((bar.total for bar in rows), default=0) or 1
    made = (
        row(
            cell(bar.name),
            number(bar.total, names[1].lower()),
            f'<td class="bar">{_pieces(bar, most)}</td>',
            cell(f'<span class="meta">{text(bar.remark)}</span>'),
        )
        for bar in rows
    )
    return table(_bar_head(names), made, none)


def _bar_head(names: Sequence[str]) -> Html:
    return (
        f'<thead><tr><th scope="col">{text(names[0])}</th>'
        f'<th scope="col" class="n">{text(names[1])}</th>'
        "<td></td><td></td></tr></thead>"
    )


def _pieces(bar: BarRow, most: int) -> Html:
    """The pieces of a bar, in hundredths of the longest bar."""
    made, left = "", 0
    for size, kind in bar.pieces:
        place = f'x="{100 * left / most:.2f}" width="{100 * size / most:.2f}"'
        made += f'<rect class="{kind}" {place} height="1"/>' if size else ""
        left += size
    return (
        '<svg class="track" viewBox="0 0 100 1" preserveAspectRatio="none" '
        f'aria-hidden="true">{made}</svg>'
    )
