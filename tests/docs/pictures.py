"""Pictures of the README as SVG: a session in a terminal, the first screen of a report.

Both are drawn from what the program prints: no browser and no terminal takes part.
"""

import re
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from textwrap import wrap

from tests.cli.report_vault import report_vault
from tests.documents import blocks
from tests.program import ROOT
from tests.readme import README
from tests.world import World

SESSION, REPORT = ROOT / "docs" / "denied.svg", ROOT / "docs" / "report.svg"
VAULT = "team-vault"
"""The name of the folder of the reported vault."""
_COLUMNS, _CHAR, _LINE, _EDGE = 96, 8.4, 21, 22
_WIDTH, _HEIGHT = 1088, 1080
_COLOURS = {"you": "#7db4f0", "claude": "#b294e6", "deny": "#f0766c"}
_VOID = re.compile(r"<(br|wbr|input|meta)\b([^>]*)>")


def session() -> str:
    """The session of the README in which a call is denied, as a terminal shows it."""
    [text] = [one.text for one in blocks(README) if one.language == "session"]
    rows = list(_rows(text))
    width, height = _COLUMNS * _CHAR + 2 * _EDGE, len(rows) * _LINE + 2 * _EDGE
    lines = "\n".join(
        f'<text x="{_EDGE}" y="{_EDGE + _LINE * number + 15}">{row}</text>'
        for number, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" '
        'role="img" aria-labelledby="title">\n'
        '<title id="title">A message becomes a rule, and a call is denied</title>\n'
        "<style>text { fill: #e6e9ed; font: 14px ui-monospace, Menlo, Consolas, "
        "monospace; white-space: pre; } .name { font-weight: bold; }</style>\n"
        f'<rect width="100%" height="100%" rx="10" fill="#14171b"/>\n{lines}\n</svg>\n'
    )


def _rows(text: str) -> Iterator[str]:
    """Lines as wide as the terminal; who speaks, and a verdict, are in colour."""
    for line in text.splitlines():
        speaker, _, said = line.partition(": ")
        verdict, _, _ = said.partition(": ")
        colour = _COLOURS.get(verdict) or _COLOURS.get(speaker, "#6cba7a")
        for number, part in enumerate(wrap(line, _COLUMNS, subsequent_indent="  ")):
            name = escape(f"{speaker}:") if number == 0 else ""
            rest = escape(part.removeprefix(f"{speaker}:") if name else part)
            yield f'<tspan class="name" fill="{colour}">{name}</tspan>{rest}'


def first_screen(page: str) -> str:
    """The first screen of a report, as an image that needs no other file."""
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    body = page.partition("<main>")[2].partition('<h2 id="capture">')[0]
    body = re.sub(r"<nav>.*?</nav>|<input[^>]*>", "", body, flags=re.DOTALL)
    body = _VOID.sub(r"<\1\2/>", body).replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'role="img" aria-labelledby="title">\n<title id="title">The report of a vault'
        f'</title>\n<foreignObject width="{_WIDTH}" height="{_HEIGHT}">\n'
        f'<div xmlns="http://www.w3.org/1999/xhtml" class="page"><style>{style}'
        ".page { height: 100%; padding: 2rem 1.5rem; background: var(--paper); "
        "color: var(--text); font: 15px/1.5 system-ui, sans-serif; }</style>\n"
        f"<main>{body}</main></div>\n</foreignObject>\n</svg>\n"
    )


def main() -> None:
    """Draw the pictures again."""
    SESSION.write_text(session(), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / VAULT
        place.mkdir()
        world = report_vault(World(place))
        REPORT.write_text(first_screen(world.call("report").stdout), "utf-8")


if __name__ == "__main__":
    main()
