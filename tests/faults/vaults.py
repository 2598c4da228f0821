"""The vaults that the fault tests start from."""

from pathlib import Path

from tests.faults import kill
from tests.faults.driver import COUNTER, OLD, PATH
from toolmem.store.files import lock


def empty(vault: Path) -> None:
    """Make a vault that was never written to."""
    vault.joinpath("toolmem.toml").write_bytes(b"schema = 1\n")


def with_a_rule(vault: Path) -> None:
    """A vault in use: a rule, a number, and the folder of local state."""
    vault.joinpath(PATH).parent.mkdir(parents=True)
    vault.joinpath(PATH).write_bytes(OLD)
    vault.joinpath(COUNTER).write_bytes(b"0")
    with lock.hold(vault):
        pass


def case(script: str, verb: str) -> kill.Case:
    """A verb of one of the writers of this folder, on the vault that it needs."""
    build = empty if verb == "create" else with_a_rule
    # Done but not reported: the second time says "taken" or "changed since": 13.
    return kill.Case(kill.words(script, verb, "{vault}"), build, (13,))
