"""Check the text of a new or changed rule, and write its file."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from toolmem.core import limits
from toolmem.core.formats import toml_edit
from toolmem.core.rules.rule_file import as_written
from toolmem.core.text.normal_form import normal_form
from toolmem.core.text.safetext import find_unsafe, one_line
from toolmem.core.text.terms import stored_label
from toolmem.errors import UsageError

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_KEY_ORDER = (
    "id",
    "tool",
    "rule",
    "enabled",
    "priority",
    "source",
    "agent",
    "kept_by",
    "tags",
    "created_at",
    "updated_at",
    "expires_at",
    "reason",
    "evidence",
    "why",
    "format",
    "guards",
    "guard",
    "duty",
)


def clean_rule_text(text: str) -> str:
    """Return the text as it is stored: one line, blanks collapsed.

    Raises ``UsageError`` for a blank or overlong text and for one with an invisible,
    bidirectional or control character.
    """
    unsafe = find_unsafe(text, multiline=True)
    if unsafe:
        raise UsageError(f"the rule contains {unsafe[1]} at character {unsafe[0] + 1}")
    line = one_line(normal_form("NFC", text))
    if not line:
        raise UsageError("the rule is blank")
    if len(line) > limits.RULE_CHARS:
        raise UsageError(
            f"the rule has {len(line)} characters, {limits.RULE_CHARS} are allowed: "
            "shorten it, or move the background to a guidance file"
        )
    return line


def clean_line(text: str, what: str) -> str:
    """Return a short text, such as a tag, as stored; errors name it ``what``."""
    unsafe = find_unsafe(text, multiline=True)
    if unsafe:
        raise UsageError(f"the {what} contains {unsafe[1]}")
    line = one_line(text)
    if not line:
        raise UsageError(f"the {what} is blank")
    return line


def clean_tags(tags: Iterable[str]) -> list[str]:
    """Return tags as stored, in their normal form; blank and repeated ones go."""
    lines = [clean_line(tag, "tag") for tag in tags if tag]
    return list(dict.fromkeys(stored_label(line) or line for line in lines))


def clean_id(text: str) -> str:
    """Return an id; raise ``UsageError`` for an invalid one."""
    if not _ID.fullmatch(text):
        raise UsageError(
            f"{text!r} cannot be an id: letters, digits, . _ and -, at most 64, "
            "beginning with a letter or digit"
        )
    return text


def rule_file_text(table: Mapping[str, Any]) -> str:
    """Return a new rule file, its keys in the order of the format."""
    keys = as_written(table, {})
    known = {key: keys[key] for key in _KEY_ORDER if keys.get(key) is not None}
    return toml_edit.toml_document(known)
