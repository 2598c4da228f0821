"""Result of checking one file by itself, and its form in JSON.

Besides the problems it contains all that checks across files need of the file.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from toolmem.core.model import Problem, Scope
from toolmem.core.names import folder_key
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.rules.table_text import Packed, pack, unpack
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
        "rule": rule and [rule.id, pack(rule.stated, {})],
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


def _rule(path: str, rule_id: str, stated: Packed) -> RuleFile:
    scope, tool = _place(path.rpartition("/")[0])
    return RuleFile(rule_id, scope, path, tool, unpack(stated))


@lru_cache(maxsize=1024)
def _place(folder: str) -> tuple[Scope, str]:
    """Return the scope and the tool of the rules in a folder."""
    scope = layout.scope_of(folder)
    if scope is None:
        raise ValueError(f"{folder} is in no scope")
    return scope, folder_key(folder.rpartition("/")[2])
