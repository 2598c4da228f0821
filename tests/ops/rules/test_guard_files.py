"""Files that a verdict reads besides rules: the checked-out branch, a new script."""

import os
import subprocess

from tests.ops.rules.test_guard import opened
from toolmem.ops.rules.guard import check_call


def verdict(world, command: str, cwd: str) -> str:
    return check_call(opened(world.root), "Bash", {"command": command}, cwd=cwd).verdict


def test_a_commit_is_judged_by_the_branch_that_is_checked_out(world, tmp_path):
    world.vault("empty")
    world.call("rule", "add", "shell", "never commit to main")
    work = tmp_path / "work"
    subprocess.run(["git", "init", "-q", "-b", "main", str(work)], check=True)
    assert verdict(world, "git commit -m x", str(work)) == "deny"
    (work / ".git" / "HEAD").write_text("ref: refs/heads/topic\n")
    assert verdict(world, "git commit -m x", str(work)) == "allow"


def test_a_plain_push_is_judged_by_the_branch_that_is_checked_out(world, tmp_path):
    world.vault("empty")
    world.call("rule", "add", "shell", "never push to main")
    work = tmp_path / "work"
    subprocess.run(["git", "init", "-q", "-b", "main", str(work)], check=True)
    (work / "app").mkdir()
    head = work / ".git" / "HEAD"
    assert verdict(world, "git push", str(work / "app")) == "deny"
    assert verdict(world, f"git -C {work} push", str(tmp_path)) == "deny"
    assert verdict(world, "cd work && git push -u origin HEAD", str(tmp_path)) == "deny"
    head.write_text("ref: refs/heads/topic\n")
    assert verdict(world, "git push", str(work)) == "allow"
    head.write_text("ref: refs/heads/.invalid\n")  # of a repository with reftables
    assert verdict(world, "git push", str(work)) == "ask"
    head.unlink()
    assert verdict(world, "git push", str(work)) == "ask"
    assert verdict(world, "git push", "") == "ask"
    assert verdict(world, "git push", str(tmp_path)) == "allow"  # git refuses it


def test_a_script_that_was_just_written_is_judged_by_its_text(world, tmp_path):
    world.vault("empty")
    world.call("rule", "add", "shell", "never force-push")
    script = tmp_path / "x.sh"
    script.write_text("cd app\ngit push --force\n")
    assert verdict(world, f"bash {script}", str(tmp_path)) == "ask"
    assert verdict(world, "cd . && ./x.sh", str(tmp_path)) == "ask"
    assert verdict(world, "cat x.sh", str(tmp_path)) == "allow"
    os.utime(script, (0, 0))
    assert verdict(world, f"bash {script}", str(tmp_path)) == "allow"
