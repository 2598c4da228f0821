"""Requirements tested with real agents, a module for each subject."""

from importlib import import_module

_MODULES = (
    *("block", "guard", "own_vault", "faults", "turns", "kept", "duties"),
    *("wiring", "screen"),
)


def load() -> None:
    """Import every module of scenarios, which registers them."""
    for name in _MODULES:
        import_module(f"tests.agents.scenarios.{name}")
