"""Measure how well guards stop calls, on labelled commands and sentences.

    python -m bench.guard [DATA_FOLDER] [--show FIGURE] [--no-speed]

The folder's README.md describes its files; by default it is next to the repository.
``--show`` lists the errors of a figure (its name's first word, such as ``evasions``).
Exits with 1 if a figure is missed, with 2 without data.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.hooks import CALL, _cost, settle
from bench.measure import Line, Program, report
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derive import BAN, derive_guards
from toolmem.core.guard.verdict import RuleForCall, Verdict, judge
from toolmem.core.model import ANY_TOOL, SYSTEM, Action, Priority
from toolmem.core.rules.guard_table import parse_guards

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "guard-dev"
HOME = "/home/dev"
CWD = f"{HOME}/repo"
PLAIN = (
    "Never force-push.",
    "Never run `git reset --hard`.",
    "Never run `git clean -f`.",
    "Never use `git commit --no-verify`.",
    "Never run `git stash drop` or `git stash clear`.",
    "Never run `git filter-branch`.",
    "Never push to `main`.",
    "Never run `git branch -D`.",
    "Never run `rm -rf /`.",
    "Never delete anything in ~/Documents.",
    "Never edit files in `vendor/`.",
    "Never run `chmod 777`.",
    "Never run `terraform destroy`.",
    "Never run `kubectl delete`.",
    "Never run `helm uninstall`.",
    "Never run `docker system prune`.",
    "Never run `npm publish`.",
    "Never run `gh repo delete`.",
    "Never run `gh release delete`.",
    "Never drop tables or databases.",
    "Never shut down or reboot this machine.",
    "Never use killall or pkill.",
    "Never use shred.",
    "Never run `crontab -r`.",
    "Never read or touch .env.",
)
"""Rules that a team would have, for the commands that agents really ran."""
_STOPS = (Action.ASK, Action.DENY)
_SIZES = ((5, 6.0), (500, 8.0), (5000, 12.0))
Row = dict[str, Any]


class Figure(NamedTuple):
    """A share of rows that must reach or must not pass a limit, and the wrong ones."""

    title: str
    target: float
    rows: int
    wrong: tuple[str, ...]
    at_most: bool = False
    counted: bool = False

    def line(self) -> Line:
        """The figure as a row of the report."""
        bad = len(self.wrong)
        if self.counted:
            return Line(self.title, f"{bad} of {self.rows}", "0", ok=not bad)
        share = bad / self.rows if self.at_most else 1 - bad / self.rows
        ok = share <= self.target if self.at_most else share >= self.target
        sign = "<=" if self.at_most else ">="
        return Line(self.title, f"{share:.1%}", f"{sign} {self.target:.1%}", ok)


def rules_of(rows: Iterable[Row], guards: Callable[[Row], Any]) -> list[RuleForCall]:
    """Each row's rule with its guards, in the order of the rows."""
    found = []
    for number, row in enumerate(rows):
        key = row.get("key", str(number))
        tables = guards(row)
        parsed, problems = parse_guards(tables, path=key)
        if problems:
            raise ValueError(f"{key}: {problems}")
        found.append(
            RuleForCall(key, row["text"], Priority.HIGH, SYSTEM, 0, parsed, True)
        )
    return found


def derived(row: Row, tool: str = ANY_TOOL) -> Any:
    """The guard tables that follow from a row's sentence."""
    return derive_guards(row["text"], tool, BAN)


def verdict(
    rules: list[RuleForCall], tool: str, arguments: Row, cwd: str = CWD
) -> Verdict:
    """The verdict of some rules on one call."""
    return judge(CallAnalysis(ToolCall(tool, arguments, cwd, HOME), read_shell), rules)


def stopped(rules: list[RuleForCall], tool: str, arguments: Row) -> bool:
    """Return True if a call is denied or asked about."""
    return verdict(rules, tool, arguments).verdict in _STOPS


def peers(folder: Path) -> Iterator[Figure]:
    """Peers' own tests: with the guards written for them, and with derived ones."""
    rows = load(folder / "peers.jsonl")
    stop = [row for row in rows if row["expect"] == "stop"]
    allow = [row for row in rows if row["expect"] == "allow"]
    allowed = []
    for kind, guards, target in (
        ("explicit", lambda row: row["guard"], 0.98),
        ("derived", derived, 0.90),
    ):
        rules = rules_of(load(folder / "rules.jsonl"), guards)
        by_key = {rule.id: [rule] for rule in rules}
        wrong = [
            f"{row['rule']}: {row['command']}"
            for row in stop
            if not stopped(by_key[row["rule"]], "Bash", {"command": row["command"]})
        ]
        yield Figure(f"{kind} guards stop peers' rows", target, len(stop), tuple(wrong))
        allowed.append(_allowed(f"allow rows stopped, {kind}", rules, allow))
    yield from allowed


def _allowed(title: str, rules: list[RuleForCall], rows: list[Row]) -> Figure:
    wrong = []
    for row in rows:
        got = verdict(rules, "Bash", {"command": row["command"]})
        if got.verdict in _STOPS:
            wrong.append(f"{got.verdict} {got.rule_id}: {row['command']}")
    return Figure(title, 0.004, len(rows), tuple(wrong), at_most=True)


def evasions(folder: Path) -> Iterator[Figure]:
    """Commands that break a rule in disguise."""
    rules = rules_of(load(folder / "evasion-rules.jsonl"), lambda row: row["guard"])
    by_key = {rule.id: [rule] for rule in rules}
    rows = load(folder / "evasions.jsonl")
    wrong = [
        f"{row['kind']}: {row['command']}"
        for row in rows
        if not stopped(by_key[row["rule"]], "Bash", {"command": row["command"]})
    ]
    yield Figure("evasions passed", 0.05, len(rows), tuple(wrong), at_most=True)


def conditional(folder: Path) -> Iterator[Figure]:
    """Bans with a condition: none may deny without a test of it, some ask."""
    rows = load(folder / "conditional.jsonl")
    guards = {row["text"]: derived(row, "Bash") for row in rows}
    checked = {"within", "branch", "unless"}
    denied = [
        text
        for text, found in guards.items()
        if any(g["action"] == "deny" and checked.isdisjoint(g) for g in found)
    ]
    silent = [text for text, found in guards.items() if not found]
    yield Figure("conditional bans deny", 0, len(rows), tuple(denied), counted=True)
    yield Figure("askless conditional bans", 1, len(rows), tuple(silent), at_most=True)


def derivation(folder: Path) -> Iterator[Figure]:
    """Public sentences, each with calls to stop and to let through."""
    rows = load(folder / "derivation.jsonl")
    wrong, wide = [], []
    for row in rows:
        rules = rules_of([row], derived)
        missed = [c for c in row["stop"] if not stopped(rules, *c)]
        over = [c for c in row["let_through"] if stopped(rules, *c)]
        tables = [dict(table) for table in derived(row)]
        if missed or over:
            wrong.append(f"{row['text']}\n      missed {missed}\n      {tables}")
        if over:
            wide.append(f"{row['text']}\n      stopped {over}\n      {tables}")
    title = "sentences derived right"
    yield Figure(title, 60 / 95, len(rows), tuple(wrong))
    yield Figure("wide sentences", 0, len(rows), tuple(wide), counted=True)


def real(folder: Path) -> Iterator[Figure]:
    """Commands of agents against rules that a team would have."""
    rules = rules_of([{"key": t, "text": t} for t in PLAIN], derived)
    found: dict[Action, list[str]] = {Action.ASK: [], Action.DENY: []}
    rows = load(folder / "real-commands.jsonl")
    for row in rows:
        got = verdict(rules, "Bash", {"command": row["command"]}, row["cwd"])
        if got.verdict in found:
            line = f"{got.rule_id} ({got.reason})\n      {row}"
            found[got.verdict].append(line)
    asked, denied = map(tuple, found.values())
    yield Figure("real commands asked about", 0, len(rows), asked, counted=True)
    title = "plain rules broken by real commands (to review)"
    yield Figure(title, 1, len(rows), denied, at_most=True)


def speed() -> Iterator[Line]:
    """A verdict in a hook, by the number of rules."""
    with tempfile.TemporaryDirectory() as name:
        program = Program(Path(name) / "installed")
        for size, target in _SIZES:
            vault = Path(name) / str(size)
            program.output(program.command("init", str(vault)))
            _write_rules(vault, size)
            settle(program, vault)
            cost = _cost(program, vault, "PreToolUse", CALL)
            title = f"one verdict in a hook, {size} rules"
            yield Line(title, f"{cost:.1f} x", f"<= {target:g} x", cost <= target)


def _write_rules(vault: Path, count: int) -> None:
    for number in range(count):
        tool = ("shell", "git", "_any")[number % 3]
        folder = vault / "system/rules" / tool
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"rule-{number:08x}.toml").write_text(
            f'id = "{number:08x}-0000-4000-8000-000000000000"\ntool = "{tool}"\n'
            f'rule = "never run git step-{number} --hard"\npriority = "high"\n\n'
            f'[[guard]]\ncommand = ["git", "step-{number}", "--hard"]\n',
            encoding="utf-8",
        )


def load(path: Path) -> list[Row]:
    """The rows of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def main(arguments: list[str]) -> int:
    """Print the table; 1 where a figure is missed, 2 without data."""
    with_speed = "--no-speed" not in arguments
    arguments = [word for word in arguments if word != "--no-speed"]
    shown = ""
    if "--show" in arguments:
        at = arguments.index("--show")
        shown = "".join(arguments[at + 1 : at + 2])
        del arguments[at : at + 2]
    folder = Path(arguments[0]) if arguments else DEFAULT
    if not (folder / "rules.jsonl").is_file():
        print(f"{folder}: no rules.jsonl; give the folder", file=sys.stderr)
        return 2
    parts = [partial(part, folder) for part in _PARTS]
    figures = [figure for part in parts for figure in part()]
    for figure in figures:
        if shown and figure.title.startswith(shown):
            print(f"{figure.title}:")
            print("".join(f"  - {wrong}\n" for wrong in figure.wrong))
    lines = [figure.line() for figure in figures]
    return report([*lines, *(speed() if with_speed else ())])


_PARTS = (peers, derivation, conditional, evasions, real)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
