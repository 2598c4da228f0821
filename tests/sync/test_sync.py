"""Two clones and a bare repository: what one learned, the other knows."""

import json
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.client import toolmem
from tests.sync.checked import advice_lines
from toolmem.errors import LockedError
from toolmem.store.files import files
from toolmem.store.git import run as gitrun
from toolmem.store.git.merge import INTERRUPTED
from toolmem.store.git.remote import Rejection, Transport

RULE = "system/rules/send_email/send-a-draft-first-when-more-than-five-d23f0824.toml"
FACTS = "projects/mech-fighters/facts.md"
COMMITTED = ("--project", "mech-fighters")
LATE = Rejection("fetch first")


def learn(world, key, value):
    """Set a fact and commit it."""
    done = world.call("fact", "set", key, value, *COMMITTED)
    assert done.code == 0, done.stderr
    world.commit(f"{key}: {value}")


def synced(world, *words, code=0):
    done = world.call("sync", "--json", *words)
    assert done.code == code, done.stderr
    return json.loads(done.stdout)


def test_what_both_learned_both_know(clone):
    ada, bob = clone("ada"), clone("bob")
    learn(ada, "ada", "1")
    assert synced(ada)["action"] == "current"
    learn(bob, "bob", "2")
    done = synced(bob)
    assert (done["action"], done["pushed"], done["tries"]) == ("merged", True, 1)
    assert [change["id"] for change in done["changes"]] == ["project.ada"]
    assert synced(ada)["action"] == "forwarded"
    assert ada.files() == bob.files()
    for world in (ada, bob):
        assert world.git("status", "--porcelain") == ""
        assert world.git("rev-parse", "HEAD") == ada.git("rev-parse", "origin/main")
        assert "ada: 1\nbob: 2\n" in world.read(FACTS)
    subject = bob.git("log", "-1", "--format=%s %p").split()
    assert " ".join(subject[:-2]) == "Merge origin/main: 1 fact"


def test_a_conflict_stops_it_valid_unpushed_and_can_be_settled(clone, remote):
    ada, bob = clone("ada"), clone("bob")
    ada.call("rule", "edit", "d23f0824", "-p", "critical")
    ada.commit("critical")
    bob.call("rule", "edit", "d23f0824", "-p", "normal")
    bob.commit("normal")
    synced(ada)
    before = ada.git("rev-parse", "origin/main").strip()
    done = synced(bob, code=1)
    assert (done["action"], done["pushed"]) == ("conflict", False)
    assert [(c["path"], c["key"]) for c in done["conflicts"]] == [(RULE, "priority")]
    assert remote.joinpath("refs/heads/main").read_text().strip() == before
    assert bob.read(RULE).endswith('\n[conflict]\npriority = "critical"\n')
    assert bob.git("status", "--porcelain") == ""
    shown = bob.call("prompt", "--only", "rules", "--tool", "send_email").stdout
    assert "- **[critical]** send a draft first" in shown
    checked = bob.call("check")
    assert checked.code == 1
    assert checked.stdout == advice_lines() + (
        f"{RULE}:10: merge-conflict priority was changed on both sides: "
        f"`toolmem resolve {RULE}`\n"
    )
    assert synced(bob, code=1)["action"] == "stopped"
    assert bob.call("resolve", "d23f0824", "--take", "stricter").code == 0
    assert 'priority = "critical"' in bob.read(RULE)
    bob.commit("settled")
    assert synced(bob)["pushed"]
    synced(ada)
    assert ada.files() == bob.files()


def test_what_the_check_finds_is_not_pushed(clone, remote):
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "bob", "2")
    synced(bob)
    ada.write("system/rules/shell/torn-12345678.toml", "id = ")
    ada.commit("torn")
    files = ada.files()
    done = synced(ada, code=1)
    assert done["action"] == "stopped"
    assert [p["code"] for p in done["problems"]] == ["unreadable"]
    assert ada.files() == files
    ada.git("rm", "-q", "system/rules/shell/torn-12345678.toml")
    ada.git("commit", "-qm", "mended")
    assert synced(ada)["action"] == "merged"


def test_an_error_of_the_others_does_not_hold_up_what_is_new_here(clone):
    ada, bob = clone("ada"), clone("bob")
    bob.write("system/rules/shell/torn-12345678.toml", "id = ")
    bob.commit("torn")
    bob.git("push", "-q", "origin", "main")
    learn(ada, "ada", "1")
    assert synced(ada)["action"] == "merged"


def test_uncommitted_changes_stay_and_are_told_of(clone):
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "bob", "2")
    synced(bob)
    ada.write("system/guidance/asking.md", "Ask.\n")
    done = ada.call("sync")
    assert done.code == 0
    assert done.stderr == (
        "toolmem: 1 file has uncommitted changes, which were not pushed\n"
    )
    assert ada.git("status", "--porcelain") == " M system/guidance/asking.md\n"


@pytest.mark.parametrize("staged", [False, True])
def test_uncommitted_changes_in_the_way_stop_it(staged, clone):
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "bob", "2")
    synced(bob)
    ada.call("fact", "set", "ada", "1", *COMMITTED)
    if staged:
        ada.git("add", "--all")
    before, status = ada.files(), ada.git("status", "--porcelain")
    done = ada.call("sync")
    assert (done.code, done.stdout) == (13, "")
    assert done.stderr == (
        f"toolmem: {FACTS}: changed here and not committed, and changed by others: "
        "commit it first\n"
    )
    assert (ada.files(), ada.git("status", "--porcelain")) == (before, status)
    ada.commit("ada")
    assert synced(ada)["action"] == "merged"


def test_an_untracked_file_in_the_way_is_not_overwritten(clone):
    ada, bob = clone("ada"), clone("bob")
    bob.write("system/guidance/new.md", "theirs\n").commit("new")
    synced(bob)
    ada.write("system/guidance/new.md", "ours\n")
    assert ada.call("sync").code == 13
    ada.file("system/guidance/new.md", "ours\n")


def test_offline_merges_what_was_fetched_and_pushes_nothing(clone, remote):
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "bob", "2")
    synced(bob)
    ada.git("fetch", "--quiet")
    learn(ada, "ada", "1")
    before = remote.joinpath("refs/heads/main").read_text()
    remote.rename(remote.with_name("gone"))
    done = synced(ada, "--offline")
    assert (done["action"], done["pushed"]) == ("merged", False)
    remote.with_name("gone").rename(remote)
    assert remote.joinpath("refs/heads/main").read_text() == before
    assert synced(ada)["pushed"]


def test_a_remote_that_cannot_be_reached_changes_nothing(clone, remote):
    ada = clone("ada")
    learn(ada, "ada", "1")
    remote.rename(remote.with_name("gone"))
    done = ada.call("sync")
    assert (done.code, done.stdout) == (15, "")
    assert done.stderr.startswith("toolmem: git fetch: ")


def test_a_branch_that_is_not_shared_yet_is_pushed(clone):
    ada, bob = clone("ada"), clone("bob")
    for world in (ada, bob):
        world.git("switch", "--quiet", "--create", "mine")
    assert synced(ada)["pushed"]
    assert ada.git("rev-parse", "origin/mine") == ada.git("rev-parse", "HEAD")
    learn(bob, "bob", "1")
    assert synced(bob)["action"] == "current"
    assert synced(ada)["action"] == "forwarded"


@pytest.mark.parametrize(
    ("prepare", "code", "message"),
    [
        (("remote", "remove", "origin"), 12, "this repository has no remote"),
        (("checkout", "--quiet", "--detach"), 2, "no branch is checked out"),
    ],
)
def test_what_is_not_there_is_told(prepare, code, message, clone):
    ada = clone("ada")
    ada.git(*prepare)
    done = ada.call("sync")
    assert done.code == code
    assert message in done.stderr


def test_a_file_deleted_there_and_changed_here_stays_and_is_a_conflict(clone):
    ada, bob = clone("ada"), clone("bob")
    bob.call("rule", "archive", "d23f0824", "--reason", "no mail any more")
    bob.commit("no mail")
    synced(bob)
    ada.call("rule", "edit", "d23f0824", "-p", "critical")
    ada.commit("critical")
    done = synced(ada, code=1)
    assert [(c["key"], c["ours"], c["theirs"]) for c in done["conflicts"]] == [
        ("deleted", "changed", "deleted")
    ]
    assert 'deleted = "theirs"' in ada.read(RULE)
    assert ada.call("resolve", RULE, "--take", "theirs").code == 0
    assert RULE not in ada.files()
    ada.commit("gone")
    synced(ada)
    synced(bob)
    assert ada.files() == bob.files()
    assert ada.call("check").code == 0


MEMORY = (
    "projects/mech-fighters/memory/insights/heat-is-clamped-after-the-shot-41c7d2.md"
)
MOVED = "system/memory/heat-is-clamped-after-the-shot-41c7d2.md"


@pytest.mark.one_of(2)
@pytest.mark.parametrize("first", [0, 1])
def test_what_one_moved_and_the_other_changed_is_changed_where_it_went(first, clone):
    ada, bob = clone("ada"), clone("bob")
    ada.root.joinpath(MOVED).parent.mkdir(parents=True)
    ada.root.joinpath(MEMORY).rename(ada.root / MOVED)
    ada.commit("moved")
    text = bob.read(MEMORY)
    bob.write(MEMORY, text + "More of it.\n").commit("more")
    order = [(ada, bob), (bob, ada)][first]
    synced(order[0])
    done = synced(order[1])
    assert (done["action"], done["conflicts"]) == ("merged", [])
    synced(order[0])
    assert ada.files() == bob.files()
    assert MEMORY not in ada.files()
    ada.file(MOVED, text + "More of it.\n")


def test_links_and_files_beside_the_vault_are_left_to_git(clone, remote):
    ada, bob = clone("ada"), clone("bob")
    bob.root.joinpath("system/facts-link.md").symlink_to("/etc/passwd")
    bob.commit("a link")
    bob.git("push", "-q", "origin", "main")
    done = ada.call("sync")
    assert done.code == 15
    assert "is a link on one side" in done.stderr
    assert not (ada.root / "system" / "facts-link.md").exists()


def test_local_state_that_others_committed_is_refused(clone):
    ada, bob = clone("ada"), clone("bob")
    bob.write(".toolmem/state.db", "x")
    bob.git("add", "--force", ".toolmem/state.db")
    bob.git("commit", "-qm", "state")
    bob.git("push", "-q", "origin", "main")
    done = ada.call("sync")
    assert (done.code, "local state must not be in git" in done.stderr) == (15, True)


def test_a_merge_that_is_under_way_is_finished_first(clone):
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "x", "1")
    synced(bob)
    learn(ada, "x", "2")
    ada.git("fetch", "-q")
    with pytest.raises(subprocess.CalledProcessError):
        ada.git("merge", "origin/main")
    done = ada.call("sync")
    assert (done.code, "in the middle of a merge" in done.stderr) == (2, True)


@pytest.mark.one_of(2)
@pytest.mark.parametrize("step", ["_write", "stage", "move"])
def test_a_run_that_was_cut_short_is_finished_by_the_next(step, clone, monkeypatch):
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "bob", "2")
    bob.call("rule", "add", "shell", "never b")
    bob.commit("rule")
    synced(bob)
    learn(ada, "ada", "1")
    with monkeypatch.context() as patch:
        cut_short(patch, step)
        with pytest.raises(CutShortError):
            ada.call("sync")
    assert ada.git("rev-parse", f"{INTERRUPTED}main")
    done = synced(ada)
    assert done["action"] in ("current", "forwarded")
    assert ada.git("status", "--porcelain") == ""
    assert ada.git("for-each-ref", "refs/worktree") == ""
    synced(bob)
    assert ada.files() == bob.files()


class CutShortError(BaseException):
    """As if the process had died here."""


def cut_short(monkeypatch, step):
    """Stop where the second file, the index or the branch would be written."""
    from toolmem.ops.sync import checkout
    from toolmem.store.git import merge as gitmerge

    real = checkout._write
    calls: list[object] = []

    def stop(*args, **_):
        if step == "move" and not args[1].startswith("refs/heads/"):
            return move(*args)
        calls.append(args)
        if step == "_write" and len(calls) == 1:
            return real(*args)
        raise CutShortError

    move = gitmerge.move_ref
    if step == "_write":
        monkeypatch.setattr(checkout, "_write", stop)
    else:
        monkeypatch.setattr(gitmerge, "stage" if step == "stage" else "move_ref", stop)


@pytest.mark.soak
def test_cut_short_at_any_step_it_is_finished_by_the_next(clone, remote, tmp_path):
    """As if the process died before, or after, each write and each git command."""
    ada, bob = clone("ada"), clone("bob")
    learn(bob, "bob", "2")
    bob.call("rule", "archive", "d23f0824", "--reason", "gone")
    bob.commit("archived")
    synced(bob)
    learn(ada, "ada", "1")
    saved = tmp_path / "saved"
    for place in (ada.root, remote):
        shutil.copytree(place, saved / place.name, symlinks=True)
    wanted: dict[str, bytes] = {}
    whole, number = False, 0
    while not whole:
        for place in (ada.root, remote):
            shutil.rmtree(place)
            shutil.copytree(saved / place.name, place, symlinks=True)
        number += 1
        whole = cut_at(number, ada)
        done = ada.call("sync")
        assert done.code == 0, (number, done.stderr)
        wanted = wanted or ada.files()
        assert ada.files() == wanted, number
        assert ada.git("status", "--porcelain") == "", number
        pushed = remote.joinpath("refs/heads/main").read_text()
        assert pushed == ada.git("rev-parse", "HEAD"), number
    assert number > 20


def cut_at(number, world):
    """Sync, stopped before a git command or around a write; whether it got through."""
    left = [number]

    def step():
        left[0] -= 1
        if not left[0]:
            raise CutShortError

    def stopping(real, *, after):
        def run(*args, **options):
            step()
            result = real(*args, **options)
            if after:
                step()
            return result

        return run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gitrun, "attempt", stopping(gitrun.attempt, after=False))
        for name in ("create", "replace", "delete"):
            patch.setattr(files, name, stopping(getattr(files, name), after=True))
        try:
            world.call("sync")
        except CutShortError:
            return False
    return True


def below(world):
    """Move the vault into a folder of its repository; commands run there."""
    inside = world.root / "vault"
    inside.mkdir()
    for path in sorted(world.root.iterdir()):
        if path.name not in (".git", ".toolmem", "vault"):
            path.rename(inside / path.name)


def test_a_vault_in_a_folder_of_a_repository(clone):
    ada, bob = clone("ada"), clone("bob")
    below(ada)
    ada.write("code.py", "pass\n").commit("moved")
    ada.git("push", "--quiet")
    bob.git("pull", "--quiet")
    for world, key in ((ada, "ada"), (bob, "bob")):
        world.call("fact", "set", key, "1", *COMMITTED, cwd="vault")
        world.commit(key)
    assert ada.call("sync", cwd="vault").code == 0
    done = bob.call("sync", cwd="vault")
    assert (done.code, done.stderr) == (0, "")
    assert "ada: 1\nbob: 1\n" in bob.read(f"vault/{FACTS}")
    assert bob.git("status", "--porcelain") == ""
    told = bob.call("diff", "HEAD~1", "HEAD", cwd="vault").stdout
    assert told == "Facts:\n  +  added   project.ada  project:mech-fighters  1\n"
    assert len(bob.call("log", "ada", cwd="vault").stdout.splitlines()) == 2
    ada.call("sync", cwd="vault")
    ada.write("code.py", "print()\n").commit("code")
    ada.git("push", "--quiet")
    done = bob.call("sync", cwd="vault")
    assert done.code == 15
    assert "changed a file outside the vault: run `git pull`" in done.stderr


def test_who_is_late_merges_again(clone, monkeypatch):
    ada, bob = clone("ada"), clone("bob")
    learn(ada, "ada", "1")
    real = Transport.push
    late: list[str] = []

    def push(self, commit):
        if len(late) < 3:  # someone else is first
            late.append(commit)
            learn(bob, f"bob{len(late)}", "1")
            synced_elsewhere(bob)
        return real(self, commit)

    waited: list[float] = []
    monkeypatch.setattr(Transport, "push", push)
    monkeypatch.setattr("toolmem.api.sync.sleep", waited.append)
    done = synced(ada)
    assert (done["action"], done["pushed"], done["tries"]) == ("merged", True, 4)
    assert len(waited) == 3
    assert all(0 < seconds <= 2 for seconds in waited)
    assert ada.read(FACTS).count("bob") == 3


def synced_elsewhere(world):
    """Pull and push as a person without toolmem would."""
    world.git("pull", "--quiet", "--rebase", "origin", "main")
    world.git("push", "--quiet", "origin", "main")


def test_who_is_always_late_gives_up(clone, monkeypatch):
    ada = clone("ada")
    learn(ada, "ada", "1")
    monkeypatch.setattr(Transport, "push", lambda self, commit: LATE)
    monkeypatch.setattr("toolmem.api.sync.sleep", lambda seconds: None)
    done = ada.call("sync")
    assert done.code == LockedError.exit_code
    assert done.stdout.startswith("pushing 1 commit to origin/main:\n")
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("writers", "turns"), [(3, 1), pytest.param(5, 10, marks=pytest.mark.soak)]
)
def test_writers_at_once_lose_nothing(writers, turns, clone):
    worlds = [clone(f"writer{number}") for number in range(writers)]
    for turn in range(turns):
        for world in worlds:
            name = f"{world.root.name}_{turn}"
            world.call("rule", "add", "shell", f"never {name}", "--id", f"{name}-id")
            learn(world, name, "1")
        with ThreadPoolExecutor(len(worlds)) as pool:
            list(pool.map(sync_in_a_process, worlds))
    done = [synced(world) for world in worlds]
    assert not any(one["pushed"] for one in done)
    first, *others = worlds
    assert (
        len(list((first.root / "system/rules/shell").glob("never-writer*")))
        == writers * turns
    )
    facts = [line for line in first.read(FACTS).split("\n") if line[:6] == "writer"]
    assert len(facts) == writers * turns
    assert all(world.files() == first.files() for world in others)
    assert first.call("check").code == 0


def sync_in_a_process(world):
    command = [*toolmem(), "sync"]
    subprocess.run(command, cwd=world.root, capture_output=True, check=True)
