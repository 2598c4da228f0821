"""What `check` finds in a vault that was synced."""

import json
from collections.abc import Iterable

from tests.world import World

STAGING = (
    "projects/mech-fighters/rules/shell/never-run-the-database-reset-script-8d116ece"
)
PASSWORDS = "system/rules/_any/never-put-passwords-tokens-or-keys-into-6513270e"
PACKAGES = (
    "projects/mech-fighters/overrides/coding/rules/shell/"
    "ask-before-installing-a-package-36f675cc"
)
ADVICE = (PACKAGES, STAGING, PASSWORDS)
"""Critical rules of the template that no call can be checked against."""


def advice_lines(rules: Iterable[str] = ADVICE) -> str:
    """Return the lines of `check` about rules that are advice only."""
    return "".join(
        f"{rule}.toml:3: note: advice-only critical, but advice only: no command, path "
        "or address in its text can be checked; name one in backquotes, or add a "
        "[[guard]]\n"
        for rule in rules
    )


def defects(world: World) -> list[dict[str, str]]:
    """Return what `check` finds, apart from rules that are advice only."""
    problems = json.loads(world.call("check", "--json").stdout)["problems"]
    return [one for one in problems if one["code"] != "advice-only"]
