"""Expand the pieces of a shell word to the words that the program gets."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from toolmem.core import limits
from toolmem.core.shell.lift import INPUT, PLACEHOLDER, decode_ansi
from toolmem.core.shell.words import (
    GAP,
    NAME_GAP,
    PLAIN_GAP,
    UNSEEN_PIPE,
    Word,
    has_gap,
    new_path,
)

# Quoted characters are moved to a private plane while a word is assembled, to
# distinguish them from bare `{`, `*` or blanks.
_MARK = {ord(char): chr(0xE100 + ord(char)) for char in "${},*?[]~ \t\n"}
_VALUE_MARK = {ord(char): chr(0xE100 + ord(char)) for char in "${},~"}
_MANY, _EMPTY, _ABSORBING = "\ue181", "\ue182", "\ue183"
_ABSORBED = re.compile(rf"{_ABSORBING}[^ \t\n]*")
_UNMARK = {ord(marked): chr(char) for char, marked in _MARK.items()}
_UNMARK |= {ord(_MANY): "", ord(_EMPTY): "", ord(_ABSORBING): GAP}

_KNOWN = {"HOME": "~", "PWD": ".", "IFS": " ", "SHELL": "/bin/bash"}
_NUMBERS = frozenset("?#$!") | {"UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO"}
_LEAVES = ("word", "number", "variable_name", "brace_expression")
_BLANKS = re.compile(r"[ \t\n]+")
_BLANK = re.compile(r"(?:\\[ \t]|[ \t])*")
_BETWEEN = re.compile(r"\\.|[ \t]+")
_IN_LEAF = re.compile(rf"{PLACEHOLDER.pattern}|\\(.)", re.DOTALL)
_IN_STRING = re.compile(rf"{PLACEHOLDER.pattern}|\\([$`\"\\])")
_BARE_VARIABLE = re.compile(r"\$(\w+|[@*#?$!-])|\$\{(\w+)\}")
_BRACES = re.compile(r"\{([^{},]*,[^{}]*|(-?\w{1,9})\.\.(-?\w{1,9}))\}")
_GLOBS = re.compile(r"\*+|\?|\[[^\]/]*\]")
_PLAIN_OUTPUT = (
    r"[$(`]+\s*(?:date|pwd|whoami|hostname|mktemp|basename|dirname|realpath|nproc|id"
    r"|pgrep|pidof|lsof\s+-t\w*|jobs\s+-p|cat\s+[\w./~-]+\.pid"
    r"|git\s+(?:branch\s+--show-current|rev-parse|symbolic-ref|describe))\b[^|;&<>\n]*$"
)
_FINDERS = {"which": 1, "type": 2, "command": 2}
"""Commands that print where a program is → their words before its name."""
_SILENT = frozenset(("true", ":", "false", "test", "[", "cd", "set"))
_STATEMENTS = frozenset(
    ("command", "redirected_statement", "pipeline", "list", "if_statement", "subshell",
     "elif_clause", "else_clause", "case_statement", "case_item", "negated_command",
     "compound_statement", "test_command", "variable_assignment",
     "declaration_command")
)  # fmt: skip
_CONDITIONAL = frozenset(
    ("list", "if_statement", "elif_clause", "else_clause", "case_statement",
     "case_item", "negated_command")
)  # fmt: skip
"""Statements whose parts may run or not."""
_MOST_OUTPUTS = 8
_GIVES_OPTION = r"[/+=-]--?\w"
"""An expansion such as ``${x:+--force}``."""
_DEFAULT = r"(\w+):?[-=]([\w./~+-]+)"


class ScriptSource(NamedTuple):
    """Source of a word: the script, its lifted literals, its variables.

    ``variables`` maps a name to its only value in the text; ``None``: not known.
    ``choices`` maps one with several values to them.
    """

    script: bytes
    literals: tuple[str, ...] = ()
    variables: Mapping[str, str | None] | None = None
    choices: Mapping[str, tuple[str, ...]] | None = None

    def slice(self, start: int, end: int) -> str:
        """Return the script's text between two byte positions."""
        return self.script[start:end].decode("utf-8", "replace")

    def text(self, node: Node) -> str:
        """Return the script's text of a node."""
        return self.slice(node.start_byte, node.end_byte)


def words_of(nodes: Sequence[Node], source: ScriptSource) -> tuple[Word, ...]:
    """Return the words of a command's argument nodes, in order; adjacent ones are
    joined."""
    words: list[Word] = []
    encoded = ""
    end = nodes[0].start_byte if nodes else 0
    for node in nodes:
        between = source.slice(end, node.start_byte)
        # The grammar mistakes an escaped blank at the edge of a token for a blank.
        pieces = _BETWEEN.findall(between) if _BLANK.fullmatch(between) else [between]
        for piece in filter(None, pieces):
            if piece.startswith("\\"):
                encoded += piece[1].translate(_MARK)
            else:
                words += _finish(encoded, source)
                encoded = ""
        encoded += _piece(node, source, quoted=False)
        end = node.end_byte
    return (*words, *_finish(encoded, source))


def value_of(nodes: Sequence[Node], source: ScriptSource) -> Word:
    """Return one word that is neither split nor globbed, as for an assignment or a
    redirect; with gaps where it is unknown."""
    return _decode("".join(_piece(node, source, quoted=True) for node in nodes))


def _piece(node: Node, source: ScriptSource, *, quoted: bool) -> str:
    kind = node.type
    if not node.is_named or kind in _LEAVES:
        return _leaf(source.slice(node.start_byte, node.end_byte), source)
    if kind == "raw_string":
        text = source.slice(node.start_byte + 1, node.end_byte - 1)
        return _EMPTY + text.translate(_MARK)
    if kind == "string":
        return _EMPTY + _string(node, source)
    if kind in ("concatenation", "variable_assignment"):
        return "".join(_piece(part, source, quoted=quoted) for part in node.children)
    if kind in ("simple_expansion", "expansion"):
        return _variable(node, source, quoted=quoted)
    if kind == "command_substitution":
        return _substitution(node, source, quoted=quoted)
    if kind == "arithmetic_expansion":
        return PLAIN_GAP
    if kind == "process_substitution":
        return UNSEEN_PIPE
    return _gap(quoted)


def _gap(quoted: bool) -> str:
    return GAP if quoted else GAP + _MANY


def _leaf(text: str, source: ScriptSource) -> str:
    return _IN_LEAF.sub(partial(_unescaped, source), text)


def _unescaped(source: ScriptSource, match: re.Match[str]) -> str:
    if match[1]:
        return _EMPTY + source.literals[int(match[1])].translate(_MARK)
    return match[2].translate(_MARK)


def _string(node: Node, source: ScriptSource) -> str:
    pieces = []
    end = node.start_byte + 1
    for child in node.children[1:-1]:
        # The grammar omits blanks between two expansions.
        pieces.append(source.slice(end, child.start_byte).translate(_MARK))
        end = child.end_byte
        if child.type == "string_content":
            text = source.slice(child.start_byte, end)
            text = _IN_STRING.sub(partial(_unescaped, source), text)
            pieces.append(text.translate(_MARK))
        else:
            pieces.append(_piece(child, source, quoted=True))
    pieces.append(source.slice(end, node.end_byte - 1).translate(_MARK))
    return "".join(pieces)


def _variable(node: Node, source: ScriptSource, *, quoted: bool) -> str:
    text = source.slice(node.start_byte, node.end_byte)
    if text[1:2] != "{" and source.script[node.end_byte : node.end_byte + 1] == b"{":
        return _ABSORBING  # `$x{a,b}c` is `$xac $xbc`
    return _value(text.strip("${}"), source, quoted=quoted)


def _value(name: str, source: ScriptSource, *, quoted: bool) -> str:
    if name in _NUMBERS or (name.startswith("#") and len(name) > 1):
        return PLAIN_GAP
    assigned = source.variables or {}
    words = assigned.get(name.replace("[*]", "[@]")) if name[-1:] == "]" else None
    if words is not None:
        return words.translate(_VALUE_MARK)
    if name in ("@", "*") or name.endswith(("[@]", "[*]")):
        return GAP + _MANY
    default = re.fullmatch(_DEFAULT, name)
    if default:
        value = assigned.get(default[1]) or default[2]
    else:
        value = assigned.get(name, _KNOWN.get(name))
    if value is None:
        if re.search(_GIVES_OPTION, name):
            return _gap(quoted)
        plain = _has_plain_choices((source.choices or {}).get(name, ()))
        return PLAIN_GAP if quoted or plain else _gap(quoted)
    if quoted:
        return value.translate(_MARK)
    if any(char in value for char in assigned.get("IFS") or "" if not char.isspace()):
        return _gap(quoted)
    return value.translate(_VALUE_MARK) + (_MANY if has_gap(value) else "")


def _has_plain_choices(texts: Sequence[str]) -> bool:
    """Return True if a variable has several known values, and none is an option."""
    return bool(texts) and all(re.match(r"[\w./][^\s*?]*\Z", text) for text in texts)


def _substitution(node: Node, source: ScriptSource, *, quoted: bool) -> str:
    texts = outputs_of(node, source)
    if len(texts) == 1:
        return texts[0].translate(_MARK if quoted else _VALUE_MARK)
    return PLAIN_GAP if is_plain_output(node, source) else _gap(quoted)


def is_plain_output(node: Node, source: ScriptSource) -> bool:
    """Return True if a substitution prints a date, a branch, a path or the like."""
    return re.match(_PLAIN_OUTPUT, source.text(node)) is not None


def outputs_of(node: Node, source: ScriptSource) -> tuple[str, ...]:
    """Return the texts that a substitution may print; none if any is unknown."""
    found = _outputs(node, source, "")
    return tuple(dict.fromkeys(text.strip("\n") for text in found))


def _outputs(node: Node, source: ScriptSource, stdin: str) -> list[str]:
    if node.type == "command":
        return constant_output(command_words(node, source), stdin)
    if node.type == "redirected_statement":
        for redirect in node.children_by_field_name("redirect"):
            target = value_of(redirect.children_by_field_name("destination"), source)
            stdin = target.text[1:] if target.text.startswith(INPUT) else stdin
    children = [child for child in node.named_children if child.type in _STATEMENTS]
    if node.type == "pipeline":
        for child in children:
            texts = _outputs(child, source, stdin)
            if len(texts) != 1:
                return []
            stdin = texts[0]
        return [stdin]
    reads = [child for child in node.named_children if child.type == "file_redirect"]
    if reads and not children:
        return []  # `$(<file)`
    found = [""]
    for child in children:
        texts = _outputs(child, source, stdin)
        if not texts:
            return []
        other = [""] if node.type in _CONDITIONAL else []
        both = dict.fromkeys(one + text for one in found for text in (*texts, *other))
        found = list(both)[:_MOST_OUTPUTS]
    return found


def command_words(node: Node, source: ScriptSource) -> tuple[Word, ...]:
    """Return the words of a command, without its redirects and assignments."""
    words: list[Node] = []
    for child in node.children:
        if child.type == "command_name":
            words += child.children
        elif words and not child.type.endswith("redirect"):
            words.append(child)
    return words_of(words, source)


def constant_output(words: Sequence[Word], stdin: str) -> list[str]:
    """Return what a command with constant words may print; empty if it is unknown."""
    texts = [word.text for word in words]
    name = texts[0] if texts else ""
    if name in _SILENT:
        return [""]
    if not texts or any(map(has_gap, texts)) or any(word.many for word in words):
        return []
    if name == "cat" and len(texts) == 1:
        return [stdin] if stdin else []
    if name == "printf" and len(texts) > 1:
        return [_formatted(decode_ansi(texts[1]), texts[2:])]
    if name == "echo":
        escapes = len(texts) > 1 and re.fullmatch(r"-[neE]+", texts[1])
        text = " ".join(texts[2:] if escapes else texts[1:])
        return [decode_ansi(text) if escapes and "e" in escapes[0] else text]
    if name == "mktemp":
        return [new_path(words)]
    return texts[_FINDERS[name] :] if name in _FINDERS else []


def _formatted(form: str, values: list[str]) -> str:
    """Return the output of ``printf``, which uses its format for all values."""
    count = len(re.findall("%[sbq]", form))
    rest, printed = iter(values), []
    for _ in range(0, len(values) or 1, count or len(values) or 1):
        printed.append(re.sub("%[sbq]", lambda _: next(rest, ""), form))
    return "".join(printed)


def _finish(encoded: str, source: ScriptSource) -> list[Word]:
    # The grammar leaves some expansions in a word's text, as in `{a}$x`.
    encoded = _BARE_VARIABLE.sub(
        lambda name: _value(name[1] or name[2], source, quoted=False), encoded
    )
    encoded = _ABSORBED.sub(GAP + _MANY, encoded)
    words = []
    for expanded in _expand_braces(encoded):
        words += [_decode(part) for part in _BLANKS.split(expanded) if part]
    return words


def _decode(encoded: str) -> Word:
    text = encoded.translate(_UNMARK)
    shape = _GLOBS.sub(NAME_GAP, encoded).translate(_UNMARK)
    return Word(text, _MANY in encoded, "" if shape == text else shape)


def _expand_braces(encoded: str) -> list[str]:
    done: list[str] = []
    waiting = [encoded]
    while waiting:
        word = waiting.pop()
        braces = _BRACES.search(word)
        if not braces:
            done.append(word)
            continue
        options = _options(braces)
        if len(done) + len(waiting) + len(options) > limits.BRACE_WORDS:
            return [GAP + _MANY]
        head, tail = word[: braces.start()], word[braces.end() :]
        waiting += [head + option + tail for option in reversed(options)]
    return done


def _options(braces: re.Match[str]) -> Sequence[str]:
    first, last = braces[2], braces[3]
    if first is None:
        return braces[1].split(",")
    if not (first.lstrip("-").isdecimal() and last.lstrip("-").isdecimal()):
        if len(first) > 1 or len(last) > 1:
            return [f"{first}..{last}"]
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)]
    low, high = sorted((int(first), int(last)))
    return range_texts(low, high)


def range_texts(low: int, high: int) -> Sequence[str]:
    """Return the numbers of ``{low..high}`` as texts, up to the limit plus one."""
    high = min(high, low + limits.BRACE_WORDS + 1)
    return [str(number) for number in range(low, high + 1)]
