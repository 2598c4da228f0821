"""Recognise exit codes 1 that are an answer ("no", "they differ"), not a failure."""

import re

from toolmem.core.shell import steps as shell

_PROBES = frozenset(
    (
        *("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"),
        *("diff", "cmp", "colordiff", "test", "[", "[["),
    )
)
_QUIET = frozenset(("cd", "pushd", "popd", "echo", "printf", "export", "true", ":"))
_GIT_PROBES = frozenset(("diff", "grep"))
_GIT_VALUED = frozenset(("-C", "-c", "--git-dir", "--work-tree"))
_NAMED = re.compile(r"grep|diff|\b(?:rg|ag|ack|cmp|test)\b|\[")
"""No command without one of these can be a probe; the parser is slow to load."""
_CD_FAILED = re.compile(r"\b(?:cd|pushd): ")


def is_benign_exit(command: str, exit_code: int | None, output: str) -> bool:
    """Return True if 1 is a negative answer of a search, a comparison or a test.

    The last program decides; programs joined to it by ``&&`` must be probes too, or
    hardly ever fail.
    """
    if exit_code != 1 or not _NAMED.search(command):
        return False
    commands = shell.shell_steps(command).plain
    if any(part.name == "set" for part in commands):
        return False
    at = len(commands) - 1
    asked = False
    while at >= 0:
        last = commands[at]
        if not _asks(last):
            quiet = asked and last.name in _QUIET and not _CD_FAILED.search(output)
            if not quiet:
                return False
        asked = True
        while at > 0 and commands[at].operator in ("|", "|&"):
            at -= 1
        if commands[at].operator != "&&":
            return True
        at -= 1
    return asked


def git_words(step: "shell.ShellStep") -> tuple[str, ...]:
    """Return the subcommand of a git command and its arguments; empty for others."""
    words = step.arguments
    if step.name != "git":
        return ()
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _GIT_VALUED else 1
    return words[at:]


def _asks(step: "shell.ShellStep") -> bool:
    subcommand = git_words(step)[:1]
    return step.name in _PROBES or (bool(subcommand) and subcommand[0] in _GIT_PROBES)
