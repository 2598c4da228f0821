"""Modules that are loaded when they are first used, not when they are named.

A hook or a script may call toolmem often; what one flag needs is not paid for
by the others. Type checkers and import contracts see the plain import beside it.
"""

from importlib import import_module
from types import ModuleType
from typing import Any


class OnDemand:
    """Stands for a module until somebody asks it for something."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: ModuleType | None = None

    def __getattr__(self, attribute: str) -> Any:
        if self._module is None:
            self._module = import_module(self._name)
        return getattr(self._module, attribute)
