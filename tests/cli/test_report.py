"""The report: its figures, and a page that a browser takes for what it is."""

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from toolmem.core.report.page import Bar, ChartLine, bars, chart, table

HOSTILE = "<script>document.title='x'</script><img src=x onerror=alert(1)>&amp;\"'"
_BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)


class Elements(HTMLParser):
    """The elements and attributes of a page, and whether they are closed."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.open = set(), set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "polyline", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def read(page):
    elements = Elements()
    elements.feed(page)
    assert elements.open == []
    return elements


@pytest.fixture
def vault(world):
    world.vault("scopes").write(
        "system/memory/door-a00001.md", "# The door opens at 9\n"
    )
    world.write("system/memory/gate-a00002.md", "# Somebody painted the gate\n")
    world.write(".gitignore", "/.toolmem/\n").commit()
    return world


def test_the_figures_are_those_of_the_vault(vault):
    assert vault.call("search", "door").code == 0
    vault.clock(days=30)
    vault.call("memory", "archive", "gate-a00002", "--reason", "painted over")
    vault.commit()
    document = json.loads(vault.call("report", "--json").stdout)
    assert document["rules"]["_any"] == {"critical": 1}
    assert document["growth"][0] == {
        "when": "2026-04-20T12:00:00Z",
        "rules": 10,
        "memories": 2,
        "archived": 0,
    }
    assert document["growth"][-1]["memories"] == 1
    assert document["growth"][-1]["archived"] == 1
    assert document["used"] == {"door-a00001": 1}
    assert document["never_used"] == []
    assert document["counted_since"] == "2026-04-20T12:00:00Z"
    block = json.loads(
        vault.call("prompt", "--project", "apollo", "--format", "json").stdout
    )
    assert block["tokens"] >= document["prompts"]["project:apollo"]["rules"] > 0


def test_the_page_needs_nothing_but_itself_and_changes_nothing(vault):
    before = vault.files()
    vault.run("report", "-o", "../report.html").stdout("../report.html\n")
    vault.settle()
    assert vault.files() == before
    page = vault.read("../report.html")
    elements = read(page)
    assert elements.tags <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "div"),
        *("b", "table", "tr", "td", "th", "span", "svg", "text", "polyline", "rect"),
    }
    assert not elements.attributes & {"src", "href", "onclick", "onerror", "srcset"}
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|url\(|@import", page)
    assert page == vault.call("report").stdout == vault.call("report", "-o", "-").stdout
    assert not vault.root.joinpath("-").exists()


def test_an_empty_vault_has_a_page_too(world):
    page = world.vault("empty").call("report").stdout
    read(page)
    assert "There are no rules yet." in page
    assert "Growth is shown from the second commit on." in page


def hostile(world):
    rule = json.dumps(HOSTILE + "\u202e\x1b[31m")
    world.vault("empty").write(
        "system/rules/shell/x-a0000001.toml",
        f'id = "a0000001"\ntool = {rule}\nrule = {rule}\npriority = "critical"\n',
    )
    world.write(f"projects/p{HOSTILE.replace('/', '')}/memory/m-a1.md", "# M\n")
    world.commit()
    return world


def test_text_of_the_vault_is_never_markup(world):
    page = hostile(world).call("report").stdout
    elements = read(page)
    assert not elements.tags & {"script", "img"}
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    assert "\u202e" not in page


@pytest.mark.skipif(_BROWSER is None, reason="no chromium is installed")
def test_a_real_browser_shows_it_and_runs_nothing(world):
    world.root.joinpath("vault").mkdir()
    inner = type(world)(world.root / "vault")
    hostile(inner).run("report", "-o", "../report.html").stdout("../report.html\n")
    inner.settle()
    inner.write("system/facts.md", "a: 1\n").commit()
    assert inner.call("report", "-o", "../report.html").code == 0
    page = world.root / "report.html"
    done = subprocess.run(
        [
            *(str(_BROWSER), "--headless", "--no-sandbox", "--disable-gpu"),
            *(f"--user-data-dir={world.root / 'profile'}", "--window-size=1000,1400"),
            *("--no-first-run", "--disable-background-networking", "--dump-dom"),
            page.as_uri(),
        ],
        capture_output=True,
        check=True,
        timeout=120,
    )
    dom = done.stdout.decode()
    assert "<title>Vault vault</title>" in dom
    assert "<script" not in dom
    assert "<img" not in dom
    assert "<polyline" in dom
    assert dom.count("<h2>") == 6
    assert "&lt;script&gt;" in dom


def test_bars_are_as_wide_as_their_numbers():
    rows = [Bar("a", ((3, "critical"), (1, "high")), "4"), Bar("b", ((1, ""),))]
    made = bars(("Tool", "Rules", "Of which"), rows, "none")
    assert re.findall(r"width:([\d.]+)%", made) == ["75.00", "25.00", "25.00"]
    assert (
        bars(("", "", ""), [], "none <here>") == '<p class="none">none &lt;here&gt;</p>'
    )


def test_a_chart_spaces_moments_as_time_does():
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 11)]
    made = chart(days, [ChartLine("rules", (0, 5, 10))], "none")
    points = re.search(r'points="([^"]*)"', made)
    assert points
    assert points[1] == "34.0,186.0 107.2,110.0 766.0,34.0"
    assert 'aria-label="from 2026-01-01 to 2026-01-11: rules 10"' in made
    same = chart(days[:1] * 2, [ChartLine("rules", (1, 1))], "none")
    assert 'points="34.0,34.0 766.0,34.0"' in same


def test_a_table_of_nothing_says_so():
    assert table(("A", "B"), [], "nothing") == '<p class="none">nothing</p>'
