"""The compiled guards: as strict as the vault's files, whatever happened to either."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.ops.rules.test_guard import same_as_parsing_all
from tests.world import World
from toolmem.ops.rules.compiled import compiled_guards, known_guards
from toolmem.ops.rules.guard import check_call
from toolmem.store.files.settings import state_folder
from toolmem.store.guards.guard_file import FOLDER, name_of
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

RULE = (
    'id = "{id}"\ntool = "{tool}"\nrule = "never {id}"\n'
    '[[guard]]\naction = "{action}"\ncommand = ["{program}", "push"]\n'
)
PLACES = (
    *("system/rules/git/a.toml", "system/rules/git/b.toml", "system/rules/npm/a.toml"),
    *("projects/p/rules/git/a.toml", "projects/p/rules/shell/c.toml"),
)
NAMES = st.sampled_from(["a1", "b2"])
TOOLS = st.sampled_from(["git", "npm", "_any"])
WORDS = (
    'id = "{id}"\ntool = "{tool}"\nrule = "never use {program}"\n'
    "priority = {action!r}\nexpires_at = 2400-01-01T00:00:00Z\n"
).replace("{action!r}", '"critical"')
TEXT = st.builds(
    lambda form, **values: str(form.format(**values)),
    st.sampled_from([RULE, RULE, WORDS]),
    id=NAMES,
    tool=TOOLS,
    action=st.sampled_from(["deny", "warn"]),
    program=st.sampled_from(["git", "npm"]),
)
PLACE = st.sampled_from(PLACES)


def edit_in_place(root: Path, place: str, text: str) -> None:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+" if path.exists() else "w") as file:
        file.write(text)
        file.truncate()


def edit_and_hide(root: Path, place: str, text: str) -> None:
    """Write as many bytes as were there, and set the times back."""
    path = root / place
    if path.is_file():
        before = path.stat()
        size = before.st_size
        edit_in_place(root, place, text[:size].ljust(size, "\n"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(root: Path, place: str, text: str) -> None:
    edit_in_place(root, "new", text)
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / "new").replace(root / place)


def delete(root: Path, place: str, _text: str) -> None:
    (root / place).unlink(missing_ok=True)


def go_back_in_time(root: Path, place: str, text: str) -> None:
    edit_in_place(root, place, text)
    os.utime(root / place, ns=(0, 0))


def rename(root: Path, place: str, _text: str) -> None:
    if (root / place).exists():
        (root / place).rename((root / place).with_name("renamed.toml"))


def rename_folder(root: Path, place: str, _text: str) -> None:
    folder = (root / place).parent
    if folder.exists() and not folder.with_name("shell").exists():
        folder.rename(folder.with_name("shell"))


def put_a_link(root: Path, place: str, _text: str) -> None:
    folder = (root / place).parent
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        (root / "elsewhere").mkdir(exist_ok=True)
        folder.symlink_to(root / "elsewhere")


def alias(root: Path, _place: str, _text: str) -> None:
    edit_in_place(root, "tools/npm.toml", 'name = "npm"\naliases = ["git"]\n')


def guard_file(root: Path) -> Path:
    return state_folder() / FOLDER / name_of(opened(root).root)


def damage(root: Path, _place: str, text: str) -> None:
    path = guard_file(root)
    if path.exists():
        data = bytearray(path.read_bytes())
        for number, char in enumerate(text.encode()):
            data[(number * 7919 + char) % len(data)] ^= char
        path.write_bytes(bytes(data))


def cut_off(root: Path, _place: str, text: str) -> None:
    path = guard_file(root)
    if path.exists():
        path.write_bytes(path.read_bytes()[: len(text) * 10])


Edit = Callable[[Path, str, str], None]
EDITS: tuple[Edit, ...] = (
    edit_in_place,
    edit_and_hide,
    replace,
    delete,
    go_back_in_time,
    rename,
    rename_folder,
    put_a_link,
    alias,
    damage,
    cut_off,
)


@examples(12)
@given(st.lists(st.tuples(st.sampled_from(EDITS), PLACE, TEXT), max_size=8))
def test_no_edit_of_a_vault_leaves_an_old_verdict(tmp_path_factory, edits):
    root = tmp_path_factory.mktemp("vault")
    World(root).vault("empty")
    edit_in_place(root, "tools/git.toml", 'name = "git"\naliases = ["alias"]\n')
    flags = {"vault": str(root), "project": "p", "agent_type": "coding"}
    for edit, place, text in edits:
        wait_for_the_clock(root)
        edit(root, place, text)
        settle(root, flags)
        same_as_parsing_all(root, flags)


def opened(root: Path, flags: dict[str, str] | None = None) -> Vault:
    return Vault.open(find_vault(flags or {"vault": str(root)}, root), utc_now())


def settle(root: Path, flags: dict[str, str] | None = None) -> None:
    """Compile the guards as if the rules had been still for long."""
    later = time.time_ns() + 10_000_000_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.time_ns", lambda: later)
        compiled_guards(opened(root, flags))


def wait_for_the_clock(root: Path) -> None:
    """Return when what is written from now on has later times than what was."""
    clock = root.with_name(f"{root.name}.clock")  # its events are not the vault's
    clock.write_text("")
    before = clock.stat().st_ctime_ns
    while clock.stat().st_ctime_ns == before:
        clock.write_text("")


def verdict(root: Path) -> str:
    return check_call(opened(root), "Bash", {"command": "git push"}).verdict


DENY = RULE.format(id="a1", tool="git", action="deny", program="git")
ALLOW = RULE.format(id="a1", tool="git", action="warn", program="npm")


@pytest.fixture
def vault(tmp_path) -> Path:
    root: Path = tmp_path / "vault"
    World(root).vault("empty")
    edit_in_place(root, PLACES[0], ALLOW)
    assert verdict(root) == "allow"
    return root


def test_no_damage_to_the_file_changes_a_verdict(vault):
    edit_in_place(vault, PLACES[0], DENY)
    settle(vault)
    assert verdict(vault) == "deny"
    whole = guard_file(vault).read_bytes()
    for at in range(0, len(whole), 7):
        guard_file(vault).write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        assert verdict(vault) == "deny", at


def test_a_vault_is_never_written_to_by_a_verdict(vault):
    before = sorted(vault.rglob("*"))
    assert verdict(vault) == "allow"
    assert not (vault / ".toolmem/guards").exists()
    assert sorted(vault.rglob("*")) == before
    assert guard_file(vault).stat().st_mode & 0o777 == 0o600


def test_the_guards_of_vaults_long_unused_are_dropped(vault):
    folder = guard_file(vault).parent
    for number in range(100):
        (folder / str(number)).write_bytes(b"")
        os.utime(folder / str(number), (number, number))
    edit_in_place(vault, PLACES[0], DENY)
    assert verdict(vault) == "deny"
    assert len(list(folder.iterdir())) == 64
    assert guard_file(vault).exists()


def test_a_file_that_cannot_be_written_opens_nothing(vault):
    shutil.rmtree(guard_file(vault).parent)
    guard_file(vault).parent.write_text("in the way")
    edit_in_place(vault, PLACES[0], DENY)
    assert verdict(vault) == "deny"


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/null", "elsewhere"])
def test_a_link_in_its_place_is_not_followed(vault, target):
    (vault / "elsewhere").write_text("mine")
    guard_file(vault).unlink()
    guard_file(vault).symlink_to(target)
    edit_in_place(vault, PLACES[0], DENY)
    assert verdict(vault) == "deny"
    assert (vault / "elsewhere").read_text() == "mine"


def test_a_pipe_in_its_place_stalls_nothing(vault):
    guard_file(vault).unlink()
    os.mkfifo(guard_file(vault))
    edit_in_place(vault, PLACES[0], DENY)
    assert verdict(vault) == "deny"


def test_the_file_of_another_vault_is_not_believed(vault, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(vault, other)
    edit_in_place(other, PLACES[0], DENY)
    shutil.copy(guard_file(vault), guard_file(other))
    assert verdict(other) == "deny"


def test_a_rule_expires_between_compiling_and_the_call(vault):
    until = "expires_at = 2030-01-01T00:00:00Z\n"
    edit_in_place(vault, PLACES[0], DENY.replace("[[", until + "[["))
    settle(vault)
    found = []
    for year in (2029, 2031, 2029):
        now = opened(vault)._replace(now=datetime(year, 1, 1, tzinfo=UTC))
        found.append(check_call(now, "Bash", {"command": "git push"}).verdict)
    assert found == ["deny", "allow", "deny"]


NEVER = 'id = "a1"\ntool = "git"\nrule = "never force-push"\n'
PUSH = {"command": "git push --force"}
DERIVE = "toolmem.core.guard.derive.derive_guards"


def test_what_follows_from_words_is_derived_once(vault, monkeypatch):
    edit_in_place(vault, PLACES[0], NEVER)
    settle(vault)
    monkeypatch.delattr(DERIVE)
    assert check_call(opened(vault), "Bash", PUSH).verdict == "deny"


@pytest.mark.parametrize("key", ['priority = "high"', 'rule = "never use git"'])
def test_what_follows_from_an_override_is_derived_once(vault, monkeypatch, key):
    edit_in_place(vault, PLACES[0], NEVER)
    folder = vault / "projects/p/rules/git"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.toml").write_text(f'id = "a1"\n{key}\nreason = "it is so"\n')
    here = {"vault": str(vault), "project": "p"}
    first = check_call(opened(vault, here), "Bash", PUSH)
    settle(vault, here)
    monkeypatch.delattr(DERIVE)
    again = check_call(opened(vault, here), "Bash", PUSH)
    assert (first.verdict, again.verdict) == ("deny", "deny")


def test_a_change_derives_nothing_of_the_files_beside_it(vault, monkeypatch):
    edit_in_place(vault, PLACES[0], NEVER)
    settle(vault)
    monkeypatch.delattr(DERIVE)
    other = (vault / PLACES[0]).with_name("beside.toml")
    other.write_text('id = "b1"\ntool = "git"\nrule = "push often"\nguards = false\n')
    assert check_call(opened(vault), "Bash", PUSH).verdict == "deny"


def test_checking_out_another_revision_is_seen(vault):
    def git(*words: str) -> None:
        flags = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *flags, *words], cwd=vault, check=True)

    git("init", "-q", "-b", "main")
    git("add", "system")
    git("commit", "-qm", "allow")
    edit_in_place(vault, PLACES[0], DENY)
    git("commit", "-qam", "deny")
    found = []
    for revision in ("HEAD~1", "main", "HEAD~1", "main"):
        git("checkout", "-q", revision)
        found.append(verdict(vault))
    assert found == ["allow", "deny", "allow", "deny"]


IN_PROJECT = {"project": "p"}


def project_verdict(root: Path) -> str:
    found = opened(root, {"vault": str(root), **IN_PROJECT})
    return check_call(found, "Bash", {"command": "git push"}).verdict


ELSEWHERE = {
    "a rule for the tool in the folder of another one": (
        "system/rules/npm/a.toml",
        (DENY, ALLOW, DENY),
        ("deny", "allow", "deny"),
    ),
    "an override in the folder of another tool": (
        "projects/p/rules/npm/a.toml",
        ('id = "b2"\nenabled = false\n', 'id = "b2"\nenabled = true\n'),
        ("allow", "deny"),
    ),
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_a_rule_that_concerns_a_call_is_checked_wherever_it_is(vault, case):
    place, texts, verdicts = ELSEWHERE[case]
    if "override" in case:
        edit_in_place(vault, PLACES[1], DENY.replace("a1", "b2"))
    flags = {"vault": str(vault), **IN_PROJECT}
    found: list[str] = []
    for text in texts:
        wait_for_the_clock(vault)
        edit_in_place(vault, place, text)
        if not found:
            settle(vault, flags)
        found.append(project_verdict(vault))
        settle(vault, flags)
    assert tuple(found) == verdicts


def test_a_new_file_for_any_tool_is_seen_at_once(vault):
    settle(vault, {"vault": str(vault), **IN_PROJECT})
    assert project_verdict(vault) == "allow"
    edit_in_place(vault, "system/rules/npm/new.toml", DENY)
    assert project_verdict(vault) == "deny"


def test_a_rule_that_gets_another_tool_in_place_is_seen_at_once(vault):
    place, flags = "system/rules/npm/a.toml", {"vault": str(vault), **IN_PROJECT}
    edit_in_place(vault, place, ALLOW.replace("a1", "b2").replace("git", "npm"))
    settle(vault, flags)
    wait_for_the_clock(vault)
    edit_in_place(vault, place, DENY.replace("a1", "b2"))
    assert project_verdict(vault) == "deny"


def test_a_new_link_next_to_folders_that_did_not_change_is_unreadable(vault):
    settle(vault)
    push = {"command": "npm push"}
    assert check_call(opened(vault), "Bash", push).verdict == "allow"
    (vault / "system/rules/npm").symlink_to(vault / "tools")
    for _ in range(2):
        assert check_call(opened(vault), "Bash", push).verdict == "ask"
        settle(vault)
    assert known_guards(opened(vault)) is not None
    (vault / "system/rules/npm").unlink()
    assert check_call(opened(vault), "Bash", push).verdict == "allow"


def test_what_is_up_to_date_is_used_without_reading_a_rule(vault):
    settle(vault, {"vault": str(vault), **IN_PROJECT})
    known = known_guards(opened(vault))
    assert known is not None
    assert list(known.scan_names()) == []
    edit_in_place(vault, PLACES[0], DENY)
    assert known_guards(opened(vault)) is None
