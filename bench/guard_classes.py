"""Count the errors of derived guards by class, on labelled sentences with their calls.

    python -m bench.guard_classes ROWS [--show CLASS]

A row of the JSONL file has ``class``, ``text``, ``tool``, the calls ``stop`` and
``let_through``, and perhaps ``files``, which are below ``/home/dev/repo``. Each row is
the only rule of a vault. ``--show`` lists the errors, of a class or of ``all``.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.guard import CWD, HOME, load
from toolmem import Vault
from toolmem.ops.setup.init import init_vault

Row = dict[str, Any]
_COLUMNS = ("stop", "passed", "let_through", "denied", "asked")


def results_of(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the column of each call's result, with the call and the reason."""
    with tempfile.TemporaryDirectory() as folder:
        base = str(Path(folder).resolve())
        row = json.loads(json.dumps(row).replace(HOME, base + HOME))
        cwd = Path(base + CWD)
        _make_files(
            cwd, {".git/HEAD": "ref: refs/heads/work\n", **row.get("files", {})}
        )
        os.environ["HOME"] = base + HOME
        os.chdir(cwd)
        init_vault(Path(base, "vault"))
        vault = Vault.open(f"{base}/vault")
        tool = "_any" if row["tool"] == "all" else row["tool"]
        vault.rule.add(tool, row["text"], priority="high")
        for kind in ("stop", "let_through"):
            for tool, arguments in row[kind]:
                answer = vault.guard(tool, input=arguments)
                call = f"{tool} {json.dumps(arguments)}  [{answer.reason}]"
                yield kind, ""
                if kind == "stop" and answer.verdict not in ("ask", "deny"):
                    yield "passed", call
                elif kind == "let_through" and answer.verdict in ("ask", "deny"):
                    yield "denied" if answer.verdict == "deny" else "asked", call
        os.chdir("/")


def _make_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Print the counts of each class."""
    shown = arguments[2:3] if arguments[1:2] == ["--show"] else []
    counts: dict[int, Counter[str]] = {}
    for row in load(Path(arguments[0])):
        for column, call in results_of(row):
            counts.setdefault(row["class"], Counter())[column] += 1
            if call and shown and shown[0] in ("all", str(row["class"])):
                print(f"{row['class']} {column}: {row['text']}\n      {call}")
    print("class", *_COLUMNS, sep="\t")
    for name, count in [
        *sorted(counts.items()),
        ("all", sum(counts.values(), Counter())),
    ]:
        print(name, *(count[column] for column in _COLUMNS), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
