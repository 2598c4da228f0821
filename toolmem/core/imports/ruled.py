"""Which tool a sentence of a file rules, where it rules one for certain.

A file about code says *fetch*, *email* and *edit* of the code it wants written, so
the words that point to a tool in a chat prove little. What counts: a tool's name
written as a name, a command, what is done with git, a message to somebody, files
or folders that must not be touched.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolmem.core.capture.candidates import BAN
from toolmem.core.capture.meaning import Meaning
from toolmem.core.capture.naming import ToolWords, named, parts_of
from toolmem.core.capture.programs import EVERYDAY_PROGRAMS, PROGRAMS
from toolmem.core.capture.smallwords import word_set
from toolmem.core.capture.stems import stem
from toolmem.core.capture.tools import choose_tools
from toolmem.core.model import ANY_TOOL

_CODE = re.compile(r"`([^`\n]{2,200})`")
_MESSAGES = word_set("email sms chat social calendar phone")
_GIT = word_set("commit rebase push merge pull branch")
_COMMITS = word_set("commit commits committing amend squash")
"""Said of git; "committed assets" are only there."""
_BEFORE_COMMIT = re.compile(
    r"(?i)\bbefore (?:(?:every|each|any|a) )?commit(?:ting)?"
    r"(?: (?:changes|code|anything))?[.)]*$"
)
_GIT_OBJECTS = word_set(
    "main master develop trunk origin remote upstream branch production force pr git"
    " pull-request release tag"
)
_RUNS = word_set("run use execute invoke call prefer install via with")
_NO_COMMAND = word_set("export history source top screen service black swift dart")
"""Programs whose names stand in code for something else more often than not."""


class Toolbox(NamedTuple):
    """The tools that a file may speak of; ``shell`` is the one that runs commands.

    Without a ``shell`` the rule is one of the program itself.
    """

    tools: tuple[ToolWords, ...] = ()
    shell: str = ""


def tools_ruled(text: str, polarity: str, box: Toolbox) -> tuple[str, ...]:
    """The tools that a sentence rules; none where it rules none for certain."""
    meaning = Meaning(text)
    sends = polarity == BAN or "@" in text
    found = [tool.name for tool in box.tools if _is_named(tool, meaning, sends)]
    if found:
        return tuple(dict.fromkeys(found))
    program = _command(meaning)
    if program:
        return (box.shell or program,)
    keys = set(next(meaning.tiers(), ()))
    if keys & _MESSAGES and sends:
        return choose_tools(text, _senders(box), ()) or (ANY_TOOL,)
    said = {token.word for token in meaning.tokens}
    commits = ("commit" in keys and said & _COMMITS) or _BEFORE_COMMIT.search(text)
    if commits or (keys & _GIT - {"commit"} and _of_git(meaning)):
        return (box.shell or "git",)
    if polarity == BAN and meaning.bars_files():
        return choose_tools(text, _senders(box), ()) or (ANY_TOOL,)
    return ()


def _senders(box: Toolbox) -> tuple[ToolWords, ...]:
    return tuple(tool for tool in box.tools if tool.name != box.shell)


def _is_named(tool: ToolWords, meaning: Meaning, inflected: bool) -> bool:
    if set(meaning.stems) & {stem(verb.lower()) for verb in tool.verbs}:
        return True
    names = (tool.name, *tool.aliases)
    return any(_says(name, meaning, inflected) for name in names)


def _says(name: str, meaning: Meaning, inflected: bool) -> bool:
    """Whether a text writes a name as one; a word alone may mean anything, and
    "sending emails" is what a program does more often than not."""
    if len(parts_of(name)) > 1 and inflected:
        return named(ToolWords(name), meaning.text, meaning.tokens) > 1
    quoted = re.escape(name)
    return bool(re.search(rf"(?i)`{quoted}`|\b{quoted} tool\b", meaning.text))


def _command(meaning: Meaning) -> str:
    """The program of the first command in a text; empty where there is none."""
    runs = bool(_RUNS & set(meaning.stems))
    for code in _CODE.finditer(meaning.text):
        words = code[1].strip("$ ").split()
        if words and _is_command(words, runs):
            return words[0].rpartition("/")[2] or words[0]
    return next(_plain_programs(meaning), "") if runs else ""


def _is_command(words: Sequence[str], runs: bool) -> bool:
    first = words[0]
    if first in PROGRAMS:
        return True
    if first.startswith("./") and runs:
        return True
    if first in _NO_COMMAND or len(words) < 2:
        return False
    if first in ("git", "gh", "make"):
        return words[1][:1].isalpha() or words[1].startswith("-")
    return first in EVERYDAY_PROGRAMS and runs


def _plain_programs(meaning: Meaning) -> Iterator[str]:
    """Programs written as what one types: ``Terraform`` is the product."""
    for token in meaning.tokens:
        raw = meaning.text[token.start : token.end]
        if raw == raw.lower() and raw in PROGRAMS:
            yield raw


def _of_git(meaning: Meaning) -> bool:
    return bool(_GIT_OBJECTS & {token.word for token in meaning.tokens})
