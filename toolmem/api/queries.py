"""The services that answer tools: they live as long as the process and remember."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from toolmem.ops.access import query
from toolmem.store.vault.vault import Vault

_MOST = 8
"""Agents and projects whose answers are remembered at a time."""


class Queries:
    """One service for each agent, project and state of the settings."""

    def __init__(self) -> None:
        self._services: dict[object, query.QueryService] = {}

    def answer(
        self,
        vault: Vault,
        document: Any,
        *,
        budget: int,
        now: Callable[[], datetime],
    ) -> "query.QueryResult":
        """Answer a ToolRequest; see ``ops.query.QueryService.answer``."""
        settings = ((one.name, repr(one.value)) for one in vault.settings.values())
        key = (vault.root, tuple(settings))
        service = self._services.pop(key, None)
        if service is None:
            service = query.QueryService(vault, clock=now)
        self._services[key] = service
        while len(self._services) > _MOST:
            self._services.pop(next(iter(self._services)))
        return service.answer(document, budget=budget)
