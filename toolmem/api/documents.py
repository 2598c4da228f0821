"""JSON documents of results."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from toolmem.api.forms import content, history, rules, work
from toolmem.api.forms.form import FORMS
from toolmem.core.model import Scope


def plain(value: Any) -> Any:
    """Return a result for JSON: a value with named fields becomes an object of them.

    A type with another form has a function for it, or that form as ``document``.
    """
    if (function := forms().get(type(value).__name__)) is not None:
        return plain(function(value))
    if isinstance(value, Scope):
        return str(value)
    if (document := getattr(value, "document", None)) is not None:
        return document() if callable(document) else document
    if hasattr(value, "_asdict"):
        items = value._asdict().items()  # remarks are given apart
        return {key: plain(item) for key, item in items if key != "remarks"}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return list(map(plain, value)) if isinstance(value, _LISTS) else value


_LISTS = (list, tuple, Iterator)


@cache
def forms() -> Mapping[str, Callable[[Any], Any]]:
    """Return the functions that make documents, by the name of the type."""
    for module in (content, history, rules, work):
        dir(module)  # it registers its functions when it runs
    return FORMS
