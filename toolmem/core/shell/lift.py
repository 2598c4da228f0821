"""Prepare a shell text for the grammar.

tree-sitter-bash splits a word at a continued line, misreads two here-documents in one
command, misses some backticks in one, and takes quadratic time on long texts; its
scanner reads outside a table at ``{`` before most non-ASCII characters, which crashes
the process. So comments and continued lines are dropped here, quoted or non-ASCII text
becomes a numbered placeholder, and a here-document or here-string a file redirect whose
target begins with a mark. The result is ASCII.
"""

import re
from typing import NamedTuple

from toolmem.core import limits

OPEN, CLOSE = "\x02", "\x03"
"""Around the number of a literal; these characters never come from the input."""
INPUT = "\x04"
"""Before text that a redirect passes instead of a file's name."""
PLACEHOLDER = re.compile(f"{OPEN}(\\d+){CLOSE}")

_RESERVED = re.compile("[\0-\x08\ue000-\ue1ff]")
_STOPS = {
    context: re.compile(rf"[{special}]|[^\x00-\x7f]+")
    for context, special in (
        ("command", r"\\'\"$`()#<\n"),
        ("ticks", r"\\'\"$`()#<\n"),
        ("quotes", r"\\\"$`"),
        ("document", r"\\\"$`"),
        ("braces", r"\\'\"$`}"),
        ("arithmetic", r"\\'\"$`()<"),
    )
}
_DELIMITER = re.compile(
    r"<<(-?)[ \t]*((?:'[^'\n]*'|\"[^\"\n]*\"|\\[^\n]|[^\s;&|()<>'\"\\`])+)"
)
_TOKEN = re.compile(r"([\n;&|({`]|(?:\\.|[^\s;&|({`\\])+)", re.DOTALL)
_STARTERS = frozenset("\n;&|({`") | {
    "then", "do", "else", "elif", "if", "while", "until",
}  # fmt: skip
_COMPOUND = frozenset(("{", "(", "!", "[[", "if", "case", "while", "until", "for"))
_HERE_STRING = re.compile(r"<<<[ \t]*")
_SINGLE = re.compile(r"'([^']*)'")
_DOUBLE = re.compile(r'"([^"\\$`]*)"')
_EMPTY_TICKS = re.compile(r"`\s*+(?:#[^`\n]*+\s*+)*+`")
_COMMENT_END = (re.compile(r"\n"), re.compile(r"[\n`]"))
_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.S)
_ANSI_ESCAPE = re.compile(
    r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)", re.S
)
_ANSI_NAMED = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v", strict=True))


class LiftedScript(NamedTuple):
    """The script for the grammar, and the literals of its placeholders.

    ``balanced``: every quote, bracket and here-document was closed.
    """

    script: str
    literals: tuple[str, ...]
    balanced: bool


def lift(text: str) -> LiftedScript:
    """Remove comments, quoted text and here-documents from a shell text."""
    text = _RESERVED.sub("\ufffd", text).replace("\r\n", "\n")
    lifter = _Lifter(text, [])
    lifter.run()
    script = _without_prefixes("".join(lifter.out))
    return LiftedScript(script, tuple(lifter.literals), lifter.balanced)


def put_back(script: str, literals: tuple[str, ...]) -> str:
    """Restore a piece of a script to shell text, with literals in single quotes."""

    def quoted(match: re.Match[str]) -> str:
        return "'" + literals[int(match[1])].replace("'", "'\"'\"'") + "'"

    return PLACEHOLDER.sub(quoted, script)


def _without_prefixes(script: str) -> str:
    """Remove ``!``, and ``time`` and ``coproc`` before a compound command, which the
    grammar would take for words: ``! { git push; }``."""
    parts = _TOKEN.split(script)
    words = parts[1::2]
    starts = True
    at = 0
    while at < len(words):
        count = _prefix(words[at : at + 3]) if starts else 0
        parts[2 * at + 1 : 2 * (at + count) + 1 : 2] = [""] * count
        starts = starts if count else words[at] in _STARTERS or words[at][-1] == ")"
        at += count or 1
    return "".join(parts)


def _prefix(words: list[str]) -> int:
    """Count the words of such a prefix at the start of a command."""
    if words[0] == "!":
        return 1
    if words[0] not in ("time", "coproc"):
        return 0
    return next(
        (at for at in (1, 2) if words[at : at + 1] and words[at] in _COMPOUND), 0
    )


def decode_ansi(body: str) -> str:
    """Decode the text of ``$'…'``; NUL ends it, as in bash."""

    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "xuU" and len(code) > 1:
            number = int(code[1:], 16)
            return chr(number) if number <= 0x10FFFF else "\ufffd"
        if code[0] in "01234567":
            return chr(int(code, 8) & 0xFF)
        if code[0] == "c" and len(code) == 2:
            return chr(ord(code[1].upper()) & 0x1F)
        return _ANSI_NAMED.get(code, code if code in "\\'\"?" else "\\" + code)

    return _RESERVED.sub("\ufffd", _ANSI_ESCAPE.sub(one, body).partition("\0")[0])


class _Lifter:
    """One pass over a text, with its position, open brackets and pending
    here-documents."""

    __slots__ = (
        "at", "balanced", "depth", "documents", "literal_end", "literals", "out",
        "stack", "text",
    )  # fmt: skip

    def __init__(
        self, text: str, literals: list[str], context: str = "command", depth: int = 0
    ) -> None:
        self.text = text
        self.literals = literals
        self.depth = depth
        self.at = 0
        self.literal_end = -1
        self.out: list[str] = []
        self.stack = [context]
        self.documents: list[tuple[str, bool, bool, int]] = []
        self.balanced = True

    def run(self) -> None:
        while self.at < len(self.text):
            stop = _STOPS[self.stack[-1]].search(self.text, self.at)
            end = stop.start() if stop else len(self.text)
            self.out.append(self.text[self.at : end])
            self.at = end
            if stop:
                self._special(stop[0])
        if len(self.stack) > 1 or self.documents:
            self.balanced = False

    def _special(self, char: str) -> None:
        if char == "\\":
            self._backslash()
        elif char == "'":
            self._single_quoted()
        elif char == '"':
            self._double_quote()
        elif char == "$":
            self._dollar()
        elif char == "`":
            self._tick()
        elif char in "()}":
            self._bracket(char)
        elif char == "#":
            self._comment()
        elif char == "<":
            self._less()
        elif char == "\n":
            self._newline()
        else:
            self._literal(char, self.at + len(char))

    def _copy(self, count: int = 1) -> None:
        self.out.append(self.text[self.at : self.at + count])
        self.at += count

    def _literal(self, body: str, end: int) -> None:
        if self.at == self.literal_end:
            self.literals[-1] += body  # 'a'"b": one word
        else:
            self.out.append(f"{OPEN}{len(self.literals)}{CLOSE}")
            self.literals.append(body)
        self.at = self.literal_end = end

    def _backslash(self) -> None:
        after = self.text[self.at + 1 : self.at + 2]
        if after == "\n":
            self.at += 2
        elif after == '"' and self.stack[-1] == "document":
            self.out.append('\\\\\\"')
            self.at += 2
        elif not after.isascii():
            quoting = self.stack[-1] in ("quotes", "document")
            self.out.append("\\\\" if quoting else "")
            self.at += 1
        else:
            self._copy(2)

    def _single_quoted(self) -> None:
        if self.stack[-1] == "braces" and "quotes" in self.stack:
            return self._copy()
        match = _SINGLE.match(self.text, self.at)
        if not match:
            self.balanced = False
            self.at = len(self.text)
            return None
        return self._literal(match[1], match.end())

    def _double_quote(self) -> None:
        plain = _DOUBLE.match(self.text, self.at)
        if plain and self.stack[-1] in ("command", "ticks"):
            self._literal(plain[1], plain.end())
        elif self.stack[-1] == "document":
            self.out.append('\\"')
            self.at += 1
        else:
            self._toggle("quotes")

    def _tick(self) -> None:
        empty = _EMPTY_TICKS.match(self.text, self.at)
        if empty and self.stack[-1] != "ticks":
            self.at = empty.end()
        else:
            self._toggle("ticks")

    def _toggle(self, context: str) -> None:
        if self.stack[-1] == context:
            self.stack.pop()
        else:
            self.stack.append(context)
        self._copy()

    def _dollar(self) -> None:
        context = self.stack[-1]
        ansi = _ANSI.match(self.text, self.at)
        if ansi and context not in ("quotes", "document"):
            return self._literal(decode_ansi(ansi[1]), ansi.end())
        after = self.text[self.at + 1 : self.at + 3]
        if after == "((":
            self.stack += ["arithmetic", "arithmetic"]
            self._copy(3)
        elif after[:1] == "(":
            self.stack.append("command")
            self._copy(2)
        elif after[:1] == "{":
            self.stack.append("braces")
            self._copy(2)
        elif after[:1] == '"' and context in ("command", "ticks"):
            self.at += 1  # $"…" is "…" with translation
        else:
            self._copy()
        return None

    def _bracket(self, char: str) -> None:
        context = self.stack[-1]
        if char == "(":
            double = self.text.startswith("((", self.at)
            arithmetic = context == "arithmetic" or double
            self.stack.append("arithmetic" if arithmetic else "command")
            if double and context != "arithmetic":
                self.stack.append("arithmetic")
                self._copy()
        elif len(self.stack) > 1 and context != "ticks":
            self.stack.pop()
        # Otherwise it ends a pattern in `case`: nothing is open.
        self._copy()

    def _comment(self) -> None:
        before = next((part for part in reversed(self.out) if part), "\n")
        if before[-1] not in " \t\n;&|(`" or (before[0] == "\\" and len(before) == 2):
            return self._copy()
        stop = _COMMENT_END["ticks" in self.stack].search(self.text, self.at)
        self.at = stop.start() if stop else len(self.text)
        return None

    def _less(self) -> None:
        if self.stack[-1] == "arithmetic":
            # The grammar would read `x << y` as a here-document.
            self.out.append("+" if self.text.startswith("<<", self.at) else "<")
            self.at += len("<<" if self.out[-1] == "+" else "<")
            return None
        string = _HERE_STRING.match(self.text, self.at)
        if string:
            self.out.append(f"< {INPUT}")
            self.at = string.end()
            return None
        match = _DELIMITER.match(self.text, self.at)
        if not match:
            return self._copy()
        word = match[2]
        name = re.sub(r"\\(.)|['\"]", r"\1", word)
        self.out.append(f"< {INPUT}")
        self.documents.append((name, name != word, bool(match[1]), len(self.out)))
        self.out.append("")
        self.at = match.end()
        return None

    def _newline(self) -> None:
        self._copy()
        waiting, self.documents = self.documents, []
        for name, quoted, tabs, slot in waiting:
            body = self._document(name, tabs)
            if quoted or not re.search(r"[$`]", body):
                self.out[slot] = f"{OPEN}{len(self.literals)}{CLOSE} "
                self.literals.append(body if quoted else body.replace("\\\\", "\\"))
            else:
                self.out[slot] = f'"{self._expanding(body)}" '

    def _document(self, name: str, tabs: bool) -> str:
        lines: list[str] = []
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end]
            line = line.lstrip("\t") if tabs else line
            self.at = end + 1
            if line == name:
                return "".join(lines)
            lines.append(line + "\n")
        self.balanced = False
        return "".join(lines)

    def _expanding(self, body: str) -> str:
        if self.depth >= limits.SHELL_DEPTH:
            self.balanced = False
            return ""
        inner = _Lifter(body, self.literals, "document", self.depth + 1)
        inner.run()
        self.balanced = self.balanced and inner.balanced
        return "".join(inner.out)
