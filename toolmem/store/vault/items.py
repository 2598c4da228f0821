"""Convert files of the vault to items for comparison."""

from collections.abc import Iterator
from typing import Any

from toolmem.core.changes.model import FACTS_FILE, ChangedItem
from toolmem.core.facts import parse as facts_parse
from toolmem.core.formats.toml_text import flat, parse_toml
from toolmem.core.guard.derivation.duties import derive_duties
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.guard.derivation.stored import read_rule
from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_line import Node, PlainScalar
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.model import Scope
from toolmem.core.names import decode_name, folder_key
from toolmem.core.rules.rule_file import OWN_REASON
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import InvalidFileError
from toolmem.store.files import layout
from toolmem.store.files.walk import kind_of

_KINDS = {"rule": "rule", "memory": "memory", "manifest": "tool", "prose": "text"}
_OTHER_KEYS = ("rule", "tool", "id", "archived_at", "format", OWN_REASON)


def items_of(path: str, data: bytes | str) -> Iterator[ChangedItem]:
    """Yield the items in a file; ``data`` may be why it cannot be read.

    A file of facts has one for each fact, any other file one.
    """
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    kind = kind_of(home)
    if path.startswith(f"{layout.STATE}/"):
        return
    scope = layout.scope_of(home)
    if kind == "facts" and scope is not None and home == path:
        yield from _facts(path, data, scope)
        return
    yield _item(_base(path, home, kind, scope), data)


def kind_and_scope(path: str) -> tuple[str, Scope | None]:
    """Return the kind of the items in a file, and their scope; nothing is read."""
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    if home == layout.SETTINGS:
        return "settings", None
    kind = kind_of(home)
    if kind == "facts" and home == path:
        return "fact", layout.scope_of(home)
    return _KINDS.get(kind, "other"), layout.scope_of(home)


def item_at(path: str) -> ChangedItem:
    """Return the item of a file that is not read, without its content."""
    home = path.removeprefix(f"{layout.ARCHIVE}/")
    return _base(path, home, kind_of(home), layout.scope_of(home))


def _base(path: str, home: str, kind: str, scope: Scope | None) -> ChangedItem:
    name = home.rpartition("/")[2]
    if home == layout.SETTINGS:
        return ChangedItem("settings", name, path, home, None)
    known = _KINDS.get(kind, "other")
    item = ChangedItem(known, home, path, home, scope)
    match known:
        case "rule":
            return item._replace(tool=folder_key(home.split("/")[-2]))
        case "memory":
            return item._replace(id=name.removesuffix(".md"))
        case "tool":
            tool = decode_name(name.removesuffix(".toml"))
            return item._replace(id=tool, tool=tool)
    return item


def _item(base: ChangedItem, data: bytes | str) -> ChangedItem:
    if isinstance(data, str):
        return base._replace(problem=data)
    if base.kind == "other":
        return base._replace(values={"bytes": data})
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return base._replace(problem="is not UTF-8 text")
    line = conflict_line(text)
    if line:
        problem = f"line {line}: the file has an unresolved merge conflict"
        return base._replace(problem=problem, values={"bytes": data})
    try:
        return _READERS[base.kind](base, text)
    except InvalidFileError as error:
        problem = f"line {error.line}: {error.reason}" if error.line else error.reason
        return base._replace(problem=problem, values={"bytes": data})


def _rule(base: ChangedItem, text: str) -> ChangedItem:
    file = read_rule(
        text, path=base.path, scope=base.scope or Scope("system"), folder_tool=base.tool
    )
    stated = file.stated
    tool, rule = str(stated.get("tool", base.tool)), str(stated.get("rule", ""))
    values = {key: value for key, value in stated.items() if key not in _OTHER_KEYS}
    derived: dict[str, Any] = {}
    if "guard" not in stated:
        derived["guard"] = list(derived_guards(rule, tool))
        derived["duty"] = stated.get("duty", list(derive_duties(rule)))
    return base._replace(
        id=file.id,
        tool=tool,
        text=rule,
        values=values | {key: tables for key, tables in derived.items() if tables},
        override="rule" not in stated or "tool" not in stated,
    )


def _memory(base: ChangedItem, text: str) -> ChangedItem:
    header = read_header(split_header(text))
    parsed = parse_memory(text, path=base.path)
    values = {
        key: _written(entry.node)
        for key, entry in header.entries.items()
        if key != "archived_at"
    }
    problem = next((one.message for one in header.problems), "")
    return base._replace(
        title=parsed.title, text=parsed.body, values=values, problem=problem
    )


def _written(node: Node) -> object:
    """Return the value of a field as it is written."""
    if isinstance(node, PlainScalar):
        return node.text
    if isinstance(node, list):
        return tuple(_written(item) for item in node)
    if isinstance(node, dict):
        return {key: _written(item) for key, item in node.items()}
    return str(node)


def _text(base: ChangedItem, text: str) -> ChangedItem:
    return base._replace(text=text)


def _table(base: ChangedItem, text: str) -> ChangedItem:
    return base._replace(values=flat(parse_toml(text, base.path)))


def _facts(path: str, data: bytes | str, scope: Scope) -> Iterator[ChangedItem]:
    if isinstance(data, bytes):
        text = data.decode("utf-8", "replace")
        for fact in facts_parse.parse_facts(text).facts:
            name = f"{fact.namespace}.{fact.key}"
            yield ChangedItem("fact", name, path, path, scope, "", fact.value, fact.key)
    problem = data if isinstance(data, str) else _facts_problem(data)
    yield ChangedItem(
        "text", path, path, path, scope, title=FACTS_FILE, problem=problem
    )


def _facts_problem(data: bytes) -> str:
    try:
        line = conflict_line(data.decode())
    except UnicodeDecodeError:
        return "is not UTF-8 text"
    return f"line {line}: the file has an unresolved merge conflict" if line else ""


_READERS = {
    "rule": _rule,
    "memory": _memory,
    "text": _text,
    "tool": _table,
    "settings": _table,
}
