"""Commands made from operations: only printing the answer is written by hand.

The options and arguments of such a command are the parameters of the operation's
method (see ``arguments.py``), the names of the chain of scopes, and ``--json``.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_origin

from typer import Context, Typer

from toolmem.api.access import NAMES, Access, clock, new_uuid
from toolmem.api.table import OPERATIONS, Operation, method_of
from toolmem.api.vault import Vault
from toolmem.cli.arguments import argument
from toolmem.cli.options import JsonFlag, described
from toolmem.cli.output import emit_json, print_notices
from toolmem.cli.run import Run, pairs_of, text_or_stdin
from toolmem.cli.tree import Exit, command, run_of
from toolmem.errors import NotFoundError

_Show = TypeVar("_Show", bound=Callable[..., None])
_Opened = Callable[[Run, Mapping[str, str]], Vault]
_UNOPENED = Vault(Access({}, Path(), clock, new_uuid))
"""A vault for the signatures of its methods; it is never opened."""
_LISTS = (Sequence, Mapping)


def writer(run: Run, names: Mapping[str, str]) -> Vault:
    """Return the vault for a chain of scopes."""
    return run.vault_for(**names)


def reader(run: Run, names: Mapping[str, str]) -> Vault:
    """Return the same; report a flag with an unknown name."""
    return run.reader_for(**names)


def operation(
    app: Typer, name: str, opened: _Opened = writer
) -> Callable[[_Show], _Show]:
    """Register the command of an operation; the function prints its result.

    Further parameters of the function are arguments of the operation, by their names.
    What was asked for by name and is not there ends the run with exit code 12.
    """

    def register(show: _Show) -> _Show:
        method = method_of(_UNOPENED, name)
        parameters = tuple(inspect.signature(method).parameters.values())
        wanted = list(inspect.signature(show).parameters)[1:]

        def run(ctx: Context, as_json: bool, **given: Any) -> None:
            names = {key: given.pop(key) for key in NAMES}
            values = {p.name: _value(name, p, given[p.name]) for p in parameters}
            result = method_of(opened(run_of(ctx), names), name)(**values)
            shown = partial(show, **{key: values[key] for key in wanted})
            _answer(
                OPERATIONS[name], result, _asked(parameters, values), as_json, shown
            )

        run.__doc__ = show.__doc__
        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            list(_signature(name, parameters))
        )
        run.__annotations__ = {}
        command(app, name.partition(".")[2])(run)
        return show

    return register


def _asked(
    parameters: Sequence[inspect.Parameter], values: Mapping[str, Any]
) -> tuple[str, Any]:
    """Return the name and value of the first positional argument, if there is any."""
    first = next(iter(parameters), None)
    if first is None or first.kind is first.KEYWORD_ONLY:
        return "", None
    return first.name, values[first.name]


def _answer(
    operation: Operation,
    result: Any,
    asked: tuple[str, Any],
    as_json: bool,
    show: Callable[[Any], None],
) -> None:
    """Print the remarks and the result; end with 12 if it was not found."""
    key, value = asked
    is_missing = operation.is_missing(result, value)
    remarks = list(operation.notices_of(result))
    if is_missing and not remarks:
        noun = operation.name.partition(".")[0]
        text = value if isinstance(value, str) else ", ".join(value)
        remarks = [f"{noun}: nothing has the {key} {text!r}"]
    print_notices(remarks)
    if as_json:
        emit_json(operation.document(result))
    elif not is_missing:
        show(result)
    if is_missing:
        raise Exit(NotFoundError.exit_code)


def _signature(
    name: str, parameters: Sequence[inspect.Parameter]
) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command as Typer reads them."""
    kind = inspect.Parameter.KEYWORD_ONLY
    yield inspect.Parameter("ctx", kind, annotation=Context)
    for one in parameters:
        yield one.replace(
            kind=kind, annotation=_annotation(name, one), default=_default(name, one)
        )
    for other in NAMES:
        named = inspect.Parameter(other, kind, default="", annotation=str)
        yield named.replace(annotation=_annotation(name, named))
    yield inspect.Parameter("as_json", kind, default=False, annotation=JsonFlag)


def _annotation(name: str, parameter: inspect.Parameter) -> Any:
    listed = get_origin(parameter.annotation) in _LISTS
    type_ = list[str] if listed else parameter.annotation
    is_option = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    return Annotated[type_, described(name, parameter.name, is_option=is_option)]


def _default(name: str, parameter: inspect.Parameter) -> Any:
    """Return the default on the command line; a list of texts has a new, empty one."""
    if argument(name, parameter.name).reads_stdin:
        return "-"
    is_required = parameter.default is parameter.empty
    listed = get_origin(parameter.annotation) in _LISTS
    return [] if listed and not is_required else parameter.default


def _value(name: str, parameter: inspect.Parameter, given: Any) -> Any:
    """Return the value of a parameter: of a table, from ``KEY=VALUE`` words."""
    if get_origin(parameter.annotation) is Mapping:
        return pairs_of(given, f"--{parameter.name}")
    if argument(name, parameter.name).text:
        return text_or_stdin(given, parameter.name).rstrip("\r\n")
    return given
