"""``import toolmem``: the vault as programs use it."""

import shutil
import subprocess
import sys
import threading

import pytest

import toolmem
from tests.documents import blocks
from tests.program import ROOT
from tests.world import TEMPLATE, VAULTS, World
from toolmem.api.operations.table import OPERATIONS, method_of


@pytest.fixture
def vault(world):
    world.vault("scopes").commit()
    return toolmem.Vault.open(world.root)


def test_to_import_it_loads_nothing():
    code = "import sys, toolmem\nprint([m for m in sys.modules if 'toolmem' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout == "['toolmem.lazy_import', 'toolmem']\n"


def test_who_looks_around_finds_the_vault():
    assert {"Vault", "errors", "__version__"} <= {*dir(toolmem)}


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    ("use", "not_loaded"),
    [
        ("vault.fact.get('x')", {"tantivy", "yaml", "sqlite3", "tree_sitter"}),
        ("vault.rule.list()", {"tantivy", "yaml", "sqlite3", "tree_sitter"}),
        ("vault.prompt()", {"tantivy", "yaml", "sqlite3", "tree_sitter"}),
        ("vault.search('x')", {"tree_sitter", "sqlite3"}),
    ],
)
def test_an_operation_loads_only_what_it_needs(use, not_loaded, tmp_path):
    tmp_path.joinpath("toolmem.toml").write_text("schema = 1\n")
    code = f"import sys, toolmem\nvault = toolmem.Vault.open()\n{use}\n"
    code += "sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = set(done.stderr.split())
    assert loaded & (not_loaded | {"mcp", "pydantic", "typer", "numpy"}) == set()


def test_every_operation_is_a_method_that_says_what_it_does():
    opened = toolmem.Vault(None)  # type: ignore[arg-type]
    for name in OPERATIONS:
        method = method_of(opened, name)
        assert method.__doc__, name
        assert method.__annotations__["return"], name


def test_a_vault_is_found_as_the_command_line_finds_it(world, monkeypatch):
    world.vault("scopes")
    monkeypatch.chdir(world.root)
    assert toolmem.Vault.open().settings()["vault"].value == str(world.root)
    monkeypatch.chdir(world.root.parent)
    with pytest.raises(toolmem.errors.NoVaultError):
        toolmem.Vault.open("no/such/folder")


def test_results_are_values_with_names(vault):
    done = vault.rule.add("shell", "never use sudo", priority="high", tag=["a"])
    assert (done.action, done.rule.priority, done.rule.tags) == (
        "created",
        "high",
        ("a",),
    )
    assert vault.rule.show(done.rule.id) == done.rule
    assert vault.rule.show("nope") is None
    assert vault.fact.get("nope").fact is None
    with pytest.raises(toolmem.errors.NotFoundError):
        vault.rule.archive("nope", reason="over")
    with pytest.raises(toolmem.errors.NotFoundError):
        vault.rule.delete([done.rule.id, "nope"])
    assert [one.action for one in vault.rule.delete(done.rule.id)] == ["deleted"]
    with pytest.raises(toolmem.errors.UsageError):
        vault.rule.add("shell", "x", priority="urgent")


def test_what_changes_meanwhile_is_seen(vault, world):
    assert vault.fact.get("fresh").fact is None
    world.write("system/facts.md", "## project\nfresh: yes\n")
    found = vault.fact.get("fresh").fact
    assert found is not None
    assert found.value == "yes"


def test_read_only_and_agent_hold_for_every_operation(world):
    world.vault("scopes")
    reader = toolmem.Vault.open(world.root, read_only=True)
    before = world.files()
    for write in (
        lambda: reader.rule.add("shell", "x"),
        lambda: reader.fact.set("k", "v"),
        lambda: reader.memory.save("# A\n\nB."),
        lambda: reader.scratch.add("x"),
        lambda: reader.apply({}),
    ):
        with pytest.raises(toolmem.errors.NotAllowedError):
            write()
    assert world.files() == before
    helper = toolmem.Vault.open(world.root, agent="helper")
    done = helper.rule.add("shell", "never sudo", priority="critical")
    assert (done.clamped, done.rule.agent, done.rule.priority) == (
        True,
        "helper",
        "high",
    )


def test_another_project_is_another_chain(world):
    world.vault("scopes").write("projects/p/facts.md", "## project\nk: of p\n")
    world.write("system/facts.md", "## project\nk: of all\n")
    vault = toolmem.Vault.open(world.root)
    values = [vault.fact.get("k").fact, vault.narrowed(project="p").fact.get("k").fact]
    assert [fact and fact.value for fact in values] == ["of all", "of p"]


def test_threads_lose_nothing(world):
    world.vault("empty")
    vault = toolmem.Vault.open(world.root)

    def work(number):
        vault.fact.set(f"key_{number}", str(number))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(vault.fact.list().facts) == 16


def test_the_samples_open(world):
    for sample in VAULTS.iterdir():
        place = World(world.root / sample.name)
        place.root.mkdir()
        vault = toolmem.Vault.open(place.vault(sample.name).root)
        assert vault.prompt().fits
        assert vault.rule.list().rules is not None


def _page() -> str:
    """The blocks of the page about Python, which are one script."""
    page = blocks(ROOT / "docs/python.md")
    assert len(page) == 10
    return "\n".join(block.text for block in page)


def test_the_page_about_python_runs_and_uses_every_noun(tmp_path):
    shutil.copytree(TEMPLATE, tmp_path / "vault")
    world = World(tmp_path / "vault")
    world.commit("the start")
    done = subprocess.run(
        [sys.executable, "-c", _page()],
        cwd=world.root,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1].startswith("stale [] (")
    nouns = {name.partition(".")[0] for name in OPERATIONS if "." in name} - {"git"}
    assert {noun for noun in nouns if f"vault.{noun}." not in _page()} == set()


@pytest.mark.soak
def test_the_page_about_python_passes_a_strict_type_checker(tmp_path):
    tmp_path.joinpath("page.py").write_text(_page())
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "page.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Success: no issues found in 1 source file\n"
