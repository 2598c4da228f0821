"""Lines of a session's start about rule files that cannot be read, or not all of."""

from collections.abc import Iterator

from toolmem.core.prompt.safe import safe_line
from toolmem.core.rules.rule_file import newer_text
from toolmem.ops.rules.guard import broken_rules, repair
from toolmem.store.vault.vault import Vault

_MOST = 3
"""Files that are named; ``toolmem check`` names all."""


def rule_file_lines(vault: Vault) -> Iterator[str]:
    """Yield a line for each such file of the vaults in force, up to a few."""
    for one in vault.in_force:
        broken, newer = broken_rules(one)
        lines = [
            f"{entry.place} cannot be read: {entry.reason}; calls of {entry.tool} ask "
            f"until it is corrected: `{repair(one, entry.path)}`"
            for entry in broken
        ]
        lines += [f"{path} {newer_text(number)}" for path, number in newer.items()]
        yield from (safe_line(f"toolmem: {line}") for line in lines[:_MOST])
        if len(lines) > _MOST:
            more = len(lines) - _MOST
            yield f"toolmem: {more} more rule files: `toolmem check` names them"
