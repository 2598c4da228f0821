"""Commands made from operations: only dialogues and printing are written by hand.

The options and arguments of such a command are the parameters of the operation's
method (see ``api/operations/arguments.py``), the names of the chain, the further
parameters of the function that prints the answer, and ``--json``.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

from typer import Context

from toolmem.api.access import NAMES
from toolmem.api.answers import Outcome, ask, parameters
from toolmem.api.operations.table import PROGRAMS_ONLY
from toolmem.api.vault import Vault
from toolmem.cli import inputs
from toolmem.cli.inputs import Invocation
from toolmem.cli.options import option, register
from toolmem.cli.output import (
    answer_to,
    emit_json,
    in_shell,
    print_notice,
    print_notices,
    report,
)
from toolmem.cli.run import Run
from toolmem.cli.tree import Exit, run_of
from toolmem.errors import NotFoundError, UnknownNameError, worded
from toolmem.ops.session import repair_state as local_state

_Show = TypeVar("_Show", bound=Callable[..., None])
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def _done(_: Any) -> int:
    return 0


def operation(
    name: str,
    *,
    perform: Callable[[Invocation], Any] = Invocation.perform,
    code: Callable[[Any], int] = _done,
    uses_state: bool = False,
    about: str = "",
) -> Callable[[_Show], _Show]:
    """Register the command of an operation; the function prints its result.

    Its help is ``about``, by default the docstring of the function.
    Further parameters of the function are arguments of the operation and options of the
    command alone, by their names; ``call`` is the call, and with ``as_json`` the
    function prints the document, too. What was asked for by name and is not there ends
    the run with exit code 12, else ``code`` of the result does. ``uses_state``: local
    state is repaired first.
    """

    def registered(show: _Show) -> _Show:
        form = _Form.of(name, show)

        def run(ctx: Context, as_json: bool, **given: Any) -> None:
            call = form.call(run_of(ctx), given, as_json)
            if uses_state:
                print_notices(
                    local_state.repair_state(call.run.open(**call.names).root)
                )
            call.access.require_allowed(name, call.more)
            vault, work = Vault(call.access), partial(_performed, perform, call)
            answer = ask(vault, name, call.values, work)
            _remark(answer, as_json)
            _show(answer, form.printed(show, call), as_json)
            if answer.is_missing:
                raise Exit(NotFoundError.exit_code)
            if ended := code(answer.result):
                raise Exit(ended)

        register(name, run, list(form.options()), about=about or show.__doc__)
        return show

    return registered


def _remark(answer: Outcome, as_json: bool) -> None:
    """Print the remarks on an answer; with JSON, one object for what is not there."""
    if answer.is_missing and as_json:
        texts = (worded(text, in_shell) for text in answer.remarks)
        missing = NotFoundError("; ".join(texts), suggestions=answer.suggestions)
        report(missing, as_json=True)
    else:
        print_notices(answer.remarks)
        if sys.stderr.isatty():
            print_notices(answer.hints)


def _performed(perform: Callable[[Invocation], Any], call: Invocation) -> Any:
    """Return the result; at a terminal ask about a new name that may be a typo."""
    try:
        return perform(call)
    except UnknownNameError as error:
        if call.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        print_notice(error.message)
        if answer_to("Make it? [y/N] ")[:1].lower() != "y":
            raise Exit(error.exit_code) from None
        call.values["create"] = True
        return perform(call)


def _show(answer: Outcome, show: Callable[[Any], None] | None, as_json: bool) -> None:
    """Print an answer as JSON, or with the command's own function."""
    if show is not None and not answer.is_missing:
        show(answer.result)
    elif as_json:
        emit_json(answer.document())


class _Form(NamedTuple):
    """Parameters of a command: of its operation, and of the function that prints."""

    name: str
    taken: tuple[inspect.Parameter, ...]
    shown: tuple[inspect.Parameter, ...]

    @classmethod
    def of(cls, name: str, show: Callable[..., None]) -> "_Form":
        """Return the parameters of an operation's command."""
        shown = tuple(inspect.signature(show).parameters.values())[1:]
        return cls(name, parameters(name), shown)

    def more(self) -> list[inspect.Parameter]:
        """Return the options of the command alone."""
        names = {"call", "as_json", *(parameter.name for parameter in self.taken)}
        return [parameter for parameter in self.shown if parameter.name not in names]

    def call(self, run: Run, given: Mapping[str, Any], as_json: bool) -> Invocation:
        """Return the call that the words of a command line make."""
        values = {p.name: given[p.name] for p in self.taken if p.name in given}
        call = Invocation(
            run,
            self.name,
            values,
            {name: given[name] for name in NAMES},
            {parameter.name: given[parameter.name] for parameter in self.more()},
            as_json=as_json,
        )
        for parameter in self.taken:
            if parameter.name in given:
                inputs.read(call, parameter)
        for name, value in call.more.items():
            inputs.check_choice(self.name, name, value)
        return call

    def printed(
        self, show: Callable[..., None], call: Invocation
    ) -> Callable[[Any], None] | None:
        """Return the function that prints a result; None if only JSON is printed."""
        every = {**call.values, **call.more, "call": call, "as_json": call.as_json}
        wanted = {parameter.name: every[parameter.name] for parameter in self.shown}
        if call.as_json and "as_json" not in wanted:
            return None
        return lambda result: show(result, **wanted)

    def options(self) -> Iterator[inspect.Parameter]:
        """Yield the parameters of the command as Typer reads them."""
        hidden = PROGRAMS_ONLY.get(self.name, {})
        for parameter in self.taken:
            if parameter.name not in hidden:
                yield option(self.name, parameter)
        for other in self.more():
            yield option(self.name, other.replace(kind=_KEYWORD))
        for name in NAMES:
            named = inspect.Parameter(name, _KEYWORD, default="", annotation=str)
            yield option(self.name, named)
