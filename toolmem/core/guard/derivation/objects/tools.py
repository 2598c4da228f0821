"""Derive guards from tools of MCP servers that a ban names."""

import re
from collections.abc import Mapping

from toolmem.core.guard.derivation.objects.phrases import Phrase
from toolmem.core.guard.derivation.reading.sentence import SPAN, Ban, is_code
from toolmem.core.guard.derivation.reading.vocabulary import TOOL_NAMES
from toolmem.core.guard.derivation.reading.words import verb_of

_THE = r"(?:(?:the|our|your|my|any|all|a)\s+)*"
_NAME = rf"(?:{SPAN}|[a-zA-Z][\w-]*)"
_SERVER = rf"(?P<server>{_NAME})(?:['’]s?)?\s+(?:MCP(?:[ -]server)?|server)\b"
_TOOLS = re.compile(
    rf"(?i){_THE}(?:"
    rf"(?P<pair>{SPAN}|mcp__\w+"
    rf"|[a-z][\w-]*/[a-z]\w*)(?P<pair_noun>\s+(?:MCP\s+)?tools?\b)?"
    rf"|(?P<name>{_NAME})\s+(?:MCP\s+)?tools?\s+(?:of|from|on"
    rf"|in)\s+{_THE}(?P<of>{_NAME})"
    r"(?:\s+(?:MCP(?:[ -]server)?|server)\b)?"
    rf"|(?P<other>[a-z]+_\w+)\s+(?:of|from|on)\s+{_THE}(?P<by>{_NAME})\s+(?:MCP|server)\b"
    rf"|(?:(?P<owner>{_NAME})(?:['’]s)?\s+)?(?P<own>{SPAN}|[a-z]+_\w+|[a-z]+[A-Z]\w+)"
    rf"\s+(?:MCP\s+)?tool\b"
    rf"|(?:tools?\s+(?:of|from|on|in)\s+{_THE})?{_SERVER}(?:['’]s)?(?:\s+tools?\b)?"
    rf"|(?P<agent>{'|'.join(TOOL_NAMES)})\b|(?P<snake>[a-z]+_\w+|{SPAN}))"
)
_OF_SERVER = re.compile(
    rf"(?i)\s*(?P<verb>[a-z]+)\s+(?:(?!on\b|in\b|with\b|via\b)[\w-]+\s+){{0,3}}?"
    rf"(?:on|in|with|via|through|using|from|at|by)\s+{_THE}(?!(?:the|a|any|this|mcp)\b)(?P<server>{_NAME})(?:['’]s?)?"
    rf"\s+MCP(?:[ -]server)?\b"
)
"""An action by the tools of a server: "create pages via the Notion MCP"."""
_CHANGES = (
    "create", "update", "delete", "edit", "add", "remove", "write", "post", "send",
    "transition", "move", "assign", "close", "merge", "publish", "insert", "execute",
)  # fmt: skip
_ALIKE = {"post": ("post", "reply", "send"), "make": ("create",), "write": _CHANGES,
          "change": _CHANGES, "modify": ("update", "edit")}  # fmt: skip
_VERBS = re.compile(
    r"(?i)\s*(?:(?:ever|just|directly|please|even|also|again)\s+)*(?:(?P<use>use|using"
    r"|call"
    r"|calling|invok\w+|run|running|touch|touching|trigger|reach for|go near|used"
    r"|called)"
    r"\s+)?"
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


TOOL_NAME = re.compile(rf"\b(?:{'|'.join(TOOL_NAMES)}|mcp__\w+)\b")


def names_tool(ban: Ban) -> bool:
    """Return True if a ban is about a tool of an agent or of a server."""
    about = re.search(r"(?i)\bMCP\b|\btools?\b", f"{ban.about} {ban.text}")
    named = re.search(
        rf"(?i)\bmcp__|\b(?:{'|'.join(TOOL_NAMES)})\b", ban.shown(ban.text)
    )
    return named is not None or (about is not None and tool_phrase(ban) is not None)


def _text(ban: Ban, word: str) -> str:
    return ban.code(word) if is_code(word) else word


def tool_phrase(ban: Ban) -> Phrase | None:
    """Return the test for a tool of a server at the beginning of a ban."""
    action = _OF_SERVER.match(ban.text)
    verb_used = verb_of(action["verb"]) if action else ""
    if action and verb_used and verb_used not in ("use", "call", "run", "touch"):
        server = "_".join(_WORDS.findall(_text(ban, action["server"]))).lower()
        verbs = _ALIKE.get(verb_used, (verb_used,))
        return Phrase(({"tool": [f"*{server}*{one}*" for one in verbs]},), action.end())
    verb = _VERBS.match(ban.text)
    match = _TOOLS.match(ban.text, verb.end() if verb else 0)
    if not match:
        return None
    text = {
        key: ban.code(value) if is_code(value) else value
        for key, value in match.groupdict().items()
        if value
    }
    called = verb is not None and verb["use"] is not None
    called = called or re.search(r"(?i)\btools?\b|\bMCP\b", ban.about) is not None
    if not _is_certain(text, called=called):
        return None
    server = (
        text.get("of")
        or text.get("by")
        or text.get("owner")
        or text.get("server")
        or ""
    )
    server = "" if server.lower() in _NO_NAME else server
    tool = next(
        (
            text[key]
            for key in ("pair", "name", "other", "own", "agent", "snake")
            if key in text
        ),
        "",
    )
    if not (server or tool):
        return None
    return Phrase(({"tool": _globs(server, tool)},), match.end())


def _is_certain(text: Mapping[str, str], *, called: bool) -> bool:
    """Return True if words are the name of a tool, not of something else."""
    pair, name = text.get("pair"), text.get("name")
    if pair:
        named = (
            "pair_noun" in text
            or pair in TOOL_NAMES
            or pair.startswith("mcp__")
            or (called and "_" in pair)
        )
        return (
            named
            and re.fullmatch(r"[A-Za-z][\w-]*(?:[/.][A-Za-z]\w*)?", pair) is not None
        )
    if name:
        return re.search(r"\w[_A-Z]", name) is not None or "of" in text
    snake = text.get("snake", "")
    known = snake in TOOL_NAMES or snake.startswith("mcp__")
    return (
        not snake
        or known
        or (called and re.fullmatch(r"[a-z]+_\w+", snake) is not None)
    )


_NO_NAME = frozenset("the a any this that mcp same other dev build web test".split())


def _globs(server: str, tool: str) -> list[str]:
    """Return globs of a tool's name as words, with its server's name before it."""
    start, name = ("_".join(_WORDS.findall(one)).lower() for one in (server, tool))
    if not name:
        return [f"mcp_{start}_*", f"{start}_*"]
    return [f"*{start}_{name}"] if start else [name, f"*_{name}"]
