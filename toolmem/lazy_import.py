"""Run the code of a module of the package when its first attribute is read.

A hook runs on every tool call of an agent, so a process runs only what it uses. After
``install``, ``from toolmem.ops.rules import change`` looks for the file and no more;
``change.edit_rule`` runs it. ``from toolmem.errors import UsageError`` reads an
attribute, so it runs the file at once. Type checkers, import contracts and readers see
plain imports at the top of each file.

``importlib.util.LazyLoader`` does the same, but before Python 3.11.9 and 3.12.3 a
second thread can see a module that is half run.
"""

import os
import sys
from _thread import RLock
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

_LOCK = RLock()
_running: set[str] = set()


class UnloadedModule(ModuleType):
    """A module whose code has not run yet."""

    def __getattr__(self, name: str) -> Any:
        # The import system reads such names before anything uses the module.
        if name.startswith("__"):
            raise AttributeError(name)
        _run(self)
        return ModuleType.__getattribute__(self, name)

    def __dir__(self) -> list[str]:
        _run(self)
        return dir(self)


def _run(module: ModuleType) -> None:
    """Run the code of a module once; other threads wait until it has run."""
    with _LOCK:
        if not isinstance(module, UnloadedModule) or module.__name__ in _running:
            return
        _running.add(module.__name__)
        try:
            SourceFileLoader.exec_module(module.__loader__, module)  # type: ignore[arg-type]
            object.__setattr__(module, "__class__", ModuleType)
        finally:
            _running.discard(module.__name__)


class _LazyLoader(SourceFileLoader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return UnloadedModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if not isinstance(module, UnloadedModule):  # ``importlib.reload``
            super().exec_module(module)


class _Finder:
    """Finds a module where its package is: a look at one or two names.

    ``PathFinder``, which is asked for all that is not a file there, takes four times
    as long; a hook imports more than a hundred modules.
    """

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith("toolmem."):
            return None
        for folder in path or ():
            place = f"{folder}{os.sep}{name.rpartition('.')[2]}"
            for origin, is_package in (
                (f"{place}.py", False),
                (f"{place}{os.sep}__init__.py", True),
            ):
                if os.path.isfile(origin):  # noqa: PTH113 -- pathlib is slow to load
                    return _spec(name, origin, place if is_package else None)
        found = PathFinder.find_spec(name, path, target)
        if found is not None and type(found.loader) is SourceFileLoader:
            found.loader = _LazyLoader(found.loader.name, found.loader.path)
        return found


def _spec(name: str, origin: str, folder: str | None) -> ModuleSpec:
    found = ModuleSpec(name, _LazyLoader(name, origin), origin=origin)
    found.has_location = True
    if folder is not None:
        found.submodule_search_locations = [folder]
    return found


def install() -> None:
    """Import the modules of this package lazily from now on."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
