"""Settings of a command: variables of its environment, and git's."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import SimpleCommand, Word

Setting = tuple[str, str]
"""A name and its value; that of git has a dot."""
_RUN_VARIABLES = r"(?:COMMAND|EDITOR|PAGER|ASKPASS|_SSH|BROWSER|VISUAL|PS4)$"
_RUN_SETTINGS = (
    r"(?i)(?:alias\..+|.*\.(?:editor|sshcommand|pager|command|cmd|driver|clean|smudge"
    r"|process|textconv|external|helper|askpass|fsmonitor))"
)
_FILE_VARIABLES = ("BASH_ENV", "ENV")
_GIVEN_KEY = r"GIT_CONFIG_KEY_(\d+)"
_GIVEN = r"'?([\w.-]+\.[\w-]+)'?='?([^']*)'?"
_NO_HOOKS = re.compile(
    r"(?is)core\.hookspath=.*|(?:husky|lefthook)=(?:0|false|no|off)"
    r"|(?:husky_skip_hooks|skip)=.+"
)
"""Settings and their values with which git runs no hooks, or others."""
_PREFIXES = {
    "npm": "npm_config_", "pnpm": "npm_config_", "yarn": "yarn_", "pip": "pip_",
    "uv": "uv_", "docker": "docker_",
}  # fmt: skip
"""Program → the beginning of the variables that are named as its options are."""
_WORDS = {
    "terraform": "tf_cli_args", "make": "makeflags", "go": "goflags",
    "pytest": "pytest_addopts", "tar": "tar_options", "rsync": "rsync_args",
    "node": "node_options", "grep": "grep_options", "cargo": "cargo_build_flags",
}  # fmt: skip
"""Program → the beginning of the variables with further words of its command line."""


def is_run(name: str) -> bool:
    """Return True if a program runs the value of a setting."""
    return bool(re.fullmatch(_RUN_SETTINGS, name) or re.search(_RUN_VARIABLES, name))


def files_run(command: SimpleCommand) -> Iterator[str]:
    """Yield the scripts that a shell runs at its start because of its environment."""
    yield from (value for name, value in command.settings if name in _FILE_VARIABLES)


def normal(settings: Iterable[Setting]) -> tuple[Setting, ...]:
    """Return settings with those of git that variables give under their own names."""
    given = dict(settings)
    found: list[Setting] = []
    for name, value in given.items():
        key = re.fullmatch(_GIVEN_KEY, name)
        if key:
            found.append((value, given.get(f"GIT_CONFIG_VALUE_{key[1]}", "")))
        elif name == "GIT_CONFIG_PARAMETERS":
            found += re.findall(_GIVEN, value)
        else:
            found.append((name, value))
    return tuple(found)


def stored(command: SimpleCommand) -> tuple[Setting, ...]:
    """Return the settings that a command makes for those after it."""
    words = [word.text for word in command.argv]
    if words[:1] in (["export"], ["declare"], ["typeset"]):
        pairs = (word.partition("=") for word in words[1:])
        return normal((name, value) for name, equals, value in pairs if equals)
    if len(words) > 3 and program_name(words[0]) == "git" and "config" in words[1:-2]:
        return ((words[-2], words[-1]),) if "." in words[-2] else ()
    return ()


def given_words(command: SimpleCommand) -> tuple[Word, ...]:
    """Return the words that settings add to a command: the options that they mean."""
    name = program_name(command.argv[0].text) if command.argv else ""
    pairs = [(key.lower(), value) for key, value in command.settings]
    if name == "git":
        texts = [word.text for word in command.argv]
        given = [after for at, after in pairwise(texts) if at == "-c"]
        given += map("=".join, pairs)
        return (Word("--no-verify"),) if any(map(_NO_HOOKS.fullmatch, given)) else ()
    found: list[Word] = []
    for key, value in pairs:
        if name in _WORDS and key.startswith(_WORDS[name]):
            found += map(Word, value.split())
        elif name in _PREFIXES and key.startswith(_PREFIXES[name]):
            option = "--" + key.removeprefix(_PREFIXES[name]).replace("_", "-")
            found.append(Word(option if value == "true" else f"{option}={value}"))
    return tuple(found)
