"""The pushes that GitHub's own client makes: ``gh api`` and ``gh repo sync``."""

import re

from toolmem.core.shell.argv import Call
from toolmem.core.shell.code import InnerCommand
from toolmem.core.shell.words import GAP, SimpleCommand, Word

_REF = re.compile(r"/git/refs/(?:heads|tags)/([^?\s]+)")
_UPDATE = re.compile(r"\b(?:update|create|delete)Refs?\b")
_FORCE = re.compile(r"force\W{0,8}true\b")
_FIELDS = ("--field", "--raw-field")
_PUSH = (Word("git"), Word("push"))
_FORCED = Word("--force")


def read_github(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read a change of a remote branch as the push that does the same."""
    words = [operand.text for operand in call.operands]
    if words[:2] == ["repo", "sync"] and "--force" in call.flags:
        named = [Word(branch) for branch in call.flags.get("--branch", ())]
        inner.commands.append((*_PUSH, _FORCED, Word("origin"), *named))
    elif words[:1] == ["api"]:
        inner.commands += _api_push(command, call, "".join(words[1:2]))


def _api_push(
    command: SimpleCommand, call: Call, address: str
) -> list[tuple[Word, ...]]:
    fields = [value for name in _FIELDS for value in call.flags.get(name, ())]
    body = "\n".join((*fields, command.stdin if "--input" in call.flags else ""))
    if address == "graphql":
        forced = _UPDATE.search(body) and _FORCE.search(body)
        return [(*_PUSH, _FORCED, Word("origin"))] if forced else []
    ref = _REF.search(address)
    method = "".join(call.flags.get("--method", ())[-1:]).upper()
    if not ref or method not in ("PATCH", "DELETE"):
        return []
    target = (Word("origin"), Word(ref[1]))
    if method == "DELETE":
        return [(*_PUSH, Word("--delete"), *target)]
    unseen = "--input" in call.flags and command.stdin in ("", GAP)
    is_forced = _FORCE.search(body) is not None
    options = (Word(GAP),) if unseen else (_FORCED,) * is_forced
    return [(*_PUSH, *options, *target)]
