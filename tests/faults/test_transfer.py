"""Import and export under faults: each file whole, and the next run finishes it."""

import json
from pathlib import Path

import pytest

from tests.faults import kill
from toolmem.store.files import lock

_TOOLMEM = ("-m", "toolmem", "--vault", "{vault}")
_CLAUDE = "# Shop\n\nBe kind.\n\n- Never run `git push -f`.\n"
_COPY = {
    "toolmem_export": 1,
    "files": [{"path": "system/a.md", "text": "x"}, {"path": "b", "base64": "/w=="}],
}
_RULE = 'id = "x"\ntool = "shell"\nrule = "r"\n[[guard]]\ncommand = "npm ci"\n'

pytestmark = pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)


def _vault(vault: Path) -> None:
    """Make a vault with files to import next to it, and files to export into."""
    files = {
        "toolmem.toml": "schema = 1\n",
        "system/rules/shell/x.toml": _RULE,
        "in/CLAUDE.md": _CLAUDE,
        "in/copy.json": json.dumps(_COPY),
        "out/CLAUDE.md": "# Ours\n",
        "out/.claude/settings.json": "{}\n",
    }
    for path, text in files.items():
        vault.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        vault.joinpath(path).write_text(text)
    with lock.hold(vault):
        pass


@pytest.mark.soak
@pytest.mark.parametrize("name", ["CLAUDE.md", "copy.json"])
def test_an_import_killed_at_any_call_is_finished_by_the_next(name, tmp_path):
    case = kill.Case([*_TOOLMEM, "import", f"{{vault}}/in/{name}"], _vault)
    assert kill.sweep(case, tmp_path / "vault") == []


@pytest.mark.parametrize("name", ["CLAUDE.md", "copy.json"])
def test_an_import_killed_as_files_get_their_names_loses_nothing(name, tmp_path):
    case = kill.Case([*_TOOLMEM, "import", f"{{vault}}/in/{name}"], _vault)
    calls = ("link", "linkat")
    assert kill.sweep(case, tmp_path / "vault", calls=calls) == []


def test_a_full_disk_ends_an_import_with_one_line(tmp_path):
    vault = tmp_path / "vault"
    case = kill.Case([*_TOOLMEM, "import", "{vault}/in/CLAUDE.md"], _vault)
    whole = kill.run(case, kill.fresh(case, vault)).state
    links = [p for p in kill.points(case, vault) if p.call in ("link", "linkat")]
    assert len(links) == 2
    for point in links:
        refused = kill.refuse(case, vault, point, "ENOSPC")
        assert (refused.code, refused.stderr.count("\n")) == (15, 1)
        assert kill.temps(vault) == []
        assert kill.run(case, vault).state == whole


@pytest.mark.sampled
@pytest.mark.parametrize("what", ["signal=KILL", "error=ENOSPC"])
def test_an_export_leaves_each_file_old_or_new(what, tmp_path):
    vault = tmp_path / "vault"
    case = kill.Case([*_TOOLMEM, "export", "claude", "-o", "{vault}/out/"], _vault)
    old = kill.state(kill.fresh(case, vault))
    new = kill.run(case, vault).state
    names = ("out/CLAUDE.md", "out/.claude/settings.json")
    assert [old[name] != new[name] for name in names] == [True, True]
    points = [
        one
        for one in kill.points(case, vault)
        if one.call in ("write", "fsync", "rename", "renameat", "renameat2")
        and "/out/" in one.text
    ]
    assert points
    for point in kill.sampled(points):
        kill.fresh(case, vault)
        inject = f"inject={point.call}:{what}:when={point.number}"
        done = kill.run(case, vault, *kill.strace(tmp_path / "l", [point.call], inject))
        assert done.code != 0
        for name in names:
            assert done.state[name] in (old[name], new[name])
        again = kill.run(case, vault)
        assert (again.code, again.state[names[1]]) == (0, new[names[1]])
