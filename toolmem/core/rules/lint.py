"""Check rules: each file by itself, and the files of a vault together."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from toolmem.core import limits
from toolmem.core.model import Problem, Scope
from toolmem.core.names import tool_key
from toolmem.core.rules.effective import (
    ORPHAN,
    WEAKENING_KEYS,
    by_person,
    combine,
    layers_of,
)
from toolmem.core.rules.rule_file import RuleFile, key_line, newer_text
from toolmem.core.scope import is_narrower
from toolmem.core.text.safetext import find_unsafe, one_line
from toolmem.errors import UsageError

# A tag of a block or of a conversation, a comment, or a line that begins a block; not a
# placeholder such as <name>.
_FORGED = re.compile(
    r"</?(?:toolmem|tools?|rules?|tool[-_]rules?|system|instructions?|assistant)\b|<!--"
    r"|[\n\r][ \t]*(?:#|>|[-*+][ \t]|```|~~~|</?[a-z])",
    re.IGNORECASE,
)


def lint_file(file: RuleFile, raw: dict[str, object], text: str) -> Iterator[Problem]:
    """Report the defects of one rule file; ``raw`` is its table from TOML."""
    yield from _newer_format(file, text)
    for key, value in raw.items():
        for piece in value if isinstance(value, list) else [value]:
            if isinstance(piece, str):
                for code, message in _text_problems(key, piece):
                    yield Problem(file.path, key_line(text, key), code, message)
    rule = file.stated.get("rule")
    if isinstance(rule, str) and len(rule) > limits.RULE_CHARS:
        yield Problem(
            file.path,
            key_line(text, "rule"),
            "too-long",
            f"the rule has {len(rule)} characters, {limits.RULE_CHARS} are allowed",
        )
    yield from _folder_problems(file, raw.get("tool"), text)


def _newer_format(file: RuleFile, text: str) -> Iterator[Problem]:
    if file.newer_format:
        line, message = key_line(text, "format"), newer_text(file.newer_format)
        yield Problem(file.path, line, "newer-format", message, "warning")


def _text_problems(key: str, value: str) -> Iterator[tuple[str, str]]:
    unsafe = find_unsafe(value, multiline=True)
    if unsafe:
        yield "invisible-character", f"{key} contains {unsafe[1]}"
    if key in ("rule", "tool") and _FORGED.search(value):
        message = f"{key} looks like a line of the prompt block; it is shown escaped"
        yield "forged-structure", message


def _folder_problems(file: RuleFile, tool: object, text: str) -> Iterator[Problem]:
    if not isinstance(tool, str):
        return
    try:
        key = tool_key(one_line(tool))
    except UsageError as error:
        yield Problem(file.path, key_line(text, "tool"), "bad-tool", str(error))
        return
    if key != file.folder_tool:
        yield Problem(
            file.path,
            key_line(text, "tool"),
            "tool-folder",
            f"tool is {key!r} but the file is in the folder of {file.folder_tool!r}",
            "warning",
        )


def lint_all(files: Sequence[RuleFile], now: datetime) -> Iterator[Problem]:
    """Report the defects that only appear across the files of a vault."""
    yield from _duplicates(files)
    yield from _override_problems(files)
    yield from _expired(files, now)
    yield from _critical_share(files)


def _duplicates(files: Iterable[RuleFile]) -> Iterator[Problem]:
    first: dict[tuple[str, Scope], str] = {}
    for file in files:
        known = first.setdefault((file.id, file.scope), file.path)
        if known != file.path:
            yield Problem(
                file.path, 1, "duplicate-id", f"{file.id} is also the id of {known}"
            )


def _override_problems(files: Sequence[RuleFile]) -> Iterator[Problem]:
    by_id: dict[str, list[RuleFile]] = {}
    for file in files:
        by_id.setdefault(file.id, []).append(file)
    for same in by_id.values():
        for file in same:
            broader = [f for f in same if is_narrower(file.scope, f.scope)]
            if not broader and "rule" in file.stated and "tool" not in file.stated:
                message = "tool is missing; the folder's is used"
                yield Problem(file.path, 1, "missing-tool", message)
            if broader or "rule" not in file.stated:
                yield from _override_problem(broader, file)


def _override_problem(broader: list[RuleFile], file: RuleFile) -> Iterator[Problem]:
    layers = layers_of(broader, file)
    layer = layers[-1]
    refused = next((each.refused for each in layers if each.refused), "")
    if refused:
        code = "orphan-override" if refused == ORPHAN else "refused-override"
        yield Problem(file.path, 1, code, f"has no effect: {refused}")
        return
    base = combine(broader)[0].rule if broader else None
    weakened = [key for key in layer.changed if key in WEAKENING_KEYS]
    if base is not None and base.priority.rank == 0 and weakened:
        who = "" if by_person(file.stated) else ", by a program"
        yield Problem(
            file.path,
            1,
            "changed-critical",
            f"changes {', '.join(weakened)} of a critical rule{who}: {layer.reason}",
            "note",
        )


def _expired(files: Iterable[RuleFile], now: datetime) -> Iterator[Problem]:
    for file in files:
        expires = file.stated.get("expires_at")
        if expires is not None and expires <= now:
            message = f"rule expired on {expires:%Y-%m-%d}"
            yield Problem(file.path, 1, "expired", message, "warning")


def _critical_share(files: Iterable[RuleFile]) -> Iterator[Problem]:
    priorities = Counter(
        file.stated.get("priority", "normal") for file in files if "rule" in file.stated
    )
    total, critical = priorities.total(), priorities["critical"]
    if total >= limits.CRITICAL_SHARE_FROM and critical > total * limits.CRITICAL_SHARE:
        yield Problem(
            "toolmem.toml",
            1,
            "critical-share",
            f"{critical} of {total} rules are critical: use -p high for all "
            "but the most important",
            "warning",
        )
