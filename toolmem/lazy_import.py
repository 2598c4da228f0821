"""Run the code of a module of the package when its first attribute is read.

A hook runs on every tool call of an agent, so a process runs only what it uses. After
``install``, ``from toolmem.ops.rules import change`` looks for the file and no more;
``change.edit_rule`` runs it. ``from toolmem.errors import UsageError`` reads an
attribute, so it runs the file at once. Type checkers, import contracts and readers see
plain imports at the top of each file.

``importlib.util.LazyLoader`` does the same, but before Python 3.11.9 and 3.12.3 a
second thread can see a module that is half run.

Names of ``importlib`` come from where it has them: with all that it imports it would
take a twentieth of a hook.
"""

import marshal
import os
import sys
from _collections_abc import Sequence
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, PathFinder, SourceFileLoader
from _thread import RLock
from types import CodeType, ModuleType

_LOCK = RLock()
_CACHED = f".{sys.implementation.cache_tag}.pyc"
_HEAD = 16
_running: set[str] = set()
ran: list[str] = []
"""Names of the modules whose code has run, in the order of their ends."""


class UnloadedModule(ModuleType):
    """A module whose code has not run yet."""

    def __getattr__(self, name: str) -> object:
        # The import system reads such names before anything uses the module.
        if name.startswith("__"):
            raise AttributeError(name)
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
        if not isinstance(module, UnloadedModule) or module.__name__ in _running:
            return
        _running.add(module.__name__)
        try:
            SourceFileLoader.exec_module(module.__loader__, module)  # type: ignore[arg-type]
            object.__setattr__(module, "__class__", ModuleType)
            ran.append(module.__name__)
        finally:
            _running.discard(module.__name__)


class _LazyLoader(SourceFileLoader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return UnloadedModule(spec.name)

    def get_code(self, fullname: str) -> CodeType | None:
        return _cached_code(self.path) or super().get_code(fullname)

    def exec_module(self, module: ModuleType) -> None:
        if not isinstance(module, UnloadedModule):  # ``importlib.reload``
            super().exec_module(module)


def _cached_code(source: str) -> CodeType | None:
    """The cached code of a source file; None unless it was made from it as it is now.

    ``SourceFileLoader`` makes the same checks (PEP 552: format, no flags, time and size
    of the source) in twice the time. No more memory is asked for than the file needs:
    the system clears each page that is used of it.
    """
    cache = _cache_of(source)
    if cache is None:
        return None
    try:
        made = os.stat(source)  # noqa: PTH116 -- pathlib is slow to load
        opened = os.open(cache, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            data = os.read(opened, os.fstat(opened).st_size)
        finally:
            os.close(opened)
    except OSError:
        return None
    time, size = int(made.st_mtime) & 0xFFFFFFFF, made.st_size & 0xFFFFFFFF
    head = MAGIC_NUMBER + bytes(4) + time.to_bytes(4, "little")
    if data[:_HEAD] != head + size.to_bytes(4, "little"):
        return None
    code = marshal.loads(memoryview(data)[_HEAD:])
    return code if isinstance(code, CodeType) else None


def _cache_of(source: str) -> str | None:
    """Return the file with the cached code of a source file, where it is usual."""
    if sys.pycache_prefix or sys.flags.optimize:
        return None
    folder, slash, name = source.rpartition(os.sep)
    return f"{folder}{slash}__pycache__{slash}{name.removesuffix('.py')}{_CACHED}"


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
    found.cached = _cache_of(origin)  # else it is found out by many calls
    if folder is not None:
        found.submodule_search_locations = [folder]
    return found


def install() -> None:
    """Import the modules of this package lazily from now on."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
