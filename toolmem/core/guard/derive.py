"""Derive guards that follow with certainty from the text of a rule.

Only a ban yields guards, and only for what it names. A guard never stops more than its
sentence: a ban with a condition asks, with the condition in the question, or has an
exception (``unless``, ``outside``); one that is not understood yields none.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolmem.core.guard.contents.bans import content_of
from toolmem.core.guard.derivation.antecedent import on_protected, with_antecedent
from toolmem.core.guard.derivation.checks import command_lines, with_checks
from toolmem.core.guard.derivation.files import KIND
from toolmem.core.guard.derivation.instead import demanded_instead
from toolmem.core.guard.derivation.items import items_in
from toolmem.core.guard.derivation.mentioned import (
    TURN,
    MentionedObject,
    named_addresses,
    named_later,
    of_lines,
)
from toolmem.core.guard.derivation.objects.actions import action_phrase
from toolmem.core.guard.derivation.objects.addresses import without_addresses
from toolmem.core.guard.derivation.objects.packages import package_phrase
from toolmem.core.guard.derivation.objects.phrases import phrase_in
from toolmem.core.guard.derivation.objects.settings import setting_phrase
from toolmem.core.guard.derivation.objects.targets import target_phrase
from toolmem.core.guard.derivation.objects.tools import tool_phrase
from toolmem.core.guard.derivation.places import DerivedPlace, place_in
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.qualifiers import exception_in, limit_of
from toolmem.core.guard.derivation.reading.bans import bans_in
from toolmem.core.guard.derivation.reading.sentence import SPAN, Ban
from toolmem.core.guard.derivation.reading.vocabulary import LEADING
from toolmem.core.guard.derivation.reading.words import words_of
from toolmem.core.model import ANY_TOOL, Action

BAN = "ban"
"""Polarity of a decree that forbids; others yield nothing."""

DEMANDS = "use "
"""Start of the note of a guard that demands an option."""
_SHELLS = re.compile(r"(?i)bash|shell|terminal|powershell|exec|^cmd$|console")
_WRITES = re.compile(r"(?i)edit|write|patch|replace|create|read|view")
_STAGERS = [["git", "add"], ["git", "commit"]]
_SITUATION = re.compile(
    r"(?i)(?:as|for|on|in|when|while|if|during|after|before|from|with)\b"
)
_FURTHER = re.compile(
    r"(?i)\s*(?:(?:,\s*)?\b(?:or|nor)\b\s+(?:to\s+|even\s+)?"
    r"|(?P<comma>,)\s*(?=(?:commit"
    r"|push|merge|rebase|amend|force|delet|edit|modif|creat|renam|mov|remov)\w*\b))"
)
_LISTED = re.compile(r"(?i)(?:(?!\binstead\b)[^.;:]){1,80}?\b(?:or|nor|and)\b")
_DIRECTLY = re.compile(r"(?i)\s*(?:directly|straight)\b(?!\s+to\b)")
_OF_EARLIER = re.compile(
    r"(?i)\s*(?:(?:ever|even|just)\s+)*[\w-]+\s+(?:(?:files?|anything)\s+)?"
    r"(?:(?:in|to|into|on|from|with)\s+)?"
    r"(?:(?:it|them|this|that|those|these|(?:the |any )?existing ones)\b"
    r"(?! [a-z]+ing\b| \w+s\b| (?:repo\w*|project|app|code ?base)\b)|there\b)"
    r"|\s*[\w-]+\s+(?:by hand|manually|directly|yourself)\s*(?:$|[,;!.])"
    r"|\s*(?:(?:touch|do|so|that|it|please|ever|again)\b\s*)*(?:$|[,;!]|[.](?:\s|$))"
)
"""A ban of what is named before it: "… so don't", "… never commit it"."""
_OBJECT = re.compile(
    r"(?i)(?:(?:in|under|inside|within|below)\s+)?(?:(?:the|any|all|our|your|my)\s+"
    r"|(?:files?|anything|everything|something|stuff"
    r"|code|nothing)\s+(?:in|under|inside|below|within|at)\s+)*"
    rf"(?:{SPAN}|[\w.~*-]*(?:[/*]|\.\w)|{KIND}\s+(?:source\s+)?files?\b)"
)
"""A path, or a kind of files, with what may be before it."""
_MOST_LEADING = 10


def derive_guards(
    rule: str, tool: str, polarity: str = BAN, *, contents: bool = False
) -> tuple[dict[str, Any], ...]:
    """Return the guard tables of a rule on a tool; none unless it is a specific ban.

    With ``contents`` what a ban forbids to write is a guard, too.

    Each has ``ask`` instead of ``deny`` if the sentence has a condition, which is its
    ``note``.
    """
    if polarity != BAN:
        return ()
    tables: list[dict[str, Any]] = []
    for ban in bans_in(rule):
        content = content_of(ban) if contents else None
        if content:
            tables += [content] if content not in tables else []
            continue
        if ban.form == "text":
            continue
        ban = on_protected(ban)
        meant = with_antecedent(ban) if _OF_EARLIER.match(ban.text) else ban
        for table in _tables(meant, tool) if meant else ():
            if table not in tables:
                tables.append(table)
    return tuple(tables)


def _tables(ban: Ban, tool: str) -> Iterator[dict[str, Any]]:
    shell = tool == ANY_TOOL or _SHELLS.search(tool) is not None
    commands = shell or is_program(tool)
    files = shell or _WRITES.search(tool) is not None or "git" in tool.lower()
    pieces = _pieces(ban, commands=commands, files=files, shell=shell)
    found = [table for piece in pieces for table in piece]
    if not found and commands:
        found = [_of_mention(ban, one) for one in named_later(ban)]
    yield from found or (
        _of_mention(ban, one) for one in named_addresses(ban, shell=shell)
    )


def _of_mention(ban: Ban, mention: MentionedObject) -> dict[str, Any]:
    table = _table(ban, mention.tests, mention.limit)
    return table | {"action": Action.ASK.value} if mention.unsure else table


def _pieces(
    ban: Ban, *, commands: bool, files: bool, shell: bool
) -> Iterator[list[dict[str, Any]]]:
    """Yield the guards of each part of a ban: "run `x` or create y.json" has two."""
    condition = exception_in(ban.text + ban.after)
    part, piece = _first(ban, commands=commands, files=files)
    while piece:
        end = part.text[piece.end :]
        further = _FURTHER.match(end)
        if further and further["comma"] and not _LISTED.match(end, further.end()):
            further = None
        part = part._replace(text=end[further.end() :] if further else "")
        more = _piece(part, commands=commands, files=files) if further else None
        if more:
            piece = piece._replace(limit=condition)
        if piece.limit is not None:
            yield [_table(ban, tests, piece.limit) for tests in piece.tables]
        piece = more


def _first(ban: Ban, *, commands: bool, files: bool) -> tuple[Ban, "_Piece | None"]:
    """Return the first object of a ban, after words that say nothing of it."""
    words = words_of(ban.text)[: _MOST_LEADING + 1]
    for word in words:
        at = word.start
        bare = _OBJECT.match(ban.text, at) is not None
        for verb in ("", "touch ") if bare else ("",):
            part = ban._replace(text=f"{verb}{ban.text[at:]}")
            piece = _piece(part, commands=commands, files=files)
            if piece:
                return part, piece
        says_nothing = word.role in "A,:T" or word.text in LEADING
        if not says_nothing:
            break
    return ban, None


def _piece(ban: Ban, *, commands: bool, files: bool) -> "_Piece | None":
    piece = _commands(ban) if commands else _messages(ban)
    return piece or (_files(ban, any_use=not commands) if files else None)


class _Piece(NamedTuple):
    """Tests of one part of a ban, its end, and its limiting words."""

    tables: tuple[dict[str, Any], ...]
    end: int
    limit: str | None


def _messages(ban: Ban) -> _Piece | None:
    phrase = target_phrase(ban)
    if phrase is None or any("command" in table for table in phrase.tables):
        return None
    return _Piece(phrase.tables, phrase.end, limit_of(ban.text, phrase.end, ban.after))


def _commands(ban: Ban) -> _Piece | None:
    phrase = (
        setting_phrase(ban)
        or tool_phrase(ban)
        or package_phrase(ban)
        or target_phrase(ban)
        or action_phrase(ban)
        or phrase_in(ban)
    )
    if phrase:
        limit = limit_of(ban.text, phrase.end, ban.after)
        if not limit and _DIRECTLY.match(ban.text, phrase.end):
            limit = "directly"
        if limit is not None or _FURTHER.match(ban.text, phrase.end):
            return _Piece(phrase.tables, phrase.end, limit)
    items = items_in(ban)
    if not items.lines:
        return None
    limit = limit_of(ban.text, items.end, ban.after)
    if limit is None and items.certain:
        limit = _rest(ban, items.end)
    tests = of_lines(items.lines)
    bare = all(len(line) == 1 for line in items.lines) and not items.certain
    if bare and (_SITUATION.match(limit or "") or _SITUATION.match(ban.before)):
        checked = limit is not None and with_checks(ban, tests, limit).complete
        limit = (
            limit if checked or ban.form == "contrast" or _is_contrast(ban) else None
        )
    return _Piece((tests,), items.end, limit)


def _is_contrast(ban: Ban) -> bool:
    """Return True if another command is demanded in place of a banned one."""
    return any(items_in(ban._replace(text=f"use {one}")).lines for one in ban.wanted)


def _rest(ban: Ban, at: int) -> str:
    turn = TURN.search(ban.text, at)
    return " ".join(ban.text[at : turn.start() if turn else None].split())


def _table(ban: Ban, tests: dict[str, Any], limit: str) -> dict[str, Any]:
    """Return a guard; ``ask`` if the ban has a condition that no call shows."""
    instead = demanded_instead(ban, command_lines(tests))
    if instead:
        tests = {**tests, "instead": [list(line) for line in instead]}
    condition = " ".join(filter(None, (ban.before, limit)))
    if not condition:
        return {"action": Action.DENY.value, **tests}
    if "action" in tests:
        return {**tests, "action": Action.ASK.value, "note": ban.shown(condition)}
    checks = with_checks(ban, tests, limit)
    certain = checks.complete and not exception_in(ban.after)
    action = Action.DENY if certain and not ban.option else Action.ASK
    note = f"{DEMANDS}`{ban.option}`" if ban.option else ban.shown(condition)
    return {"action": action.value, **checks.tests, "note": note}


def _files(ban: Ban, *, any_use: bool) -> _Piece | None:
    bare = _bare(ban)
    place = place_in(bare)
    if place is None:
        return None
    limit = limit_of(bare.text, place.end, ban.after)
    if limit is None:
        limit = _rest(bare, place.end)
    tables = []
    if place.staging:
        tables.append({"command": _STAGERS, "path": place.table["path"]})
    if not place.only_staging:
        tables.append(_used(place, any_use=any_use))
    return _Piece(tuple(tables), place.end, limit)


def _bare(ban: Ban) -> Ban:
    return ban._replace(text=without_addresses(ban.text))


def _used(place: DerivedPlace, *, any_use: bool) -> dict[str, Any]:
    if any_use:
        return {k: v for k, v in place.table.items() if k != "operation"}
    return place.table
