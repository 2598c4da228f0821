"""Find where a rule is to apply: the words of its sentence decide first."""

import re

from toolmem.core import limits
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.scope import scope_words

_KINDS = r"(?:projects?|repos?|repositor(?:y|ies)|codebases?|services?|code|packages?)"
_MACHINES = r"(?:machines?|computers?|laptops?|boxes|box|hosts?|workstations?|mac|pc)"
_EVERYWHERE = re.compile(
    r"(?i)\b(?:everywhere|anywhere|globally|in general"
    r"|(?:all|every|any|each)(?: of)?(?: (?:single|one of))?(?: (?:my|our|the|your))*"
    rf"(?: [\w-]+)? {_KINDS}"
    rf"|on (?:my|this|our|any|every|all(?: my)?|the) [\w-]*\s?{_MACHINES}"
    rf"|(?:whatever|no matter (?:which|what)) {_KINDS}|regardless of (?:the )?{_KINDS}"
    r"|wherever you (?:work|are|help)"
    r"|(?:any|every)thing (?:that )?you (?:write|do|make|send|say) for me"
    rf"|(?:not|n['’]t) (?:just|only) (?:here|in this {_KINDS}|this {_KINDS}"
    rf"|for this {_KINDS}))\b"
)
_PROJECT = re.compile(
    rf"(?i)\b(?:(?:this|the current|our current) (?:[\w-]+ )?{_KINDS}"
    r"|here(?!['’]s\b|['’]re\b| (?:is|are|was|comes?)\b))\b"
)


def scope_for(text: str, *, ban: bool, here: Scope) -> Scope:
    """Return the scope of a rule that was typed where ``here`` is written to.

    Without words about a place a ban holds everywhere, because a banned call in another
    project cannot be taken back.
    """
    return stated_scope(text, here) or (SYSTEM if ban else here)


def stated_scope(text: str, here: Scope) -> Scope | None:
    """Return the scope that the words of a rule name, None if they name none."""
    if _EVERYWHERE.search(text):
        return SYSTEM
    named = here.kind == "project" and _names(text, here.name)
    return here if named or _PROJECT.search(text) else None


def place_note(scope: Scope, rule_id: str, here: Scope | None = None) -> str:
    """Return where a rule applies, with the command for the other choice, if any.

    ``here`` is the project in which the rule was typed.
    """
    other = SYSTEM if scope != SYSTEM else here
    if other is None or other == scope:
        return scope_words(scope)
    short = rule_id[: limits.ID_SHOWN]
    command = f"toolmem rule move {short} --scope {other}"
    return f"{scope_words(scope)} ({scope_words(other)}: {command})"


def _names(text: str, project: str) -> bool:
    """Return whether a text names a project as a separate word."""
    name = rf"(?<![\w./@-]){re.escape(project)}(?![\w/@-]|\.\w)"
    return bool(re.search(name, text, re.IGNORECASE))
