"""Import modules of Python without what this program does not use of them.

Before Python 3.13 ``pathlib`` imports ``urllib.parse``, and that imports ``ipaddress``,
for one method that hardly any program calls. Before 3.12 ``datetime`` runs the whole of
its own code before it takes that of the extension module. All of them together take a
fourteenth of a hook.
"""

import sys
from types import ModuleType

_MODULE = "urllib.parse"


def import_lightly() -> None:
    """Import these modules, unless they were imported before."""
    _import_pathlib()
    _import_datetime()


def _import_pathlib() -> None:
    """Import it with a stand-in for that module, which is not seen by later imports."""
    if {"pathlib", _MODULE} & sys.modules.keys():
        return
    stand_in = ModuleType(_MODULE)
    vars(stand_in)["quote_from_bytes"] = _quote_from_bytes
    sys.modules[_MODULE] = stand_in
    try:
        import pathlib  # noqa: F401
    except ImportError:  # of another name in it: the next import takes all of it
        sys.modules.pop("pathlib", None)
    finally:
        del sys.modules[_MODULE]


def _quote_from_bytes(given: bytes, safe: str = "/") -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(given, safe)


def _import_datetime() -> None:
    """Import the extension module, which has every name of ``datetime``, under it."""
    if sys.version_info < (3, 12) and "datetime" not in sys.modules:
        try:
            import _datetime  # type: ignore[import-not-found]
        except ImportError:
            return
        sys.modules["datetime"] = _datetime
