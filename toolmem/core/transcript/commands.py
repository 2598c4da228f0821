"""How a shell command line splits into simple commands, without running a shell.

It covers what agents write: lists, pipelines, quotes, redirections, here-documents,
subshells, ``bash -c``. What depends on a variable, a glob or a substitution keeps its
text and is marked as not certain.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.shell import words as words_
from toolmem.core.shell.argv import own_words
from toolmem.core.shell.programs import PREFIXES, SHELLS

_TOKEN = lazy_pattern(
    r"(?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)"
    r"|(?P<redirect>&>>?|[<>]&|<<<|<<-?|>>|>\||[<>])"
    r"|(?P<operator>&&|\|\||\|&|;;|[;&|\n()])"
    r"|'(?P<single>[^']*)'"
    r'|"(?P<double>[^"\\]*(?:\\.[^"\\]*)*)"'
    r"|\\(?P<escaped>.)"
    r"|(?P<plain>[^\s;&|()<>'\"\\]+)",
    re.DOTALL,
)
_LIVE = lazy_pattern(r"[$`]")
_GLOB = lazy_pattern(r"[*?\[{]|^~")
_DOUBLE_ESCAPE = lazy_pattern(r'\\(["\\$`\n])')
_ASSIGNMENT = lazy_pattern(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset(
    ("then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time")
)
_NESTING = 3


class CommandWord(NamedTuple):
    """One word with its quotes taken off; ``certain`` if no shell would change it."""

    text: str
    certain: bool = True


class Simple(NamedTuple):
    """One program with its arguments, and the operator that stands before it.

    Wrappers (``sudo``, ``env``, ``timeout 9`` …) and assignments are taken off;
    ``targets`` are the files that output goes to.
    """

    words: tuple[CommandWord, ...]
    operator: str = ""
    targets: tuple[CommandWord, ...] = ()

    @property
    def name(self) -> str:
        """The program without its folder."""
        return self.words[0].text.rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The texts of the words after the program."""
        return tuple(word.text for word in self.words[1:])


def simple_commands(line: str, depth: int = _NESTING) -> tuple[Simple, ...]:
    """The simple commands of a command line in order, those of ``bash -c`` too."""
    found: list[Simple] = []
    for simple in _split(line):
        inner = _inner_script(simple) if depth else None
        if inner is None:
            found.append(simple)
            continue
        nested = simple_commands(inner, depth - 1)
        for number, part in enumerate(nested):
            operator = part.operator if number else simple.operator
            found.append(Simple(part.words, operator, part.targets))
    return tuple(found)


def _inner_script(simple: Simple) -> str | None:
    if simple.name not in SHELLS:
        return None
    words = simple.arguments
    for flag, script in pairwise(words):
        if re.fullmatch(r"-[a-z]*c", flag):
            return script
        if not flag.startswith("-"):
            return None
    return None


class _Lexer:
    """The words of the simple command being read; one pass, no step back."""

    def __init__(self) -> None:
        self.parts: list[str] | None = None
        self.certain = True
        self.words: list[CommandWord] = []
        self.targets: list[CommandWord] = []
        self.redirect = ""
        self.heredocs: list[str] = []

    def add(self, text: str, certain: bool) -> None:
        """Append to the word being read."""
        if self.parts is None:
            self.parts, self.certain = [], True
        self.parts.append(text)
        self.certain = self.certain and certain

    def end_word(self) -> None:
        """Close the word being read: an argument, or where a redirection goes."""
        if self.parts is None:
            return
        word = CommandWord("".join(self.parts), self.certain)
        self.parts = None
        if self.redirect.startswith("<<") and self.redirect != "<<<":
            self.heredocs.append(word.text)
        elif self.redirect and ">" in self.redirect:
            if not (self.redirect == ">&" and word.text.strip("-").isdigit()):
                self.targets.append(word)
        elif not self.redirect:
            self.words.append(word)
        self.redirect = ""

    def start_redirect(self, operator: str) -> None:
        """Begin a redirection; a number right before it is a descriptor."""
        if self.parts is not None and "".join(self.parts).isdigit():
            self.parts = None
        self.end_word()
        self.redirect = operator

    def take(self, operator: str) -> Simple | None:
        """The command that ends here, if there was one."""
        self.end_word()
        self.redirect = ""
        words, targets = tuple(self.words), tuple(self.targets)
        self.words, self.targets = [], []
        stripped = _program(words)
        return Simple(stripped, operator, targets) if stripped or targets else None


def _split(line: str) -> Iterator[Simple]:
    lexer, operator, at = _Lexer(), "", 0
    while at < len(line):
        token = _TOKEN.match(line, at)
        if token is None:  # an open quote: the rest is one word
            lexer.add(line[at:], False)
            break
        kind, text = token.lastgroup, token[0]
        if kind == "plain" and text[0] == "#" and lexer.parts is None:
            end = line.find("\n", at)
            at = len(line) if end < 0 else end
            continue
        at = token.end()
        if kind == "operator":
            simple = lexer.take(operator)
            if simple:
                yield simple
            operator = text if simple or text != "\n" else operator
            if text == "\n" and lexer.heredocs:
                at = _after_heredocs(line, at, lexer)
        else:
            _feed(lexer, kind, text, token)
    simple = lexer.take(operator)
    if simple:
        yield simple


def _feed(lexer: _Lexer, kind: str | None, text: str, token: re.Match[str]) -> None:
    if kind == "space":
        lexer.end_word()
    elif kind == "redirect":
        lexer.start_redirect(text)
    elif kind == "double":
        inner = token["double"]
        lexer.add(_DOUBLE_ESCAPE.sub(r"\1", inner), not _LIVE.search(inner))
    elif kind in ("single", "escaped"):
        lexer.add(token[kind], True)
    else:
        lexer.add(text, not (_LIVE.search(text) or _GLOB.search(text)))


def _after_heredocs(line: str, at: int, lexer: _Lexer) -> int:
    """The place after the bodies of the here-documents that begin at ``at``."""
    for delimiter in lexer.heredocs:
        end = re.compile(rf"^\t*{re.escape(delimiter)}\r?$", re.MULTILINE)
        found = end.search(line, at)
        if found is None:
            at = len(line)
            break
        at = found.end()
    lexer.heredocs = []
    return at


def _program(words: tuple[CommandWord, ...]) -> tuple[CommandWord, ...]:
    """The words from the program on: keywords, assignments and wrappers come off."""
    at = 0
    while at < len(words):
        text = words[at].text
        name = text.rpartition("/")[2]
        if text in _KEYWORDS or _ASSIGNMENT.match(text):
            at += 1
        elif name in PREFIXES and at + 1 < len(words):
            at = _after_wrapper(words, at + 1, name)
        else:
            return words[at:]
    return ()


def _after_wrapper(words: tuple[CommandWord, ...], at: int, name: str) -> int:
    seen = [words_.Word(word.text) for word in words[at - 1 :]]
    return at - 1 + own_words(seen, PREFIXES[name])
