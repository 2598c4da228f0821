"""Result of checking one file by itself, and its form in JSON.

Besides the problems it contains all that checks across files need of the file.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, NamedTuple

from toolmem.core.model import Problem
from toolmem.core.names import folder_key
from toolmem.core.rules.rule_file import RuleFile
from toolmem.store.files import layout
from toolmem.store.files.walk import VaultFile


class FileResult(NamedTuple):
    """Problems of a file, and what other files may conflict with.

    ``rule`` is the rule in it, ``names`` are those of a manifest's tool. ``rivals`` are
    the memories that a memory is contested with, None for one that cannot be parsed and
    for other files. ``private`` is a memory that agents may not see.
    """

    problems: tuple[Problem, ...] = ()
    rule: RuleFile | None = None
    names: tuple[str, ...] = ()
    rivals: tuple[str, ...] | None = None
    private: bool = False


class CheckedFile(NamedTuple):
    """A file of the vault, and the result of checking it."""

    file: VaultFile
    result: FileResult


class CheckedFolder(NamedTuple):
    """Files of one folder: paths of memories without anything to record, and others.

    Files of other kinds without anything to record are left out.
    """

    memories: Sequence[str]
    others: Sequence[CheckedFile]


PLAIN = FileResult()
"""Result of a file without anything to record."""
PLAIN_MEMORY = FileResult(rivals=())


def default(kind: str) -> FileResult:
    """Return the result of a file that has no record."""
    return PLAIN_MEMORY if kind == "memory" else PLAIN


def to_json(result: FileResult) -> dict[str, Any]:
    """Return a result as JSON; the path is not part of it."""
    rule = result.rule
    return {
        "problems": [[*problem[1:]] for problem in result.problems],
        "rule": rule and [rule.id, _encoded(rule.stated)],
        "names": [*result.names],
        "rivals": None if result.rivals is None else [*result.rivals],
        "private": result.private,
    }


def from_json(record: Mapping[str, Any], path: str) -> FileResult:
    """Return the result of a file that was recorded."""
    rule, rivals = record["rule"], record["rivals"]
    return FileResult(
        tuple(Problem(path, *rest) for rest in record["problems"]),
        _rule(path, *rule) if rule else None,
        tuple(record["names"]),
        None if rivals is None else tuple(rivals),
        record["private"],
    )


def _rule(path: str, rule_id: str, stated: Any) -> RuleFile:
    scope = layout.scope_of(path)
    if scope is None:
        raise ValueError(f"{path} is in no scope")
    folder_tool = folder_key(path.split("/")[-2])
    return RuleFile(rule_id, scope, path, folder_tool, _decoded(stated))


_TIMES: dict[str, Callable[[str], Any]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
}


def _encoded(value: Any) -> Any:
    """Return a value of TOML as JSON: each that is not a text or a number is tagged."""
    if isinstance(value, Mapping):
        return ["table", {key: _encoded(inner) for key, inner in value.items()}]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [_encoded(inner) for inner in value]]
    if isinstance(value, (date, time)):
        return [type(value).__name__, value.isoformat()]
    return value


def _decoded(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    tag, inner = value
    if tag == "table":
        return {key: _decoded(one) for key, one in inner.items()}
    if tag in _TIMES:
        return _TIMES[tag](inner)
    found = map(_decoded, inner)
    return tuple(found) if tag == "tuple" else list(found)
