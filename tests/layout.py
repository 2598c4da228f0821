"""``python -m tests.layout``: the map of the packages in CONTRIBUTING.md."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_MAP = re.compile(r"(?<=<!-- map -->\n```\n).*?(?=```\n<!-- end of map -->)", re.DOTALL)


def packages() -> str:
    """One line for each package: its path and the first line of its docstring.

    The folders of agents are like each other, and left out.
    """
    rows = []
    for path in sorted((ROOT / "toolmem").rglob("__init__.py")):
        folder = path.parent.relative_to(ROOT)
        if folder.parent.name == "agents":
            continue
        first = (ast.get_docstring(ast.parse(path.read_text())) or "").splitlines()[0]
        indent = "  " * (len(folder.parts) - 1)
        rows.append(f"{indent + folder.name + '/':21} {first}")
    return "\n".join(rows) + "\n"


def main() -> int:
    """Write the map, or with ``--check`` return 1 where it is stale."""
    path = ROOT / "CONTRIBUTING.md"
    text = path.read_text(encoding="utf-8")
    new = _MAP.sub(lambda _: packages(), text)
    if "--check" in sys.argv:
        return int(new != text)
    path.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
