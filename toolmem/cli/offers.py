"""Completions of the shell: what the vault knows, and words of a fixed set.

A completion that fails offers nothing, since a shell cannot show an error. Texts of a
vault are offered without control characters, and without brackets, which Typer would
interpret as markup.
"""

from collections.abc import Callable, Iterable

import typer

from toolmem.api.known import Offer, known_values
from toolmem.api.vault import Vault
from toolmem.cli.run import Run
from toolmem.core.text.safetext import find_unsafe, visible
from toolmem.errors import ToolmemError

_BRACKETS = str.maketrans("[]", "()")


def of_vault(kind: str) -> Callable[[typer.Context, str], list[Offer]]:
    """Return the completion for a set of values of the vault; see ``known.KNOWN``."""

    def offered(ctx: typer.Context, incomplete: str) -> list[Offer]:
        run = ctx.find_root().obj
        try:
            vault = Vault((run if isinstance(run, Run) else Run()).access_for())
            known = known_values(vault, kind)
        except ToolmemError:
            return []
        return [
            (value, visible(about).translate(_BRACKETS))
            for value, about in sorted(known.items())
            if value.startswith(incomplete) and not find_unsafe(value)
        ]

    return offered


def of(words: Iterable[str]) -> Callable[[typer.Context, str], list[Offer]]:
    """Return the completion for an argument with these values."""

    def offered(ctx: typer.Context, incomplete: str) -> list[Offer]:
        del ctx
        return [(word, "") for word in words if word.startswith(incomplete)]

    return offered
