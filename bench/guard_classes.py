"""Score derived guards on sentences, evasions or everyday calls.

    python -m bench.guard_classes FILE [--show]

The rows of a JSONL file are rules, each the only one of a vault: sentences with the
calls ``stop`` and ``let_through`` (and perhaps ``class``, ``tool``, ``files`` below
``/home/dev/repo``, and ``effect``, which is ``ask`` if no call may be denied), or a
``rule`` that a ``command`` breaks. A JSON file is one object: ``bans``, and ``calls``
that break none of them. ``--show`` lists the errors.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.guard import CWD, HOME, load
from toolmem import Vault
from toolmem.core.model import ANY_TOOL, Action
from toolmem.ops.setup.init import init_vault

Row = dict[str, Any]
Count = Counter[str]
_STOPS = (Action.ASK.value, Action.DENY.value)
_COLUMNS = (
    "rows", "possible", "guarded", "stop", "passed", "let_through", "denied", "asked",
)  # fmt: skip


@contextmanager
def rules(texts: Iterable[str], row: Row) -> Iterator[tuple[Vault, Row]]:
    """Make a vault with some rules, in a repository that has the files of a row.

    Yields it with the row, in which the paths are those of the repository.
    """
    with tempfile.TemporaryDirectory() as folder:
        base = str(Path(folder).resolve())
        row = json.loads(json.dumps(row).replace(HOME, base + HOME))
        head = {".git/HEAD": "ref: refs/heads/work\n"}
        make_files(Path(base + CWD), {**head, **row.get("files", {})})
        os.environ["HOME"] = base + HOME
        os.chdir(base + CWD)
        init_vault(Path(base, "vault"))
        vault = Vault.open(f"{base}/vault")
        tool = row.get("tool", "all")
        for text in texts:
            vault.rule.add(ANY_TOOL if tool == "all" else tool, text, priority="high")
        yield vault, row
        os.chdir("/")


def make_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def score(row: Row, texts: Iterable[str], shown: list[str]) -> Count:
    """Count the results of a row's calls; errors are added to ``shown``."""
    count = Count(rows=1)
    with rules(texts, row) as (vault, row):
        for kind in ("stop", "let_through"):
            for tool, arguments in row.get(kind, ()):
                answer = vault.guard(tool, input=arguments)
                count[kind] += 1
                column = ""
                if kind == "stop" and answer.verdict not in _STOPS:
                    column = "passed"
                elif kind == "let_through" and answer.verdict in _STOPS:
                    column = "denied" if answer.verdict == "deny" else "asked"
                elif row.get("effect") == "ask" and answer.verdict == "deny":
                    column = "denied"
                if column:
                    count[column] += 1
                    call = f"{tool} {json.dumps(arguments)}  [{answer.reason}]"
                    rule = answer.rule.rule if answer.rule else row["text"]
                    shown.append(f"{column}: {rule}\n      {call}")
    count["possible"] = int(bool(count["stop"]))
    count["guarded"] = int(bool(count["stop"]) and not count["passed"])
    return count


def rows_of(path: Path) -> Iterator[tuple[Row, list[str]]]:
    """Yield the rows of a file, each with the texts of its rules."""
    if path.suffix == ".json":
        table = json.loads(path.read_text(encoding="utf-8"))
        yield {"let_through": table["calls"], "class": "everyday"}, table["bans"]
        return
    for row in load(path):
        if "command" in row:
            stop = [["Bash", {"command": row["command"]}]]
            yield {"text": row["rule"], "stop": stop}, [row["rule"]]
        else:
            yield row, [row["text"]]


def main(arguments: list[str]) -> int:
    """Print the counts of each class."""
    counts: dict[str, Count] = {}
    shown: list[str] = []
    for row, texts in rows_of(Path(arguments[0])):
        count = counts.setdefault(str(row.get("class", "-")), Count())
        count += score(row, texts, shown)
    if "--show" in arguments:
        print("\n".join(shown))
    print("class", *_COLUMNS, sep="\t")
    total = sum(counts.values(), Count())
    for name, count in (*sorted(counts.items()), ("all", total)):
        print(name, *(count[column] for column in _COLUMNS), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
