"""Calls of GitHub's service by what its own clients do: ``gh api``, ``curl``."""

import re
import shlex

from toolmem.core.shell.argv import Call
from toolmem.core.shell.code import InnerCommand
from toolmem.core.shell.words import GAP, SimpleCommand, Word

_ROWS = tuple(
    (method, re.compile(address), command)
    for method, address, command in (
        ("DELETE", r"/git/refs/(?:heads|tags)/([^?\s]+)",
         "git push --delete origin {0}"),
        ("DELETE", r"/git/refs/tags/([^?\s]+)", "git tag --delete {0}"),
        ("PATCH", r"/git/refs/(?:heads|tags)/([^?\s]+)", "git push origin {0}"),
        ("PUT", r"/pulls/(\d+)/merge\b", "gh pr merge {0}"),
        ("POST", r"/pulls(?=$|\?)", "gh pr create"),
        ("POST", r"/releases(?=$|\?)", "gh release create"),
        ("DELETE", r"/releases/(\w+)", "gh release delete {0}"),
        ("POST", r"/issues(?=$|\?)", "gh issue create"),
        ("POST", r"/issues/(\d+)/comments", "gh issue comment {0}"),
        ("DELETE", r"^/?(?:https://api\.github\.com/)?repos/([^/]+/[^/?]+)/?$",
         "gh repo delete {0}"),
        ("POST", r"/dispatches(?=$|\?)", "gh workflow run"),
    )
)  # fmt: skip
"""Method and address of a request, and the command that does the same."""
_CLOSED = re.compile(r"/(issue|pull)s/(\d+)(?=$|\?)")
_UPDATE = re.compile(r"\b(?:update|create|delete)Refs?\b")
_FORCE = re.compile(r"force\W{0,8}true\b")
_FIELDS = ("--field", "--raw-field", "--data", "--json", "--data-raw")
_FORCED = (Word("git"), Word("push"), Word("--force"), Word("origin"))


def read_github(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read a change of a repository as the command that does the same."""
    words = [operand.text for operand in call.operands]
    if words[:2] == ["repo", "sync"] and "--force" in call.flags:
        named = [Word(branch) for branch in call.flags.get("--branch", ())]
        inner.commands.append((*_FORCED, *named))
    elif words[:2] == ["alias", "set"]:
        _read_alias("".join(words[3:4]), inner)
    elif words[:1] == ["api"]:
        inner.commands += _requested(command, call, "".join(words[1:2]))


def read_request(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read a request of a plain client for GitHub's service."""
    for operand in call.operands:
        if re.match(r"(?:https://)?api\.github\.com/", operand.text):
            inner.commands += _requested(command, call, operand.text)


def _read_alias(expansion: str, inner: InnerCommand) -> None:
    """Read what a new name of a command is as if it ran."""
    if expansion.startswith("!"):
        inner.run_text(expansion[1:])
        return
    try:
        words = shlex.split(expansion)
    except ValueError:
        words = expansion.split()
    inner.commands.append((Word("gh"), *map(Word, words)))


def _requested(
    command: SimpleCommand, call: Call, address: str
) -> list[tuple[Word, ...]]:
    fields = [value for name in _FIELDS for value in call.flags.get(name, ())]
    body = "\n".join((*fields, command.stdin if "--input" in call.flags else ""))
    if address == "graphql":
        forced = _UPDATE.search(body) and _FORCE.search(body)
        return [_FORCED] if forced else []
    named = (*call.flags.get("--method", ()), *call.flags.get("--request", ()))
    method = (named or ("POST" if fields else "GET",))[-1].upper()
    commands: list[tuple[Word, ...]] = []
    for wanted, pattern, line in _ROWS:
        match = pattern.search(address) if method == wanted else None
        if match:
            words = line.format(*match.groups()).split()
            commands.append(tuple(map(Word, words)))
    closed = _CLOSED.search(address)
    if closed and method == "PATCH" and re.search(r"state\W{1,4}closed", body):
        noun = {"pull": "pr"}.get(closed[1], closed[1])
        commands.append(tuple(map(Word, ("gh", noun, "close", closed[2]))))
    if method == "PATCH" and commands and "push" in commands[0][1].text:
        unseen = "--input" in call.flags and command.stdin in ("", GAP)
        force = [Word("--force")] if _FORCE.search(body) else []
        options = [Word(GAP)] if unseen else force
        commands[0] = (*commands[0][:2], *options, *commands[0][2:])
    return commands
