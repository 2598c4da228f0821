"""``toolmem mcp`` as real clients see it, and as a program that is spoken to."""

import asyncio
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.greeting import ASKED, greeting
from tests.extra import needs_mcp
from tests.servers import agent_steps
from tests.servers.connection import TOOLMEM, Server, request
from tests.world import TEMPLATE
from toolmem import servers
from toolmem.core.text.tokens import estimate_tokens
from toolmem.servers import greeting as greeting_module
from toolmem.servers.tool_table import BY_NAME
from toolmem.store.origin import install_command

pytestmark = [
    needs_mcp,
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes"),
]


CHANGING = ("memory_idea_edit", "memory_idea_archive", "memory_idea_delete")


@pytest.fixture
def vault(tmp_path):
    place = tmp_path / "vault"
    shutil.copytree(TEMPLATE, place)
    return place


@pytest.fixture
def server(vault):
    with Server(vault, "mcp") as started:
        greet(started)
        yield started


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("shared") / "vault"
    shutil.copytree(TEMPLATE, place)
    return place


@pytest.fixture(scope="module")
def shared(place):
    """One server for all tests that leave it running."""
    with Server(place, "mcp") as started:
        greet(started)
        yield started


def greet(server, version="2025-06-18"):
    """The handshake of stdio clients; what the server says of itself."""
    hello = server.result(
        "initialize",
        protocolVersion=version,
        capabilities={},
        clientInfo={"name": "a test", "version": "1"},
    )
    server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return hello


def called(server, name, **arguments):
    """The data of a tool's answer, which is its text as well."""
    result = server.result("tools/call", name=name, arguments=arguments)
    assert not result.get("isError"), result
    [content] = result["content"]
    assert json.loads(content["text"]) == result["structuredContent"]
    return result["structuredContent"]


def refused(server, name, **arguments):
    result = server.result("tools/call", name=name, arguments=arguments)
    assert result["isError"]
    return result["content"][0]["text"]


@pytest.mark.one_of(2)
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdks_own_client_drives_every_tool(vault, mode):
    mcp = pytest.importorskip("mcp")  # takes a second: only where it is used

    async def drive():
        program, *words = TOOLMEM
        started = mcp.StdioServerParameters(
            command=program,
            args=[*words, "--vault", str(vault), "mcp"],
            env=dict(os.environ),
        )
        async with mcp.Client(started, mode=mode) as client:
            answers = []
            for name, given in agent_steps.asked():
                result = await client.call_tool(name, given)
                text = result.content[0].text
                answers.append((result.is_error, result.structured_content, text))
            tools = (await client.list_tools()).tools
            block = await client.read_resource("toolmem://prompt")
            prompt = await client.get_prompt("block", {"project": "mech-fighters"})
            version = client.session.protocol_version
        return answers, tools, block, prompt, version

    answers, tools, block, prompt, version = asyncio.run(drive())
    agent_steps.check(answers)
    assert version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[mode]
    assert [tool.name for tool in tools] == list(BY_NAME)
    assert block.contents[0].text.startswith("## Tool-scoped rules")
    assert "trunk" in prompt.messages[0].content.text


def node_modules() -> Path | None:
    """Path of the TypeScript SDK, if npm installed it (``.ci/run`` does)."""
    root = Path(__file__).resolve().parents[2]
    places = [root / ".venv/node/node_modules"]
    places += map(Path, filter(None, os.environ.get("NODE_PATH", "").split(":")))
    held = (one for one in places if (one / "@modelcontextprotocol/sdk").is_dir())
    return next(held, None)


@pytest.mark.skipif(
    shutil.which("node") is None or node_modules() is None,
    reason="no node with @modelcontextprotocol/sdk "
    "(npm install --prefix .venv/node @modelcontextprotocol/sdk)",
)
def test_the_typescript_client_drives_every_tool(vault):
    script = Path(__file__).with_name("client.cjs")
    words = [str(node_modules()), *TOOLMEM, "--vault", str(vault), "mcp"]
    done = subprocess.run(
        ["node", str(script), *words],
        input=json.dumps(agent_steps.asked()).encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    answers = json.loads(done.stdout)
    agent_steps.check(
        [
            (one.get("isError", False), one.get("structuredContent"), text_of(one))
            for one in answers["called"]
        ]
    )
    assert [one["name"] for one in answers["tools"]["tools"]] == list(BY_NAME)
    assert "toolmem://facts/system" in [
        one["uri"] for one in answers["resources"]["resources"]
    ]
    assert answers["block"]["contents"][0]["mimeType"] == "text/markdown"
    assert "trunk" in answers["prompt"]["messages"][0]["content"]["text"]


def text_of(result):
    return result["content"][0]["text"]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
    ],
)
def test_clients_of_all_ages_are_greeted(vault, asked, given):
    with Server(vault, "mcp") as server:
        hello = greet(server, asked)
        assert hello["protocolVersion"] == given
        assert hello["serverInfo"]["name"] == "toolmem"
        assert set(hello["capabilities"]) == {"tools", "resources", "prompts"}
        assert len(hello["instructions"]) < 2000
        assert server.result("ping") == {}


def test_tools_say_what_they_do_to_the_vault(shared):
    server = shared
    tools = server.result("tools/list")["tools"]
    reads = {t["name"] for t in tools if t["annotations"]["readOnlyHint"]}
    assert {t["name"] for t in tools} - reads == {
        "memory_idea_save",
        *CHANGING,
        "memory_fact_store",
        "memory_fact_delete",
        "tool_rule_put",
        "tool_rule_delete",
        "rule_keep",
        "rule_retract",
        "scratch_add",
        "scratch_set_status",
    }
    destroys = {t["name"] for t in tools if t["annotations"]["destructiveHint"]}
    assert destroys == {
        *CHANGING,
        "memory_fact_store",
        "memory_fact_delete",
        "tool_rule_put",
        "tool_rule_delete",
        "rule_retract",
    }
    again = {t["name"] for t in tools if t["annotations"]["idempotentHint"]}
    assert {t["name"] for t in tools} - again == {"scratch_add"}
    assert not any(t["annotations"]["openWorldHint"] for t in tools)
    for tool in tools:
        assert tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object"
        assert estimate_tokens(tool["description"]) < 60
    shown = ("name", "description", "inputSchema")  # what a model pays for
    cost = [json.dumps({key: tool[key] for key in shown}) for tool in tools]
    assert estimate_tokens("\n".join(cost)) <= 150 * len(tools)


def test_resources_are_what_the_vault_holds_now(shared, place):
    server, vault = shared, place
    uris = [one["uri"] for one in server.result("resources/list")["resources"]]
    assert uris[:2] == ["toolmem://prompt", "toolmem://facts/agent-type:coding"]
    assert "toolmem://rules/send_email" in uris
    read = server.result("resources/read", uri="toolmem://facts/system")
    assert read["contents"] == [
        {
            "uri": "toolmem://facts/system",
            "mimeType": "text/markdown",
            "text": "## project\n\n- language: English, plain words, no marketing\n"
            "- time_zone: UTC in everything that is stored\n",
        }
    ]
    vault.joinpath("system/facts.md").write_text("## a\nk: v\n")
    again = server.result("resources/read", uri="toolmem://facts/system")
    assert again["contents"][0]["text"] == "## a\n\n- k: v\n"
    rules = server.result("resources/read", uri="toolmem://rules/send_email")
    assert rules["contents"][0]["text"].startswith("### `send_email`\n- **[")
    error = server.error("resources/read", uri="toolmem://nothing")
    assert error["message"] == (
        "no resource 'toolmem://nothing': resources/list shows them"
    )
    templates = server.result("resources/templates/list")["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == [
        "toolmem://facts/{scope}",
        "toolmem://rules/{tool}",
    ]


def test_the_prompt_is_the_block_of_a_project(shared):
    server = shared
    listed = server.result("prompts/list")["prompts"]
    assert {one["name"]: [a["name"] for a in one["arguments"]] for one in listed} == {
        "block": ["project", "task"],
        "rules_in_force": ["project", "tool"],
        "what_do_you_know": ["project", "about"],
    }
    named = {
        "project": "mech-fighters",
        "task": "clamp the heat after a shot, not before",
    }
    told = server.result("prompts/get", name="block", arguments=named)
    text = told["messages"][0]["content"]["text"]
    assert "main_branch: trunk" in text
    assert "Heat is clamped" in text
    assert "Search for more: `memory_recall`." in text
    assert "`toolmem " not in text
    assert server.error("prompts/get", name="nope")["code"] == -32602


def test_a_user_can_ask_for_the_rules_and_for_what_is_known(shared):
    def text(name: str, **given: str) -> str:
        answer = shared.result("prompts/get", name=name, arguments=given)
        return str(answer["messages"][0]["content"]["text"])

    project = "mech-fighters"
    rules = text("rules_in_force", project=project)
    assert rules.startswith("### ")
    assert "- **[critical]** " in rules
    known = text("what_do_you_know", project=project, about="main_branch")
    assert known.startswith("What do you know about main_branch?")
    assert "trunk" in known
    wrong = {"name": "what_do_you_know", "arguments": {}}
    assert shared.error("prompts/get", **wrong)["code"] == -32602


def test_an_agents_rules_are_marked_and_the_cap_holds_in_the_file(shared, place):
    server, vault = shared, place
    made = called(
        server, "tool_rule_put", tool_name="git", rule="no force", priority="critical"
    )
    text = vault.joinpath(made["path"]).read_text()
    assert 'priority = "high"' in text
    assert 'agent = "mcp"' in text
    assert 'source = "programmatic"' in text
    assert made["remarks"] == [
        "an agent's rule is at most high; a person can raise it",
        "advice only: nothing in it can be checked; guard adds a check; "
        "in every project",
    ]


def test_a_request_cannot_go_beyond_the_launch(vault):
    vault.joinpath("projects/other").mkdir()
    vault.joinpath("projects/other/facts.md").write_text("## project\nsecret: x\n")
    words = ("--project", "mech-fighters", "--agent-type", "coding", "--agent", "h1")
    with Server(vault, "mcp", *words) as server:
        greet(server)
        assert called(server, "memory_recall", query="main_branch")["value"] == "trunk"
        kept = called(server, "memory_fact_store", key="k", value="v", scope="agent:h1")
        assert kept["scope"] == "agent:h1"
        for scope in ("project:other", "project:other/coding", "agent-type:writing"):
            text = refused(server, "memory_recall", query="x", scope=scope)
            assert text == f"{scope} is not open to you [not_allowed]"
        assert refused(server, "memory_fact_store", key="k", value="v", scope="agent:z")
        listed = called(server, "memory_fact_list")["facts"]
        assert "secret" not in {fact["key"] for fact in listed}
        uri = "toolmem://facts/project:other"
        assert uri not in str(server.result("resources/list"))
        assert server.error("resources/read", uri=uri)["code"] == -32602
        named = {"project": "other"}
        error = server.error("prompts/get", name="block", arguments=named)
        bound = "this is for project 'mech-fighters', not for 'other'"
        assert error["message"] == bound


def test_an_agent_without_a_name_sees_no_agents_own_scope(vault):
    vault.joinpath("agents/h1").mkdir(parents=True)
    vault.joinpath("agents/h1/facts.md").write_text("## project\nmine: x\n")
    with Server(vault, "mcp") as server:
        greet(server)
        assert not called(server, "memory_fact_recall", key="mine")["found"]
        keys = {fact["key"] for fact in called(server, "memory_fact_list")["facts"]}
        assert "mine" not in keys
        assert refused(server, "memory_fact_list", scope="agent:h1")


def test_read_only_offers_and_does_nothing_that_writes(vault):
    before = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    with Server(vault, "mcp", "--read-only") as server:
        greet(server)
        offered = {tool["name"] for tool in server.result("tools/list")["tools"]}
        writing = set(BY_NAME) - offered
        assert writing == {
            "memory_idea_save",
            *CHANGING,
            "memory_fact_store",
            "memory_fact_delete",
            "tool_rule_put",
            "tool_rule_delete",
            "rule_keep",
            "rule_retract",
            "scratch_add",
            "scratch_set_status",
        }
        for name, given, _ in agent_steps.STEPS:
            if name in writing - {"tool_rule_delete"}:
                assert "[not_allowed]" in refused(server, name, **given)
        rule = {"tool_name": "*", "id": agent_steps.CRITICAL}
        assert "[not_allowed]" in refused(server, "tool_rule_delete", **rule)
    for path, data in before.items():
        assert path.read_bytes() == data


def test_what_others_write_is_seen_at_the_next_request(shared, place):
    server, vault = shared, place
    assert not called(server, "memory_fact_recall", key="fresh")["found"]
    subprocess.run(
        [*TOOLMEM, "--vault", str(vault), "fact", "set", "fresh", "yes"],
        check=True,
        capture_output=True,
    )
    assert called(server, "memory_fact_recall", key="fresh")["value"] == "yes"
    vault.joinpath("system/facts.md").write_text("## project\nfresh: by hand\n")
    assert called(server, "memory_recall", query="fresh")["value"] == "by hand"


def test_fifty_requests_in_flight_lose_nothing(server, vault):
    server.send(
        *(
            request(
                f"r{number}",
                "tools/call",
                name="memory_fact_store",
                arguments={"key": f"key_{number}", "value": "v"},
            )
            for number in range(50)
        )
    )
    server.finish()
    code, out, _ = server.ended()
    answers = {one["id"]: one for one in map(json.loads, out.splitlines())}
    assert code == 0
    assert set(answers) == {f"r{number}" for number in range(50)}
    assert not any(one["result"].get("isError") for one in answers.values())
    kept = vault.joinpath("system/facts.md").read_text()
    assert kept.count("\nkey_") == 50


def test_the_end_of_the_input_is_the_end_of_the_server(server):
    odd = {"jsonrpc": "2.0", "id": 5, "method": 5}, request("x", "ping", x=None)
    server.send(*odd, request("gone", "no/such"))
    assert {server.receive()["id"], server.receive()["id"]} == {"x", "gone"}
    server.finish()
    code, out, err = server.ended()
    assert (code, out, err) == (0, b"", b"")


ENDS = [(signal.SIGTERM, 0)]
if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as in the background
    ENDS.append((signal.SIGINT, 130))


@pytest.mark.parametrize(("number", "code"), ENDS)
def test_a_signal_ends_it_without_a_word(vault, number, code):
    with Server.fresh(vault, "mcp") as server:
        greet(server)
        assert server.result("ping") == {}
        server.process.send_signal(number)
        assert server.process.wait(timeout=10) == code
        assert server.ended() == (code, b"", b"")


def test_a_signal_ends_it_although_no_one_reads_its_answers(vault):
    with Server.fresh(vault, "mcp") as server:
        greet(server)
        server.send(*(request(number, "tools/list") for number in range(20)))
        reading = server.process.stdout
        assert reading is not None
        assert select.select([reading], [], [], 60)[0]
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) in (0, -signal.SIGTERM)


def test_garbage_is_no_end_and_nothing_but_the_protocol_comes_out(shared):
    server = shared
    deep = b"[" * 100_000
    server.send(b"nonsense", b'{"jsonrpc":"2.0"}', b"[]", deep, b"\xff\xfe", b"null")
    server.send(b'"' + b"x" * (17 << 20) + b'"')
    server.send(request("last", "ping"))
    while (message := server.receive()).get("id") != "last":
        assert message["jsonrpc"] == "2.0"
    assert message["result"] == {}


def test_what_prints_prints_to_standard_error(vault):
    code = (
        "import os, subprocess, sys\n"
        "from toolmem.__main__ import main\n"
        "import toolmem.servers.resources as resources\n"
        "block = resources.block_text\n"
        "def noisy(*given, **named):\n"
        "    print('printed')\n"
        "    os.write(1, b'written\\n')\n"
        "    subprocess.run(['sh', '-c', 'echo a child; cat'], check=True)\n"
        "    return block(*given, **named)\n"
        "resources.block_text = noisy\n"
        "sys.argv[1:] = ['mcp']\n"
        "main()\n"
    )
    with Server.by_code(vault, code) as server:
        greet(server)
        server.result("resources/read", uri="toolmem://prompt")
        server.finish()
        code_, out, err = server.ended()
    assert (code_, out) == (0, b"")
    assert sorted(err.split()) == [b"a", b"child", b"printed", b"written"]


def test_the_first_messages_are_answered_as_the_sdk_answers_them(shared):
    stored = json.loads(greeting())
    file = Path(servers.__file__).with_name("greeting.json")
    assert json.loads(file.read_text()) == stored
    assert {method: shared.result(method) for method in ASKED} == {
        method: stored[method] for method in ASKED
    }


def test_the_first_messages_are_answered_without_the_sdk(vault):
    code = (
        "import sys\n"
        "from toolmem.__main__ import main\n"
        "class Refuse:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in ('anyio', 'pydantic', 'asyncio'):\n"
        "            raise SystemExit(f'{name} was loaded')\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "sys.argv[1:] = ['mcp', '--read-only']\n"
        "main()\n"
    )
    with Server.by_code(vault, code) as server:
        hello = greet(server)
        assert hello["protocolVersion"] == "2025-06-18"
        tools = server.result("tools/list")["tools"]
        assert {one["name"] for one in tools} == {
            name for name, tool in BY_NAME.items() if not tool.writes
        }
        uris = [one["uri"] for one in server.result("resources/list")["resources"]]
        assert uris[0] == "toolmem://prompt"
        assert server.result("ping") == {}
        assert called(server, "memory_recall", query="anything")["source"] == "search"
        server.finish()
        assert server.ended() == (0, b"", b"")


CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("memory_fact_store", {"key": "editor", "value": "vim \u202e naïve"}),
    ("memory_recall", {"query": "editor"}),
    ("memory_recall", {"query": "a question", "limit": 2}),
    ("memory_idea_list", {}),
    ("memory_recall", {}),
    ("memory_recall", {"query": 5}),
    ("memory_recall", {"query": "x", "other": 1}),
    ("tool_rule_put", {"tool_name": "shell", "rule": "  "}),
)


@pytest.mark.parametrize("version", greeting_module.PROTOCOLS)
def test_tools_are_called_as_the_sdk_calls_them(vault, tmp_path, version):
    copy = tmp_path / "copy"
    shutil.copytree(vault, copy)
    answers = []
    for place in (vault, copy):
        with Server(place, "mcp") as server:
            greet(server, version)
            if place == copy:
                assert server.error("prompts/get", name="none")
            answers.append(
                [
                    server.result("tools/call", name=name, arguments=given)
                    for name, given in CALLS
                ]
            )
            assert server.result("tools/list") == server.result("tools/list")
    plain, sdk = (re.sub(r"took_ms[^,}]*", "", json.dumps(one)) for one in answers)
    assert plain == sdk


@pytest.mark.parametrize(
    "params",
    [
        {"name": "no_such_tool", "arguments": {}},
        {"name": "memory_recall", "arguments": []},
        {"name": "memory_recall", "arguments": None},
        {"name": "memory_recall", "arguments": {"query": "x"}, "_meta": 1},
        {"name": "memory_recall", "arguments": {"query": "x"}, "more": 1},
        {"name": 5},
        {},
    ],
)
def test_an_unusual_tool_call_is_answered_by_the_sdk(vault, params):
    with Server(vault, "mcp") as server, Server(vault, "mcp") as sdk:
        for one in (server, sdk):
            greet(one)
        assert sdk.error("prompts/get", name="none")
        answers = [one.ask("tools/call", **params) for one in (server, sdk)]
        found, expected = (
            re.sub(r'took_ms[^,}]*|"id": \d', "", json.dumps(one)) for one in answers
        )
        assert found == expected


def test_a_client_that_asks_before_the_handshake_gets_the_sdk(vault):
    with Server(vault, "mcp") as server:
        assert server.error("tools/list")["code"] == -32602


def test_the_command_without_the_extra_says_how_to_get_it(vault):
    code = (
        "import sys\nsys.modules['mcp_types'] = None\n"
        "from toolmem.__main__ import main\nsys.argv[1:] = ['mcp']\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=vault,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == (
        f"toolmem: mcp_types is not installed: {install_command('mcp')}\n".encode()
    )
