"""Convert files of the vault to searchable documents.

Rules and facts are found as they are in force for the reader, which depends on several
files.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from toolmem.core import limits
from toolmem.core.facts import parse
from toolmem.core.guard.derivation import stored
from toolmem.core.memories import memory_text
from toolmem.core.model import Fact, Rule, Scope
from toolmem.core.names import decode_name, fold
from toolmem.core.rules import effective
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.scope import breadth, chain_of, parse_scope
from toolmem.core.search.doc import Doc
from toolmem.core.text import prose
from toolmem.core.text.textlines import heading
from toolmem.core.times import as_moment
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import layout
from toolmem.store.files.walk import kind_of
from toolmem.store.vault import fact_files, memory_writer, rule_files
from toolmem.store.vault.vault import Vault, decode

OVERRIDABLE = frozenset({"rule", "fact"})
"""Kinds of documents that other scopes may override."""
SEARCHED = ("memory", "rule", "facts", "prose")
"""Kinds of files (see ``walk.kind_of``) with searchable content."""


def documents_of(
    path: str, data: bytes, read: Callable[[str, int], bytes]
) -> tuple[Doc, ...]:
    """Return the documents in one file.

    ``read`` reads another file, for the original text that a long memory has there.
    Raises ``InvalidFileError`` for a rule or a text that cannot be read.
    """
    scope, kind = layout.scope_of(path), kind_of(path)
    if scope is None or kind not in SEARCHED:
        return ()
    text = decode(data, path)
    match kind:
        case "memory":
            return (_memory(path, text, scope, read),)
        case "rule":
            return tuple(_rule(path, text, scope))
        case "facts":
            return tuple(_facts(path, text, scope))
        case "prose":
            return tuple(_prose(path, text, scope))
        case _:
            return ()


def _memory(
    path: str, text: str, scope: Scope, read: Callable[[str, int], bytes]
) -> Doc:
    parsed = memory_text.parse_memory(text, path=path)
    scope_text, surroundings = _place(path.rpartition("/")[0], scope)
    return Doc(
        id=parsed.id,
        path=path,
        scope=scope_text,
        kind="memory",
        title=parsed.title,
        headings=_headings(parsed.body),
        body=_body(parsed) + _original(parsed, read),
        context=surroundings,
        topic=parsed.topic or "",
        tags=parsed.tags,
        mem_kind=fold(parsed.kind or ""),
        importance=parsed.importance,
        created=as_moment(parsed.created),
        updated=as_moment(parsed.updated),
        private=parsed.private,
        agent=parsed.agent or (scope.name if scope.kind == "agent" else ""),
        expires_at=as_moment(parsed.expires_at),
        source=parsed.source or "",
        supersedes=parsed.supersedes,
    )


def _body(parsed: "memory_text.ParsedMemory") -> str:
    """Return the text below the title, from the summary to the end."""
    body = parsed.body.lstrip("\n")
    first, _, rest = body.partition("\n")
    return (rest if heading(first) else body).strip("\n")[: limits.TEXT_FILE_BYTES]


def _original(
    parsed: "memory_text.ParsedMemory", read: Callable[[str, int], bytes]
) -> str:
    """Return the original text from its separate file, if it can be read."""
    path = memory_writer.own_original(parsed) if parsed.original_path else None
    if path is None:
        return ""
    try:
        return "\n\n" + read(path, limits.SEARCHED_BYTES).decode()
    except (FileNotFoundError, InvalidFileError, StorageError, UnicodeDecodeError):
        return ""


def _headings(body: str) -> tuple[str, ...]:
    if "##" not in body:
        return ()
    headings = []
    for line in body.split("\n"):
        if line.startswith("##"):
            level = heading(line.rstrip("\r"))
            if level and level[1]:
                headings.append(level[1])
    return tuple(headings)


@lru_cache(maxsize=256)
def _place(folder: str, scope: Scope) -> tuple[str, str]:
    """Return a scope as text, and the context of a memory in a folder of it.

    The folders that a person sorted it into describe its subject.
    """
    inside = folder[len(layout.scope_folder(scope)) + 1 :]
    names = [*map(decode_name, inside.split("/")[1:]), scope.name, scope.sub]
    return str(scope), " ".join(names).strip()


def _rule(path: str, text: str, scope: Scope) -> Iterator[Doc]:
    folder_tool = fold(decode_name(path.split("/")[-2]))
    file = stored.read_rule(text, path=path, scope=scope, folder_tool=folder_tool)
    if "rule" in file.stated:
        yield rule_document(effective.rule_from(file.stated, file))


def rule_document(rule: Rule) -> Doc:
    """Return a rule as a document."""
    return Doc(
        id=rule.id,
        path=rule.path,
        scope=str(rule.scope),
        kind="rule",
        title=rule.tool,
        body=rule.rule,
        topic="",
        tags=rule.tags,
        mem_kind=rule.priority.value,
        created=rule.created_at,
        updated=rule.updated_at,
        agent=rule.scope.name if rule.scope.kind == "agent" else "",
        expires_at=rule.expires_at,
        source=rule.source.value,
    )


def _facts(path: str, text: str, scope: Scope) -> Iterator[Doc]:
    for line in parse.parse_facts(text).facts:
        fact = Fact(line.key, line.value, line.namespace, scope, path, line.line)
        yield fact_document(fact)


def fact_document(fact: Fact) -> Doc:
    """Return a fact as a document."""
    scope = fact.scope
    return Doc(
        id=f"{fact.namespace}.{fact.key}@{scope}",
        path=fact.path,
        scope=str(scope),
        kind="fact",
        title=fact.key,
        body=f"{fact.key}: {fact.value}",
        context=fact.namespace,
        tags=(fact.namespace,),
        agent=scope.name if scope.kind == "agent" else "",
    )


def _prose(path: str, text: str, scope: Scope) -> Iterator[Doc]:
    body = prose.without_header(text).strip("\n")
    if not body.strip():
        return
    name = path.rpartition("/")[2].removesuffix(".md")
    kind = "guidance" if f"/{layout.GUIDANCE}/" in path else "override"
    if path.endswith(f"/{layout.PROFILE}"):
        kind = "profile"
    first, _, rest = body.partition("\n")
    title = heading(first)
    yield Doc(
        id=f"{name}@{scope}",
        path=path,
        scope=str(scope),
        kind=kind,
        title=title[1] if title else name,
        headings=_headings(body),
        body=rest.strip("\n") if title else body,
        agent=scope.name if scope.kind == "agent" else "",
    )


def documents_in_force(vault: Vault, scopes: frozenset[str] | None) -> tuple[Doc, ...]:
    """Return the rules and facts that a reader of some scopes can find.

    Several scopes are a chain: each rule and fact is as in force there. In one scope,
    and in every scope (None: all but agents' own), it is as in force in its own scope.
    Rules that have expired are among them.
    """
    if scopes is not None and len(scopes) > 1:
        chain = tuple(sorted(map(parse_scope, scopes), key=lambda s: -breadth(s)))
        return tuple(_of_chain(vault, chain))
    if scopes is None:
        every = layout.all_scopes(vault.tree)
        asked = [scope for scope in every if scope.kind != "agent"]
    else:
        asked = [parse_scope(text) for text in scopes]
    return tuple(_of_scopes(vault, asked))


def _of_chain(vault: Vault, chain: Sequence[Scope]) -> Iterator[Doc]:
    for each in vault.in_force:
        own_chain = each.chain if chain == vault.chain else chain
        files = rule_files.load_rule_files(each, own_chain)
        for entry in effective.combine(files.files):
            yield from _in_force(each, entry, vault)
    yield from map(fact_document, fact_files.chain_facts(vault, chain).facts)


def _of_scopes(vault: Vault, scopes: Sequence[Scope]) -> Iterator[Doc]:
    for each in vault.in_force:
        chains = {scope: chain_of(scope) for scope in scopes}
        needed = dict.fromkeys(s for chain in chains.values() for s in chain)
        loaded: dict[Scope, list[RuleFile]] = {scope: [] for scope in needed}
        loading = rule_files.load_rule_files(each, needed)  # opens a cache once
        for file in loading.files:
            loaded[file.scope].append(file)
        for scope, chain in chains.items():
            if loaded[scope]:
                files = [file for level in chain for file in loaded[level]]
                yield from _rules_at(each, scope, files, vault)
    for scope in scopes:
        yield from map(fact_document, fact_files.chain_facts(vault, [scope]).facts)


def _rules_at(
    vault: Vault, scope: Scope, files: Iterable[RuleFile], worked_on: Vault
) -> Iterator[Doc]:
    """Yield the rules that files of a scope state or change, as they are in force
    there."""
    for entry in effective.combine(files):
        layer = next((la for la in entry.layers[::-1] if la.scope == scope), None)
        if layer is None or (len(entry.layers) > 1 and layer.refused):
            continue
        path = _path(vault, layer.path, worked_on)
        for doc in _in_force(vault, entry, worked_on):
            yield doc._replace(scope=str(scope), path=path)


def _in_force(
    vault: Vault, entry: "effective.EffectiveRule", worked_on: Vault
) -> Iterator[Doc]:
    """Yield a rule in force, at the place of the file that states its text."""
    if entry.rule is None or not entry.rule.enabled:
        return
    stating = [
        layer
        for layer in entry.layers
        if layer.path == entry.rule.path or "rule" in layer.changed
    ]
    place = stating[-1]
    doc = rule_document(entry.rule)
    yield doc._replace(scope=str(place.scope), path=_path(vault, place.path, worked_on))


def _path(vault: Vault, path: str, worked_on: Vault) -> str:
    return path if vault is worked_on else f"{vault.root}/{path}"
