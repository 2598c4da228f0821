"""Every reader of text that toolmem did not write, by name.

A reader takes a text, puts it where an attacker would, and reads it to the end.
What it raises for a text that is no good is a ``ToolmemError``.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.world import START
from toolmem.core.access.faults import DocumentPart
from toolmem.core.access.request import read_request
from toolmem.core.access.response import read_draft, read_response
from toolmem.core.agents.registry import dialect_of, hooked
from toolmem.core.facts.parse import parse_facts
from toolmem.core.formats.document_text import read_document
from toolmem.core.formats.json_edit import read_json
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derive import derive_guards
from toolmem.core.guard.keyword_overlap import matching_words
from toolmem.core.guard.verdict import RuleForCall, judge
from toolmem.core.imports import document, graph, kinds, notes
from toolmem.core.imports.bundle import read_bundle
from toolmem.core.imports.header import read_lenient
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.language.language import ENGLISH
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.summary import summary_of
from toolmem.core.merge.merge import merge_file
from toolmem.core.merge.open_conflicts import conflicts_of
from toolmem.core.model import SYSTEM, Priority
from toolmem.core.reflect.plan import parse_plan
from toolmem.core.rules.guard_table import parse_guards
from toolmem.core.rules.proposal import parse_proposal
from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.core.search.doc import Doc, words_of
from toolmem.core.search.query import parse_query
from toolmem.core.secrets.detect import find_secrets
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.prose import section, without_header
from toolmem.core.text.safetext import find_unsafe, one_line
from toolmem.core.tools.manifest import parse_manifest
from toolmem.core.transcript.read import FORMATS, read_transcript
from toolmem.errors import ToolmemError
from toolmem.servers.jsonrpc import RpcError, parse
from toolmem.store.files.settings import read_layer

Reader = Callable[[str], object]

_GUARDS = (
    {"contains": "sarah@example.com"},
    {"glob": "*a*b*c"},
    {"regex": "(a|b)*c"},
    {"command": ["git", "push", "--force"]},
    {"path": "/etc/**"},
    {"host": "*.example.com"},
)


_MERGED = (
    *((kind, "TEXT") for kind in ("facts", "memory", "prose", "other", "settings")),
    ("facts", "# Facts\n\nTEXT\n"),
    ("memory", "---\ntags: [a]\n---\n# Title\n\nTEXT\n"),
    ("rule", "id = 'a1'\ntool = 'git'\nrule = '''\nTEXT\n'''\n"),
    ("manifest", "name = 'a'\ndescription = '''\nTEXT\n'''\n"),
)


def read(name: str, text: str) -> None:
    """Give a text to a reader; a text that it refuses is read as well."""
    try:
        READERS[name](text)
    except (ToolmemError, RpcError):
        return


def _toml(key: str, parse: Reader) -> dict[str, Reader]:
    """A reader of TOML gets the text as a file, as a value and as a key."""
    return {
        "": parse,
        ", as a value": lambda text: parse(f"{key} = {json.dumps(text)}\n"),
        ", as a bare value": lambda text: parse(f"{key} = {text}\n"),
        ", as a key": lambda text: parse(f"{text} = 1\n"),
    }


def _rule(text: str) -> None:
    parse_rule_file(text, path="r.toml", scope=SYSTEM, folder_tool="git")


def _front_matter(text: str) -> None:
    parse_memory(f"---\n{text}\n---\n# Title\n", path="m.md")


def _prose(text: str) -> None:
    section(without_header(text), "Role")
    conflict_line(text)
    one_line(text)
    find_unsafe(text, multiline=True)


def _call(arguments: dict[str, Any]) -> None:
    tables = [{"action": "deny", **guard} for guard in _GUARDS]
    guards = parse_guards(tables, path="r.toml")[0]
    rule = RuleForCall("1", "never email Ada", Priority.CRITICAL, SYSTEM, 0, guards)
    call = ToolCall("Bash", arguments, "/work", "/home/you")
    reading = CallAnalysis(call, read_shell)
    judge(reading, [rule])
    reading.programs()
    reading.may_run("git")
    reading.files()
    reading.hosts()


def _guard(key: str) -> Reader:
    return lambda text: parse_guards([{"action": "deny", key: text}], path="r.toml")


def _rule_text(text: str) -> None:
    derive_guards(text, "Bash", "ban")
    matching_words(text, text)


def _transcript(name: str) -> dict[str, Reader]:
    def whole(text: str) -> None:
        read_transcript(text.encode(), format=name)

    def inside(text: str) -> None:
        call = {
            "type": "tool_use",
            "id": "1",
            "name": "Bash",
            "input": {"command": text},
        }
        done = {"type": "tool_result", "tool_use_id": "1", "content": text}
        records: list[dict[str, Any]] = [
            {"type": "user", "role": "user", "content": text, "text": text},
            {"type": "user", "message": {"role": "user", "content": text}},
            {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
            {"type": "user", "message": {"role": "user", "content": [done]}},
            {"type": "response_item", "payload": {"type": "message", "content": text}},
            {"messages": [{"role": "user", "content": text, "type": "user"}]},
        ]
        for record in records:
            read_transcript(f"{json.dumps(record)}\n".encode(), format=name)

    return {"": whole, ", within records": inside}


def _instructions(text: str) -> None:
    kinds.format_of("notes.md", text)
    for program in ("claude", "cursor"):
        document.read_document(text, "Notes", Toolbox(), program)


def _note(text: str) -> None:
    for basic in (False, True):
        notes.read_note(text, "Note", Toolbox(), basic=basic)


def _graph(text: str) -> None:
    entity = {"type": "entity", "name": text[:100], "observations": [text]}
    graph.read_graph(text, Toolbox())
    graph.read_graph(json.dumps(entity), Toolbox())


def _merge(kind: str, form: str) -> Reader:
    """A driver gets three versions of a file, all of them written by an attacker."""

    def merge(text: str) -> None:
        base = form.replace("TEXT", text)
        sides = (
            (base, f"a\n{base}", f"{base}\nb"),
            (base, base.replace("\n", "a\n"), base.replace("\n", "b\n")),
            ("", base, form.replace("TEXT", text[::-1])),
        )
        for versions in sides:
            try:
                merged = merge_file(kind, *versions, f"f.{kind}")
                conflicts_of(kind, merged.text, f"f.{kind}")
            except ToolmemError:
                continue

    return merge


def _payload(agent: str) -> Reader:
    def reader(text: str) -> None:
        keys = ("prompt", "error", "tool_input", "toolArgs", "args", "output", "cwd")
        base = dict.fromkeys(keys, text) | {"tool_name": "Bash"}
        for name in ("PreToolUse", "UserPromptSubmit", "PostToolUseFailure", text):
            dialect_of(agent).read({**base, "hook_event_name": name}, name)

    return reader


def _request(text: str) -> None:
    query = {"query_id": "q", "memory_type": "memory", "query": text, "tags": [text]}
    base = {"request_id": text, "tool_name": "t", "memory_queries": [query]}
    read_request(read_document(json.dumps(base), "request").value)


def _response(text: str) -> None:
    draft = {"type": "insight", "content": text, "tags": [text]}
    base = {"request_id": text, "tool_name": "t", "memory_writes": [draft]}
    read_response(base)
    read_draft(DocumentPart(draft), START)


def _table() -> dict[str, Reader]:
    found: dict[str, Reader] = {
        "facts": parse_facts,
        "front matter": _front_matter,
        "a memory": lambda text: parse_memory(text, path="m.md"),
        "a memory's summary": lambda text: summary_of("Title", text, ENGLISH),
        "standing texts": _prose,
        "a text that may hold a credential": find_secrets,
        "a rule's own words": _rule_text,
        "a shell command": lambda text: _call({"command": text}),
        "a shell command in quotes": lambda text: _call(
            {"command": f'bash -c "{text}"'}
        ),
        "the argument of a call": lambda text: _call({"file_path": text, "to": text}),
        "a patch": lambda text: _call({"input": f"*** Begin Patch\n{text}"}),
        "a query": parse_query,
        "a searchable document": lambda text: words_of(
            Doc("1", "m.md", "system", "memory", body=text, topic=text)
        ),
        "a tool's request": _request,
        "a tool's response": _response,
        "a YAML document": lambda text: read_document(f"key:\n  {text}", "request"),
        "another program's settings": lambda text: read_json(
            f'{{"a": {text}', "s.json"
        ),
        "a message to a server": lambda text: parse(text.encode()),
        "a bundle": lambda text: list(read_bundle(text)),
        "a note to import": lambda text: read_lenient(f"---\n{text}\n---\n{text}"),
        "instructions to import": _instructions,
        "the text of a note to import": _note,
        "a graph to import": _graph,
    }
    parsers: tuple[tuple[str, str, Reader], ...] = (
        ("a rule", "rule", _rule),
        ("a manifest", "name", lambda t: parse_manifest(t, path="t.toml", name="t")),
        ("settings", "project", lambda t: read_layer(t, where="vault", origin="v")),
        ("a proposal", "rule", lambda t: parse_proposal(t, "p.toml")),
        ("a plan", "made_at", lambda t: parse_plan(t, "plan.toml")),
        ("another program's TOML", "a", lambda t: parse_toml(t, "config.toml")),
    )
    for name, key, parse_text in parsers:
        found |= {name + how: one for how, one in _toml(key, parse_text).items()}
    for key in ("contains", "glob", "regex", "command", "path", "host"):
        found[f"a guard's {key}"] = _guard(key)
    for format_name in ("auto", *FORMATS):
        readers = _transcript(format_name).items()
        found |= {f"a transcript of {format_name}{how}": one for how, one in readers}
    for kind, form in _MERGED:
        found[f"a merge of {kind}: {form!r}"] = _merge(kind, form)
    for agent in hooked():
        found[f"a payload of {agent}"] = _payload(agent)
    return found


READERS = _table()
