"""A real browser, where one is installed: how it lays pages out, and pictures of them.

A page is shown in a frame of the wanted width: no window is as narrow as a telephone.
"""

import html
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
PICTURE = Path(__file__).parents[2] / "build" / "report.png"
"""The report at 1200 and 400 pixels, side by side."""
NODE = Path(__file__).parents[2] / ".venv" / "node" / "node_modules"
"""Packages of npm for tests: ``npm install --prefix .venv/node axe-core``."""
AXE = NODE / "axe-core" / "axe.min.js"
_MEASURE = """
const measure = (frame) => {
  const page = frame.contentDocument, root = page.documentElement;
  const all = [...page.querySelectorAll("body *")];
  const shown = all.filter((one) => one.getClientRects().length);
  const wide = shown.filter((one) =>
    one.getBoundingClientRect().right > root.clientWidth + 1);
  const split = [];
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("script, style, .path")) continue;
    for (const word of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
      const range = page.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
      if (tops.size > 1) split.push(word[0]);
    }
  }
  const labels = shown.filter((one) => one.matches("svg text"));
  const heights = labels.map((one) => one.getBoundingClientRect().height);
  const search = page.getElementById("search");
  search.value = "FORCE never";
  search.dispatchEvent(new Event("input"));
  const rows = all.filter((one) => one.matches("tr.item"));
  return {
    title: page.title, wide: wide.map((one) => one.outerHTML.slice(0, 120)), split,
    width: root.scrollWidth, height: root.scrollHeight,
    smallest: heights.length ? Math.round(Math.min(...heights)) : null,
    found: rows.filter((one) => !one.hidden).length,
    tags: [...new Set(all.map((one) => one.localName))],
  };
};
window.onload = async () => {
  const frames = [...document.querySelectorAll("iframe")];
  const faults = await Promise.all(frames.map((one) => one.contentWindow.audit ?? []));
  const found = frames.map((one, n) => ({...measure(one), faults: faults[n]}));
  document.body.textContent = "FOUND " + JSON.stringify(found) + " END";
};
"""


_AUDIT = """
window.audit = axe.run().then((found) =>
  found.violations.flatMap((one) => one.nodes.map((node) => one.id + " " + node.html)));
"""


def _audited(page: str) -> str:
    """The page with axe-core, where it is installed; the page's policy forbids it."""
    if not AXE.is_file():
        return page
    free = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    scripts = f"<script>{AXE.read_text()}</script><script>{_AUDIT}</script>"
    return free.replace("</body>", f"{scripts}</body>")


def _frames(
    pages: Sequence[tuple[Path, int]], height: int, read: Callable[[str], str] = str
) -> str:
    frames = (
        f'<iframe style="border:0;width:{width}px;height:{height}px" '
        f'srcdoc="{html.escape(read(page.read_text()), quote=True)}"></iframe>'
        for page, width in pages
    )
    return (
        '<!DOCTYPE html><meta charset="utf-8">'
        f'<body style="margin:0;white-space:nowrap">{"".join(frames)}'
    )


def _run(folder: Path, outer: str, *args: str) -> str:
    place = folder / "outer.html"
    place.write_text(outer)
    done = subprocess.run(
        [
            *(str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu"),
            *(f"--user-data-dir={folder / 'profile'}", "--no-first-run"),
            *("--disable-background-networking", "--hide-scrollbars", *args),
            place.as_uri(),
        ],
        capture_output=True,
        check=True,
        timeout=120,
    )
    return done.stdout.decode()


def layouts(folder: Path, *pages: tuple[Path, int]) -> list[dict[str, Any]]:
    """How each page is laid out at its width, and what its search box leaves.

    ``faults`` are what axe-core finds, of which the page's policy is no part.
    """
    outer = f"{_frames(pages, 2000, _audited)}<script>{_MEASURE}</script>"
    dom = _run(folder, outer, "--dump-dom", "--virtual-time-budget=4000")
    found = re.search(r"FOUND (\[.*\]) END", dom, re.DOTALL)
    assert found, dom[-2000:]
    documents: list[dict[str, Any]] = json.loads(html.unescape(found[1]))
    return documents


def screenshot(folder: Path, *pages: tuple[Path, int], height: int) -> None:
    """Make the picture of the pages, side by side."""
    PICTURE.parent.mkdir(exist_ok=True)
    size = f"--window-size={sum(width for _, width in pages)},{height}"
    _run(folder, _frames(pages, height), size, f"--screenshot={PICTURE}")
