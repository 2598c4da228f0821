"""Files of a folder that are imported, and their names."""

import os

import pytest

from toolmem.cli.output import in_shell
from toolmem.errors import NotFoundError, UsageError, worded
from toolmem.store.vault.sources import (
    ImportSource,
    find_sources,
    given_source,
    read_source,
)


@pytest.fixture
def project(tmp_path):
    top = tmp_path / "shop"
    for name in (
        "CLAUDE.md",
        "web/AGENTS.md",
        ".cursor/rules/a.mdc",
        ".github/copilot-instructions.md",
        ".git/CLAUDE.md",
        ".hidden/CLAUDE.md",
        "node_modules/x/CLAUDE.md",
        "docs/notes.md",
    ):
        top.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        top.joinpath(name).write_text("x")
    return top


def names(*paths, cwd, every=False):
    return [one.name for one in find_sources(paths, cwd, every=every).files]


def shown(left_out):
    """Names and reasons as the command line shows them."""
    return [(name, worded(reason, in_shell)) for name, reason in left_out]


def only_in(folder, path):
    scope = f"project:{folder.rpartition('/')[2]}"
    return (
        f"applies to {folder} only: `toolmem import {path} --scope {scope}` gives it a "
        f'scope, and {folder}/.toolmem.toml with project = "{scope[8:]}" puts that '
        "scope in effect there"
    )


def test_of_a_project_what_agents_read(project, tmp_path):
    wanted = [
        "shop/CLAUDE.md",
        "shop/.cursor/rules/a.mdc",
        "shop/.github/copilot-instructions.md",
    ]
    assert names(project, cwd=tmp_path) == wanted
    found = find_sources([project], tmp_path, every=False)
    assert shown(found.left_out) == [
        ("shop/web/AGENTS.md", only_in("web", project / "web/AGENTS.md")),
        (
            str(project),
            "docs/notes.md: name the files to import, or use --format markdown",
        ),
    ]
    assert len(names(project, cwd=tmp_path, every=True)) == 4


def test_a_name_is_the_same_from_everywhere(project, tmp_path, monkeypatch):
    place = project / ".cursor" / "rules" / "a.mdc"
    wanted = ["shop/.cursor/rules/a.mdc"]
    for cwd in (tmp_path, project, place.parent):
        assert names(place, cwd=cwd) == wanted


@pytest.mark.parametrize(
    "place",
    [
        "packages/api/.cursor/rules/x.mdc",
        "packages/api/.claude/rules/x.md",
        "packages/api/.github/instructions/x.instructions.md",
        "packages/api/.windsurf/rules/x.md",
        "packages/api/.clinerules/x.md",
    ],
)
def test_a_hidden_folder_of_a_package_applies_to_that_package(tmp_path, place):
    for name in (place, "CLAUDE.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    found = find_sources([tmp_path], tmp_path, every=False)
    assert [one.local for one in found.files] == ["CLAUDE.md"]
    assert shown(found.left_out) == [
        (f"{tmp_path.name}/{place}", only_in("packages/api", tmp_path / place))
    ]


def test_of_notes_everything(tmp_path):
    for name in ("a.md", "b/c.md", "d.txt", "e.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = find_sources([tmp_path], tmp_path, every=False).files
    assert [one.local for one in found] == ["a.md", "e.jsonl", "b/c.md"]


def test_what_a_note_is_about_is_its_folder_in_the_one_that_was_named(tmp_path):
    (tmp_path / "notes" / "api").mkdir(parents=True)
    (tmp_path / "notes" / "api" / "a.md").write_text("x")
    for cwd in (tmp_path, tmp_path / "notes"):
        [source] = find_sources([tmp_path / "notes"], cwd, every=False).files
        assert source.local == "api/a.md"


def test_links_out_of_the_folder_are_left_out(project, tmp_path):
    (tmp_path / "secret.md").write_text("x")
    (project / "GEMINI.md").symlink_to(tmp_path / "secret.md")
    (project / "web" / "CLAUDE.md").symlink_to(project / "CLAUDE.md")
    (project / "loop").symlink_to(project)
    found = find_sources([project], tmp_path, every=False)
    assert "shop/CLAUDE.md" in [one.name for one in found.files]
    assert "shop/web/CLAUDE.md" not in [one.name for one in found.files]
    assert ("shop/GEMINI.md", "is a link that points outside the folder") in (
        found.left_out
    )


def test_a_vault_is_no_folder_of_notes(tmp_path):
    (tmp_path / "toolmem.toml").write_text("schema = 1\n")
    with pytest.raises(UsageError):
        find_sources([tmp_path], tmp_path, every=False)


def test_what_is_not_there_is_told(tmp_path):
    with pytest.raises(NotFoundError):
        find_sources([tmp_path / "x"], tmp_path, every=False)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa\r\nb\rc\n", "a\nb\nc\n"),
        ("é".encode("utf-16"), "é"),
        (b"", ""),
    ],
)
def test_a_text_is_read_however_it_is_encoded(data, text):
    assert read_source(given_source(data)) == text


@pytest.mark.parametrize("data", [b"\xff", b"a\0b", b"\xff\xfea"])
def test_what_is_no_text_is_refused(data):
    with pytest.raises(UsageError):
        read_source(given_source(data))


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_a_name_that_is_no_unicode_can_be_shown(tmp_path):
    path = tmp_path / os.fsdecode(b"n\xff.md")
    path.write_text("x")
    [source] = find_sources([path], tmp_path, every=False).files
    assert source == ImportSource(f"{tmp_path.name}/n\ufffd.md", "n\ufffd.md", path)
