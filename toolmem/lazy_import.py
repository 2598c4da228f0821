"""Run a module of the package when its first attribute is read.

A hook runs on every tool call of an agent and uses a third of the modules that it can
reach: to run all of them takes twice the time. After ``install``, imports stay plain
and at the top, and ``from toolmem.ops.rules import change`` only looks for the file.

``importlib.util.LazyLoader`` does the same, but before Python 3.11.9 and 3.12.3 a
second thread can see a module that is half run.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from threading import RLock
from types import ModuleType

_LOCK = RLock()


class UnloadedModule(ModuleType):
    """A module whose code has not run yet."""

    def __getattr__(self, name: str) -> object:
        # The import system reads such names before anything uses the module.
        if not name.startswith("__"):
            _run(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        # The code would overwrite it. The import system sets dunders and submodules.
        if not name.startswith("__") and not isinstance(value, ModuleType):
            _run(self)
        ModuleType.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        _run(self)
        return dir(self)


def _run(module: ModuleType) -> None:
    """Run the code of a module once; other threads wait until it has run."""
    with _LOCK:
        if isinstance(module.__loader__, _LazyLoader):
            module.__loader__.run(module)


class _LazyLoader(SourceFileLoader):
    _is_running = False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return UnloadedModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if not isinstance(module, UnloadedModule):  # ``importlib.reload``
            super().exec_module(module)

    def run(self, module: ModuleType) -> None:
        """Run the code, unless it runs or has run."""
        if self._is_running or not isinstance(module, UnloadedModule):
            return
        self._is_running = True
        try:
            super().exec_module(module)
            object.__setattr__(module, "__class__", ModuleType)
        finally:
            self._is_running = False


class _Finder:
    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith("toolmem."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _LazyLoader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Import the modules of this package lazily from now on."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
