"""``toolmem.Vault``: every operation as a method, for programs and for the servers."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from toolmem.api import capture as capture_
from toolmem.api import facts, memories, rules, tools
from toolmem.api import prompt as prompt_
from toolmem.api import session as session_
from toolmem.api.access import Access, Bounds, Queries, bounded, new_uuid
from toolmem.api.capture import Capturing
from toolmem.api.history import VaultHistory
from toolmem.api.reports import Reports, SearchIndex
from toolmem.api.review import Review
from toolmem.api.sync import Sharing
from toolmem.api.transfer import Transfer
from toolmem.core import limits
from toolmem.core.times import parse_since, parse_until
from toolmem.errors import Arg, UsageError
from toolmem.ops.access import apply as access_apply
from toolmem.ops.access import query as access_query
from toolmem.ops.access import trace as access_trace
from toolmem.ops.doctor import check as doctor_check
from toolmem.ops.doctor import labels, secret_scan
from toolmem.ops.memories import restore as restoring
from toolmem.ops.prompt import build as blocks
from toolmem.ops.reports import statistics
from toolmem.ops.rules import guard as guarding
from toolmem.ops.search import recall as recalling
from toolmem.ops.search import search as searching
from toolmem.store.files import settings as settings_
from toolmem.store.state import trace as state_trace
from toolmem.store.vault.vault import clock


@bounded()
class Vault(Capturing, VaultHistory, Review, Reports, Sharing, Transfer):
    """A vault of rules, facts and memories, for a project and an agent.

    ``Vault.open(path).rule.add("shell", "never use sudo", priority="critical")``.
    Operations on rules are methods of ``rule``, and so on (``fact``, ``memory``,
    ``tool``, ``turn``, ``scratch``, ``working``, ``conversation``, ``index``); names
    and arguments are those of the command line. Empty text arguments count as omitted.
    Each operation reads the current files, and its writes are durable when it returns.
    Errors are ``toolmem.errors.ToolmemError``.
    """

    @classmethod
    def open(
        cls,
        path: "str | PathLike[str]" = "",
        *,
        project: str = "",
        agent_type: str = "",
        agent: str = "",
        read_only: bool = False,
    ) -> "Vault":
        """Open the vault in a folder, or the one that the command line would find.

        Items written with an ``agent`` are marked as that agent's, and its rules are at
        most high. Raises ``NoVaultError`` and ``InvalidFileError``.
        """
        flags, bounds = {"vault": str(path)}, Bounds(read_only=read_only)
        access = Access(flags, Path.cwd(), clock, new_uuid, bounds, queries=Queries())
        access = access.narrowed(project=project, agent_type=agent_type, agent=agent)
        access.find()
        return cls(access)

    def narrowed(
        self, *, project: str = "", agent_type: str = "", agent: str = ""
    ) -> "Vault":
        """Return the same vault for another project, agent type or agent."""
        return Vault(
            self._access.narrowed(project=project, agent_type=agent_type, agent=agent)
        )

    @property
    def access(self) -> Access:
        """Location, user and bounds of the vault."""
        return self._access

    @property
    def rule(self) -> "rules.Rules":
        """Rules for the use of tools."""
        return rules.Rules(self._access)

    @property
    def fact(self) -> "facts.Facts":
        """Keys and values that every session needs."""
        return facts.Facts(self._access)

    @property
    def memory(self) -> "memories.Memories":
        """Knowledge in markdown."""
        return memories.Memories(self._access)

    @property
    def tool(self) -> "tools.Tools":
        """Names, aliases and words of tools."""
        return tools.Tools(self._access)

    @property
    def turn(self) -> "capture_.Turns":
        """Memory of the turns of sessions."""
        return capture_.Turns(self._access)

    @property
    def scratch(self) -> "session_.Scratch":
        """Notes to act on before they expire."""
        return session_.Scratch(self._access)

    @property
    def working(self) -> "session_.WorkingMemory":
        """Values that an agent needs during a task."""
        return session_.WorkingMemory(self._access)

    @property
    def conversation(self) -> "session_.Conversation":
        """Recent messages."""
        return session_.Conversation(self._access)

    @property
    def index(self) -> "SearchIndex":
        """Search index."""
        return SearchIndex(self._access)

    def search(
        self,
        query: str,
        *,
        scope: str = "",
        topic: str = "",
        tag: str = "",
        kind: str = "",
        only: Sequence[str] = (),
        since: str = "",
        until: str = "",
        importance_min: float | None = None,
        limit: int = 10,
        semantic: str = "",
    ) -> "searching.SearchAnswer":
        """Search memories, rules, facts and guidance, best match first.

        ``only`` restricts the kinds (``memory``, ``rule``, ``fact`` …); ``since`` and
        ``until`` bound the last change, inclusive (a day, a time, or a span before now
        such as ``12h``); ``semantic`` is how meanings are compared: ``table``,
        ``model`` or ``off`` (empty: as configured).
        Raises ``UsageError``.
        """
        vault = self._access.read()
        request = searching.SearchRequest(
            query,
            scope=self._access.scope(scope),
            topic=topic or None,
            tag=tag or None,
            mem_kind=kind or None,
            kinds=tuple(only),
            since=parse_since(since, vault.now) if since else None,
            until=parse_until(until, vault.now) if until else None,
            importance_min=importance_min,
            limit=limit,
            semantic=semantic or None,
        )
        return searching.search(vault, request)

    def recall(
        self,
        query: str,
        *,
        namespace: str = "",
        scope: str = "",
        topic: str = "",
        limit: int = 5,
        semantic: str = "",
    ) -> "recalling.RecallResult":
        """Return the fact with exactly that name, else the results of a search.

        The namespace ``tool-NAME`` contains that tool's rules of every priority; the
        query ``*`` lists a namespace.
        """
        request = searching.SearchRequest(
            query.strip(),
            scope=self._access.scope(scope),
            topic=topic or None,
            limit=limit,
            semantic=semantic or None,
        )
        recalled = recalling.recall(self._access.read(), request, namespace or None)
        facts = self._access.seen(recalled.facts, lambda fact: fact.scope)
        return recalled._replace(facts=facts)

    def prompt(
        self,
        *,
        topic: str = "",
        task: str = "",
        tool: Sequence[str] = (),
        only: Sequence[str] = (),
        budget: int = 0,
        max_chars: int = 0,
        format: str = "markdown",
        session: str = "",
        refresh: bool = False,
        at: str = "",
    ) -> "prompt_.Prompt":
        """Return the prompt block for an agent; ``.text`` is the printed text.

        ``budget`` is in tokens, 0 for none; ``at`` a git revision or a date. If the
        critical rules alone exceed the limit they are printed nevertheless, and
        ``.fits`` is False. Raises ``UsageError`` and ``NotFoundError``.
        """
        request = blocks.PromptRequest(
            tuple(tool),
            tuple(only),
            budget or None,
            max_chars or None,
            format,
            topic=topic,
            task=task,
            search_tool=self._access.bounds.search_tool,
        )
        vault = self._access.read()
        return prompt_.make_prompt(
            vault, request, session=session, refresh=refresh, at=at
        )

    def guard(self, tool: str, *, input: Mapping[str, Any]) -> "guarding.GuardAnswer":
        """Check a call by its arguments: ``allow``, ``warn``, ``ask`` or ``deny``."""
        vault, cwd = self._access.read(), str(self._access.cwd)
        home = settings_.home_folder()
        return guarding.check_call(vault, tool, input, cwd=cwd, home=home)

    def query(
        self, request: Mapping[str, Any], *, budget: int = limits.REQUEST_TOKENS
    ) -> "access_query.QueryResult":
        """Answer the memory queries of a tool; ``.document`` is the answer.

        The queries share ``budget`` tokens; denied and failed ones have a status.
        Raises ``UsageError`` with a JSON path for an invalid request.
        """
        queries, vault = self._access.queries, self._access.read()
        if queries is None:
            return access_query.answer_request(vault, dict(request), budget=budget)
        return queries.answer(vault, dict(request), budget=budget, now=self._access.now)

    def apply(
        self, response: Mapping[str, Any], *, tool: str = ""
    ) -> "access_apply.ApplyResult":
        """Store the memories and scratch entries of a tool, each with its status.

        Raises ``UsageError`` with a JSON path for an invalid response.
        """
        vault, new_id = self._access.write(), self._access.new_id
        document, name = dict(response), tool.strip()
        return access_apply.apply_response(vault, document, unique_id=new_id, tool=name)

    def trace(
        self,
        *,
        request: str = "",
        tool: str = "",
        since: str = "",
        limit: int | None = None,
    ) -> "tuple[state_trace.TraceLine, ...]":
        """Return the trace of requests, oldest first; with ``limit`` the last lines.

        ``since`` is a date, a time or a span.
        """
        vault = self._access.read()
        when = parse_since(since, vault.now) if since else None
        wanted = access_trace.TraceFilter(request, tool, when)
        return access_trace.show_trace(vault, wanted)[-limit if limit else 0 :]

    def check(
        self,
        *,
        secrets: bool = False,
        history: bool = False,
        strict: bool = False,
        fix: bool = False,
    ) -> "doctor_check.Report":
        """Validate the vault; ``secrets`` searches for credentials, too.

        ``history`` searches for them in all of git; ``strict`` makes warnings count as
        failures; ``fix`` rewrites what older versions stored. Raises ``UsageError``.
        """
        if history and not secrets:
            raise UsageError(Arg("history"), " needs ", Arg("secrets"))
        fixed: tuple[str, ...] = ()
        if fix:
            fixed = labels.fix_labels(self._access.write())
            fixed += doctor_check.fix_rules(self._access.write())
        vault = self._access.read(tolerant=True)
        checked = doctor_check.check_vault(vault, strict=strict, fixed=fixed)
        if secrets:
            checked = checked.with_more(secret_scan.scan_files(vault))
        if history:
            checked = checked.with_more(secret_scan.scan_history(vault))
        return checked

    def stats(
        self, tool: str = "", *, limit: int | None = None
    ) -> "tuple[statistics.ToolRecord, ...]":
        """Return calls, failures, durations and errors of each tool, or of one."""
        return statistics.tool_records(self._access.read(), tool or None)[:limit]

    def restore(self, id: str) -> "restoring.RestoreResult":
        """Restore an archived rule or memory.

        Raises ``NotFoundError`` and ``ExistsError``.
        """
        return restoring.restore(self._access.write(), id, self._access.bounds.allows)

    def settings(self) -> "Mapping[str, settings_.SettingValue]":
        """Return every setting, its value, and its origin."""
        return self._access.find().settings
