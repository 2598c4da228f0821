"""Register the functions that make documents."""

from collections.abc import Callable
from typing import Any, TypeVar

_Form = TypeVar("_Form", bound=Callable[..., Any])
FORMS: dict[str, Callable[[Any], Any]] = {}
"""Name of a type → the function that makes a document of its values."""


def form(function: _Form) -> _Form:
    """Register a function for the type of its only parameter.

    The type stays a name: naming it loads nothing. What the document contains is made
    plain by ``documents.plain``.
    """
    named, _ = function.__annotations__.values()
    FORMS[named.rpartition(".")[2]] = function
    return function


def given(**values: Any) -> dict[str, Any]:
    """Return the values that are not empty."""
    return {key: value for key, value in values.items() if value}
