"""``toolmem init`` and ``toolmem settings``."""

import shlex
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api.documents import plain
from toolmem.cli import offers
from toolmem.cli.commands.setup import offer_setup
from toolmem.cli.operation import operation
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import (
    aside,
    emit,
    emit_json,
    emit_lines,
    emit_table,
    print_notice,
    table,
)
from toolmem.cli.tree import command, run_of
from toolmem.ops.memories.restore import RestoreResult
from toolmem.ops.setup.init import InitResult, init_user_vault, init_vault
from toolmem.ops.setup.schemas import SCHEMAS, schema
from toolmem.store.files.setting_table import ABOUT
from toolmem.store.files.settings import SettingValue

_ABOUT_CHARS = 72


@command("init")
def init_command(
    ctx: Context,
    path: Annotated[
        str,
        Argument(
            metavar="PATH",
            help="Folder, created if missing; default: the working folder.",
        ),
    ] = "",
    sample: Annotated[
        bool, Option("--sample", help="Include a sample project with rules.")
    ] = False,
    user: Annotated[
        bool,
        Option(
            "--user",
            help="Make your default vault, and write your settings. Without PATH it is "
            "~/.local/share/toolmem/vault.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Create a vault and commit its first state."""
    cwd = run_of(ctx).cwd
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
            offer_setup(run_of(ctx), user=user)


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


@command("schema")
def schema_command(
    ctx: Context,
    name: Annotated[
        str,
        Argument(
            metavar="NAME",
            help=f"{', '.join(SCHEMAS)}; default: list them.",
            autocompletion=offers.of(SCHEMAS),
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Print the JSON Schema of a kind of file."""
    run_of(ctx)
    if name:
        emit_json(schema(name))
    elif as_json:
        emit_json({key: title for key, (title, _) in SCHEMAS.items()})
    else:
        emit_table((key, title) for key, (title, _) in SCHEMAS.items())


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
