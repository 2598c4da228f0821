"""Vaults in force for every combination of default, found and named."""

import os
from itertools import product
from pathlib import Path

import pytest

from toolmem.errors import NoVaultError, ToolmemError
from toolmem.ops.setup.trust import trust
from toolmem.store.files.settings import user_file
from toolmem.store.vault.discover import find_in_force, find_vault

DEFAULTS = ("none", "good", "broken", "gone")
FOUND = (
    "nothing",
    "vault",
    "pointer",
    "pointer to default",
    "link to default",
    "inside default",
    "broken vault",
    "broken pointer",
    "pointer to nowhere",
)
TRUST = ("", "trusted", "trusted pointer only", "trusted above")
BROKEN = ("broken pointer", "pointer to nowhere")


class Places:
    """The folders of one case; ``cwd`` is where the command runs."""

    def __init__(self, root: Path) -> None:
        self.default = root / "default"
        self.above = root / "above"
        self.clone = root / "above/clone"
        self.team = root / "team"
        self.cwd = self.clone / "src"

    def make(self, default: str, found: str, trusted: str) -> None:
        self.cwd.mkdir(parents=True)
        user_file().parent.mkdir(parents=True)
        if default != "none":
            user_file().write_text(f'vault = "{self.default}"\n')
        vault(self.default)
        vault(self.team)
        self._make_found(found)
        if trusted == "trusted above":
            vault(self.above)
            trust(self.above)
        elif trusted:
            self._trust(found, whole=trusted == "trusted")
        self._spoil(default, found)

    def _make_found(self, found: str) -> None:
        if found in ("vault", "broken vault"):
            vault(self.clone)
        elif found in ("pointer", "broken pointer", "pointer to nowhere"):
            pointer(self.clone, self.team)
        elif found == "pointer to default":
            pointer(self.clone, self.default)
        elif found == "link to default":
            self.cwd = self.clone / "link"
            self.cwd.symlink_to(self.default, target_is_directory=True)
        elif found == "inside default":
            self.cwd = self.default / "src"
            self.cwd.mkdir()

    def _trust(self, found: str, *, whole: bool) -> None:
        if found == "nothing" or (not whole and "pointer" not in found):
            return
        trust(self.cwd)
        if not whole:
            text = user_file().read_text()
            tables = text.split("\n[[trust]]\n")
            kept = [t for t in tables[1:] if f'"{self.clone.resolve()}"' in t]
            joined = "".join(f"\n[[trust]]\n{table}" for table in kept)
            user_file().write_text(tables[0] + joined)

    def _spoil(self, default: str, found: str) -> None:
        if found == "broken vault":
            (self.clone / "toolmem.toml").write_text("schema = \n")
        elif found == "broken pointer":
            (self.clone / ".toolmem.toml").write_text("vault = \n")
        elif found == "pointer to nowhere":
            (self.team / "toolmem.toml").unlink()
        if default == "broken":
            (self.default / "toolmem.toml").write_text("schema = \n")
        elif default == "gone":
            (self.default / "toolmem.toml").unlink()


def vault(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "toolmem.toml").write_text("schema = 1\n")


def pointer(folder: Path, target: Path) -> None:
    text = f'vault = "{os.path.relpath(target, folder)}"\n'
    (folder / ".toolmem.toml").write_text(text)


def expected(default: str, found: str, trusted: str) -> tuple[str, str, int]:
    """The vault found, the user's own next to it, and the number of faults.

    An empty first name means that no vault can be used.
    """
    is_default = found in ("pointer to default", "link to default", "inside default")
    own, faults = _own_of(default, trusted, found)
    names = {"vault": "clone", "broken vault": "clone", "pointer": "team"}
    name = names.get(found, "default")
    unread = int(found == "broken vault")
    if default == "none":
        is_default = False  # it is an ordinary vault
    if found == "nothing":
        if trusted == "trusted above":
            return "above", "", 0
        return _default_alone(default)
    if is_default:
        if default in ("good", "broken"):
            return _default_alone(default)
        # The default vault itself is broken: another of the user's own remains.
        inside = found == "link to default" and default == "gone"
        if inside or (found == "inside default" and default == "gone"):
            return _fallen_through(found, trusted)
        above = trusted == "trusted above" and found != "inside default"
        return ("above", "", 1) if above else ("", "", 0)
    if found in BROKEN:
        return (own, "", faults + 1) if own else ("", "", 0)
    if trusted == "trusted":
        return name, "", unread
    return name, own, faults + unread


def _default_alone(default: str) -> tuple[str, str, int]:
    """Broken settings of a vault that is in force are a fault."""
    usable = default in ("good", "broken")
    return ("default", "", int(default == "broken")) if usable else ("", "", 0)


def _fallen_through(found: str, trusted: str) -> tuple[str, str, int]:
    """A folder that is no vault any more is passed over on the way up."""
    if found == "link to default" and trusted == "trusted above":
        return "above", "", 0
    return "", "", 0


def _own_of(default: str, trusted: str, found: str) -> tuple[str, int]:
    if trusted == "trusted above" and found != "inside default":
        return "above", 0
    own = "default" if default in ("good", "broken") else ""
    return own, int(default in ("broken", "gone"))


CASES = list(product(DEFAULTS, FOUND, TRUST))


@pytest.mark.one_of(4)
@pytest.mark.parametrize(("default", "found", "trusted"), CASES)
def test_the_vaults_in_force(tmp_path, default, found, trusted):
    places = Places(tmp_path.resolve())
    places.make(default, found, trusted)
    root, own, faults = expected(default, found, trusted)
    try:
        result = find_in_force({}, places.cwd)
    except ToolmemError:
        assert root == ""
        return
    assert name_of(result.root, places) == root
    assert (name_of(result.own.root, places) if result.own else "") == own
    assert len(result.faults) == faults


@pytest.mark.one_of(4)
@pytest.mark.parametrize(("default", "found", "trusted"), CASES)
def test_an_agent_can_be_set_afterwards(tmp_path, default, found, trusted):
    places = Places(tmp_path.resolve())
    places.make(default, found, trusted)
    try:
        result = find_in_force({}, places.cwd).for_agent("mcp")
    except ToolmemError:
        return
    again = find_in_force({"agent": "mcp"}, places.cwd)
    assert result._replace(own=None, faults=()) == again._replace(own=None, faults=())
    if result.own and again.own:
        own, own_again = result.own, again.own
        assert own._replace(faults=()) == own_again._replace(faults=())
    assert bool(result.own) == bool(again.own)


def name_of(root: Path, places: Places) -> str:
    return {
        places.default: "default",
        places.above: "above",
        places.clone: "clone",
        places.team: "team",
    }[root.resolve()]


@pytest.mark.parametrize(("default", "found"), list(product(DEFAULTS, FOUND)))
def test_a_vault_that_is_named_is_in_force_alone(tmp_path, monkeypatch, default, found):
    places = Places(tmp_path.resolve())
    places.make(default, found, "")
    named = tmp_path / "named"
    vault(named)
    flagged = find_in_force({"vault": str(named)}, places.cwd)
    monkeypatch.setenv("TOOLMEM_VAULT", str(named))
    for result in (flagged, find_in_force({}, places.cwd)):
        assert (result.root.resolve(), result.own, result.faults) == (
            named.resolve(),
            None,
            (),
        )


@pytest.mark.parametrize("found", [*BROKEN, "broken vault"])
def test_a_command_says_what_is_broken_and_a_hook_goes_on(tmp_path, found):
    places = Places(tmp_path.resolve())
    places.make("good", found, "")
    with pytest.raises(ToolmemError) as raised:
        find_vault({}, places.cwd)
    result = find_in_force({}, places.cwd)
    assert str(result.faults[0]).endswith(str(raised.value).partition(": ")[2])


def test_broken_settings_of_the_user_leave_the_vault_that_was_found(tmp_path):
    places = Places(tmp_path.resolve())
    places.make("good", "vault", "")
    user_file().write_text("vault = \n")
    result = find_in_force({}, places.cwd)
    assert (result.root, result.own) == (places.clone, None)
    assert [str(user_file()) in str(fault) for fault in result.faults] == [True]


def test_the_user_s_own_vault_is_in_force_for_the_system_and_the_user_s_agent_type(
    tmp_path, monkeypatch
):
    places = Places(tmp_path.resolve())
    places.make("good", "pointer", "")
    with user_file().open("a") as file:
        file.write('agent_type = "coding"\n')
    with (places.clone / ".toolmem.toml").open("a") as file:
        file.write('project = "theirs"\nagent_type = "idle"\n')
    monkeypatch.setenv("TOOLMEM_PROJECT", "mine")
    result = find_in_force({}, places.cwd)
    assert result.own is not None
    assert [result.own.text(n) for n in ("project", "agent_type")] == [None, "coding"]
    assert [result.text(n) for n in ("project", "agent_type")] == ["mine", "idle"]


def test_a_pointer_that_is_not_trusted_only_names_the_project(tmp_path):
    places = Places(tmp_path.resolve())
    places.make("good", "nothing", "")
    (places.clone / ".toolmem.toml").write_text(
        'project = "acme"\nagent_type = "coding"\n[capture]\nmode = "off"\n'
        "[conversation]\nkeep = false\n"
    )
    before = find_in_force({}, places.cwd)
    names = ("project", "agent_type", "capture.mode", "conversation.keep")
    assert [before.settings[name].value for name in names] == [
        "acme",
        "coding",
        "judged",
        True,
    ]
    problems = [one.code for layer in before.layers for one in layer.problems]
    assert problems == ["not-trusted"]
    trust(places.cwd)
    after = find_in_force({}, places.cwd)
    assert [after.settings[name].value for name in names] == [
        "acme",
        "coding",
        "off",
        False,
    ]


def test_without_a_vault_of_the_user_s_own_a_pointer_sets_what_it_may(tmp_path):
    places = Places(tmp_path.resolve())
    places.make("none", "pointer", "")
    with (places.clone / ".toolmem.toml").open("a") as file:
        file.write('[capture]\nmode = "off"\n')
    assert find_in_force({}, places.cwd).settings["capture.mode"].value == "off"


def test_no_vault_at_all_is_still_no_vault(tmp_path):
    with pytest.raises(NoVaultError) as raised:
        find_in_force({}, tmp_path)
    assert type(raised.value) is NoVaultError


def test_a_pointer_next_to_a_vault_sets_its_project(tmp_path):
    places = Places(tmp_path.resolve())
    places.make("none", "vault", "")
    (places.clone / ".toolmem.toml").write_text('project = "acme"\n')
    result = find_in_force({}, places.cwd)
    assert (result.root, result.text("project")) == (places.clone, "acme")
    assert [one.problems for one in result.layers] == [()] * len(result.layers)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            'vault = "../../team"\n',
            "pointer-not-used",
            "vault: not used, because toolmem.toml next to it marks a vault",
        ),
        ("vault = \n", "unreadable", "Invalid value"),
    ],
)
def test_a_pointer_next_to_a_vault_names_no_other(tmp_path, text, code, message):
    places = Places(tmp_path.resolve())
    places.make("none", "vault", "")
    (places.clone / ".toolmem.toml").write_text(text)
    result = find_in_force({}, places.cwd)
    assert result.root == places.clone
    problems = [one for layer in result.layers for one in layer.problems]
    assert [(one.code, one.message) for one in problems] == [(code, message)]
