"""Tables of local state whose rows belong to an agent and to a project.

Scratch pages, working memory and conversation are read, bounded and stored by it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from toolmem.core.times import rfc3339
from toolmem.store.state.rows import is_of_project
from toolmem.store.vault.vault import Vault


class _ProjectRow(Protocol):
    @property
    def project(self) -> str: ...


_Row = TypeVar("_Row", bound=_ProjectRow)


class AgentTable(NamedTuple, Generic[_Row]):
    """A table, the columns that ``read`` makes a value of, and the order of its rows.

    ``newest`` is the order that ``keep_newest`` counts in.
    """

    name: str
    columns: str
    read: Callable[[Sequence[Any]], _Row]
    order: str = "number DESC"
    newest: str = "number DESC"

    def select(
        self,
        state: Connection,
        vault: Vault,
        asked: Mapping[str, str | None],
        more: str = "",
        given: Sequence[str] = (),
    ) -> tuple[_Row, ...]:
        """Return the values in the vault's project whose columns are as asked.

        None asks for any. ``more`` is a further condition in SQL with its values.
        """
        equal = {key: value for key, value in asked.items() if value is not None}
        where = " AND ".join([*(f"{key} = ?" for key in equal), more or "TRUE"])
        rows = state.execute(
            f"SELECT {self.columns} FROM {self.name} WHERE {where}"
            f" ORDER BY {self.order}",
            (*equal.values(), *given),
        )
        values = (self.read(row) for row in rows.fetchall())
        return tuple(value for value in values if is_of_project(value.project, vault))

    def keep_newest(
        self,
        state: Connection,
        owner: tuple[str, str],
        most: int,
        more: str = "",
        given: Sequence[str] = (),
    ) -> tuple[_Row, ...]:
        """Delete the oldest rows beyond ``most`` of an agent and project; return them.

        ``more`` is a further condition in SQL with its values.
        """
        rows = state.execute(
            f"DELETE FROM {self.name} WHERE number IN (SELECT number FROM {self.name}"
            f" WHERE agent = ? AND project = ? AND {more or 'TRUE'}"
            f" ORDER BY {self.newest} LIMIT -1 OFFSET ?) RETURNING {self.columns}",
            (*owner, *given, most),
        )
        return tuple(self.read(row) for row in rows.fetchall())


def of_project(values: Iterable[_Row], project: str) -> list[_Row]:
    """Return values of a project and of none; all of them without a project."""
    return [each for each in values if each.project in ("", project or each.project)]


def document_of(fields: Mapping[str, Any], times: Iterable[str]) -> dict[str, Any]:
    """Return fields with their ``times`` as text, and as JSON under ``document``."""
    stored = dict(fields) | {key: rfc3339(fields[key]) for key in times}
    document = json.dumps(stored, ensure_ascii=False, default=dict)
    return stored | {"document": document}
