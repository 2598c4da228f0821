"""``toolmem rpc`` as a program that is spoken to."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from tests.servers.connection import TOOLMEM, Server, request
from tests.world import TEMPLATE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


@pytest.fixture
def vault(tmp_path):
    place = tmp_path / "vault"
    place.mkdir()
    place.joinpath("toolmem.toml").write_text("schema = 1\n")
    return place


@pytest.fixture
def server(vault):
    with Server(vault, "rpc") as started:
        yield started


def put(server, tool, rule, **more):
    return server.result("memory.tool_rule_put", tool_name=tool, rule=rule, **more)


def test_a_rule_is_put_found_and_deleted(server):
    made = put(server, " Email ", "never email Sarah", priority="critical", tags=["a"])
    assert (made["tool_name"], made["priority"], made["tags"], made["clamped"]) == (
        "Email",
        "critical",
        ["a"],
        False,
    )
    assert made["created_at"] == made["updated_at"]
    found = server.result("memory.tool_rule_get", tool_name="EMAIL", id=made["id"])
    kept = {k: v for k, v in made.items() if k not in ("action", "clamped", "remarks")}
    assert found == {"found": True, "rule": kept}
    gone = server.result("memory.tool_rule_delete", tool_name="email", id=made["id"])
    assert gone == {"found": True, "deleted": True, "id": made["id"]}
    again = server.result("memory.tool_rule_delete", tool_name="email", id=made["id"])
    assert again == {"found": False, "deleted": False, "id": made["id"]}
    missing = server.result("memory.tool_rule_get", tool_name="email", id=made["id"])
    assert missing == {"found": False, "rule": None}


def test_putting_under_an_id_keeps_when_it_was_made_whatever_is_claimed(vault):
    with Server(vault, "rpc", SOURCE_DATE_EPOCH="1776160800") as server:
        first = put(server, "shell", "avoid sudo", id="abc")
    with Server(vault, "rpc", SOURCE_DATE_EPOCH="1776247200") as server:
        claimed = "1999-01-01T00:00:00Z"
        again = put(server, "shell", "never sudo", id="abc", created_at=claimed)
    assert (first["created_at"], first["action"]) == ("2026-04-14T10:00:00Z", "created")
    assert (again["created_at"], again["updated_at"], again["action"]) == (
        "2026-04-14T10:00:00Z",
        "2026-04-15T10:00:00Z",
        "updated",
    )


def test_rules_are_listed_by_priority_and_as_an_array(server):
    for priority in ("normal", "critical", "high"):
        put(server, "shell", f"a {priority} rule", priority=priority)
    put(server, "email", "another tool's", priority="critical")
    listed = server.result("memory.tool_rule_list", tool_name="shell")["rules"]
    assert [rule["priority"] for rule in listed] == ["critical", "high", "normal"]
    assert server.result("memory.tool_rules_json", tool_name="shell") == listed
    assert server.result("memory.tool_rule_list", tool_name="nope") == {"rules": []}
    assert server.result("memory.tool_rule_list", tool_name=" ") == {"rules": []}


def test_a_prompt_has_the_high_rules_and_every_critical_one(server):
    assert server.result("memory.tool_rules_for_prompt") == {
        "rendered": "",
        "rules": [],
    }
    for number in range(35):
        put(server, "shell", f"critical rule {number}", priority="critical")
    put(server, "shell", "a high one", priority="high")
    put(server, "shell", "a normal one")
    put(server, "email", "not asked for", priority="critical")
    answer = server.result("memory.tool_rules_for_prompt", tools=["shell"])
    assert answer["rendered"].count("- **[critical]** critical rule") == 35
    assert "normal one" not in answer["rendered"]
    assert "not asked for" not in answer["rendered"]
    assert {rule["priority"] for rule in answer["rules"]} == {"critical", "high"}
    assert len(answer["rules"]) == 36
    every = server.result("memory.tool_rules_for_prompt")
    assert "not asked for" in every["rendered"]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"tool_name": "  ", "rule": "x"}, "the name is blank"),
        ({"tool_name": "shell", "rule": "   "}, "the rule is blank"),
        ({"tool_name": "shell"}, "the argument 'rule' is missing"),
        (
            {"tool_name": "shell", "rule": "x", "priority": "critcal"},
            "no priority 'critcal': critical, high or normal",
        ),
    ],
)
def test_a_rule_that_cannot_be_kept_is_a_wrong_param(server, params, message):
    error = server.error("memory.tool_rule_put", **params)
    assert error == {
        "code": -32602,
        "message": message,
        "data": {"code": "usage", "exit_code": 2},
    }


def test_failures_have_codes_of_their_own(server, vault):
    assert server.error("rule.edit", id="nope", text="x")["code"] == -32012
    secret = server.error(
        "fact.set", key="k", value="ghp_" + "Zk3vQ9xW1rTb7LmN5cYd8HsJ2fGp4UaE6oKi"
    )
    assert (secret["code"], secret["data"]["code"]) == (-32602, "secret")
    error = server.error("serch", query="x")
    assert error == {
        "code": -32601,
        "message": "no method 'serch'",
        "data": {"code": "no_method", "method": "serch", "near": ["search"]},
    }
    vault.joinpath("toolmem.toml").unlink()
    assert server.error("rule.list")["code"] == -32010
    vault.joinpath("toolmem.toml").write_text("schema = 1\nx = [\n")
    broken = server.error("rule.list")
    assert (broken["code"], broken["data"]["line"]) == (-32011, 3)
    vault.joinpath("toolmem.toml").write_text("schema = 1\n")
    assert server.result("rule.list") == []


def test_a_fault_of_ours_is_told_with_its_log_and_the_next_request_works(vault):
    code = (
        "import sys\n"
        "from toolmem.ops.doctor import check\n"
        "assert check.check_vault\n"  # its code runs now, not over the next line
        "check.check_vault = None\n"
        "from toolmem.__main__ import main\n"
        "sys.argv[1:] = ['rpc']\n"
        "main()\n"
    )
    lines = [request(1, "check"), request(2, "rule.list")]
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=vault,
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        capture_output=True,
        check=True,
    )
    bug, fine = map(json.loads, done.stdout.splitlines())
    assert bug["error"]["code"] == -32603
    assert "a bug in toolmem; see" in bug["error"]["message"]
    assert fine["result"] == []
    assert b"Traceback" not in done.stderr


def test_params_may_name_the_project_and_come_by_position(server):
    server.result("fact.set", key="a", value="wide")
    server.result("fact.set", key="a", value="narrow", scope="project:p")
    assert server.result("fact.get", key="a")["value"] == "wide"
    assert server.result("fact.get", key="a", project="p")["value"] == "narrow"
    server.send({"jsonrpc": "2.0", "id": 7, "method": "fact.get", "params": ["a"]})
    assert server.receive()["result"]["value"] == "wide"


def test_a_harness_may_store_a_critical_rule_and_an_agent_may_not(vault):
    with Server(vault, "rpc", "--agent", "helper") as server:
        made = put(server, "shell", "never sudo", priority="critical")
        assert (made["priority"], made["clamped"], made["agent"]) == (
            "high",
            True,
            "helper",
        )
    with Server(vault, "rpc", TOOLMEM_AGENT="helper") as server:
        assert put(server, "shell", "no rm", priority="critical")["clamped"] is True


def test_a_request_cannot_go_beyond_the_launch(vault):
    with Server(vault, "rpc") as server:
        server.result(
            "rule.add", tool="shell", text="theirs", scope="project:q", id="q"
        )
        server.result("rule.add", tool="shell", text="ours", scope="project:p", id="p")
        server.result("fact.set", key="k", value="v", scope="project:q")
        server.result("memory.save", text="# Of q\n\nText.", scope="project:q")
    with Server(vault, "rpc", "--project", "p") as server:
        refused = server.error("rule.list", project="q")
        assert refused == {
            "code": -32001,
            "message": "this is for project 'p', not for 'q'",
            "data": {"code": "not_allowed", "exit_code": 2},
        }
        tried: dict[str, dict[str, str]] = {
            "rule.list": {},
            "rule.add": {"tool": "shell", "text": "x"},
            "fact.set": {"key": "k", "value": "x"},
            "search": {"query": "text"},
            "memory.save": {"text": "# A\n\nB."},
        }
        for method, params in tried.items():
            error = server.error(method, scope="project:q", **params)
            assert (method, error["code"]) == (method, -32001)
        assert [rule["id"] for rule in server.result("rule.list")] == ["p"]
        missing = {"id": "q", "found": False, "suggestions": []}
        assert server.result("rule.show", id="q") == missing
        assert server.error("rule.delete", id="q")["code"] == -32012
        assert server.error("rule.edit", id="q", text="x")["code"] == -32012
        assert server.result("memory.list") == []
        missing["id"] = "of-q"
        assert server.result("memory.show", id="of-q") == missing
        assert server.result("fact.list") == []
        assert server.result("tool.list")[0]["rules"] == 1
        assert server.result("rule.list", project="p")[0]["id"] == "p"


def test_read_only_changes_nothing(vault):
    before = sorted(vault.rglob("*"))
    with Server(vault, "rpc", "--read-only") as server:
        tried: dict[str, dict[str, Any]] = {
            "rule.add": {"tool": "shell", "text": "x"},
            "fact.set": {"key": "k", "value": "v"},
            "fact.delete": {"key": "k"},
            "memory.save": {"text": "# A\n\nB."},
            "tool.add": {"tool": "shell", "alias": ["sh"]},
            "restore": {"id": "x"},
            "memory.tool_rule_put": {"tool_name": "shell", "rule": "x"},
            "rule.delete": {"id": "x"},
            "capture": {"text": "x"},
            "turn.add": {"text": "x", "session": "s"},
        }
        for method, params in tried.items():
            error = server.error(method, **params)
            assert (method, error["code"]) == (method, -32001)
        assert server.result("rule.list") == []
    assert sorted(vault.rglob("*")) == before


def test_what_others_change_is_seen_at_the_next_request(server, vault):
    assert server.result("rule.list") == []
    subprocess.run(
        [*TOOLMEM, "--vault", str(vault), "rule", "add", "shell", "a"],
        check=True,
        capture_output=True,
    )
    [rule] = server.result("rule.list")
    path = vault / rule["path"]
    path.write_text(path.read_text().replace('"a"', '"edited by hand"'))
    assert server.result("rule.list")[0]["rule"] == "edited by hand"
    assert server.result("search", query="edited")["total"] == 1
    git = ("git", "-C", str(vault))
    for words in (
        ("init", "-q"),
        ("add", "."),
        ("commit", "-qm", "one"),
        ("checkout", "-qb", "other"),
        ("rm", "-q", rule["path"]),
        ("commit", "-qm", "two"),
    ):
        subprocess.run([*git, *words], check=True, capture_output=True)
    assert server.result("rule.list") == []
    assert server.result("search", query="edited")["total"] == 0
    subprocess.run([*git, "checkout", "-q", "main"], check=True, capture_output=True)
    assert server.result("rule.list")[0]["rule"] == "edited by hand"
    assert server.result("search", query="edited")["total"] == 1
    vault.joinpath("toolmem.toml").write_text('schema = 1\n[capture]\nmode = "off"\n')
    assert server.result("settings")["capture.mode"]["value"] == "off"


def test_fifty_requests_in_flight_lose_nothing(server, vault):
    server.send(
        *(
            request(number, "rule.add", tool="shell", text=f"rule number {number}")
            for number in range(50)
        )
    )
    server.finish()
    code, out, _ = server.ended()
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [one["id"] for one in answers] == list(range(50))
    assert all(one["result"]["action"] == "created" for one in answers)
    assert len(list(vault.glob("system/rules/shell/*.toml"))) == 50


def test_eight_servers_at_once_lose_nothing(vault):
    def work(worker):
        with Server(vault, "rpc") as server:
            for number in range(10):
                done = server.result(
                    "fact.set", key=f"key_{worker}_{number}", value=str(number)
                )
                acknowledged.append(done["key"])

    acknowledged: list[str] = []
    threads = [threading.Thread(target=work, args=(one,)) for one in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(acknowledged)) == 80
    kept = vault.joinpath("system/facts.md").read_text().splitlines()
    assert sum(line.startswith("key_") for line in kept) == 80


def test_the_end_of_the_input_is_the_end_of_the_server(server):
    server.result("rule.list")
    server.finish()
    code, out, err = server.ended()
    assert (code, out, err) == (0, b"", b"")


ENDS = [(signal.SIGTERM, 0)]
if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as in the background
    ENDS.append((signal.SIGINT, 130))


@pytest.mark.parametrize(("number", "code"), ENDS)
def test_a_signal_ends_it_without_a_word(vault, number, code):
    with Server.fresh(vault, "rpc") as server:
        server.result("rule.list")
        server.process.send_signal(number)
        assert server.process.wait(timeout=10) == code
        assert server.ended() == (code, b"", b"")


def test_a_signal_ends_it_while_an_object_is_finalized(vault):
    code = (
        "import os, signal, sys\n"
        "import toolmem.api.rules as rules\n"
        "class Last:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "listed = rules.Rules.list\n"
        "def last(self, *args, **kwargs):\n"
        "    Last()\n"
        "    return listed(self, *args, **kwargs)\n"
        "last.__signature__ = __import__('inspect').signature(listed)\n"
        "rules.Rules.list = last\n"
        "from toolmem.__main__ import main\n"
        "sys.argv[1:] = ['rpc']\n"
        "main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TOOLMEM_VAULT": str(vault)},
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(request(1, "rule.list")).encode() + b"\n")
    process.stdin.flush()  # and not closed
    try:
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.communicate()


def test_nothing_but_the_protocol_comes_out_whatever_prints(vault):
    code = (
        "import os, subprocess, sys\n"
        "import toolmem.api.rules as rules\n"
        "listed = rules.Rules.list\n"
        "def noisy(self, *args, **kwargs):\n"
        "    print('printed')\n"
        "    os.write(1, b'written\\n')\n"
        "    subprocess.run(['sh', '-c', 'echo a child; cat'], check=True)\n"
        "    return listed(self, *args, **kwargs)\n"
        "noisy.__signature__ = __import__('inspect').signature(listed)\n"
        "rules.Rules.list = noisy\n"
        "from toolmem.__main__ import main\n"
        "sys.argv[1:] = ['rpc']\n"
        "main()\n"
    )
    lines = [request(1, "rule.list"), request(2, "rule.list")]
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=vault,
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in answers] == [1, 2]
    assert done.stderr.count(b"a child") == 2


def test_whatever_comes_in_only_json_rpc_comes_out(server):
    rng = random.Random(7)
    whole = json.dumps(request(1, "search", query="x", limit=1)).encode()
    for _ in range(400):
        line = bytearray(whole)
        for _ in range(rng.randrange(1, 6)):
            place = rng.randrange(len(line))
            line[place : place + rng.randrange(4)] = rng.randbytes(rng.randrange(4))
        server.send(bytes(line).replace(b"\n", b" "))
    server.send(request("last", "rule.list"))
    while True:
        answer = server.receive()
        for response in answer if isinstance(answer, list) else [answer]:
            assert response["jsonrpc"] == "2.0"
            assert response.get("error", {}).get("code") != -32603, response
            if response["id"] == "last":
                assert response["result"] == []
                return


def test_a_line_that_is_far_too_long_is_refused_and_the_next_is_read(server):
    server.send(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (17 << 20) + b'"}')
    refused = server.receive()
    assert (refused["error"]["code"], refused["id"]) == (-32700, None)
    assert server.result("rule.list") == []


def test_a_client_that_has_gone_is_no_crash(vault):
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [*TOOLMEM, "rpc"],
        cwd=vault,
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    os.close(reader)
    _, err = process.communicate(json.dumps(request(1, "rule.list")).encode() + b"\n")
    assert (process.returncode, err) == (0, b"")


def test_without_a_vault_it_says_so_and_does_not_start(tmp_path):
    done = subprocess.run(
        [*TOOLMEM, "rpc"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (10, b"")
    assert done.stderr.startswith(b"toolmem: no vault here")


def test_remarks_go_to_standard_error(vault):
    shutil.copytree(TEMPLATE, vault, dirs_exist_ok=True)
    vault.joinpath("system/rules/shell").mkdir(exist_ok=True)
    vault.joinpath("system/rules/shell/broken.toml").write_text("= nothing")
    with Server(vault, "rpc") as server:
        server.result("rule.list")
        server.finish()
        _, _, err = server.ended()
    assert b"system/rules/shell/broken.toml:1: cannot be read" in err


def test_a_tools_answers_are_remembered_and_a_write_is_seen_at_once(vault):
    vault.joinpath("tools").mkdir()
    vault.joinpath("tools/wine.toml").write_text(
        'name = "wine"\n[memory_access.semantic]\nenabled = true\n'
    )
    query = {"query_id": "q", "memory_type": "semantic", "query_text": "red wine"}
    asking = {
        "request_id": "r",
        "tool_id": "wine",
        "tool_version": "1",
        "timestamp": "2026-04-20T12:00:00Z",
        "agent_context": {"agent_id": "helper", "task_id": "t", "plan_id": "p"},
        "inputs": {},
        "memory_queries": [query],
    }
    with Server(vault, "rpc", "--agent", "helper") as server:

        def found():
            [one] = server.result("query", request=asking)["memory_context"]
            return one["status"], [item["content"] for item in one["results"]]

        assert found() == found() == ("ok", [])
        server.result("memory.save", text="# Ada likes red wine\n\nBurgundy above all.")
        status, [content] = found()
        assert (status, "Ada likes red wine" in content) == ("ok", True)
        asking["agent_context"] = {"agent_id": "other", "task_id": "t", "plan_id": "p"}
        assert found() == ("denied", [])


def test_the_methods_describe_themselves(server):
    found = server.result("rpc.discover")
    methods = {method["name"]: method for method in found["methods"]}
    assert {"search", "fact.set", "guard", "memory.save", "memory.tool_rule_put"} < set(
        methods
    )
    assert methods["fact.get"]["params"][0] == {
        "name": "key",
        "required": True,
        "schema": {"type": "string", "description": "The fact's key."},
    }
