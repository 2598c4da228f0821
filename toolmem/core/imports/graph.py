"""Import the knowledge graph of the MCP reference memory server: JSON lines.

Each entity becomes a memory with its observations and its relations; a relation of an
entity without a description creates one for it, so that nothing is lost.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolmem.core.imports.conditional import take_rules
from toolmem.core.imports.conditions import FileContext
from toolmem.core.imports.items import ImportedContent, ImportNote, TextItem
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.text.safetext import one_line

_ENTITY = ("name", "entityType", "observations", "type")
_RELATION = ("from", "to", "relationType", "type")


class _Entity:
    """An entity, and what is said of it: keys in order, each once."""

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line
        self.kinds: dict[str, None] = {}
        self.observations: dict[str, None] = {}
        self.relations: dict[str, None] = {}


def read_graph(text: str, box: Toolbox) -> ImportedContent:
    """Return the memories of a graph, in order, with notes on invalid records.

    An agent wrote it, so its rules about tools do not count as a person's.
    """
    entities: dict[str, _Entity] = {}
    notes: list[ImportNote] = []
    for line, record in _records(text, notes):
        problem = _take(entities, record, line)
        if problem:
            notes.append(ImportNote(line, "graph", problem))
    rules = [
        rule._replace(by_person=False, line=entity.line)
        for entity in entities.values()
        for observation in entity.observations
        for rule in take_rules(observation, entity.line, box, _context(entity))[0]
    ]
    texts = tuple(map(_text, entities.values()))
    return ImportedContent(tuple(rules), texts, tuple(notes))


def _context(entity: _Entity) -> FileContext:
    return FileContext(titles=(entity.name, *entity.kinds))


def _records(text: str, notes: list[ImportNote]) -> Iterator[tuple[int, Any]]:
    """Yield the objects of a graph: one per line, or all in one document."""
    whole = _parsed(text) if text.lstrip()[:1] in ("{", "[") else None
    if isinstance(whole, dict) and ("entities" in whole or "relations" in whole):
        for key, kind in (("entities", "entity"), ("relations", "relation")):
            listed = whole.get(key)
            for record in listed if isinstance(listed, list) else []:
                typed = isinstance(record, dict)
                yield 0, {**record, "type": kind} if typed else record
        return
    if isinstance(whole, list):
        for record in whole:
            yield 0, record
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        record = _parsed(line)
        if record is None:
            notes.append(ImportNote(number, "graph", "is not JSON"))
        else:
            yield number, record


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _take(entities: dict[str, _Entity], record: Any, line: int) -> str:
    """Add a record; return what is wrong with it."""
    if not isinstance(record, dict):
        return "is neither an entity nor a relation"
    if record.get("type") == "entity" and _name(record.get("name")):
        return _take_entity(entities, record, line)
    source, target = _name(record.get("from")), _name(record.get("to"))
    if record.get("type") == "relation" and source and target:
        kind = _name(record.get("relationType")) or "related to"
        relation = f"{kind} {target}"
        entity = entities.setdefault(source, _Entity(source, line))
        entity.relations[relation] = None
        return _unknown(record, _RELATION)
    return "is neither an entity nor a relation"


def _take_entity(
    entities: dict[str, _Entity], record: Mapping[str, Any], line: int
) -> str:
    name = _name(record["name"])
    entity = entities.setdefault(name, _Entity(name, line))
    kind = _name(record.get("entityType"))
    if kind:
        entity.kinds[kind] = None
    observations = record.get("observations", [])
    for said in observations if isinstance(observations, list) else [observations]:
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        if text.strip():
            entity.observations[text] = None
    return _unknown(record, _ENTITY)


def _unknown(record: Mapping[str, Any], known: tuple[str, ...]) -> str:
    more = ", ".join(one_line(str(key)) for key in record if key not in known)
    return f"ignored unknown keys: {more}" if more else ""


def _name(value: Any) -> str:
    return one_line(value) if isinstance(value, str) else ""


def _text(entity: _Entity) -> TextItem:
    observations = [_item(text) for text in entity.observations]
    related = [f"- {one_line(text)}" for text in entity.relations]
    blocks = ["\n".join(observations)] if observations else []
    if related:
        blocks.append("\n".join(["Relations:", "", *related]))
    kind, *tags = entity.kinds or [""]
    return TextItem(
        entity.name,
        "\n\n".join(blocks) or f"Known as {kind or 'an entity'}.",
        entity.line,
        entity.name,
        kind,
        tuple(tags),
        "observation",
    )


def _item(text: str) -> str:
    """Return an observation as an item of a list, further lines below it."""
    first, *more = text.strip("\n").split("\n")
    return "\n".join([f"- {first}", *(f"  {line}" for line in more)])
