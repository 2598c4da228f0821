"""Doctor: the installation and the user's own settings."""

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from toolmem.core.finding import Finding
from toolmem.errors import InvalidFileError, ToolmemError
from toolmem.ops.search.semantic import MODEL, require_model
from toolmem.store.files.settings import user_file, user_layer
from toolmem.store.git import run as gitrun
from toolmem.store.index import word_table
from toolmem.store.origin import install_command
from toolmem.store.vault.vault import Vault

_AREA = "installation"
_NAME = "toolmem"
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*\(?([<>=!~,.\d\s]*)\)?")
_BOUND = re.compile(r"(>=|<=|==|<|>)\s*([\d.]+)")
_OLD_GIT = (2, 25)
_PROGRAM_BYTES = 4096


class ProgramLocation(NamedTuple):
    """Check the interpreter and its environment."""

    executable: Path
    environment: Mapping[str, str]


def installation(place: ProgramLocation) -> Iterator[Finding]:
    """Packages, word vectors, the program on PATH, git, and the user's settings."""
    yield from _packages()
    yield from _word_vectors()
    yield from _on_path(place)
    yield from _git()
    yield from _user_settings()
    yield from _fixed_clock(place.environment)


def for_vault(vault: Vault) -> Iterator[Finding]:
    """Report what the settings need and the installation lacks."""
    command = vault.settings["model.command"].value
    if command and shutil.which(command[0]) is None:
        yield Finding(
            _AREA,
            "model-missing",
            f"the model command {command[0]!r} is not a program on PATH",
            f"install it, or change model.command in {user_file()}",
            "warning",
        )
    if vault.settings["search.semantic"].value == MODEL:
        try:
            require_model(vault)
        except ToolmemError as error:
            cure = f"{install_command('semantic')}, or set search.semantic to table"
            yield Finding(_AREA, "semantic-missing", str(error), cure, "warning")


def _packages() -> Iterator[Finding]:
    try:
        wanted = importlib.metadata.requires(_NAME) or []
    except importlib.metadata.PackageNotFoundError:
        message = "toolmem runs from its source: it is not installed"
        yield Finding(_AREA, "not-installed", message, "pip install .", "note")
        return
    for text in wanted:
        requirement, _, marker = text.partition(";")
        match = _REQUIREMENT.match(requirement.strip())
        if match is None or "extra" in marker:
            continue
        yield from _package(match[1], match[2])


def _package(name: str, bounds: str) -> Iterator[Finding]:
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        yield Finding(
            _AREA, "package-missing", f"{name} is not installed", install_command()
        )
        return
    if not fits(version, bounds):
        message = f"{name} {version} is installed, but toolmem needs {bounds.strip()}"
        yield Finding(_AREA, "package-version", message, install_command(), "warning")


def _word_vectors() -> Iterator[Finding]:
    try:
        word_table.read_table(word_table.FILE)
    except InvalidFileError:
        message = f"searches do without word vectors: {word_table.FILE} is damaged"
        yield Finding(_AREA, "word-vectors", message, install_command(), "warning")


def fits(version: str, bounds: str) -> bool:
    """Return whether a version is within ``>=1.2,<2``; unknown forms are accepted."""
    own = _numbers(version)
    for sign, text in _BOUND.findall(bounds):
        wanted = _numbers(text)
        length = max(len(own), len(wanted))
        a, b = (n + (0,) * (length - len(n)) for n in (own, wanted))
        results = {
            ">=": a >= b,
            "<=": a <= b,
            "==": a == b,
            "<": a < b,
            ">": a > b,
        }
        if not results[sign]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def _on_path(place: ProgramLocation) -> Iterator[Finding]:
    program = shutil.which(_NAME, path=place.environment.get("PATH"))
    if program is None:
        yield Finding(
            _AREA,
            "not-on-path",
            "toolmem is not on PATH: agents and hooks cannot find it",
            f"add {place.executable.parent} to PATH, or install with pipx",
            "warning",
        )
        return
    interpreter = _interpreter(Path(program))
    if interpreter and not _is_same(interpreter, place.executable):
        yield Finding(
            _AREA,
            "other-on-path",
            f"{program} is another toolmem than this one ({place.executable})",
            "remove one of them, or put the one that you want first on PATH",
            "warning",
            program,
        )


def _interpreter(program: Path) -> str:
    """The interpreter that a script names; empty for what is no such script."""
    try:
        with program.open("rb") as file:
            head = file.read(_PROGRAM_BYTES)
    except OSError:
        return ""
    first = head.partition(b"\n")[0]
    words = os.fsdecode(first.removeprefix(b"#!")).split()
    if not first.startswith(b"#!") or not words or "python" not in words[0]:
        return ""
    return words[0]


def _is_same(program: str, other: Path) -> bool:
    """Return whether both are interpreters of one environment."""
    return Path(program).parent.resolve() == other.parent.resolve()


def _git() -> Iterator[Finding]:
    if not gitrun.is_installed():
        message = "git is not installed: a vault keeps no history"
        yield Finding(_AREA, "git-missing", message, "install git", "warning")
        return
    version = git_version()
    if _numbers(version) < _OLD_GIT:
        problem = f"git {version} is old: 2.25 is the oldest supported version"
        yield Finding(_AREA, "git-old", problem, "install a newer git", "warning")


def git_version() -> str:
    """The version of git, as digits and dots."""
    text = gitrun.run(Path("/"), "--version").decode("utf-8", "replace")
    match = re.search(r"\d+(?:\.\d+)+", text)
    return match[0] if match else ""


def _user_settings() -> Iterator[Finding]:
    path = str(user_file())
    try:
        layer = user_layer()
    except InvalidFileError as error:
        yield Finding(_AREA, "settings-broken", error.reason, f"edit {path}", path=path)
        return
    for problem in layer.problems:
        yield Finding(
            _AREA,
            "settings-odd",
            f"line {problem.line}: {problem.message}",
            f"edit {path}",
            problem.severity,
            path,
        )
    default = layer.values.get("vault")
    if default and not (Path(default).expanduser() / "toolmem.toml").is_file():
        message = f"the default vault {default} does not exist"
        yield Finding(_AREA, "default-vault", message, f"edit {path}", "warning", path)


def _fixed_clock(environment: Mapping[str, str]) -> Iterator[Finding]:
    if environment.get("SOURCE_DATE_EPOCH"):
        yield Finding(
            "clock",
            "clock-fixed",
            "SOURCE_DATE_EPOCH is set: toolmem uses this fixed time",
            "unset it, unless this is a build",
            "warning",
        )


def this_place() -> ProgramLocation:
    """Return the path of the running program."""
    return ProgramLocation(Path(sys.executable), os.environ)
