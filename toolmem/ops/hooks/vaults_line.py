"""The line of a session's start that says which vaults are in force."""

import shlex
from pathlib import Path

from toolmem.core.agents import event as events
from toolmem.core.prompt import safe
from toolmem.errors import InvalidFileError, ToolmemError, UnreadSettingsError
from toolmem.ops.hooks import once
from toolmem.ops.hooks.modes import turned_off
from toolmem.store.vault.discover import MISSING
from toolmem.store.vault.pointer import POINTER_FILE, lacks_project
from toolmem.store.vault.vault import Vault

_MOST_CHARS = 1_200
"""Characters of the line; it counts towards the prompt block."""


def vaults_line(vault: Vault, cwd: str = "") -> str:
    """Return the line that names the vaults in force, and the fix for one that is not.

    In a repository of none of the vault's projects it says so; ``cwd`` is the folder.
    """
    if vault.own is None:
        line = f"vault in force: {vault.root}"
    else:
        folder = shlex.quote(str(vault.root))
        line = (
            f"vaults in force: {vault.own.root} (yours) and {vault.root} (not "
            "trusted: its rules are added to yours, and what you type is not saved in "
            f"it; to use it alone, run `toolmem trust add {folder}`)"
        )
    off = turned_off(vault)
    parts = [line, *([f"settings: {off}"] if off else [])]
    if cwd and not vault.setting("project") and lacks_project(Path(cwd), vault.root):
        parts.append(
            f"no project of the vault is found here: {POINTER_FILE} "
            'with project = "NAME" names one'
        )
    return _line("; ".join((*parts, *map(fault_text, vault.faults))))


def context_line(vault: Vault) -> str:
    """The same for the model, which need not know of one vault that works."""
    usual = vault.own is None and not vault.faults
    return "" if usual else f"\n{vaults_line(vault)}\n"


def fault_line(error: ToolmemError) -> str:
    """The line where no vault at all can be used."""
    return _line(f"no rules are enforced: {error}; {_step(error)}")


def new_faults(vault: Vault, event: "events.Event") -> list[str]:
    """Return a line for each fault that the session has not been shown."""
    root = vault.session_vault.root
    lines = [_line(fault_text(fault)) for fault in vault.faults]
    return [line for line in lines if once.is_new(root, event, line)]


def fault_text(error: ToolmemError) -> str:
    """Return why a vault or its settings are not in force, and the fix."""
    if isinstance(error, UnreadSettingsError):
        text = f"settings not read: {error}: rules stay in force, with the default"
        return f"{text} settings; {_step(error)}"
    return f"not in force: {error}: its rules are not enforced; {_step(error)}"


def _step(error: ToolmemError) -> str:
    if isinstance(error, UnreadSettingsError) and error.reason == MISSING:
        return "restore that file (`git checkout -- toolmem.toml`)"
    if isinstance(error, InvalidFileError):
        return "correct that file, then run `toolmem check`"
    return "restore the folder, or correct the setting that names it"


def saved_line(vault: Vault) -> str:
    """Return where captures were saved, if not in the vault that was found."""
    if vault.own is None:
        return ""
    folder = shlex.quote(str(vault.own.root))
    return _line(
        f"saved in {vault.own.root}; `toolmem --vault {folder} review` shows it"
    )


def _line(text: str) -> str:
    return safe.safe_line(f"toolmem: {text}")[:_MOST_CHARS]
