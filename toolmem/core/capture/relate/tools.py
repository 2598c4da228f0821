"""Choose the tools that a rule's text names unambiguously.

1. Tools that the text names by name or alias (``names``), or by a verb that the tool's
manifest lists.
2. The shell, if the text names a program or a command; the program itself, if no tool
runs commands.
3. Tools for an unmistakable object: an e-mail, a commit, a file not to be edited.
4. If the text only refers back ("never do that"), the one tool that was called.

Otherwise none: the rule is about any tool. The agent that judges a rule names its tool.
"""

import re
from collections.abc import Iterable, Sequence

from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.relate.names import ToolWords, naming_words, parts_of
from toolmem.core.capture.text.lists import word_list, word_lists
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.words import ENTITY, Token, tokenize, word_set

PROGRAMS = word_list("programs programs")
PROGRAMS_IN_CODE = word_list("programs programs in code")
_CODE = re.compile(r"`([^`\n]{2,200})`")
_PATH = re.compile(
    r"/|\.(?:md|txt|py|js|ts|tsx|jsx|json|toml|ya?ml|lock|env|snap|sql|go|rs|rb|java|c"
    r"|cpp|h|cs|php|html|css|ini|cfg|conf|xml|csv|pdf|sh)\W*$|^\W*\.env"
)
"""Names that can only be those of files or folders."""
_SHELLS = word_set("bash shell terminal powershell cmd zsh")
_SHELL_NAMES = (
    {"run", "command"}, {"execute", "command"}, {"run", "terminal", "cmd"},
    {"local", "shell"}, {"exec", "command"}, {"run", "shell", "command"},
)  # fmt: skip
_POINTERS = word_set("that this it so them these those")
_OBJECTS, _SERVING = word_lists("object "), word_lists("serving ")
"""Words of a text that mean an object, and words of tools that serve it."""
_GIT_ACTS = word_lists("git act ")
_GIT_OBJECTS = word_list("tools git objects")
_CODE_WORDS = word_set("comment comments docstring docstrings todo todos variable code")
_TOUCHES = word_set("edit touch modify change alter overwrite rewrite editing touching")
_EDITORS = word_set("edit str_replace apply_patch replace edit_file str")


def choose_tools(
    text: str, available: Sequence[ToolWords], called: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the tools that a rule is about; none if it is about any tool.

    ``called`` are the tools called before the message; they count as available.
    """
    known = {name for tool in available for name in (tool.name, *tool.aliases)}
    more = dict.fromkeys(name for name in called if name not in known)
    tools = (*available, *map(ToolWords, more))
    tokens = tokenize(mask_message(text).masked)
    chosen = _named(text, tokens, tools) or _by_verbs(tokens, tools)
    chosen = chosen or _of_program(text, tokens, tools)
    chosen = chosen or _of_object(text, tokens, tools)
    if not chosen and len(set(called)) == 1 and _points(tokens):
        return (_canonical(called[0], available),)
    return tuple(dict.fromkeys(chosen))


def _canonical(name: str, available: Sequence[ToolWords]) -> str:
    return next((tool.name for tool in available if name in tool.aliases), name)


def _named(text: str, tokens: Sequence[Token], tools: Sequence[ToolWords]) -> list[str]:
    """Return the tools that are named; a name within a longer one does not count."""
    counted = [(naming_words(tool, text, tokens), tool) for tool in tools]
    longest = max((count for count, _ in counted), default=0)
    whole = [tool for count, tool in counted if count and count == longest]
    parts = {part for tool in whole for part in parts_of(tool.name)}
    return [
        tool.name
        for count, tool in counted
        if count and (count == longest or not parts >= set(parts_of(tool.name)))
    ]


def _by_verbs(tokens: Sequence[Token], tools: Sequence[ToolWords]) -> list[str]:
    stems = {stem(token.word) for token in tokens}
    return [
        tool.name for tool in tools if stems & {stem(v.lower()) for v in tool.verbs}
    ]


def _of_program(
    text: str, tokens: Sequence[Token], tools: Sequence[ToolWords]
) -> list[str]:
    """Return the shell if a command or program is named, else the program itself."""
    program = _program(text, tokens)
    if not program:
        return []
    own = [tool.name for tool in tools if program in parts_of(tool.name)]
    shell = [tool.name for tool in tools if is_shell(tool)]
    return own[:1] or shell[:1] or [program]


def _program(text: str, tokens: Sequence[Token]) -> str:
    for code in _CODE.finditer(text):
        words = code[1].strip("$ ").split()
        first = words[0].rpartition("/")[2] if words else ""
        if first in PROGRAMS or (first in PROGRAMS_IN_CODE and len(words) > 1):
            return first
    for token in tokens:
        raw = text[token.start : token.end]
        if raw in PROGRAMS:
            return raw
    words = [token.word for token in tokens]
    if "git" in words and {"add", "commit", "push", "stash", "reset"} & set(words):
        return "git"
    return ""


def is_program(name: str) -> bool:
    """Return whether a name is that of a program, not of a tool."""
    return name in PROGRAMS or name in PROGRAMS_IN_CODE


def is_shell(tool: ToolWords) -> bool:
    """Return whether a tool runs commands."""
    for name in (tool.name, *tool.aliases):
        parts = parts_of(name)
        if set(parts) in _SHELL_NAMES or (len(parts) == 1 and parts[0] in _SHELLS):
            return True
    return False


def _of_object(
    text: str, tokens: Sequence[Token], tools: Sequence[ToolWords]
) -> list[str]:
    named = {token.word for token in tokens}
    for name, words in _OBJECTS.items():
        if named & words:
            serving = _serving(_SERVING[name], tools)
            if serving:
                return serving if len(serving) == 1 else _acting(named, serving)
    if not named & _CODE_WORDS and (named & _GIT_OBJECTS or "auto-commit" in named):
        for act, words in _GIT_ACTS.items():
            if named & words and (serving := _for_git(act, tools)):
                return serving
    if named & _TOUCHES and _names_file(text, tokens):
        return [t.name for t in tools if set(parts_of(t.name)) & _EDITORS][:1]
    return []


def _names_file(text: str, tokens: Sequence[Token]) -> bool:
    return any(
        _PATH.search(text[token.start : token.end])
        for token in tokens
        if token.word == ENTITY
    )


def _for_git(act: str, tools: Sequence[ToolWords]) -> list[str]:
    own = [t.name for t in tools if {act, "git"} <= set(parts_of(t.name))]
    merges = [t.name for t in tools if act in parts_of(t.name)]
    git = [t.name for t in tools if parts_of(t.name) in (("git",), ("git", "run"))]
    return own[:1] or merges[:1] or git or [t.name for t in tools if is_shell(t)][:1]


def _serving(names: Iterable[str], tools: Sequence[ToolWords]) -> list[str]:
    wanted = set(names)
    return [
        tool.name
        for tool in tools
        if wanted & {p for n in (tool.name, *tool.aliases) for p in parts_of(n)}
    ]


def _acting(words: Iterable[str], names: Sequence[str]) -> list[str]:
    """Of several tools for one object, return those whose action the text names."""
    stems = {stem(word) for word in words}
    acting = [n for n in names if {stem(p) for p in parts_of(n)} <= stems]
    sending = [n for n in names if {"send", "create", "post"} & set(parts_of(n))]
    return acting or sending[:1] or list(names[:1])


def _points(tokens: Sequence[Token]) -> bool:
    """Return whether a text only refers to what was done: "never do that again"."""
    words = [token.word for token in tokens if token.word.isalpha()]
    return (
        len(words) <= 8
        and bool({"do", "run", "call", "again"} & set(words))
        and bool(_POINTERS & set(words))
    )
