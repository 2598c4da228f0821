"""Export: what the vault says, in the files that other programs read.

Our text is between two marks in a file that may belong to anyone; what is outside
stays byte for byte. The entries among Claude Code's permissions that are ours are
named in a comment of our section in ``CLAUDE.md``: JSON has no place for marks.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core.exports.permissions import (
    DenyRules,
    UnsupportedGuard,
    claude_permissions,
    codex_rules,
)
from toolmem.core.exports.stated import without_stated
from toolmem.core.exports.targets import LEAD, TARGETS, Target
from toolmem.core.formats.json_edit import (
    append_item,
    read_json,
    remove_items,
    value_of,
)
from toolmem.core.prompt.markdown import render_markdown
from toolmem.core.text.marked import SCRIPT, put_section, section_of, take_section
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import UsageError
from toolmem.ops.prompt.build import Block, PromptRequest, build_prompt
from toolmem.store.files import outside
from toolmem.store.vault.vault import Vault

_PARTS = ("role", "overrides", "rules", "facts", "guidance", "search")
_OURS = re.compile(r"^<!-- toolmem:permissions (.*) -->\r?$", re.M)
_KEYS = ("deny", "ask")


class FileChange(NamedTuple):
    """A file before and after; None if it does not exist."""

    path: Path
    before: str | None
    after: str

    @property
    def stale(self) -> bool:
        """Return whether the file differs from what it should be."""
        return self.before != self.after


class AgentExport(NamedTuple):
    """The files of an export, and what no permission of the program can say."""

    changes: tuple[FileChange, ...]
    unsupported: tuple[UnsupportedGuard, ...]
    block: Block


def plan_export(
    vault: Vault,
    program: str,
    folder: Path,
    *,
    file: Path | None = None,
    permissions: bool = True,
) -> AgentExport:
    """Return the files to write for a program into a project's folder.

    With ``file`` our section goes there, and no permissions are written. Raises
    ``UsageError`` for a program that is not known and ``InvalidFileError`` for a
    file that cannot be changed.
    """
    target = target_of(program)
    block = _block(vault)
    where = file or folder / target.path
    asked = permissions and file is None and target.permissions
    if program == "claude" and asked:
        return _claude(block, where, folder / target.permissions)
    # What is ours among the permissions stays ours, also where they stay untouched.
    ours = _ours(outside.read_text(where) or "", str(where))
    changes = [_section(where, target, block, _listing(ours))]
    unsupported: tuple[UnsupportedGuard, ...] = ()
    if asked:
        rules, unsupported = codex_rules(block.rules)
        more = _script(folder / target.permissions, rules)
        changes += [more] if more else []
    return AgentExport(tuple(changes), unsupported, block)


def section_text(vault: Vault, program: str) -> str:
    """Return the text that an export writes into an empty file."""
    target = target_of(program)
    return put_section(target.header, _body(_block(vault)), target.path)


def write_export(export: AgentExport) -> None:
    """Write what is stale; each file whole, and the one that says what is ours first.

    Raises ``StorageError`` when a file cannot be written.
    """
    for change in export.changes:
        if change.stale:
            outside.write_text(change.path, change.after)


def target_of(program: str) -> Target:
    """The files of a program; ``UsageError`` for one that is not known."""
    target = TARGETS.get(program)
    if target is None:
        names = (*TARGETS, "json")
        raise UsageError(
            f"no export {program!r}{did_you_mean(program, names)} "
            f"(there are {', '.join(names)})"
        )
    return target


def _block(vault: Vault) -> Block:
    """Return the rules for everyone in the project: an agent's scope is private."""
    chain = [scope for scope in vault.chain if scope.kind != "agent"]
    return build_prompt(vault.with_chain(chain), PromptRequest(only=_PARTS))


def _body(block: Block, more: str = "") -> str:
    return "\n".join(filter(None, (LEAD, more, block.text.strip("\n"))))


def _section(path: Path, target: Target, block: Block, more: str = "") -> FileChange:
    before = outside.read_text(path)
    text = target.header if before is None else before
    parts = without_stated(block.parts, take_section(text, str(path)))
    shown = block._replace(parts=parts, text=render_markdown(parts))
    return FileChange(path, before, put_section(text, _body(shown, more), str(path)))


def _script(path: Path, rules: str) -> FileChange | None:
    """Return Codex's rules, in a separate file; none if there never were any."""
    before = outside.read_text(path)
    if before is None and not rules:
        return None
    after = put_section(before or "", rules or "# no rule", str(path), SCRIPT)
    return FileChange(path, before, after)


def _claude(block: Block, where: Path, settings: Path) -> AgentExport:
    wanted, unsupported = claude_permissions(block.rules)
    before = outside.read_text(settings)
    present = _ours(outside.read_text(where) or "", str(where))
    after, ours = _merged(before, present, wanted, str(settings))
    changes = [_section(where, TARGETS["claude"], block, _listing(ours))]
    if after is not None:
        changes.append(FileChange(settings, before, after))
    return AgentExport(tuple(changes), unsupported, block)


def _listing(ours: DenyRules) -> str:
    """The comment that says which permissions are ours; empty where none is."""
    listed = {key: getattr(ours, key) for key in _KEYS if getattr(ours, key)}
    return f"<!-- toolmem:permissions {json.dumps(listed)} -->" if listed else ""


def _ours(text: str, path: str) -> DenyRules:
    """The permissions that our section says are ours; a damaged list names none."""
    ours = _OURS.search(section_of(text, path))
    try:
        table = json.loads(ours[1]) if ours else {}
    except (ValueError, RecursionError):
        return DenyRules()
    if not isinstance(table, dict):
        return DenyRules()
    return DenyRules(*(_texts(table.get(key)) for key in _KEYS))


def _merged(
    before: str | None, present: DenyRules, wanted: DenyRules, path: str
) -> tuple[str | None, DenyRules]:
    """The settings with what is wanted and without what was ours and is not.

    What a person wrote there too is not ours, and is never taken out.
    """
    text = before if before and before.strip() else "{}\n"
    ours = {}
    for key in _KEYS:
        place = ("permissions", key)
        mine, want = getattr(present, key), getattr(wanted, key)
        gone = [item for item in mine if item not in want]
        if gone:
            text = remove_items(text, place, gone.__contains__, path)
        there = _listed(text, place, path)
        new = [item for item in want if item not in there]
        for item in new:
            text = append_item(text, place, item, path)
        ours[key] = tuple(item for item in want if item in new or item in mine)
    changed = before is not None or text != "{}\n"
    return (text if changed else None), DenyRules(**ours)


def _listed(text: str, keys: tuple[str, ...], path: str) -> list[Any]:
    value = value_of(text, read_json(text, path))
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _texts(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(item for item in listed if isinstance(item, str))
