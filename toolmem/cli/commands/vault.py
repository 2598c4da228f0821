"""``toolmem init`` and ``toolmem settings``."""

import shlex
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

from toolmem.api import schemas
from toolmem.api.documents import plain
from toolmem.cli.commands.setup import offer_setup
from toolmem.cli.operation import operation
from toolmem.cli.options import local
from toolmem.cli.output import (
    aside,
    emit,
    emit_json,
    emit_lines,
    emit_table,
    print_notice,
    table,
)
from toolmem.cli.run import Run
from toolmem.ops.memories.restore import RestoreResult
from toolmem.ops.setup.init import InitResult, init_user_vault, init_vault
from toolmem.store.files.setting_table import ABOUT
from toolmem.store.files.settings import SettingValue

_ABOUT_CHARS = 72


@local("init")
def init_command(
    run: Run,
    path: str = "",
    *,
    sample: bool = False,
    user: bool = False,
    as_json: bool = False,
) -> None:
    """Create a vault and commit its first state."""
    cwd = run.cwd
    folder = cwd / Path(path).expanduser()
    if user:
        made = init_user_vault(folder if path else None, sample=sample)
    else:
        made = init_vault(folder, sample=sample)
    for existing in made.kept:
        print_notice(f"{existing} already exists and was not changed")
    if made.git == "missing":
        print_notice("git is not installed: the vault works, but has no history")
    if made.remark:
        print_notice(made.remark)
    if made.pointer:
        print_notice(f"wrote {made.pointer}, by which the vault is found")
    if made.workflow:
        print_notice(f"wrote {made.workflow}, which checks pull requests")
    if as_json:
        emit_json(plain(made))
    else:
        emit(str(made.root))
        aside(
            "\n".join(("next:", *(f"  {line}" for line in _next_commands(made, cwd))))
        )
        if sys.stdin.isatty() and sys.stderr.isatty():
            offer_setup(run, user=user)


_RULE = 'rule add shell "never force-push" -p critical'


def _next_commands(made: InitResult, cwd: Path) -> list[str]:
    """Return the commands after which a call of the agent is checked."""
    if made.config:
        rest = [f"toolmem {_RULE}", "toolmem agent install claude --user"]
        return [*rest, "toolmem prompt"]
    lines = [f"toolmem {_RULE}", "toolmem agent install claude"]
    if not cwd.is_relative_to(made.place):
        lines.insert(0, f"cd {shlex.quote(str(made.place))}")
    if made.default:
        lines.append(f"toolmem trust add {shlex.quote(str(made.root))}")
    has_git = made.git != "missing"
    return [*lines, "toolmem commit --all" if has_git else "toolmem prompt"]


@operation("restore")
def restore(restored: RestoreResult) -> None:
    """Restore an archived rule or memory."""
    emit_lines([f"restored {restored.path}"])


@local("schema")
def schema_command(_: Run, name: str = "", *, as_json: bool = False) -> None:
    """Print the JSON Schema of a kind of file or of an answer."""
    if name:
        emit_json(schemas.schema(name))
    elif as_json:
        emit_json(schemas.titles())
    else:
        emit_table(schemas.titles().items())


@operation("settings")
def settings(values: Mapping[str, SettingValue], all: bool = False) -> None:
    """Show settings that are not the default, or all."""
    listed = [
        setting for setting in values.values() if all or setting.origin != "default"
    ]
    rows = table(
        (setting.name, _shown(setting.value), setting.origin) for setting in listed
    )
    for row, value in zip(rows.split("\n"), listed, strict=False):
        emit_lines([row, *(_about(value.name) if all else ())])
    if left := len(values) - len(listed):
        print_notice(f"{left} more have their defaults: `toolmem settings --all`")


def _about(name: str) -> list[str]:
    """Describe a setting, in indented lines."""
    lines = textwrap.wrap(ABOUT[name], _ABOUT_CHARS, break_long_words=False)
    return [f"    {line}" for line in lines]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-" if value is None else str(value)
