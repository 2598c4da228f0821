"""Guards of a rule: those that its file states, or those derived from its text."""

import re
from collections.abc import Sequence
from typing import Any

from toolmem.core.guard import derive
from toolmem.core.guard.derivation import describe, duties
from toolmem.core.model import Action, Priority, Rule
from toolmem.core.times import last_day

Tables = tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]
"""Guards and duties of a rule."""
_BY_PRIORITY = {
    Priority.CRITICAL: Action.DENY,
    Priority.HIGH: Action.ASK,
    Priority.NORMAL: Action.WARN,
}
_FOREIGN_COMMAND = re.compile(r"`([^`\n]{2,200})`")
_FOREIGN_BAN = re.compile(
    r"(?i)\b(?:niemals|nie|keine?n?|verboten|tabu|untersagt|finger weg|vermeide"
    r"|jamais|plus (?:de|jamais)|interdit|proscrit|évite[rz]?|arrête[rz]?"
    r"|(?:ne|n['’])\s?\w+ (?:pas|plus)"
    r"|nunca|jamás|jamais|nada de|prohibido|proibido|evita|evite|deja de|pare de"
    r"|no (?:hagas|uses|ejecutes|lances|corras)|não (?:use|rode|execute|faça|suba)"
    r"|de jeito nenhum)\b"
    r"|不要|不许|不准|不得|禁止|别用|别跑|绝不|严禁|请勿|切勿"
    r"|ないで|しない(?:こと|で)|使わない|禁止|てはいけない|ではいけない|はNG|がNG|ダメ|だめ"
)
_FOREIGN_LIMIT = re.compile(
    r"(?i)\b(?:ohne|außer|ausser|wenn|falls|bevor|vor|nur|auf|in|im|bei|mit|für|solange"
    r"|sans|sauf|quand|si|avant|hors|sur|dans|avec|pour"
    r"|sin|salvo|excepto|cuando|antes|en|con|para"
    r"|sem|exceto|quando|se|em|no|na|nos|nas|com)\b"
    r"|除非|之前|如果|时候?|在.{1,12}(?:里|中|上)|なしに|前に|後に|以外|場合|では|なら"
)
_FOREIGN_QUESTION = re.compile(r"[?？]\s*$|か[。\s]*$")
"""A ban of a quoted command in German, French, Spanish, Portuguese, Chinese and
Japanese: words that forbid, that may limit the ban, and that ask."""


def guards_in_force(rule: Rule) -> tuple[dict[str, Any], ...]:
    """Return the guard tables of a rule; derived if its file states none.

    A file with ``guards = false`` states that there are none.
    """
    if rule.guards or "guard" in rule.stated:
        return rule.guards
    return by_priority(derived_guards(rule.rule, rule.tool), rule.priority)


def duties_in_force(rule: Rule) -> tuple[dict[str, Any], ...]:
    """Return the duty tables of a rule; derived if its file states none, nor guards."""
    if "duty" in rule.stated or "guard" in rule.stated:
        return tuple(rule.stated.get("duty", ()))
    return duties.derive_duties(rule.rule)


def by_priority(
    tables: Sequence[dict[str, Any]], priority: Priority
) -> tuple[dict[str, Any], ...]:
    """Return guards; those that demand an option with the action of a priority."""
    action = _BY_PRIORITY[priority].value
    return tuple(
        table | {"action": action}
        if table.get("note", "").startswith(derive.DEMANDS) and "unless" in table
        else table
        for table in tables
    )


def _in_english(text: str) -> str:
    """Return a foreign ban of a quoted command in English; empty for none.

    With a word that may limit the ban it asks, as its limit is not understood.
    """
    command = _FOREIGN_COMMAND.search(text)
    if not command:
        return ""
    rest = _FOREIGN_COMMAND.sub(" ", text)
    if not _FOREIGN_BAN.search(rest) or _FOREIGN_QUESTION.search(rest):
        return ""
    asks = " without asking me" if _FOREIGN_LIMIT.search(rest) else ""
    return f"Never run `{command[1]}`{asks}"


def derived_guards(text: str, tool: str) -> tuple[dict[str, Any], ...]:
    """Return the guard tables that follow from a text about a tool.

    A question before a command that a duty checks is none of them.
    """
    if "`" in text and (english := _in_english(text)):
        text = english
    tables = derive.derive_guards(text, tool, contents=not text.rstrip().endswith("?"))
    demanded = duties.derive_duties(text) if tables else ()
    checked = [line for duty in demanded for line in one_or_several(duty.get("before"))]
    return tuple(
        table
        for table in tables
        if table.get("command") != ["."]  # the end of a sentence
        if table.get("action") != Action.ASK.value
        or " ".join(map(str, table.get("command", ()))) not in checked
    )


def one_or_several(value: Any) -> list[Any]:
    """Return the texts of a key that has one or a list of them."""
    return [] if value is None else value if isinstance(value, list) else [value]


def effect_of(rule: Rule, tables: Tables | None = None) -> str:
    """Return what a rule does in a few words, and until when.

    ``tables`` are its guards and duties; without them they are those in force.
    """
    guards, due = tables or (guards_in_force(rule), duties_in_force(rule))
    until = f", until {last_day(rule.expires_at)}" if rule.expires_at else ""
    return describe.effect(guards, due) + until


def guard_line(rule: Rule) -> str:
    """Describe the guards of a rule in one line, derived ones included."""
    refused = rule.stated.get("guard") == []
    return describe.guard_line(
        guards_in_force(rule), duties_in_force(rule), refused=refused
    )
