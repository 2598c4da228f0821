"""An agent's steps with every tool, and the answers, the same for each client."""

from typing import Any

from toolmem.servers.tool_table import BY_NAME

HEAT = "heat-is-clamped-after-the-shot-41c7d2"
OTHERS = (
    "an agent changes only memories that it saved itself; save a new one that says "
    "what changed [not_allowed]"
)
CRITICAL = "6513270e-269e-4d37-b2a7-4de452e6b438"


def proposal(sentence: str, id: str, *, rule: str = "") -> dict[str, Any]:
    """Return the proposal for words that no hook captured."""
    return {
        "id": id,
        "tool": "shell",
        "rule": rule,
        "sentence": sentence,
        "scope": "system",
        "reason": "the quoted words are not in the user's messages",
        "path": f".toolmem/pending/{sentence.replace(' ', '-')}-{id[:8]}.toml",
    }


STEPS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "memory_recall",
        {"query": "language"},
        {"source": "fact", "namespace": "project"},
    ),
    ("memory_recall", {"query": "who gets a draft"}, {"source": "search"}),
    ("memory_idea_recall", {"query": "heat"}, {"total": 1, "topic_fallback": False}),
    (
        "memory_idea_save",
        {"content": "# Pygame needs SDL 2.28\n\nOlder ones crash.", "tags": ["sdl"]},
        {"action": "created", "scope": "system"},
    ),
    (
        "memory_idea_save",
        {"content": "# Pygame needs SDL 2.28\n\nOlder ones crash."},
        {"action": "deduplicated"},
    ),
    ("memory_idea_list", {"tag": "sdl"}, {"total": 1}),
    (
        "memory_idea_save",
        {"content": "# Ships turn late\n\nOne tick.", "source_task": "task-7"},
        {"action": "created"},
    ),
    (
        "memory_idea_edit",
        {"id": "ships-turn-late", "content": "Two ticks.", "tags": ["ships"]},
        {"action": "updated", "scope": "system"},
    ),
    (
        "memory_get",
        {"id": "ships-turn-late"},
        {"source_task": "task-7", "tags": ["ships"]},
    ),
    (
        "memory_idea_archive",
        {"id": "pygame-needs-sdl", "reason": "SDL 3"},
        {"action": "archived"},
    ),
    (
        "memory_idea_delete",
        {"id": "ships-turn-late"},
        {"found": True, "deleted": True},
    ),
    (
        "memory_idea_delete",
        {"id": "ships-turn-late"},
        {"found": False, "deleted": False, "id": "ships-turn-late"},
    ),
    ("memory_get", {"id": HEAT, "full": True}, {"found": True, "topic": "combat"}),
    ("memory_get", {"id": "nope"}, {"id": "nope", "found": False}),
    (
        "memory_fact_store",
        {"key": "editor", "value": "vim", "namespace": "tools"},
        {"action": "created", "value": "vim"},
    ),
    ("memory_fact_recall", {"key": "editor"}, {"found": True, "namespace": "tools"}),
    ("memory_fact_recall", {"key": "editr"}, {"found": False, "value": None}),
    ("memory_fact_list", {"namespace": "tools"}, {}),
    (
        "memory_recall",
        {"query": "*", "namespace": "tools"},
        {"query": "*", "source": "namespace", "total": 1},
    ),
    (
        "memory_fact_delete",
        {"key": "editor", "namespace": "tools"},
        {"action": "deleted", "value": "vim"},
    ),
    ("memory_recall", {"query": "*", "namespace": "tool-shell"}, {"source": "search"}),
    (
        "tool_rule_put",
        {
            "tool_name": "shell",
            "rule": "never use sudo",
            "priority": "critical",
            "tags": ["safety"],
            "id": "no-sudo",
        },
        {
            "id": "no-sudo",
            "tool_name": "shell",
            "priority": "high",
            "clamped": True,
            "action": "created",
        },
    ),
    ("tool_rule_get", {"tool_name": "shell", "id": "no-sudo"}, {"found": True}),
    ("tool_rule_get", {"tool_name": "edit", "id": "no-sudo"}, {"found": False}),
    ("tool_rule_why", {"id": "no-sudo"}, {"id": "no-sudo", "in_prompt": True}),
    ("tool_rule_list", {"tool_name": "shell"}, {}),
    ("tool_rules_for_prompt", {"tools": ["shell"]}, {}),
    (
        "guard_check",
        {"tool_name": "shell", "input": {"command": "ls"}},
        {"verdict": "allow", "rule": None},
    ),
    (
        "rule_keep",
        {"quote": "never use sudo", "tool": ["shell"]},
        {
            "kept": [],
            "proposed": [
                proposal(
                    "never use sudo",
                    "7ecd3ad7-1dfe-84be-8e0c-a5ec16652c24",
                    rule="never use sudo",
                )
            ],
            "refused": [],
        },
    ),
    (
        "rule_retract",
        {"quote": "you may use sudo again", "which": "no-sudo"},
        {
            "retracted": [],
            "proposed": [
                proposal(
                    "you may use sudo again", "2500616f-73b8-87c1-a0ff-b4bc35353bf1"
                )
            ],
            "refused": [],
        },
    ),
    (
        "tool_rule_delete",
        {"tool_name": "shell", "id": "no-sudo"},
        {"found": True, "deleted": True},
    ),
    ("scratch_add", {"content": "ask Ada", "type": "reminder"}, {"status": "active"}),
    ("scratch_list", {"type": "reminder"}, {}),
]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("memory_recall", {}, "the argument 'query' is missing [usage]"),
    (
        "tool_rule_put",
        {"tool_name": "shell", "rule": "x", "prority": "high"},
        "no argument 'prority'; did you mean 'priority'? "
        "(tool_name, rule, priority, tags, id, scope, reason, create) [usage]",
    ),
    ("rule_keep", {}, "name a candidate, or the user's words with quote [usage]"),
    (
        "rule_retract",
        {"quote": "enough", "whch": "x"},
        "no argument 'whch'; did you mean 'which'? (id, quote, which) [usage]",
    ),
    (
        "tool_rule_delete",
        {"tool_name": "*", "id": CRITICAL},
        f"{CRITICAL}: a person wrote this rule, and only a person changes it; "
        "`rule_retract` takes it back with the user's words [usage]",
    ),
    (
        "memory_idea_edit",
        {"id": HEAT, "content": "Heat is never clamped."},
        f"{HEAT} was saved by a person: {OTHERS}",
    ),
    (
        "memory_idea_archive",
        {"id": HEAT[:9], "reason": "wrong"},
        f"{HEAT} was saved by a person: {OTHERS}",
    ),
    (
        "memory_idea_delete",
        {"id": HEAT},
        f"{HEAT} was saved by a person: {OTHERS}",
    ),
    (
        "memory_fact_store",
        {"key": "k", "value": "v", "scope": "agent:other"},
        "agent:other is not open to you [not_allowed]",
    ),
    (
        "memory_recall",
        {"query": "x", "scope": "everywhere"},
        "'everywhere' is not a scope: write system, agent-type:NAME, project:NAME, "
        "project:NAME/TYPE or agent:NAME [usage]",
    ),
    (
        "memory_recall",
        {"query": "x", "limit": 0},
        "limit must be at least 1, not 0 [usage]",
    ),
    (
        "scratch_set_status",
        {"id": "nope", "status": "resolved"},
        "no entry on the scratch page has the id 'nope' [not_found]",
    ),
]


def check(answers: list[tuple[bool, Any, str]]) -> None:
    """Compare what each step gave: whether it failed, its data, its text."""
    steps: list[Any] = [*STEPS, *WRONG]
    assert {name for name, _, _ in steps} == set(BY_NAME)
    assert len(answers) == len(steps)
    for (name, given, wanted), (failed, data, text) in zip(steps, answers, strict=True):
        step = f"{name} {given}"
        if isinstance(wanted, str):
            assert (step, failed, text) == (step, True, wanted)
        else:
            found = {key: data.get(key) for key in wanted}
            assert (step, failed, found) == (step, False, wanted)


def asked() -> list[tuple[str, dict[str, Any]]]:
    """The steps without what they should give."""
    return [(name, given) for name, given, _ in [*STEPS, *WRONG]]
