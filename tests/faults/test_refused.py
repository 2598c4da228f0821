"""P3: when the disk refuses, nothing changes or lies about, and one line says so."""

from pathlib import Path

import pytest

from tests.faults import kill
from tests.faults.driver import NEW, PATH
from tests.faults.vaults import case

pytestmark = pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)

ERRORS = {
    "openat": ("EACCES", "EMFILE", "EIO"),
    "mkdirat": ("EROFS", "ENOSPC", "EACCES"),
    "write": ("ENOSPC", "EIO", "EDQUOT"),
    "ftruncate": ("EIO",),
    "fsync": ("EIO", "ENOSPC"),
    "fchmod": ("EIO",),
    "linkat": ("EACCES", "EROFS", "ENOSPC"),
    "rename": ("EIO", "EROFS"),
    "renameat": ("EACCES", "EROFS", "ENOSPC"),
    "unlinkat": ("EACCES", "EROFS", "EIO"),
    "flock": ("ENOLCK",),
    "close": ("EIO",),
    "getdents64": ("EIO",),
}
UNCONFIRMED = "written, but the disk did not confirm it"


def problems(
    verb: str, vault: Path, script: str = "driver.py", *, every: bool = False
) -> list[str]:
    """Return the failures when each call in turn is refused."""
    case_ = case(script, verb)
    old = kill.state(kill.fresh(case_, vault))
    new = kill.run(case_, kill.fresh(case_, vault)).state
    found: list[str] = []
    for point in kill.points(case_, vault, every=every):
        if str(vault) in point.text:
            for error in ERRORS[point.call][: None if every else 1]:
                run = kill.refuse(case_, vault, point, error)
                wrong = judge(run, old, new)
                if kill.temps(vault) and point.call != "unlinkat":
                    wrong = "a temporary file lies about"
                found += [f"{error} at {point}: {wrong}"] if wrong else []
    return found


def judge(run: kill.Run, old: kill.State, new: kill.State) -> str:
    if run.code == 0 or UNCONFIRMED in run.stderr:
        return "" if run.state == new else "it said it was done"
    if run.code not in (11, 14, 15) or len(run.stderr.splitlines()) != 1:
        return f"no typed error: {run.code}: {run.stderr}"
    return "" if run.state == old else "something changed"


@pytest.mark.parametrize("verb", ["create", "replace", "delete"])
def test_a_refused_call_changes_nothing_and_is_told(verb, tmp_path):
    assert problems(verb, tmp_path / "vault") == []


@pytest.mark.soak
@pytest.mark.parametrize("verb", ["create", "replace", "delete", "move"])
def test_nor_does_any_call_with_any_error(verb, tmp_path):
    assert problems(verb, tmp_path / "vault", every=True) == []


def test_a_writer_that_goes_on_after_an_error_is_caught(tmp_path):
    found = problems("swallowed", tmp_path / "vault", "broken_writers.py")
    assert [line for line in found if "it said it was done" in line] != []


def test_without_hard_links_a_file_is_still_created_whole(tmp_path):
    vault = tmp_path / "vault"
    case_ = case("driver.py", "create")
    last = [p for p in kill.points(case_, vault) if p.call == "linkat"][-1]
    run = kill.refuse(case_, vault, last, "EPERM")
    assert (run.code, run.stderr, kill.temps(vault)) == (0, "", [])
    assert vault.joinpath(PATH).read_bytes() == NEW


@pytest.mark.parametrize(
    ("call", "error", "stderr"),
    [
        ("openat", "EACCES", "cannot be listed: Permission denied"),
        ("getdents64", "EIO", "cannot be listed: Input/output error"),
    ],
)
def test_a_folder_that_cannot_be_listed_is_not_an_empty_one(
    call, error, stderr, tmp_path
):
    vault = tmp_path / "vault"
    case_ = case("driver.py", "show")
    folder = PATH.rpartition("/")[0]
    points = kill.points(case_, vault, every=True)
    here = [p for p in points if p.call == call and "shell" in p.text]
    run = kill.refuse(case_, vault, here[0], error)
    assert (run.code, run.stdout, run.stderr) == (15, "", f"{folder}: {stderr}\n")
