"""``rule edit`` without flags: what the editor leaves is taken, kept or refused."""

import re
import sys
import tempfile
from pathlib import Path

import pytest

RULE = "system/rules/shell/one.toml"
TEXT = 'id = "one"\ntool = "shell"\nrule = "never push"\npriority = "critical"\n'


@pytest.fixture
def temporary(tmp_path_factory, monkeypatch):
    """Folder of copies for an editor."""
    place = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def vault(world, temporary):
    return world.vault("empty").write(RULE, TEXT)


@pytest.fixture
def editor(tmp_path_factory, monkeypatch):
    """Sets an editor that runs these lines of Python, with the file as ``path``."""

    def use(*lines: str) -> str:
        script = tmp_path_factory.mktemp("editor") / "editor.py"
        start = ["import pathlib, sys", "path = pathlib.Path(sys.argv[-1])"]
        script.write_text("\n".join([*start, *lines]))
        command = f"'{sys.executable}' '{script}'"
        monkeypatch.setenv("EDITOR", command)
        return command

    return use


def kept(temporary: Path) -> list[bytes]:
    return [path.read_bytes() for path in temporary.iterdir()]


def test_what_was_typed_is_put_in_place(vault, editor, temporary):
    editor("path.write_text(path.read_text().replace('push', 'force-push'))")
    vault.run("rule", "edit", "one").stdout(f"one  updated  {RULE}\n").stderr(
        "toolmem: guard: denies `git push --force`; allows --force-with-lease\n"
    )
    vault.file(RULE, TEXT.replace("push", "force-push"))
    assert kept(temporary) == []


@pytest.mark.parametrize(
    ("added", "key"),
    [
        ('evidence = "a\u202eb"', "evidence"),
        ('reason = "a\u200bb"', "reason"),
        ('tags = ["a", "b\u200b"]', "tags"),
    ],
)
def test_a_character_that_nobody_sees_is_refused_in_every_text(
    vault, editor, temporary, added, key
):
    editor(f"path.write_text({TEXT + added!r}, 'utf-8')")
    done = vault.call("rule", "edit", "one")
    assert (done.code, f"the {key} contains U+20" in done.stderr) == (2, True)
    vault.file(RULE, TEXT)
    assert len(kept(temporary)) == 1


def test_what_was_in_the_file_before_does_not_stop_an_edit(vault, editor):
    old = TEXT + 'evidence = "a\u200bb"\n'
    vault.write(RULE, old)
    editor("path.write_text(path.read_text('utf-8').replace('push', 'pull'), 'utf-8')")
    vault.run("rule", "edit", "one").stdout(f"one  updated  {RULE}\n").stderr(
        "toolmem: advice only: nothing in it can be checked; --guard adds a check\n"
    )


STAMPED = TEXT + "updated_at = 2026-01-01T00:00:00Z # by hand\n"


def test_the_time_of_the_change_is_kept_up_where_the_file_has_it(vault, editor):
    vault.write(RULE, STAMPED)
    editor("path.write_text(path.read_text().replace('push', 'force-push'))")
    vault.run("rule", "edit", "one").stdout(f"one  updated  {RULE}\n").stderr(
        "toolmem: guard: denies `git push --force`; allows --force-with-lease\n"
    )
    now = STAMPED.replace("2026-01-01T00:00:00Z", "2026-04-20T12:00:00Z")
    vault.file(RULE, now.replace("push", "force-push"))


def test_a_time_that_was_typed_stands(vault, editor):
    vault.write(RULE, STAMPED)
    editor("path.write_text(path.read_text().replace('2026', '2025'))")
    vault.run("rule", "edit", "one").stdout(f"one  updated  {RULE}\n").stderr(
        "toolmem: guard: denies `git push`\n"
    )
    vault.file(RULE, STAMPED.replace("2026", "2025"))


def test_an_editor_that_replaces_the_file_is_understood(vault, editor, temporary):
    editor(
        "new = path.with_suffix('.new')",
        "new.write_bytes(path.read_bytes() + b'# seen\\n')",
        "new.replace(path)",
    )
    vault.run("rule", "edit", "one").stdout(f"one  updated  {RULE}\n").stderr(
        "toolmem: guard: denies `git push`\n"
    )
    vault.file(RULE, TEXT + "# seen\n")
    assert kept(temporary) == []


@pytest.mark.parametrize(
    ("line", "typed", "message", "code"),
    [
        ("path.write_text('rule =')", b"rule =", f"{RULE}:1: Invalid value", 11),
        (
            "path.write_text(path.read_text().replace('one', 'two'))",
            TEXT.replace("one", "two").encode(),
            f"{RULE}:1: the id of a rule cannot change (one)",
            11,
        ),
        (
            "path.write_bytes(path.read_bytes() + b'# \\xff')",
            TEXT.encode() + b"# \xff",
            f"{RULE}:5: is not UTF-8 text",
            11,
        ),
        (
            "path.write_text(path.read_text().replace('push', 'pu\\u200bsh'))",
            TEXT.replace("push", "pu\u200bsh").encode(),
            "the rule contains U+200B ZERO WIDTH SPACE at character 9",
            2,
        ),
        ("sys.exit(4)", TEXT.encode(), "$EDITOR {editor!r} ended with 4", 2),
    ],
)
def test_what_cannot_be_a_rule_is_kept_and_named(
    vault, editor, temporary, line, typed, message, code
):
    command = editor(line)
    done = vault.call("rule", "edit", "one")
    assert (done.code, done.stdout) == (code, "")
    said, _, where = done.stderr.partition("; your text was saved in ")
    assert said.startswith("toolmem: " + message.replace("{editor!r}", repr(command)))
    assert Path(where.strip()).read_bytes() == typed
    assert kept(temporary) == [typed]
    vault.file(RULE, TEXT)


def test_a_change_of_somebody_else_meanwhile_is_not_written_over(
    vault, editor, temporary
):
    other = vault.root / RULE
    editor(
        f"pathlib.Path({str(other)!r}).write_text('id = \"one\"\\n')",
        "path.write_text(path.read_text() + '# mine\\n')",
    )
    done = vault.call("rule", "edit", "one")
    assert done.code == 13
    assert re.match(
        rf"toolmem: {RULE}: changed since it was read; nothing was written; your",
        done.stderr,
    )
    vault.file(RULE, 'id = "one"\n')
    assert kept(temporary) == [TEXT.encode() + b"# mine\n"]


def test_an_editor_that_deletes_the_file_changes_nothing(vault, editor, temporary):
    editor("path.unlink()")
    done = vault.call("rule", "edit", "one")
    assert done.code == 2
    assert " left no file" in done.stderr
    vault.file(RULE, TEXT)


@pytest.mark.parametrize("command", ["/no/such/editor --wait", "'unclosed"])
def test_an_editor_that_cannot_run_is_told(vault, temporary, monkeypatch, command):
    monkeypatch.setenv("VISUAL", command)
    done = vault.call("rule", "edit", "one")
    assert done.code == 2
    assert done.stderr.startswith(f"toolmem: $EDITOR {command!r} cannot be run: ")


def test_without_an_editor_no_copy_is_made(vault, temporary):
    vault.run("rule", "edit", "one").exits(2)
    vault.stderr("toolmem: $EDITOR is not set: set it, or change the item with flags\n")
    assert kept(temporary) == []


def test_an_agent_cannot_use_an_editor_to_get_round_its_limits(
    vault, editor, temporary, monkeypatch
):
    editor("path.write_text(path.read_text().replace('critical', 'normal'))")
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    done = vault.call("rule", "edit", "one")
    assert done.code == 2
    assert done.stderr.startswith(
        "toolmem: an agent cannot use an editor: change the rule with flags"
    )
    vault.file(RULE, TEXT)


def test_a_long_file_name_is_no_trouble(world, temporary, editor):
    name = "x" * 240
    world.vault("empty").write(f"system/rules/shell/{name}.toml", TEXT)
    editor("")
    world.run("rule", "edit", "one")
    world.stdout(f"one  unchanged  system/rules/shell/{name}.toml\n")
