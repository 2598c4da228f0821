"""Run a module of the package when its first attribute is read: a hook runs on every
tool call, and uses a third of the modules that it can reach."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from threading import RLock
from types import ModuleType

_LOCK = RLock()  # other threads wait until a module has run


class UnloadedModule(ModuleType):
    """A module whose code has not run yet."""

    __loader__: "_LazyLoader"

    def __getattr__(self, name: str) -> object:
        if not name.startswith("__"):  # the import system reads such names
            dir(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        # The code would overwrite it. The import system sets dunders and submodules.
        if not name.startswith("__") and not isinstance(value, ModuleType):
            dir(self)
        ModuleType.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        with _LOCK:
            if type(self) is UnloadedModule:
                self.__loader__.run(self)
        return list(vars(self))


class _LazyLoader(SourceFileLoader):
    runs = False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return UnloadedModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if not isinstance(module, UnloadedModule):  # ``importlib.reload``
            super().exec_module(module)

    def run(self, module: ModuleType) -> None:
        """Run the code; a module that uses itself meanwhile sees what there is."""
        if not self.runs:
            self.runs = True
            try:
                super().exec_module(module)
                module.__class__ = ModuleType
            finally:
                self.runs = False


class _Finder:
    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name.startswith("toolmem.") else None
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _LazyLoader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Import the modules of this package lazily from now on."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
