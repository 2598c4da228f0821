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
_FOREIGN_COMMAND = r"`([^`\n]{2,200})`"
_FOREIGN_BAN = (
    r"(?i)\b(?:niemals|nie|nichts?|keine?n?|verboten|tabu|untersagt|finger weg|vermeide"
    r"|jamais|plus (?:de|jamais)|pas (?:de|d['’])|interdit|proscrit|évite[rz]?"
    r"|arrête[rz]?|(?:ne|n['’])\s?\w+ (?:pas|plus|rien|aucun)"
    r"|nunca|jamás|nada|ning[uú]na?|prohibido|proibido|evita|evite|deja de|pare de"
    r"|nenhuma?|sem usar|de jeito nenhum|no (?:quiero|puedes|debes|se debe"
    r"|(?:hag|us|ejecut|lanc|corr|toqu|pong|instal|vuelv|borr|sub|llam|met|edit|cre"
    r"|modifiqu|despliegu|actualic|invoqu|recurr|apliqu|fuerc)[ae]s))\b"
    r"|\bnão (?:\w+ ){0,4}(?=`)"
    r"|不(?:要|许|准|得|能|可|允许|应|该)|(?<![特分级区])别(?![的人])|[勿莫]|绝不|禁止"
    r"|ない(?:こと|で)|使わない|てはいけない|ではいけない|なしで|ダメ|だめ|(?<![a-z])NG(?![a-z])"
)
_FOREIGN_OTHER = (
    r"(?i)\b(?:vergiss|vergesst|musst|müsst|brauchst|nicht mehr (?:nötig|verboten)"
    r"|gilt nicht mehr|aufgehoben|ich (?:habe?|bin|war|konnte|kann)|noch nie"
    r"|n['’]oublie|oublie[rz]?|besoin|ne tient plus|levée?|je n['’]ai|j['’]ai"
    r"|olvides|olvida|hace falta|ya no|nunca (?:he|me|pude|lembro|consegui|usei)"
    r"|esqueça|precisa|não vale mais|nada (?:muda|cambia|acontece))\b"
    r"|忘|不用|不必|不再|取消|解除|撤回|なくてい|なくてもい|必要(?:は|が)?(?:ない|な)"
)
_FOREIGN_LIMIT = (
    r"(?i)\b(?:ohne|außer|ausser|wenn|falls|bevor|vor|nur|auf|in|im|bei|mit|für|solange"
    r"|sans|sauf|quand|si|avant|hors|sur|dans|avec|pour"
    r"|sin|salvo|excepto|cuando|antes|en|con|para"
    r"|sem|exceto|quando|se|em|no|na|nos|nas|com)\b"
    r"|除非|除了|之前|没有|許可|勝手|同意|允许|如果|时候?|在.{1,12}(?:里|中|上)|なしに|前に|後に|以外|場合|では|なら"
)
_FOREIGN_QUESTION = r"[?？]|か[。\s]*$"
"""A ban of a quoted command in German, French, Spanish, Portuguese, Chinese and
Japanese: words that forbid, that say something else with a negation (a reminder, a
waiver, a story), that may limit the ban, and that ask."""


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

    Of several commands it is about the one that follows in the clause of the ban, or
    else the last before it. With a word that may limit the ban it asks, as its limit
    is not understood.
    """
    commands = list(re.finditer(_FOREIGN_COMMAND, text))
    rest = re.sub(
        _FOREIGN_COMMAND, lambda quoted: "`" + " " * (len(quoted[0]) - 1), text
    )
    ban = re.search(_FOREIGN_BAN, rest) if commands else None
    if not ban or re.search(_FOREIGN_QUESTION, rest) or re.search(_FOREIGN_OTHER, rest):
        return ""
    earlier = [one for one in commands if one.start() < ban.start()]
    after = commands[len(earlier) : len(earlier) + 1]
    clause = rest[ban.start() : after[0].start()] if after else ""
    named = after if after and not re.search("[,;，、。]", clause) else earlier[-1:]
    command = (named or after)[0][1]
    asks = " without asking me" if re.search(_FOREIGN_LIMIT, rest) else ""
    return f"Never {'use' if command.isupper() else 'run'} `{command}`{asks}"


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
