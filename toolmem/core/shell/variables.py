"""Values of the variables that a shell text sets."""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from toolmem.core import limits
from toolmem.core.shell.expand import (
    ScriptSource,
    outputs_of,
    value_of,
    words_of,
)

_SETTERS = frozenset(("read", "mapfile", "readarray", "getopts", "printf", "unset"))


def variables_of(root: Node, source: ScriptSource) -> ScriptSource:
    """Return a source with the variables of a text, besides those that it has.

    A second value, an array, an appended or very long one makes a variable unknown;
    ``choices`` has its values if there are few and all are known.
    """
    found = dict(source.variables or {})
    choices: dict[str, tuple[str, ...]] = dict(source.choices or {})
    source = source._replace(variables=found, choices=choices)
    own: dict[str, list[str | None]] = {}
    for node in _descendants(root):
        for name, value in _settings(node, source):
            usable = value is not None and len(value) <= limits.SHELL_VALUE_CHARS
            values = own.setdefault(name, [])
            if name.endswith("[@]"):
                values.clear()  # the last state counts, to which others were added
            values += [value if usable else None] if value not in values else []
            found[name] = values[0] if len(values) == 1 else None
            texts = tuple(value for value in values if value is not None)
            choices.pop(name, None)
            if 1 < len(values) == len(texts) <= limits.BRACE_WORDS:
                choices[name] = texts
    return source


def _settings(node: Node, source: ScriptSource) -> Iterator[tuple[str, str | None]]:
    if node.type == "variable_assignment":
        yield from _assigned(node, source)
    elif node.type == "for_statement":
        name = node.child_by_field_name("variable")
        values = words_of(node.children_by_field_name("value"), source)
        texts = [one.text if one.known and not one.shape else None for one in values]
        if name is not None:
            yield from ((source.text(name), text) for text in texts or [None])
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
    # In `x=1 cmd $x` the command line does not see that value.
    plain = plain and not (node.parent and node.parent.type == "command")
    if node.parent and node.parent.type == "declaration_command":
        declared = source.slice(node.parent.start_byte, node.start_byte)
        plain = plain and " -n" not in declared  # another name of a variable
    if value and value.type == "array":
        yield from _array(node, source.text(name), source)
    known = value_of([value] if value else [], source).text if plain else None
    if known is not None and any(child.type == "+=" for child in node.children):
        before = (source.variables or {}).get(source.text(name))
        known = None if before is None else before + known
    printed = [None] if value is None else possible_outputs(value, source)
    several = printed if plain and known is not None and len(printed) > 1 else [known]
    for text in several:
        yield source.text(name).partition("[")[0], text


def _array(
    node: Node, name: str, source: ScriptSource
) -> Iterator[tuple[str, str | None]]:
    """Yield the words of an array under ``name[@]``, if they are known."""
    value = node.child_by_field_name("value")
    words = words_of(value.named_children if value else [], source)
    usable = all(one.known and not one.shape and " " not in one.text for one in words)
    text = " ".join(one.text for one in words) if usable else None
    before = (source.variables or {}).get(f"{name}[@]", "")
    if any(child.type == "+=" for child in node.children):
        text = None if before is None or text is None else f"{before} {text}"
    yield f"{name}[@]", text


def possible_outputs(node: Node, source: ScriptSource) -> Sequence[str | None]:
    """Return what a word that is nothing but a substitution may be."""
    if node.type == "string" and len(node.named_children) == 1:
        (node,) = node.named_children
    return outputs_of(node, source) if node.type == "command_substitution" else ()


def _descendants(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))
