"""The report: its figures, and a page that a browser takes for what it is."""

import base64
import hashlib
import json
import re
import subprocess
from datetime import UTC, date, datetime
from html.parser import HTMLParser

import pytest

from tests.cli import browser
from tests.cli.report_vault import report_vault
from tests.docs import pictures
from toolmem.core.report.chart import Series, day_chart, line_chart
from toolmem.core.report.html import BarRow, Links, bars, group, head
from toolmem.core.report.style import SCRIPT, STYLE

VALIDATOR = browser.NODE / ".bin" / "html-validate"
HOSTILE = "<script>document.title='x'</script><img src=x onerror=alert(1)>&amp;\"'"
SECTIONS = (
    *("Stopped calls", "Rules by tool", "Capture", "Failures by cause"),
    *("Prompt budget by scope", "Stale memories", "Memories and searches"),
    *("Growth", "Last commits"),
)
_EMPTY = ("meta", "polyline", "line", "br", "wbr", "input")


class Elements(HTMLParser):
    """The elements and attributes of a page, and whether they are closed."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def read(page):
    elements = Elements()
    elements.feed(page)
    assert elements.open == []
    return elements


def words(page):
    """The text of a page: what a person reads, a line for each element."""
    body = re.sub(r"<(style|script)>.*?</\1>|<wbr>", "", page, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"<[^>]*>", "\n", body))


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


def test_each_rule_has_its_record(world):
    document = json.loads(report_vault(world).call("report", "--json").stdout)
    [first] = [one for one in document["record"] if one["tool"] == "deploy"]
    [forced] = [one for one in document["record"] if "--force" in one["rule"]]
    assert first == {
        "id": "6a1b2c3d-0000-4000-8000-000000000000",
        "tool": "deploy",
        "rule": "deploy on Mondays and Tuesdays only",
        "scope": "system",
        "priority": "normal",
        "last": None,
    }
    assert forced | {"id": ""} == {
        "id": "",
        "tool": "Bash",
        "rule": "never push to main with --force",
        "scope": "system",
        "priority": "critical",
        "denied": 9,
        "matched": 9,
        "shown": 34,
        "last": "2026-08-21T12:00:00Z",
    }
    assert sum(e["times"] for e in document["events"] if e["kind"] == "denied") == 15
    assert document["capture"]["candidate"] == {
        "kept": 1,
        "dropped": 2,
        "undone": 0,
        "open": 1,
    }
    assert document["failures"][0] == {
        "tool": "Bash",
        "name": "not_found",
        "message": "bash: line 1: pyest: command not found",
        "turns": 6,
        "last": "2026-08-21T12:00:00Z",
    }


def test_the_page_shows_what_a_team_lead_asks_for(world):
    place = world.root / pictures.VAULT
    place.mkdir()
    page = report_vault(type(world)(place)).call("report").stdout
    assert pictures.first_screen(page) == pictures.REPORT.read_text("utf-8")
    read(page)
    assert tuple(re.findall(r"<h2[^>]*>([^<]*)</h2>", page)) == SECTIONS
    shown = words(page)
    for text in (
        "\nnever push to main with --force\n",
        "system · since 2026-04-20 · last stopped a call on 2026-08-21",
        "denied: 15",
        "1 kept, 2 dropped, 1 open",
        "timed out after 120 s",
        "never found, not changed for 96 days",
        "week 6: a rule for deploy",
    ):
        assert text in shown


def test_files_and_commits_are_links_below_an_address(world):
    head = report_vault(world).git("rev-parse", "HEAD").strip()
    base = "https://github.com/acme/memory"
    page = world.call("report", "--base-url", f"{base}/").stdout
    found = {value for name, value in read(page).attributes if name == "href"}
    assert f"{base}/blob/HEAD/system/rules/bash/rule-0.toml" in found
    assert f"{base}/commit/{head}" in found
    assert {one for one in found if not one.startswith(("#", base))} == set()
    world.run("report", "--base-url", "javascript:alert(1)").exits(2)
    world.stderr(
        "toolmem: --base-url: 'javascript:alert(1)' does not begin with https://\n"
    )


def test_a_path_in_an_address_is_quoted():
    shown = '<span class="path">a/<wbr>b c&lt;.md</span>'
    links = Links("https://x.org/v", "notes")
    assert links.file("a/b c<.md") == (
        f'<a href="https://x.org/v/blob/HEAD/notes/a/b%20c%3C.md">{shown}</a>'
    )
    assert Links("https://x.org/src/{path}?raw").file("a/b c<.md") == (
        f'<a href="https://x.org/src/a/b%20c%3C.md?raw">{shown}</a>'
    )
    assert Links().file("a/b c<.md") == shown


def test_the_page_needs_nothing_but_itself_and_changes_nothing(vault):
    before = vault.files()
    vault.run("report", "-o", "../report.html").stdout("../report.html\n")
    vault.settle()
    assert vault.files() == before
    page = vault.read("../report.html")
    elements = read(page)
    names = {name for name, _ in elements.attributes}
    assert not names & {"src", "onclick", "onerror", "oninput", "srcset", "action"}
    assert {v[0] for n, v in elements.attributes if n == "href"} == {"#"}
    assert not re.search(r"https?://|url\(|@import|fetch\(|XMLHttp", page)
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
        in page
    )
    assert page.count("<script") == page.count(f"<script>{SCRIPT}</script>") == 1
    assert page == vault.call("report").stdout == vault.call("report", "-o", "-").stdout
    assert not vault.root.joinpath("-").exists()


def test_an_empty_vault_has_a_page_too(world):
    page = world.vault("empty").call("report").stdout
    read(page)
    for text in (
        "There are no rules yet.",
        "No call was stopped here yet.",
        "No tool has failed here yet.",
        "It takes two commits or two dates to show growth.",
    ):
        assert text in page


def test_without_commits_growth_is_that_of_the_dates_in_files(world):
    report_vault(world)
    world.root.joinpath(".git").rename(world.root / "git")
    growth = json.loads(world.call("report", "--json").stdout)["growth"]
    assert [growth[0], *growth[-2:]] == [
        {"when": "2026-04-20T00:00:00Z", "rules": 1, "memories": 1, "archived": 0},
        {"when": "2026-06-13T00:00:00Z", "rules": 7, "memories": 7, "archived": 0},
        {"when": "2026-08-21T12:00:00Z", "rules": 7, "memories": 10, "archived": 0},
    ]


def hostile(world):
    rule = json.dumps(HOSTILE + "\u202e\x1b[31m")
    world.vault("empty").write(
        "system/rules/shell/x-a0000001.toml",
        f'id = "a0000001"\ntool = {rule}\nrule = {rule}\npriority = "critical"\n',
    )
    name = HOSTILE.replace("/", "")
    world.write(f"projects/p{name}/memory/m-a1.md", f"# M{HOSTILE}\n")
    world.write(f"projects/p{name}/memory/{name[:40]}.md", "# N\n")
    world.commit(f"{HOSTILE} in the subject")
    return world


def test_text_of_the_vault_is_never_markup(world):
    page = hostile(world).call("report", "--base-url", "https://x.org/v").stdout
    elements = read(page)
    assert elements.tags.count("script") == 1
    assert "img" not in elements.tags
    assert "onerror" not in {name for name, _ in elements.attributes}
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    assert "\u202e" not in page


@pytest.mark.skipif(browser.BROWSER is None, reason="no chromium is installed")
def test_a_real_browser_splits_no_word_and_runs_no_text(world):
    pages = []
    for make in (report_vault, hostile):
        inner = type(world)(world.root / make.__name__)
        inner.root.mkdir()
        make(inner).call("report", "-o", "../report.html")
        pages.append(world.root / f"{make.__name__}.html")
        world.root.joinpath("report.html").rename(pages[-1])
    page, forged = pages
    shown = [(page, 1200), (page, 400), (forged, 400)]
    wide, narrow, plain = browser.layouts(world.root, *shown)
    for found, width in ((wide, 1200), (narrow, 400), (plain, 400)):
        assert (found["wide"], found["split"], found["width"]) == ([], [], width)
        assert "img" not in found["tags"]
        assert found["faults"] == []
    assert min(wide["smallest"], narrow["smallest"]) >= 12  # pixels of a label
    assert (wide["found"], narrow["found"], plain["found"]) == (1, 1, 0)
    assert plain["title"] == "Vault hostile"
    height = max(wide["height"], narrow["height"])
    browser.screenshot(world.root, *shown[:2], height=height)


@pytest.mark.skipif(not VALIDATOR.is_file(), reason="no html-validate (npm)")
def test_a_validator_of_html_finds_nothing_in_the_page(world):
    report_vault(world).call("report", "-o", "report.html")
    world.write(".htmlvalidate.json", '{"extends": ["html-validate:recommended"]}')
    # It needs the Node.js beside it.
    words = [str(VALIDATOR.with_name("node")), str(VALIDATOR), "report.html"]
    done = subprocess.run(words, cwd=world.root, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


def test_bars_are_as_wide_as_their_numbers():
    rows = [BarRow("a", ((3, "red"), (1, "amber")), "4"), BarRow("b", ((1, ""),))]
    made = bars(("Tool", "Rules"), rows, "none")
    assert re.findall(r'<rect .*? x="([\d.]+)" width="([\d.]+)"', made) == [
        ("0.00", "75.00"),
        ("75.00", "25.00"),
        ("0.00", "25.00"),
    ]
    assert bars(("", ""), [], "none <here>") == (
        '<p class="none">none &lt;here&gt;</p>'
    )


def test_a_curve_spaces_moments_as_time_does():
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 11)]
    made = line_chart(days, [Series("rules", "blue", (0, 5, 10))], "none")
    wide, narrow = re.findall(r'points="([^"]*)"', made)
    assert wide == "44.0,192.0 114.2,102.0 746.0,12.0"
    assert narrow == "44.0,192.0 72.2,102.0 326.0,12.0"
    assert 'aria-label="from 2026-01-01 to 2026-01-11: rules 10"' in made
    same = line_chart(days[:1] * 2, [Series("rules", "blue", (1, 1))], "none")
    assert 'points="44.0,12.0 746.0,12.0"' in same
    assert line_chart(days[:1], [], "none") == '<p class="none">none</p>'


@pytest.mark.parametrize(
    ("last", "unit", "bars_of_wide"),
    [
        (date(2026, 1, 20), "day", {"2026-01-05: 2 denied", "2026-01-20: 1 denied"}),
        (date(2026, 4, 1), "week", {"2026-01-05: 2 denied", "2026-03-30: 1 denied"}),
        (date(2026, 12, 31), "month", {"2026-01-01: 2 denied", "2026-12-01: 1 denied"}),
    ],
)
def test_bars_of_a_long_time_are_weeks_or_months(last, unit, bars_of_wide):
    days = [date(2026, 1, 5), date(2026, 1, 5), last]
    made = day_chart(days, [Series("denied", "red", (1, 1, 1))], "none")
    assert f'aria-label="by {unit} from ' in made
    assert set(re.findall(r"<title>([^<]*)</title>", made)) == bars_of_wide
    assert day_chart([], [], "none") == '<p class="none">none</p>'


def _light(colour):
    """Relative luminance of a colour, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", ["text", "muted", "link", "critical", "high", "grey"])
def test_text_of_the_report_has_the_contrast_that_people_need(name):
    for block in re.findall(r":root \{[^}]*\}", STYLE):
        colours = dict(re.findall(r"--(\w+): (#\w{6})", block))
        for paper in ("paper", "card"):
            light, dark = sorted(map(_light, (colours[name], colours[paper])))[::-1]
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_each_head_of_a_table_says_whether_it_is_of_a_column_or_of_rows():
    heads = head(("a", "b"), 1) + group("c", (), 2)
    assert re.findall(r"<th ([^ >]*)", heads) == [
        'scope="col"',
        'scope="col"',
        'scope="rowgroup"',
    ]
