"""Whose file it is, by its path."""

import pytest

from toolmem.core.imports.kinds import format_of, is_read_always


@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("/w/CLAUDE.md", "claude"),
        ("/w/.claude/CLAUDE.md", "claude"),
        ("/w/.claude/rules/api/auth.md", "claude"),
        ("/w/AGENTS.md", "agents-md"),
        ("/w/.cursor/rules/x.mdc", "cursor"),
        ("/w/.cursorrules", "cursor"),
        ("/w/.github/copilot-instructions.md", "copilot"),
        ("/w/.github/instructions/py.instructions.md", "copilot"),
        ("/w/GEMINI.md", "gemini"),
        ("/w/.windsurf/rules/a.md", "windsurf"),
        ("/w/.windsurfrules", "windsurf"),
        ("/w/.clinerules/a.md", "cline"),
        ("/w/.clinerules", "cline"),
        ("/w/.goosehints", "goose"),
        ("/w/notes/a.md", "markdown"),
        ("/w/rules/a.md", "markdown"),
        ("/w/a.txt", "markdown"),
        ("/w/a.png", ""),
    ],
)
def test_a_path_tells_the_program(path, program):
    assert format_of(path, "# x") == program


@pytest.mark.parametrize(
    ("path", "always"),
    [
        ("/w/CLAUDE.md", True),
        ("/w/.claude/rules/a.md", True),
        ("/w/.cursorrules", True),
        ("/w/.windsurfrules", True),
        ("/w/.clinerules/a.md", True),
        ("/w/.github/copilot-instructions.md", True),
        ("/w/.cursor/rules/x.mdc", False),
        ("/w/x.mdc", False),
        ("/w/.windsurf/rules/a.md", False),
        ("/w/.github/instructions/a.md", False),
        ("/w/py.instructions.md", False),
    ],
)
def test_some_files_are_read_on_request_unless_they_say_otherwise(path, always):
    assert is_read_always(path) is always


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("m.jsonl", '{"type":"entity","name":"a"}\n', "mcp-memory"),
        ("m.json", '{"entities":[],\n"relations":[]}', "mcp-memory"),
        ("x.json", '{\n  "toolmem_export": 1', "json"),
        ("x.json", "{}", ""),
        ("x.json", "[1]", ""),
        ("a.md", "---\ntitle: x\npermalink: a/b\n---\n", "basic-memory"),
        ("-", "just text", "markdown"),
        ("-", '{"type":"relation"}', "mcp-memory"),
    ],
)
def test_a_text_tells_its_format(path, text, found):
    assert format_of(path, text) == found
