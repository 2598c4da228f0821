"""Find the variables of a shell text with a single known value."""

from collections.abc import Iterator

from tree_sitter import Node

from toolmem.core import limits
from toolmem.core.shell.expand import ScriptSource, value_of, words_of

_SETTERS = frozenset(("read", "mapfile", "readarray", "getopts", "printf", "unset"))


def variables_of(root: Node, source: ScriptSource) -> dict[str, str | None]:
    """Map each name to its only value, in addition to those of ``source``.

    A second value, an array, an appended or very long one makes it unknown.
    """
    found = dict(source.variables or {})
    source = source._replace(variables=found)
    own: set[str] = set()
    for node in _descendants(root):
        for name, value in _settings(node, source):
            usable = value is not None and len(value) <= limits.SHELL_VALUE_CHARS
            again = name in own and found[name] != value
            found[name] = value if usable and not again else None
            own.add(name)
    return found


def _settings(node: Node, source: ScriptSource) -> Iterator[tuple[str, str | None]]:
    if node.type == "variable_assignment":
        yield from _assigned(node, source)
    elif node.type == "for_statement":
        name = node.child_by_field_name("variable")
        values = words_of(node.children_by_field_name("value"), source)
        only = values[0].text if len(values) == 1 and values[0].known else None
        if name is not None:
            yield _text(name, source), only
    elif node.type in ("command", "unset_command"):
        start, end = node.start_byte, node.end_byte
        first = source.slice(start, min(end, start + 12)).split()[:1]
        if first and first[0] in _SETTERS:
            yield from ((word, None) for word in source.slice(start, end).split()[1:])


def _assigned(node: Node, source: ScriptSource) -> Iterator[tuple[str, str | None]]:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        return
    plain = name.type == "variable_name" and not (value and value.type == "array")
    plain = plain and all(child.type != "+=" for child in node.children)
    # In `x=1 cmd $x` the command line does not see that value.
    plain = plain and not (node.parent and node.parent.type == "command")
    if node.parent and node.parent.type == "declaration_command":
        declared = source.slice(node.parent.start_byte, node.start_byte)
        plain = plain and " -n" not in declared  # another name of a variable
    known = value_of([value] if value else [], source).text if plain else None
    yield _text(name, source).partition("[")[0], known


def _descendants(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def _text(node: Node, source: ScriptSource) -> str:
    return source.slice(node.start_byte, node.end_byte)
