"""What AI agents learn about their tools, in a folder that people can review.

``toolmem.Vault.open(path)`` has every operation of the command line as a method.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolmem.api.vault import Vault as Vault

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the vault when it is first asked for: the command line may not be."""
    if name == "Vault":
        return import_module("toolmem.api.vault").Vault
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
