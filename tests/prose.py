"""``python -m tests.prose``: count the words and forms that the project avoids.

Counted are docstrings that begin with a noun clause ("What a commit changed"), the
words below in docstrings, comments, names and strings, and types that are named by a
bare participle. Tables of English words are data and not counted (``tests/source.py``).
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator

from tests.source import SOURCES, Text, texts, texts_of

CLAUSE = re.compile(r"…? ?(What|Whether|That|Who|Whoever|How|Where|When|Why|Which)\b")
FORMS = re.compile(
    r"\b(tells?|told|telling|mend(?:s|ed|ing)?|stands?(?!\s(?:out|for))|stood|befalls?|befell|anew|lest"
    r"|hears?|heard|hearing|near(?:er|est|ness)?|nobody(?:'s)?|somebody(?:'s)?|whoever"
    r"|rooms?|houses?|shelf|shelves|doors?|beside|of (?:its|their) own"
    r"|(?<!there )(?-i:is none)"
    r"|(?<!user )wants)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r"(?!Seed|Shed)(?:\w+ed|Found|Known|Kept|Taken|Done|Made|Held|Heard|Told|Said|Seen"
    r"|Given|Written|Shown|Left|Lost|Built|Sent|Read|Chosen|Hidden|Put|Cut)"
)


def listed(text: str) -> list[str]:
    """Words of a text that the project avoids."""
    return FORMS.findall(text)


def counts() -> Counter[tuple[str, str]]:
    """Number of each kind of finding by package."""
    return Counter((package, kind) for package, kind, _ in findings())


def findings() -> Iterator[tuple[str, str, str]]:
    """Package, kind and place of everything that is counted."""
    for name in SOURCES:
        package = "/".join(name.split("/")[:-1][:2]) or "."
        for text in texts(name):
            for kind in _kinds(text):
                yield package, kind, f"toolmem/{name}:{text.line}: {text.text[:90]!r}"


def kinds(source: str) -> Iterator[str]:
    """Kinds of everything that is counted in a piece of code."""
    for text in texts_of(source):
        yield from _kinds(text)


def _kinds(text: Text) -> Iterator[str]:
    if text.kind == "docstring" and CLAUSE.match(text.text):
        yield "clause"
    if text.kind == "class" and _PARTICIPLE.fullmatch(text.text):
        yield "participle"
    kind = "name" if text.kind == "class" else text.kind
    for _ in listed(text.text):
        yield kind


KINDS = ("clause", "docstring", "comment", "name", "string", "participle")


def table() -> str:
    """Counts by package, with a line of totals."""
    found = counts()
    packages = sorted({package for package, _ in found})
    rows = [(p, *(found[p, kind] for kind in KINDS)) for p in packages]
    rows.append(
        ("total", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))
    )
    lines = [f"{'':18}" + "".join(f"{kind:>11}" for kind in KINDS)]
    lines += [f"{row[0]:18}" + "".join(f"{n:11}" for n in row[1:]) for row in rows]
    return "\n".join(lines)


def main(package: str = "") -> None:
    """Print the table, or with the name of a package the place of each finding."""
    found = [one for one in findings() if package and one[0].startswith(package)]
    lines = [f"{place} [{kind}]" for _, kind, place in found]
    sys.stdout.write("\n".join(lines or [table()]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
