"""Whatever the files of a vault hold, every command answers and no rule is lost."""

import json
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from tests.core.formats.toml_texts import BY_HAND, DAMAGED, WRITTEN
from tests.core.prompt.hostile import TEXTS
from tests.examples import examples
from tests.world import World

CHAIN = ("--project", "p", "--agent-type", "t", "--agent", "a")
SCOPES = ("system", "agent-types/t", "projects/p", "projects/p/overrides/t", "agents/a")
PATHS = st.sampled_from(
    [
        f"{scope}/rules/{tool}/{name}.toml"
        for scope in SCOPES
        for tool in ("shell", "_any", "a%2Fb")
        for name in ("x", "y")
    ]
    + [f"{scope}/{name}" for scope in SCOPES for name in ("facts.md", "profile.md")]
    + [f"{scope}/guidance/{name}.md" for scope in SCOPES for name in ("a", "b")]
    + ["projects/p/overrides/t.md", "tools/shell.toml", "tools/git.toml"]
    + ["system/memory/m-123456.md", "toolmem.toml"]
)
KEYS = st.fixed_dictionaries(
    {"id": st.sampled_from(["x", "y", "z"]), "rule": TEXTS, "tool": TEXTS},
    optional={
        "priority": st.sampled_from(["critical", "high", "normal"]),
        "source": st.sampled_from(["user_explicit", "programmatic"]),
        "enabled": st.booleans(),
        "reason": TEXTS,
        "tags": st.lists(TEXTS, max_size=2),
    },
)
RULES = KEYS.map(
    lambda keys: "".join(
        f"{key} = {json.dumps(keys[key], ensure_ascii=False)}\n" for key in keys
    )
)
FRONT_MATTER = TEXTS.map(lambda text: f"---\ntags: [a]\n{text}\n---\n{text}\n")
CONTENTS = st.one_of(
    RULES, TEXTS, WRITTEN, BY_HAND, DAMAGED, FRONT_MATTER, st.binary(max_size=30)
)
FILES = st.dictionaries(PATHS, CONTENTS, max_size=6)
COMMANDS = (
    ("prompt", *CHAIN),
    ("prompt", *CHAIN, "--format", "xml"),
    ("prompt", *CHAIN, "--format", "json", "--max-chars", "300"),
    ("prompt", *CHAIN, "--explain"),
    ("rule", "list"),
    ("rule", "list", "--effective", "--json", *CHAIN),
    ("rule", "show", "x"),
    ("rule", "why", "x", *CHAIN),
    ("fact", "list", *CHAIN),
    ("fact", "get", "a", *CHAIN),
    ("memory", "list"),
    ("tool", "list"),
    ("settings",),
    ("check",),
)


def build(folder: str, files: dict[str, str | bytes]) -> World:
    world = World(Path(folder)).write("toolmem.toml", "schema = 1\n")
    for path, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        world.write(path, data)
    return world


@examples(40)
@given(FILES)
def test_no_command_fails_by_a_bug_or_prints_what_is_unsafe(files):
    with tempfile.TemporaryDirectory() as folder:
        world = build(folder, files)
        before = world.files()
        for words in COMMANDS:
            done = world.call(*words)
            assert done.code in (0, 1, 2, 11, 12, 21), (words, done.stderr)
            shown = done.stdout + done.stderr
            assert [c for c in shown if ord(c) < 32 and c not in "\n\t"] == []
        assert world.files() == before


@examples(40)
@given(st.dictionaries(PATHS.filter(lambda p: "/rules/" in p), CONTENTS, max_size=5))
def test_every_rule_file_of_the_chain_is_shown_overridden_or_told(files):
    with tempfile.TemporaryDirectory() as folder:
        world = build(folder, files)
        document = json.loads(
            world.call("prompt", *CHAIN, "--format", "json", "--only", "rules").stdout
        )
        [part] = document["parts"]
        told = {item["path"] for item in [*part["items"], *part["omitted"]]}
        held = json.loads(
            world.call("rule", "list", "--effective", "--json", *CHAIN).stdout
        )
        for rule in held:
            assert rule["priority"] == "normal" or rule["path"] in told
        listed = world.call("rule", "list", "--json")
        known = {rule["path"] for rule in json.loads(listed.stdout)} | told
        problems = json.loads(world.call("check", "--json").stdout)["problems"]
        known |= {problem["path"] for problem in problems}
        assert set(files) <= known


@examples(30)
@given(FILES)
def test_both_forms_of_the_block_hold_the_same_rules(files):
    files.pop("toolmem.toml", None)
    with tempfile.TemporaryDirectory() as folder:
        world = build(folder, files)
        only = ("--only", "rules")
        text = world.call("prompt", *CHAIN, *only).stdout
        xml = world.call("prompt", *CHAIN, *only, "--format", "xml").stdout
        rules = ElementTree.fromstring(xml or "<none/>").findall("rules/tool/rule")
        lines = [line for line in text.split("\n") if line.startswith("- **[")]
        assert len(rules) == len(lines)
        for rule, line in zip(rules, lines, strict=True):
            assert line.startswith(f"- **[{rule.get('priority')}]** ")
