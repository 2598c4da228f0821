"""The line of a session's start that says which vaults are in force."""

import shlex
from pathlib import Path

from toolmem.core.prompt.safe import safe_line
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.ops.hooks.modes import turned_off
from toolmem.store.vault.pointer import POINTER_FILE, lacks_project
from toolmem.store.vault.vault import Vault

_MOST_CHARS = 1_200
"""A path can be long, and the line shares the room of the prompt block."""


def vaults_line(vault: Vault, cwd: str = "") -> str:
    """Which vaults are in force and, for one that is not, what to do about it.

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
    return _line(f"no vault is in force; {fault_text(error)}")


def fault_text(error: ToolmemError) -> str:
    """Why a vault is not in force, and what to do about it."""
    step = "restore the folder, or correct what names it"
    if isinstance(error, InvalidFileError):
        step = "correct that file, then run `toolmem check`"
    return f"not in force: {error}: its rules are not enforced; {step}"


def saved_line(vault: Vault) -> str:
    """Where what the user typed was saved, if that is not the vault that was found."""
    if vault.own is None:
        return ""
    folder = shlex.quote(str(vault.own.root))
    return _line(
        f"saved in {vault.own.root}; `toolmem --vault {folder} review` shows it"
    )


def _line(text: str) -> str:
    return safe_line(f"toolmem: {text}")[:_MOST_CHARS]
