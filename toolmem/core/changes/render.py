"""Render changes as text: one line each for a terminal, a markdown list for a page."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from toolmem.core import limits
from toolmem.core.changes.model import Change, ChangedItem, DiffWord, Field
from toolmem.core.guard.derivation.describe import effect
from toolmem.core.shown import show, tool_label
from toolmem.core.text.safetext import visible
from toolmem.core.times import last_day, local_time

HEADINGS = {
    "rule": "Rules",
    "fact": "Facts",
    "memory": "Memories",
    "text": "Guidance, roles and overrides",
    "tool": "Tools",
    "settings": "Settings",
    "other": "Other files",
}
_SIGNS = {
    "added": "+",
    "overridden": "+",
    "restored": "+",
    "retired": "-",
    "deleted": "-",
    "raised": "^",
    "lowered": "v",
    "moved": ">",
}
_ORIGINS = {
    "user_explicit": "from a person",
    "post_turn": "observed in sessions",
    "programmatic": "from a program",
}
_CONTEXT_CHARS = 24
"""Characters of unchanged text shown on each side of a change."""
_LONG = 400
_TICKS = re.compile(r"`+")


def groups(changes: Iterable[Change]) -> dict[str, list[Change]]:
    """Group changes by the kind of item, in order."""
    by_kind: dict[str, list[Change]] = {}
    for change in changes:
        by_kind.setdefault(change.item.kind, []).append(change)
    return by_kind


def line(change: Change) -> str:
    """Render a change as one line of text."""
    return show(_line(change, str))


def markdown(change: Change) -> str:
    """Render a change as a list item, ending with the origin of a new rule.

    Text of the vault is only in code spans.
    """
    actions = ", ".join(change.actions)
    line = f"- **{actions}** {_line(change, code, head=False)}"
    origin = _origin(change)
    return f"{line}, {origin}" if origin else line


def _origin(change: Change) -> str:
    """Origin of a new rule, empty for anything else."""
    values = change.item.values
    if change.item.kind != "rule" or change.before is not None:
        return ""
    if agent := values.get("agent"):
        return f"from agent {code(agent)}"
    return _ORIGINS.get(str(values.get("source", "")), "")


def _line(change: Change, quote: Any, *, head: bool = True) -> str:
    item = change.item
    parts = (
        [_SIGNS.get(change.actions[0], "~"), f"{', '.join(change.actions)} "]
        if head
        else []
    )
    parts += [quote(name) for name in _name(item)]
    scope = str(item.scope) if item.scope else ""
    parts.append(quote(scope) if ":" in scope else scope)
    parts.append(_text(change, quote))
    parts += [_moved(change, quote), *_fields(change, quote)]
    reason = change.reason if {"retired", "overridden"} & {*change.actions} else ""
    if item.problem:
        reason = item.problem
    line = "  ".join(part for part in parts if part)
    return f"{line} ({quote(reason)})" if reason else line


def _name(item: ChangedItem) -> Iterator[str]:
    if item.kind == "rule":
        yield item.id[: limits.ID_SHOWN] if not item.problem else item.path
        yield tool_label(item.tool)
    elif item.kind in ("text", "other", "settings"):
        yield item.path
    else:
        yield item.id


def _text(change: Change, quote: Any) -> str:
    item = change.item
    if item.kind == "memory":
        return _rewritten(change, quote) or quote(item.title)
    if item.kind == "text":
        return _rewritten(change, quote)
    old = change.before
    if item.kind == "fact" and old and change.after and old.text != item.text:
        return f"{quote(old.text)} → {quote(item.text)}"
    if "reworded" in change.actions:
        return str(quote(marked(change.words)))
    return str(quote(item.text)) if item.text else ""


def _rewritten(change: Change, quote: Any) -> str:
    if "reworded" not in change.actions:
        return ""
    come = sum(len(word.text.split()) for word in change.words if word.mark == "+")
    gone = sum(len(word.text.split()) for word in change.words if word.mark == "-")
    title = change.item.title
    return (
        f"{quote(title)}  +{come} -{gone} words" if title else f"+{come} -{gone} words"
    )


def marked(words: Sequence[DiffWord]) -> str:
    """Mark removed text as ``[-…-]`` and added text as ``{+…+}``."""
    out = []
    for number, (mark, text) in enumerate(words):
        if mark == "-":
            out.append(f"[-{text}-]")
        elif mark == "+":
            out.append(f"{{+{text}+}}")
        else:
            out.append(_shortened(text, number == 0, number == len(words) - 1))
    return "".join(out)


def _shortened(text: str, first: bool, last: bool) -> str:
    if len(text) <= _LONG:
        return text
    head = "" if first else text[:_CONTEXT_CHARS]
    tail = "" if last else text[-_CONTEXT_CHARS:]
    return f"{head}…{tail}"


def _moved(change: Change, quote: Any) -> str:
    old, new = change.before, change.after
    if old is None or new is None or "moved" not in change.actions:
        return ""
    if old.scope != new.scope:
        return f"from {old.scope} to {new.scope}"
    if old.tool != new.tool:
        return f"from {quote(tool_label(old.tool))} to {quote(tool_label(new.tool))}"
    return f"from {quote(old.home)} to {quote(new.home)}"


def _fields(change: Change, quote: Any) -> Iterator[str]:
    if change.item.kind == "other":
        return
    if change.before is None and "priority" in change.item.values and not change.fields:
        yield f"[{change.item.values['priority']}]"
    item = change.item
    if change.before is None and item.kind == "rule" and not item.override:
        expires = item.values.get("expires_at")
        until = f", until {last_day(expires)}" if expires else ""
        checks = effect(item.values.get("guard", ()), item.values.get("duty", ()))
        yield quote(checks + until)
    for field in change.fields:
        if field.key in ("reason", "source") and "overridden" in change.actions:
            continue
        yield _field(field, quote)


def _field(field: Field, quote: Any) -> str:
    key, before, after = field
    if key == "guard":
        lost = "" if after else "guard lost: "
        return f"{lost}{quote(effect(before or ()))} → {quote(effect(after or ()))}"
    if key == "duty":
        lost = "" if after else "duty lost: "
        return (
            f"{lost}{quote(effect((), before or ()))} → "
            f"{quote(effect((), after or ()))}"
        )
    if key in ("bytes", "conflict"):
        return ""
    if before is None:
        return f"{quote(key)}: {quote(value(after))}"
    if after is None:
        return f"{quote(key)}: {quote(value(before))} → none"
    return f"{quote(key)}: {quote(value(before))} → {quote(value(after))}"


def value(item: Any) -> str:
    """Render a value of a file in a few words."""
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, datetime):
        return local_time(item)
    if isinstance(item, list | tuple):
        return ", ".join(map(value, item)) or "none"
    return str(item)


def code(text: str) -> str:
    """Render text as a code span that nothing in it can end."""
    line = visible(str(text))
    longest = max((len(run) for run in _TICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{fence}{pad}{line}{pad}{fence}"
