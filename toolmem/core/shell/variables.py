"""Values of the variables that a shell text sets."""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from toolmem.core import limits
from toolmem.core.shell.expand import ScriptSource, value_of, words_of
from toolmem.core.shell.words import Word

_SETTERS = frozenset(("read", "mapfile", "readarray", "getopts", "printf", "unset"))


def variables_of(root: Node, source: ScriptSource) -> ScriptSource:
    """Return a source with the variables of a text, besides those that it has.

    A second value, an array, an appended or very long one makes a variable unknown;
    ``choices`` has its values if there are few and all are known.
    """
    found = dict(source.variables or {})
    source = source._replace(variables=found)
    own: dict[str, list[str | None]] = {}
    for node in _descendants(root):
        for name, value in _settings(node, source):
            usable = value is not None and len(value) <= limits.SHELL_VALUE_CHARS
            values = own.setdefault(name, [])
            values += [value if usable else None] if value not in values else []
            found[name] = values[0] if len(values) == 1 else None
    choices = {
        name: tuple(value for value in values if value is not None)
        for name, values in own.items()
        if 1 < len(values) <= limits.BRACE_WORDS and None not in values
    }
    return source._replace(choices={**(source.choices or {}), **choices})


def _settings(node: Node, source: ScriptSource) -> Iterator[tuple[str, str | None]]:
    if node.type == "variable_assignment":
        yield from _assigned(node, source)
    elif node.type == "for_statement":
        name = node.child_by_field_name("variable")
        values = words_of(node.children_by_field_name("value"), source)
        only = _only_value(values)
        if name is not None:
            yield source.text(name), only
    elif node.type in ("command", "unset_command"):
        start, end = node.start_byte, node.end_byte
        first = source.slice(start, min(end, start + 12)).split()[:1]
        if first and first[0] in _SETTERS:
            yield from ((word, None) for word in source.slice(start, end).split()[1:])


def _only_value(values: Sequence[Word]) -> str | None:
    """Return the value of a loop that runs once; a file glob may be several."""
    known = len(values) == 1 and values[0].known and not values[0].shape
    return values[0].text if known else None


def _assigned(node: Node, source: ScriptSource) -> Iterator[tuple[str, str | None]]:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None:
        return
    plain = name.type == "variable_name" and not (value and value.type == "array")
    # In `x=1 cmd $x` the command line does not see that value.
    plain = plain and not (node.parent and node.parent.type == "command")
    if node.parent and node.parent.type == "declaration_command":
        declared = source.slice(node.parent.start_byte, node.start_byte)
        plain = plain and " -n" not in declared  # another name of a variable
    known = value_of([value] if value else [], source).text if plain else None
    if known is not None and any(child.type == "+=" for child in node.children):
        before = (source.variables or {}).get(source.text(name))
        known = None if before is None else before + known
    yield source.text(name).partition("[")[0], known


def _descendants(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))
