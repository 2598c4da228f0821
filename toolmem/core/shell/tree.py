"""Extract simple commands from the syntax tree of a shell text.

The parser is loaded when the first text is read, so that guards on plain arguments
never load it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from toolmem.core import limits
from toolmem.core.shell.expand import (
    ScriptSource,
    constant_output,
    is_plain_output,
    outputs_of,
    value_of,
    words_of,
)
from toolmem.core.shell.grammar import bash_parser
from toolmem.core.shell.lift import INPUT, lift, put_back
from toolmem.core.shell.variables import variables_of
from toolmem.core.shell.words import GAP, Redirect, SimpleCommand, Word

_OPERATORS = re.compile(r"[|&;<>(){}\[\]`]")
_TICKS = re.compile(r"(?<!\\)`((?:[^`\\]|\\.)*)`", re.S)
_VARIABLE = re.compile(r'"?\$\{?(\w+)\}?"?')
_UNSEEN = SimpleCommand((Word("eval"), Word(GAP)))
"""A command whose program only the shell knows."""
_DECLARATIONS = ("declaration_command", "unset_command")
_JOINING = frozenset(("&&", "||", "|", "|&", ";", ";;", "&", "(", ")"))
"""Tokens between two commands; otherwise a line end separates them."""


class ParsedScript(NamedTuple):
    """Simple commands of one text, and further texts that it runs.

    ``reason`` is empty if the whole text was understood.
    """

    commands: tuple[SimpleCommand, ...]
    nested: tuple[str, ...] = ()
    variables: Mapping[str, str | None] | None = None
    reason: str = ""


def read_tree(
    text: str, variables: Mapping[str, str | None] | None = None, stdin: str = ""
) -> ParsedScript:
    """Read one shell text with the variables and standard input of its context."""
    lifted = lift(text)
    if len(lifted.script) > limits.SHELL_GRAMMAR_CHARS:
        return ParsedScript((), reason="the shell text is too long")
    if sum(1 for _ in _OPERATORS.finditer(lifted.script)) > limits.SHELL_OPERATORS:
        return ParsedScript((), reason="the shell text has too many operators")
    script = lifted.script.encode("ascii", "replace")
    root = bash_parser().parse(script).root_node
    source = variables_of(root, ScriptSource(script, lifted.literals, variables))
    walk = _Walk(source)
    walk.run(root, stdin)
    broken = root.has_error or not lifted.balanced
    reason = "the shell syntax was not understood" if broken else ""
    nested = [put_back(text, lifted.literals) for text in walk.nested]
    return ParsedScript(tuple(walk.commands), tuple(nested), source.variables, reason)


class _Place(NamedTuple):
    """Context of a node: its input, and the operator after the previous command."""

    stdin: str
    operator: str = ""
    substituted: bool = False


class _Walk:
    """One pass over the tree, collecting commands in the order of the text."""

    __slots__ = ("commands", "extras", "nested", "source")

    def __init__(self, source: ScriptSource) -> None:
        self.source = source
        self.commands: list[SimpleCommand] = []
        self.nested: list[str] = []
        self.extras: dict[int, list[Node]] = {}

    def run(self, root: Node, stdin: str) -> None:
        waiting = [(root, _Place(stdin))]
        while waiting:
            node, place = waiting.pop()
            stdin, start = place.stdin, len(self.commands)
            states = [stdin] * len(node.children)
            if node.type == "pipeline":
                states = self._stages(node, stdin)
            elif node.type == "redirected_statement":
                states = [self._redirected(node, stdin)] * len(node.children)
            elif node.type == "command" or node.type in _DECLARATIONS:
                self._command(node, stdin)
            elif node.type == "command_substitution":
                self._emit(self._file_read(node))
            elif node.type == "for_statement":
                self._loop(node.children_by_field_name("value"))
            elif node.type == "array":
                self._loop(node.named_children)
            elif node.type == "test_command":
                opening = node.children[0]
                self._emit(SimpleCommand((Word(opening.type),)))
            elif not node.children:
                self._leaf(node)
            self.commands[start:] = [
                command._replace(operator=place.operator, substituted=place.substituted)
                for command in self.commands[start:]
            ]
            waiting.extend(reversed(list(_places(node, states, place))))

    def _stages(self, node: Node, stdin: str) -> list[str]:
        states = []
        for child in node.children:
            states.append(stdin)
            if child.is_named:
                stdin = self._output(child, stdin)
        return states

    def _output(self, stage: Node, stdin: str) -> str:
        """Return the output of a stage if it is constant; else a gap."""
        redirects: list[Node] = []
        if stage.type == "redirected_statement":
            redirects = stage.children_by_field_name("redirect")
            stage = stage.child_by_field_name("body") or stage
        if stage.type != "command":
            return GAP
        command = self._read(stage, redirects, stdin)
        texts = constant_output(command.argv, command.stdin)
        return texts[0] if len(texts) == 1 else GAP

    def _redirected(self, node: Node, stdin: str) -> str:
        redirects = node.children_by_field_name("redirect")
        body = node.child_by_field_name("body")
        if body is None:
            self._emit(self._read(node, [], stdin))
            return stdin
        if body.type in ("pipeline", "list"):
            body = next((c for c in reversed(body.children) if c.is_named), body)
        if body.type == "command":
            self.extras[body.id] = redirects
            return stdin
        group = self._parts(redirects, stdin)
        self._emit(SimpleCommand(group.argv, group.redirects))
        return group.stdin

    def _command(self, node: Node, stdin: str) -> None:
        command = self._read(node, self.extras.get(node.id, []), stdin)
        name = node.child_by_field_name("name")
        programs = self._choices(name.children[0]) if name and name.children else ()
        if not programs or not command.argv:
            self._emit(command)
        for program in programs:
            argv = (*map(Word, program.split()), *command.argv[1:])
            self._emit(command._replace(argv=argv, unsure=True))

    def _choices(self, name: Node) -> tuple[str, ...]:
        """Return the programs that a name may be: a variable with several values, the
        output of ``command -v sudo || true``."""
        variable = _VARIABLE.fullmatch(self.source.text(name))
        if variable:
            return (self.source.choices or {}).get(variable[1], ())
        if name.type == "string" and len(name.named_children) == 1:
            (name,) = name.named_children
        if name.type != "command_substitution":
            return ()
        texts = outputs_of(name, self.source)
        if not texts and not is_plain_output(name, self.source):
            self._emit(_UNSEEN)
        return texts if len(texts) > 1 else ()

    def _emit(self, command: SimpleCommand) -> None:
        if command.argv or command.redirects:
            self.commands.append(command)

    def _loop(self, nodes: list[Node]) -> None:
        """Add the values of a loop or an array, as words of ``for``."""
        values = words_of(nodes, self.source)
        self._emit(SimpleCommand((Word("for"), *values)))

    def _file_read(self, node: Node) -> SimpleCommand:
        """Return the file in ``$(<file)``, which is not a command."""
        return self._parts(node.children_by_field_name("redirect"), "")

    def _leaf(self, node: Node) -> None:
        # Backticks that the grammar took for text, as in "${x:-`cmd`}".
        if node.type in ("word", "string_content", "heredoc_content"):
            text = self.source.slice(node.start_byte, node.end_byte)
            self.nested += _TICKS.findall(text) if "`" in text else []

    def _read(self, node: Node, more: list[Node], stdin: str) -> SimpleCommand:
        return self._parts([*node.children, *more], stdin)

    def _parts(self, nodes: list[Node], stdin: str) -> SimpleCommand:
        words: list[Node] = []
        redirects: list[Redirect] = []
        settings: list[tuple[str, str]] = []
        for node in nodes:
            stdin = self._substituted(node, stdin)
            if node.type == "file_redirect":
                target, rest = _split_targets(node)
                words += rest
                operator = next((c.type for c in node.children if not c.is_named), "")
                redirects.append(Redirect(operator, value_of(target, self.source)))
            elif node.type == "command_name":
                words += node.children
                self.nested += map(self._default, node.children)
            elif node.type != "variable_assignment" or words:
                words.append(node)
            else:
                settings += self._environment(node)
        words.sort(key=lambda node: node.start_byte)
        for redirect in redirects:
            if redirect.target.text.startswith(INPUT):
                stdin = redirect.target.text[1:]
        files = [r for r in redirects if not r.target.text.startswith(INPUT)]
        argv = words_of(words, self.source)
        return SimpleCommand(argv, tuple(files), stdin=stdin, settings=tuple(settings))

    def _substituted(self, node: Node, stdin: str) -> str:
        """Return the constant text of ``<(echo …)`` as input; else that of before."""
        nodes = [node, *node.children] if node.type == "file_redirect" else [node]
        for one in nodes if stdin in ("", GAP) else ():
            if one.type == "process_substitution":
                texts = outputs_of(one, self.source)
                stdin = texts[0] if len(texts) == 1 else stdin
        return stdin

    def _environment(self, node: Node) -> list[tuple[str, str]]:
        """Return the variable in ``GIT_SSH_COMMAND='…' git fetch``."""
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is None:
            return []
        words = [value] if value else []
        return [(self.source.text(name), value_of(words, self.source).text)]

    def _default(self, name: Node) -> str:
        """Return the command in ``${x:-git push}`` in place of a program's name."""
        operator = name.child_by_field_name("operator")
        if name.type != "expansion" or operator is None:
            return ""
        return self.source.slice(operator.end_byte, name.end_byte - 1)


def _places(
    node: Node, states: list[str], place: _Place
) -> Iterator[tuple[Node, _Place]]:
    """Yield the children of a node, each with its context."""
    operator = place.operator
    for child, stdin in zip(node.children, states, strict=True):
        if child.type.endswith("substitution"):
            yield child, _Place("", "$(", substituted=True)
        else:
            yield child, _Place(stdin, operator, place.substituted)
        if child.type in _JOINING:
            operator = child.type
        elif child.is_named and child.type != "comment":
            operator = "\n"


def _split_targets(redirect: Node) -> tuple[list[Node], list[Node]]:
    """Separate a redirect's file from the words that the grammar added to it."""
    nodes = redirect.children_by_field_name("destination")
    count = min(1, len(nodes))
    while (
        0 < count < len(nodes) and nodes[count].start_byte == nodes[count - 1].end_byte
    ):
        count += 1
    return nodes[:count], nodes[count:]
