"""Demands in sentences: commands, facts with a command, and files to change."""

import re
from typing import Any

from toolmem.core.guard.derivation.duty_occasions import RUN, named_command
from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PATHS,
    Text,
    codes_in,
    is_command,
    is_pathlike,
    pattern_of,
)

LEAD = (
    r"(?:(?:please|always|and|also|then|so|first|make sure(?: (?:to|that|you))?|be sure"
    r" to|remember to|ensure(?: that)?(?: you)?|(?:don['’]?t|do not|never) forget"
    r"(?: to)?|(?:i|we)(?:['’]d)? (?:want|need|expect|like)(?: you to"
    r"| to see| to have)?(?! to\b)|(?:you|we) (?:must|should|have to|need to|always)"
    r"|it is (?:required|mandatory) to|must|should|has to|have to|need to|needs to"
    r"|from now on|in this (?:repo|project)|again|to|just|it is important to|note"
    r"|important|rule|remember|check)\b[:,]?\s+)*"
)
_FACTS = (
    ("test_command", r"(?:unit |integration |full |whole |entire |complete |test )*"
     r"(?:tests?(?:[ -]?suites?)?|suites?|specs?)"),
    ("lint_command", r"(?:code )?(?:lint(?:er|ers|ing)?(?: checks?)?)"),
    ("build_command", r"(?:full |whole |complete |production )*builds?"),
    ("format_command", r"(?:code )?(?:formatters?|formatting)"),
    ("typecheck_command", r"type[ -]?check(?:er|ing|s)?"),
    ("codegen_command", r"(?:codegen|code gen(?:eration|erator)?)"),
    ("check_command", r"(?:quality )?checks?"),
)  # fmt: skip
"""Facts of a project with a command, and the words that mean it."""
_VERBS_OF_FACTS = {
    "test": "test_command", "lint": "lint_command", "build": "build_command",
    "rebuild": "build_command", "format": "format_command",
    "typecheck": "typecheck_command", "type-check": "typecheck_command",
}  # fmt: skip
_OBJECT = (
    r"(?:\s+(?:the|your|our|all|it|everything|whole|project|code|app|application|again"
    r"|changes|locally|first))*"
)
_THE = r"(?:(?:the|all|all of the|our|your|any|affected|relevant|both)\s+)*"
_MUST = (
    r"(?:(?:must|should|has to|have to|needs? to|is to|are to|to)\s+)?(?:(?:have\s+|has"
    r"\s+)?(?:be(?:en)?\s+)?(?:run|rerun|executed|pass(?:es|ed)?|succeed(?:s|ed)?|green"
    r"|clean)|(?:is|are)\s+(?:run|green|passing|clean|executed|mandatory|required|due"
    r"|obligatory|a\s+must))"
    r"(?:\s+(?:successfully|cleanly|first|again|locally|and pass(?:es)?|green))*"
)
_TAIL = (
    r"(?:\s+(?:first|again|as well|too|locally|successfully|accordingly|afterwards?))*"
)
_NOT_PLAIN = re.compile(
    r"(?i)\b(?:not|never|no|don['’]?t|doesn['’]?t|instead|rather|unless|except|if|ask"
    r"|suggest|consider|avoid|may|can|could|might|mention|explain|wait|think|maybe|why"
    r"|what|how|who|i|he|she|they|ci|was|were|did|only|or)\b"
)
_BY = re.compile(
    rf"(?i)(?:^|\s)(?:{RUN}|do|verify|check|confirm|launch|start|trigger|finish|try"
    rf"|with|via|using|through|by)(?:\s+(?!to\b)[\w'-]+){{0,3}}\s+(?P<code>{CODE})"
)
_KEPT = re.compile(
    rf"(?i)keep\s+(?:the\s+)?(?P<path>{PATHS}|changelog|readme)\s+(?:in sync|up to date"
    r"|up-to-date|current|updated|aligned)(?:\s+with\s+[\w\s]+)?"
    r"(?:\s*[:,]\s*update it)?"
)
_CHANGED = (
    r"(?:updated|changed|edited|adapted|adjusted|bumped|extended|refreshed|amended"
    r"|regenerated|revised|touched|kept (?:in sync|up to date|current))"
)
_PASSIVE = re.compile(
    rf"(?i)(?:(?:the|our|its)\s+)?(?P<path>{PATHS}|changelog|readme)\s+(?:(?:must"
    rf"|should"
    rf"|has to|have to|needs to|need to)\s+(?:also\s+)?be|is to be|is|gets?)\s+"
    rf"(?:also\s+)?{_CHANGED}{_TAIL}"
    rf"|(?:an?\s+|the\s+)?(?:matching\s+|corresponding\s+|new\s+)?(?:change|update|edit"
    rf"|entry|line|note|addition)s?\s+(?:in|to|of|for|under)\s+(?:the\s+)?"
    rf"(?P<of>{PATHS}|changelog|readme){_TAIL}"
    rf"|(?:the\s+)?(?P<needs>{PATHS}|changelog|readme)\s+(?:also\s+)?(?:needs?|gets?"
    rf"|requires?)\s+(?:an?\s+)?(?:matching\s+|corresponding\s+|new\s+)?(?:change"
    rf"|update"
    rf"|edit|entry|line|note|updating|regenerating){_TAIL}"
)
"""A change of a file, in the active or as a noun."""
_UPDATES = re.compile(
    r"(?i)(?:update|change|edit|adapt|adjust|bump|extend|refresh|amend|regenerate"
    r"|revise|add (?:an? )?(?:entry|line|note|item)s? (?:to|in))\s+(?:also\s+)?"
    r"(?:(?:the|our|its|any|accompanying|matching|corresponding)\s+)*"
    rf"(?P<path>{PATHS}|changelog|readme)(?:\s+(?:files?|entry))?{_TAIL}"
)
_NAMED_FILES = {"changelog": "CHANGELOG*", "readme": "README*"}


def demands_in(text: Text, words: str) -> list[dict[str, Any]]:
    """Return what words demand; empty if they are not understood."""
    words = re.sub(rf"(?i)^{LEAD}", "", words.strip(" ,:;.!")).strip(" ,:;.!")
    for pattern in (_KEPT, _UPDATES, _PASSIVE):
        if path := pattern.fullmatch(words):
            return _changed_file(text, next(filter(None, path.groups())))
    fact = _fact(words)
    if fact:
        return [{"fact": fact}]
    return _commands(text, words)


def _changed_file(text: Text, words: str) -> list[dict[str, Any]]:
    named = _NAMED_FILES.get(words.lower())
    path = text.plain(words)
    if named or is_pathlike(path):
        return [{"change": named or pattern_of(path)}]
    return []


def _fact(words: str) -> str:
    words, _, more = words.partition(" and ")
    if _NOT_PLAIN.search(more) or re.search(CODE, more):
        return ""
    verb = re.fullmatch(rf"(?i)(?P<verb>[a-z-]+){_OBJECT}{_TAIL}", words)
    if verb and verb["verb"].lower() in _VERBS_OF_FACTS:
        return _VERBS_OF_FACTS[verb["verb"].lower()]
    for fact, noun in _FACTS:
        run = rf"(?:{RUN}|do|make)\s+{_THE}{noun}{_TAIL}"
        if re.fullmatch(rf"(?i){run}|{_THE}{noun}\s+{_MUST}", words):
            return fact
    return ""


def _commands(text: Text, words: str) -> list[dict[str, Any]]:
    codes = list(codes_in(words))
    if not codes:
        found = re.fullmatch(rf"(?i){RUN}\s+(?P<command>.+?){_TAIL}", words)
        bare = named_command(text, found["command"]) if found else ""
        return [{"run": bare}] if bare else []
    commands = [text.code(code) for code in codes]
    if not all(map(is_command, commands)):
        return []
    between = re.search(rf"{CODE}(.*){CODE}", words)
    joint = between[1].strip().lower() if between else ""
    choice = re.fullmatch(rf"(?:,\s*|{CODE}|\s|\bor\b)*", joint) and "or" in joint
    rest = words.replace(between[1], " ") if between and choice else words
    if _NOT_PLAIN.search(rest):
        return []
    introduced = _BY.search(rest)
    passive = re.search(rf"(?i){CODE}\s+{_MUST}(?:\s|$)", rest)
    alone = re.fullmatch(
        rf"{CODE}(?:(?:\s*,\s*|\s+and\s+|\s+then\s+|\s+){CODE})*", rest
    )
    if not (introduced or passive or alone):
        return []
    if choice:
        return [{"run": commands}]
    parts = [part.strip() for command in commands for part in command.split("&&")]
    return [{"run": part} for part in parts if part and not part.startswith("cd ")]


def demands_named(text: Text, words: str) -> list[dict[str, Any]]:
    """Return what is demanded to run, if words only name it."""
    return [] if re.match(r"(?i)\w+ing\b", words) else demands_in(text, f"run {words}")
