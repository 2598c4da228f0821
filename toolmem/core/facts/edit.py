"""Set or delete one fact while every other byte of the file stays.

Each result is parsed again: a text that would read back as anything but the old facts
with the one change is never returned.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping

from toolmem.core.facts.parse import (
    PROSE,
    FactLine,
    ParsedFacts,
    parse_facts,
    plain_name,
    read_fact,
)
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.safetext import find_unsafe
from toolmem.core.text.textlines import (
    BLANKS,
    BOM,
    fence,
    heading,
    line_ending,
    split_lines,
)
from toolmem.errors import InvalidFileError, NotFoundError, UsageError


def set_fact(
    text: str, namespace: str, key: str, value: str, *, path: str = "facts.md"
) -> str:
    """Return the text with one fact changed in its line, or inserted as one line.

    A new fact goes below the last of its namespace, in the same bullet style; a new
    namespace goes to the end, under a heading. Namespace and value are stripped. Raises
    ``UsageError`` for a key, namespace or value that cannot be stored, and
    ``InvalidFileError`` (with ``path``) if the file itself prevents the change.
    """
    wanted = namespace, key, value = _checked(namespace, key, value)
    _refuse_conflict(text, path)
    parsed = parse_facts(text)
    old = _find(parsed, namespace, key)
    if not old:
        return _with_new(text, parsed, [wanted], path)
    if old[-1].value == value:
        return text
    rest = [_triple(fact) for fact in parsed.lines if fact not in old[-1:]]
    changed = _replaced(text, old[-1], value)
    if not _reads_as(changed, rest, [wanted]):
        raise _unreadable(parsed, path, old[-1].line)
    return changed


def add_facts(
    text: str, namespace: str, values: Mapping[str, str], *, path: str = "facts.md"
) -> str:
    """Return the text with new facts of one namespace, as ``set_fact`` inserts one.

    ``values`` are by key; the text has none of these facts.
    """
    _refuse_conflict(text, path)
    wanted = [_checked(namespace, key, value) for key, value in values.items()]
    return _with_new(text, parse_facts(text), wanted, path)


def _with_new(
    text: str, parsed: ParsedFacts, wanted: list[tuple[str, str, str]], path: str
) -> str:
    rest = [_triple(fact) for fact in parsed.lines]
    contents = [f"{key}: {value}" for _, key, value in wanted]
    for changed in _inserted(text, parsed, wanted[0][0], contents):
        if _reads_as(changed, rest, wanted):
            return changed
    raise _unreadable(parsed, path, 0)


def delete_fact(text: str, namespace: str, key: str, *, path: str = "facts.md") -> str:
    """Return the text without the lines of one fact.

    Raises ``NotFoundError`` for a missing fact, and ``InvalidFileError`` if the lines
    around it would read differently without it.
    """
    name = plain_name(namespace.strip(BLANKS)), plain_name(key)
    changed = delete_facts(text, {name}, path=path)
    if changed == text:
        raise NotFoundError(f"{path}: no fact {key!r} in {namespace!r}")
    return changed


def delete_facts(
    text: str, names: Collection[tuple[str, str]], *, path: str = "facts.md"
) -> str:
    """Return the text without the lines of facts, given by namespace and key.

    Raises ``InvalidFileError`` if the lines around them would read differently.
    """
    _refuse_conflict(text, path)
    parsed = parse_facts(text)
    gone = {f.line for f in parsed.lines if (f.namespace, f.key) in names}
    if not gone:
        return text
    bom, rows = _rows(text)
    changed = bom + "".join(row for n, row in enumerate(rows, 1) if n not in gone)
    rest = [_triple(fact) for fact in parsed.lines if fact.line not in gone]
    if [_triple(fact) for fact in parse_facts(changed).lines] != rest:
        raise _unreadable(parsed, path, max(gone))
    return changed


def _checked(namespace: str, key: str, value: str) -> tuple[str, str, str]:
    namespace, key = plain_name(namespace.strip(BLANKS)), plain_name(key)
    value = value.strip(BLANKS)
    _check_namespace(namespace)
    check_key(key)
    _check_value(value)
    return namespace, key, value


def check_key(key: str) -> None:
    """Raise ``UsageError`` for a key that could not be read back from a file."""
    unsafe = find_unsafe(key)
    if not key.strip():
        raise UsageError("the key of a fact is blank")
    if unsafe:
        raise UsageError(f"the key {key!r} contains {unsafe[1]}")
    if ":" in key or any(char.isspace() for char in key):
        raise UsageError(f"the key {key!r} contains a colon or a space: use _ or -")
    if key.casefold() in PROSE:
        raise UsageError(f"{key!r} cannot be a key: `{key}:` begins a comment")
    if fence(key) or read_fact(f"{key}:") != (key, ""):
        raise UsageError(
            f"the key {key!r} contains markup: use letters, digits, _ and -"
        )


def _check_namespace(namespace: str) -> None:
    unsafe = find_unsafe(namespace)
    if unsafe:
        raise UsageError(f"the namespace {namespace!r} contains {unsafe[1]}")
    if not namespace or heading(f"## {namespace}") != (2, namespace):
        raise UsageError(f"{namespace!r} cannot be the heading of a namespace")


def _check_value(value: str) -> None:
    unsafe = find_unsafe(value)
    if unsafe:
        hint = " (a fact is one line)" if "\n" in value else ""
        raise UsageError(f"the value {value[:40]!r} contains {unsafe[1]}{hint}")
    if value.startswith("//"):
        raise UsageError(
            "a value cannot begin with //: it would be read as part of a URL"
        )


def _refuse_conflict(text: str, path: str) -> None:
    line = conflict_line(text)
    if line:
        raise InvalidFileError(path, line, "resolve the merge conflict first")


def _unreadable(parsed: ParsedFacts, path: str, line: int) -> InvalidFileError:
    """Return the error for a failed edit, at an unclosed block if there is one."""
    opened = [p.line for p in parsed.problems if p.code == "unclosed-block"]
    message = (
        "the facts would be read back differently after this change: edit the "
        "file by hand"
    )
    return InvalidFileError(path, opened[0] if opened else line, message)


def _find(parsed: ParsedFacts, namespace: str, key: str) -> list[FactLine]:
    wanted = (namespace, key)
    return [fact for fact in parsed.lines if (fact.namespace, fact.key) == wanted]


def _triple(fact: FactLine) -> tuple[str, str, str]:
    return fact.namespace, fact.key, fact.value


def _reads_as(
    text: str, rest: list[tuple[str, str, str]], wanted: list[tuple[str, str, str]]
) -> bool:
    """Return True if the text has the facts ``rest`` in order, and those ``wanted`` in
    effect.
    """
    parsed = parse_facts(text)
    if not {*wanted} <= {_triple(fact) for fact in parsed.facts}:
        return False
    left, read = {*wanted}, []
    for triple in map(_triple, reversed(parsed.lines)):
        if triple in left:
            left.remove(triple)
        else:
            read.append(triple)
    return read[::-1] == rest


def _rows(text: str) -> tuple[str, list[str]]:
    bare = text.removeprefix(BOM)
    return text[: len(text) - len(bare)], split_lines(bare)


def _replaced(text: str, fact: FactLine, value: str) -> str:
    bom, rows = _rows(text)
    row = rows[fact.line - 1]
    after_colon = row.index(":", fact.column) + 1
    if fact.value:
        start = row.index(fact.value, after_colon)
        head, tail = row[:start], row[start + len(fact.value) :]
    else:
        head, tail = row[:after_colon] + " ", line_ending(row)
    if not value:
        head = head.rstrip(BLANKS)
    rows[fact.line - 1] = head + value + tail
    return bom + "".join(rows)


def _inserted(
    text: str, parsed: ParsedFacts, namespace: str, contents: Iterable[str]
) -> Iterable[str]:
    """Yield the text with new lines at each possible place, best first."""
    siblings = [fact for fact in parsed.lines if fact.namespace == namespace]
    titles = [line for name, line in parsed.headings if name == namespace]
    styles = siblings or parsed.lines
    _, rows = _rows(text)
    lead = rows[styles[-1].line - 1][: styles[-1].column] if styles else ""
    new = [(lead + content).rstrip(BLANKS) for content in contents]
    if not siblings and not titles:
        for place in parsed.places[-1:]:
            yield _with_lines(text, place, _section(rows, place, namespace, new))
        return
    anchor = siblings[-1].line if siblings else titles[0]
    below = bisect_right(parsed.places, anchor)
    if below < len(parsed.places):
        yield _with_lines(text, parsed.places[below], new)
    if siblings:
        yield _with_lines(text, anchor, new)


def _section(rows: list[str], place: int, namespace: str, new: list[str]) -> list[str]:
    """Heading and lines of a new namespace, with blank lines where they are missing."""
    above, below = rows[place - 2 : place - 1] if place > 1 else [], rows[place - 1 :]
    lines = [f"## {namespace}", *new]
    if above and above[0].strip():
        lines.insert(0, "")
    if below and below[0].strip():
        lines.append("")
    return lines


def _with_lines(text: str, place: int, new: list[str]) -> str:
    """Insert lines before line ``place``, with the line ends of their neighbours."""
    bom, rows = _rows(text)
    index = place - 1
    # The last line of a file may have no line end: the one above decides.
    around = [*rows[max(index - 2, 0) : index][::-1], *rows[index : index + 1]]
    ending = next(filter(None, map(line_ending, around)), "\n")
    ended = [line + ending for line in new]
    if index and index == len(rows) and not line_ending(rows[-1]):
        rows[-1] += ending
        ended[-1] = new[-1]
    return bom + "".join([*rows[:index], *ended, *rows[index:]])
