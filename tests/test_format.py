"""The examples of ``man toolmem-vault`` are a vault, and one without a defect."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.documents import examples
from toolmem.cli.main import run_program
from toolmem.cli.run import Run

NOW = datetime(2026, 4, 14, 10, 0, tzinfo=UTC)
POINTER = ".toolmem.toml"


@pytest.fixture
def vault(tmp_path, monkeypatch):
    """The examples at their places; the pointer in a project next to them."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = tmp_path / "our-vault"
    for name, text in examples().items():
        path = tmp_path / "game" / name if name == POINTER else root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def output(
    capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str
) -> tuple[int, str]:
    code = run_program(arguments, Run(cwd=folder, now=lambda: NOW))
    return code, capsys.readouterr().out


def test_the_page_shows_each_kind_of_file():
    kinds = {
        "toolmem.toml",
        POINTER,
        "rules",
        "overrides",
        "facts.md",
        "profile.md",
        "guidance",
        "memory",
        "tools",
    }
    shown = {part for name in examples() for part in name.split("/")}
    assert kinds <= shown


def test_the_examples_have_no_defect_but_the_override_that_they_show(vault, capsys):
    code, text = output(capsys, vault, "check", "--json")
    document = json.loads(text)
    told = [(problem["code"], problem["severity"]) for problem in document["problems"]]
    assert (code, told) == (0, [("changed-critical", "note")])


def test_the_examples_are_what_an_agent_is_told(vault, capsys):
    code, text = output(capsys, vault.parent / "game", "prompt", "--format", "json")
    parts = {part["kind"]: part["items"] for part in json.loads(text)["parts"]}
    assert code == 0
    assert [item["rule"] for item in parts["rules"]] == ["quote the query"]
    assert {item["key"]: item["value"] for item in parts["facts"]} == {
        "test_command": "pytest tests/ -v",
        "tech_stack": "[Python 3.12, SQLAlchemy, Pygame]",
        "damage_units": "integers, never floats",
    }
    assert [len(parts[kind]) for kind in ("role", "overrides", "guidance")] == [1, 1, 1]


def test_the_rule_of_the_page_holds_where_nothing_overrides_it(vault, capsys):
    code, text = output(capsys, vault, "prompt", "--only", "rules")
    assert code == 0
    assert "### `send_email`\n- **[critical]** never email Sarah at" in text
    assert "### `mcp::search`\n- **[high]** quote the query" in text


def test_a_name_of_the_page_is_encoded_as_the_program_does(vault, capsys):
    args = ("rule", "add", "mcp::search", "once more", "--json")
    code, text = output(capsys, vault, *args)
    assert code == 0
    assert json.loads(text)["path"].startswith("system/rules/mcp%3A%3Asearch/")
