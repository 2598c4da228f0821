"""Every test lives in a home of its own and never meets the real one."""

import gc
import os
import re
import sys
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest

from tests.world import World

_OURS = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "EDITOR", "VISUAL")
_STARTS = ("GIT_", "TOOLMEM_", "_TOOLMEM_", "XDG_", "LC_", "PYTHONUTF8", "PYTHONIO")
_PRIVATE = tuple(
    str(Path.home() / place) for place in (".config", ".gitconfig", ".local/state")
)
_GIT_CONFIG = """\
[user]
\tname = Ada
\temail = ada@example.org
[init]
\tdefaultBranch = main
\ttemplateDir =
[commit]
\tgpgSign = false
[core]
\tautocrlf = false
\tfsync = none
[maintenance]
\tauto = false
"""

_NUMBERS = count()

for _profile, _share in (("suite", 5), ("full", 100)):
    hypothesis.settings.register_profile(
        _profile,
        max_examples=_share,  # also a percentage: see ``tests/examples.py``
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=[
            hypothesis.HealthCheck.too_slow,
            hypothesis.HealthCheck.function_scoped_fixture,
        ],
    )
hypothesis.settings.load_profile("suite")
gc.disable()  # what collection makes is there until the end: see below


def _watch(event: str, args: tuple[object, ...]) -> None:
    """Fail on access to the settings of the user who runs the tests."""
    if event == "open" and isinstance(args[0], str) and args[0].startswith(_PRIVATE):
        raise AssertionError(f"a test opened {args[0]}, which is not its own")


sys.addaudithook(_watch)


def pytest_collection_finish() -> None:
    """Collect garbage seldom, and not among the thousands of tests and modules."""
    gc.freeze()
    gc.set_threshold(100_000)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-transcripts",
        action="store_true",
        help="Write what the commands print into tests/transcripts.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Leave long runs out unless ``-m`` names them.

    With all of their examples, property tests are long runs, and so are tests of
    faults at each of the places that the others take a sample of, and the variants
    that ``make test`` does not try.
    """
    if config.getoption("--hypothesis-profile", None) == "full":
        for item in items:
            is_property = getattr(
                getattr(item, "obj", None), "is_hypothesis_test", False
            )
            if is_property or item.get_closest_marker("sampled"):
                item.add_marker("soak")
        _soak_variants(items, is_full=True)
    elif config.pluginmanager.hasplugin("tests.left_out"):
        _soak_variants(items, is_full=False)
    if "soak" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("soak")]
    config.hook.pytest_deselected(items=long)
    left_out = set(long)
    items[:] = [item for item in items if item not in left_out]


def _soak_variants(items: list[pytest.Item], *, is_full: bool) -> None:
    """Make long runs of the variants that are not every ``one_of``-th of their test."""
    variants: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("one_of") and hasattr(item, "callspec"):
            variants.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, tried in variants.items():
        mark = tried[0].get_closest_marker("one_of")
        assert mark is not None
        step = min(mark.args[0], len(tried))
        first = zlib.crc32(name.encode()) % step  # each test begins with another one
        for number, item in enumerate(tried):
            if is_full or number % step != first:
                item.add_marker("soak")


@pytest.fixture(autouse=True)
def _own_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(os.environ):
        if name in _OURS or name.startswith(_STARTS):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_NUMBERS))
    home.mkdir(parents=True)
    home.joinpath(".gitconfig").write_text(_GIT_CONFIG)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    # Programs that a test starts are to be of the tree that is tested.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    # Only another process sees that nothing waits for the disk: see tests/faults.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.chdir(home)


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Make a folder by a counter; pytest's fixture looks at every folder each time."""
    name = re.sub(r"\W", "_", request.node.name)[:24]  # a socket in it has a short path
    folder = tmp_path_factory.getbasetemp() / f"{name}-{next(_NUMBERS)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty folder, and toolmem with a fixed clock."""
    return World(tmp_path)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Undeclared output of a test's last command must be empty."""
    result = yield
    world = pyfuncitem.funcargs.get("world")
    if isinstance(world, World):
        world.settle()
    return result
