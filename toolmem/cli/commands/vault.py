"""``toolmem init`` and ``toolmem settings``."""

import shlex
import textwrap
from pathlib import Path
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api.documents import restored_document, settings_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import aside, emit, emit_json, emit_lines, print_notice, table
from toolmem.cli.tree import run_of
from toolmem.ops.setup.init import InitResult, init_user_vault, init_vault
from toolmem.store.files.setting_table import ABOUT

_ABOUT_CHARS = 72


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
    folder = run_of(ctx).cwd / Path(path).expanduser()
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
    if made.workflow:
        print_notice(f"wrote {made.workflow}, which checks pull requests")
    if as_json:
        emit_json(_init_document(made))
    else:
        emit(str(made.root))
        aside("\n".join(("next:", *(f"  {line}" for line in _next_commands(made)))))


def _init_document(made: InitResult) -> dict[str, object]:
    return {
        "vault": str(made.root),
        "created": list(made.created),
        "kept": list(made.kept),
        "git": made.git,
        "committed": made.committed,
        "config": str(made.config) if made.config else None,
        "workflow": str(made.workflow) if made.workflow else None,
    }


def _next_commands(made: InitResult) -> list[str]:
    """The three commands that a new vault is used with."""
    vault = "" if made.config else f"--vault {shlex.quote(str(made.root))} "
    first = f'toolmem {vault}rule add TOOL "what the tool must not do" -p critical'
    install = "toolmem agent install claude" + (" --user" if made.config else "")
    last = f"toolmem {vault}prompt"
    if made.git == "inside" and made.created:
        last = f"toolmem {vault}commit"
    elif made.default and not made.config:
        last = f"toolmem trust add {shlex.quote(str(made.root))}"
    return [first, install, last]


def restore_command(
    ctx: Context,
    archived_id: Annotated[
        str, Argument(metavar="ID", help="The id of a rule or memory.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Restore an archived rule or memory."""
    restored = run_of(ctx).vault_for().restore(archived_id)
    if as_json:
        emit_json(restored_document(restored))
    else:
        emit_lines([f"restored {restored.path}"])


def settings_command(ctx: Context, as_json: JsonFlag = False) -> None:
    """Show every setting, its value and its origin."""
    found = run_of(ctx).find()
    for layer in found.layers:
        for problem in layer.problems:
            print_notice(f"{problem.place}: {problem.message}")
    values = found.settings.values()
    if as_json:
        emit_json(settings_document(found.settings))
    else:
        rows = table((v.name, _shown(v.value), v.origin) for v in values).split("\n")
        for row, value in zip(rows, values, strict=True):
            emit_lines([row, *_about(value.name)])


def _about(name: str) -> list[str]:
    """Describe a setting, in indented lines."""
    lines = textwrap.wrap(ABOUT[name], _ABOUT_CHARS, break_long_words=False)
    return [f"    {line}" for line in lines]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-" if value is None else str(value)
