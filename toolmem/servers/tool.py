"""A tool for models: an operation under the names that models know."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from toolmem.api.answers import UNOPENED, ask
from toolmem.api.operations.table import OPERATIONS, method_of
from toolmem.api.vault import Vault
from toolmem.servers.agent_tools import with_remarks
from toolmem.servers.arguments import ALIASES, Parameter, parameters_of

Schema = dict[str, Any]
_TYPES = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "object": {"type": "object"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "objects": {"type": "array", "items": {"type": "object"}},
    "text|null": {"type": ["string", "null"]},
    "object|null": {"type": ["object", "null"]},
}


class Tool(NamedTuple):
    """One tool: an operation under a name and with arguments that models know.

    ``takes`` has the names of its arguments, with * for those that are described and !
    for those that must be given. ``given`` are values of other arguments, and defaults.
    A list is the ``key`` of the answer; ``answer`` has its other keys with kinds of
    ``_TYPES``, and a ? for those that may be missing. ``function`` answers in another
    form. ``destroys`` and ``repeats`` (repeating it has no further effect) are its
    effects.
    """

    name: str
    operation: str
    title: str
    description: str
    takes: str
    answer: Sequence[str]
    function: Callable[..., Any] | None = None
    given: Mapping[str, Any] = MappingProxyType({})
    key: str = ""
    destroys: bool = False
    repeats: bool = True

    @property
    def writes(self) -> bool:
        """True if it changes something."""
        return not OPERATIONS[self.operation].reads

    def call(self, vault: Vault, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to arguments by name."""
        if self.function:
            return dict(self.function(vault, **given))
        values = {ALIASES.get(name, name): value for name, value in given.items()}
        outcome = ask(vault, self.operation, {**self.given, **values})
        document = outcome.document()
        return with_remarks(
            {self.key: document} if self.key else document, outcome.remarks
        )

    def parameters(self) -> tuple[Parameter, ...]:
        """Return the arguments that a model may give."""
        every = _parameters(self.operation, self.function)
        words = {word.rstrip("*!"): word for word in self.takes.split()}
        return tuple(
            _shown(every[name if name in every else ALIASES[name]], word)
            for name, word in words.items()
        )

    def input_schema(self) -> Schema:
        """Return the JSON Schema of its arguments."""
        known = self.parameters()
        properties = {parameter.name: dict(parameter.schema) for parameter in known}
        required = [parameter.name for parameter in known if parameter.required]
        schema: Schema = {"type": "object", "properties": properties}
        return schema | ({"required": required} if required else {})

    def output_schema(self) -> Schema:
        """Return the JSON Schema of its answer."""
        listed = [f"{self.key}:objects"] if self.key else []
        words = [*listed, *self.answer, "remarks:texts?"]
        kinds = dict(word.split(":") for word in words)
        return {
            "type": "object",
            "properties": {
                key: _TYPES[kind.rstrip("?")] for key, kind in kinds.items()
            },
            "required": [key for key, kind in kinds.items() if kind[-1] != "?"],
        }


_RANGE = ("minimum", "maximum")
"""Parts of a schema that a model does without."""


@cache
def _parameters(
    operation: str, function: Callable[..., Any] | None
) -> Mapping[str, Parameter]:
    """Return the arguments of a tool's function, or those of its operation."""
    if function:
        known = parameters_of(function, operation, skipped=1)
    else:
        known = parameters_of(method_of(UNOPENED, operation), operation)
    return {parameter.name: parameter for parameter in known}


def _shown(parameter: Parameter, word: str) -> Parameter:
    """Return an argument as a model sees it; only few are described."""
    left_out = _RANGE if "*" in word else (*_RANGE, "description")
    schema = {
        key: value for key, value in parameter.schema.items() if key not in left_out
    }
    return Parameter(word.rstrip("*!"), schema, parameter.required or "!" in word)
