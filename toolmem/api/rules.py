"""``vault.rule``: rules for the use of tools."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from toolmem.api.access import Operations, bounded, names_of
from toolmem.core.candidates.command import KeepCommand
from toolmem.core.model import Rule, Scope
from toolmem.core.rules.arguments import checked_guard, priority_of, source_of, time_of
from toolmem.core.scope import chain_of
from toolmem.core.times import expiry_of
from toolmem.errors import Arg, NextStep, NotFoundError, UsageError, exclusive
from toolmem.ops.judging import keep_command
from toolmem.ops.reports import due
from toolmem.ops.reports import explain_rule as rule_why
from toolmem.ops.rules import change as rule_change
from toolmem.ops.rules import compiled, new_names
from toolmem.ops.rules import examples as rule_examples
from toolmem.ops.rules import listing as rules
from toolmem.ops.rules import move as rule_move
from toolmem.ops.rules import put as rule_put
from toolmem.ops.rules.listing import FileGroup, RuleListing
from toolmem.store.vault.vault import Vault


@bounded("rule")
class Rules(Operations):
    """Operations on rules; times are UTC, texts are one line."""

    def add(
        self,
        tool: str,
        text: str,
        *,
        priority: str = "",
        scope: str = "",
        tag: Sequence[str] | None = None,
        expires: str = "",
        id: str = "",
        source: str = "",
        evidence: str = "",
        guard: Sequence[Mapping[str, Any]] = (),
        no_guard: bool = False,
        reason: str = "",
        created_at: str = "",
        allow_secret: bool = False,
        create: bool = False,
        dry_run: bool = False,
    ) -> "rule_put.PutResult":
        """Add a rule to a tool, or find an existing one; durable.

        Of an existing rule with the ``id`` only the given fields change, and lowering a
        person's critical one needs a ``reason``. ``priority`` is ``critical``, ``high``
        or ``normal``; ``expires`` a date, a time or a span such as ``30d``; ``guard``
        are tables that describe violating calls, instead of those derived from the
        text, which ``no_guard`` disables; ``source`` is ``user_explicit``,
        ``post_turn`` or ``programmatic``; ``created_at`` is when a new rule was made
        elsewhere. Raises ``UsageError``, ``SecretError`` and ``ExistsError``.
        """
        vault = self._access.write(dry_run=dry_run)
        wanted = rule_put.NewRule(
            tool,
            text,
            priority_of(priority) if priority else None,
            source_of(source) if source else None,
            None if tag is None else tuple(tag),
            expiry_of(expires, vault.now),
            evidence or None,
            id or None,
            tuple(map(checked_guard, guard)) if guard or no_guard else None,
            reason=reason,
            created_at=time_of(created_at),
        )
        target, remarks = self._access.place(vault, scope, tool, text, create=create)
        put, new_id = rule_put.put_rule, self._access.new_id
        done = put(vault, wanted, target, new_id, allow_secret=allow_secret)
        return done._replace(remarks=remarks)

    def show(self, id: str, *, scope: str = "") -> Rule | None:
        """Return the rule with this id or unique prefix of an id, or None."""
        vault, asked = self._access.read(), self._access.scope(scope)
        holder = rules.holder_of(vault, id)
        rule = rules.show_rule(holder, id, asked)
        if rule is None or not self._access.bounds.allows(rule.scope):
            return None
        return _placed(rule, vault, holder)

    def list(
        self,
        tool: str = "",
        *,
        effective: bool | None = None,
        scope: str = "",
        priority: str = "",
        tag: str = "",
        limit: int | None = None,
    ) -> RuleListing:
        """Return rules by priority, then newest first, of the vault or of a scope.

        ``effective``: only those in effect for the chain; the default if the vault was
        opened for a project or agent.
        """
        vault, wanted = self._access.read(), priority_of(priority) if priority else None
        effective = self._access.asked if effective is None else effective
        if effective and scope:
            raise exclusive("effective", "scope")
        name, tagged = tool or None, tag or None
        if effective:
            listed = rules.effective_rules(vault, name, priority=wanted, tag=tagged)
        else:
            more = (self._access.scope(scope), wanted, tagged)
            listed = rules.list_rules(vault, name, *more, own=True)
        seen = self._seen(listed, limit)
        return seen._replace(effects=compiled.effects(vault, seen.rules))

    def in_force(self, tool: str, scope: str = "") -> RuleListing:
        """Return the rules of a tool in force for the chain, or for one scope."""
        vault, asked = self._access.read(), self._access.scope(scope)
        if asked is not None:
            vault = vault.with_chain(chain_of(asked))
        return self._seen(rules.effective_rules(vault, tool or None))

    def _seen(self, listed: RuleListing, limit: int | None = None) -> RuleListing:
        seen = self._access.seen
        return RuleListing(
            seen(listed.rules, lambda rule: rule.scope)[:limit],
            seen(listed.unreadable, lambda entry: entry.scope),
        )

    def why(self, id: str) -> "rule_why.RuleExplanation":
        """Return where a rule comes from, what overrides it, and if it is shown.

        Raises ``NotFoundError``.
        """
        holder, files = self._known(vault := self._access.read(), id)
        why = rule_why.why_rule(holder, *files)
        rule = _placed(why.rule, vault, holder) if why.rule else None
        return why._replace(rule=rule)

    def test(self, id: Sequence[str] = ()) -> "tuple[rule_examples.RuleTest, ...]":
        """Run the examples of the guards of some rules, or of all."""
        tests = rule_examples.run_rules(self._access.read(), id)
        return self._access.seen(tests, lambda result: result.rule.scope)

    def due(self, *, session: str = "") -> "tuple[due.DueNow, ...]":
        """Return the duties that are due here, in one session or in all.

        Raises ``StorageError`` if local state cannot be read.
        """
        duties = due.duties_due(self._access.read(), str(self._access.cwd), session)
        return self._access.seen(duties, lambda duty: duty.rule.scope)

    def edit(
        self,
        id: str,
        *,
        text: str = "",
        priority: str = "",
        tag: Sequence[str] = (),
        expires: str = "",
        evidence: str = "",
        scope: str = "",
        reason: str = "",
        allow_secret: bool = False,
        no_guard: bool = False,
        dry_run: bool = False,
    ) -> "rule_change.ChangeResult":
        """Change a rule; empty arguments change nothing (a tag of "" removes all tags).

        ``expires`` may be ``never``; ``no_guard`` disables guards derived from the
        text. Raises ``NotFoundError`` and ``UsageError``.
        """
        vault = self._access.write(dry_run=dry_run)
        edits = rule_change.Edits(
            text=text or None,
            priority=priority_of(priority) if priority else None,
            tags=tuple(tag) if tag else None,
            expires_at=expiry_of(expires, vault.now),
            never_expires=expires == "never",
            evidence=evidence or None,
            reason=reason or None,
            allow_secret=allow_secret,
            no_guard=no_guard,
        )
        asked = self._access.scope(scope)
        return self._changed(vault, rule_change.edit_rule, id, edits, asked)

    def override(
        self,
        id: str,
        *,
        scope: str,
        disable: bool = False,
        enable: bool = False,
        priority: str = "",
        text: str = "",
        reason: str = "",
        allow_secret: bool = False,
        create: bool = False,
    ) -> "rule_change.ChangeResult":
        """Override a rule in a narrower scope.

        Raises ``NotFoundError``, and ``UsageError`` for a forbidden change.
        """
        if disable and enable:
            raise exclusive("disable", "enable")
        enabled = True if enable else False if disable else None
        vault = self._access.write()
        edits = rule_change.Edits(
            text=text or None,
            priority=priority_of(priority) if priority else None,
            reason=reason or None,
            allow_secret=allow_secret,
        )
        if not scope:
            raise UsageError(Arg("scope"), " is missing: name that of the override")
        wanted, remarks = self._access.place(vault, scope, create=create)
        override = partial(rule_change.override_rule, enabled=enabled)
        done = self._changed(vault, override, id, wanted, edits)
        return done._replace(remarks=remarks)

    def archive(
        self, id: str, *, reason: str, scope: str = ""
    ) -> "rule_change.ChangeResult":
        """Retire a rule: its file moves to ``archive/`` with the reason.

        Raises ``NotFoundError``.
        """
        vault, asked = self._access.write(), self._access.scope(scope)
        return self._changed(vault, rule_change.archive_rule, id, reason, asked)

    def move(
        self, id: str, *, scope: str, create: bool = False
    ) -> "rule_change.ChangeResult":
        """Move a rule to another scope; its id, text and history stay.

        Raises ``NotFoundError``, ``ExistsError`` if the scope already has the rule and
        ``UsageError`` for an override, which does not move without its rule.
        """
        vault = self._access.write()
        target, remarks = self._access.place(vault, scope, create=create)
        moved = self._changed(vault, rule_move.move_rule, id, target)
        return moved._replace(remarks=remarks)

    def delete(
        self, id: str | Sequence[str], *, scope: str = ""
    ) -> "tuple[rule_change.ChangeResult, ...]":
        """Delete rules: all that are named, or none (git keeps what was committed).

        Raises ``NotFoundError``.
        """
        vault, asked = self._access.write(), self._access.scope(scope)
        by_id = {self._deletable(vault, name, asked): name for name in names_of(id)}
        delete = rule_change.delete_rule
        return tuple(
            self._changed(vault, delete, name, asked) for name in by_id.values()
        )

    def _deletable(self, vault: Vault, name: str, scope: Scope | None) -> str:
        """Return the id of a rule; raise what would keep it from being deleted."""
        holder, (file, same) = self._known(vault, name)
        if scope is None:
            rules.one_scope(name, file, same)
        else:
            rules.find_file(holder, name, scope)
        return file.id

    def keep(
        self,
        id: Sequence[str] = (),
        *,
        quote: str = "",
        tool: Sequence[str] = (),
        scope: str = "",
        priority: str = "",
        wording: str = "",
        session: str = "",
    ) -> Mapping[str, Any]:
        """Store candidates, or words of the user, as rules; return a document.

        ``wording`` may only leave out idle words. Keys: ``kept``, ``proposed`` (words
        that the user was not seen to type), ``refused``. If a hook carried out the same
        command, its answer is returned.
        Raises ``UsageError``, and ``StorageError`` if nothing is written.
        """
        words = (tuple(id), quote, tuple(tool), scope, priority, "", wording)
        return self._judged(KeepCommand("keep", *words), session)

    def retract(
        self,
        id: Sequence[str] = (),
        *,
        quote: str = "",
        which: str = "",
        scope: str = "",
        session: str = "",
    ) -> Mapping[str, Any]:
        """Revoke a rule; return ``retracted``, ``proposed`` and ``refused``."""
        command = KeepCommand("retract", tuple(id), quote, (), scope, "", which)
        return self._judged(command, session)

    def _judged(self, command: KeepCommand, session: str) -> Mapping[str, Any]:
        reader = self._access.read().session_vault
        scope = self._access.scope(command.scope)  # it may be beyond the bounds
        remarks = new_names.remarks_on_names(reader, scope) if scope else ()
        cwd, write = str(self._access.cwd), self._session_writer
        answer = keep_command.answer(reader, write, command, session, cwd)
        return {**answer, "remarks": list(remarks)} if remarks else answer

    def _session_writer(self) -> Vault:
        """Return the vault that stores the user's messages, for writing."""
        vault = self._access.write().session_vault
        vault.require_writable()
        return vault

    def _known(self, vault: Vault, prefix: str) -> tuple[Vault, FileGroup]:
        """Return the vault in force that has a rule, and its files.

        Raises ``NotFoundError`` also for a rule out of bounds.
        """
        holder = rules.holder_of(vault, prefix)
        files = rules.find_file(holder, prefix)
        if not self._access.bounds.allows(files[0].scope):
            raise NotFoundError(
                f"no rule {prefix!r}: ", NextStep("rule.list"), " shows the ids"
            )
        return holder, files

    def _changed(
        self,
        vault: Vault,
        make: "Callable[..., rule_change.ChangeResult]",
        id: str,
        *more: Any,
    ) -> "rule_change.ChangeResult":
        """Change a rule in the vault in force that has it.

        The path of a file in another vault than the current one is absolute.
        """
        holder, _ = self._known(vault, id)
        holder.require_writable()
        change = make(holder._replace(dry_run=vault.dry_run), id, *more)
        path = change.path if holder is vault else f"{holder.root}/{change.path}"
        return change._replace(path=path)


def _placed(rule: Rule, vault: Vault, holder: Vault) -> Rule:
    """Return the rule with its vault, if that is another one."""
    return rule if holder is vault else rule._replace(vault=str(holder.root))
