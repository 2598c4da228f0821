"""The structure of the package: folders, names, lazy places and homes of decisions."""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.source import ROOT, SOURCES, nodes, tree
from toolmem.core.agents.registry import AGENTS, hooked, wirings
from toolmem.core.shell import programs

FOLDERS = sorted({str(Path(name).parent) for name in SOURCES})
_MOST_FILES = {"cli/commands": 50}
_LIMITS = [name for name in SOURCES if name.endswith("limits.py")]


def test_a_folder_holds_few_modules():
    names = [name for name in SOURCES if not name.endswith("__init__.py")]
    counts = Counter(str(Path(name).parent) for name in names)
    full = {
        folder: count
        for folder, count in counts.items()
        if count > _MOST_FILES.get(folder, 20)
    }
    assert full == {}


def test_a_package_says_in_one_line_what_it_is_for():
    first = {
        folder: (ast.get_docstring(tree(str(Path(folder) / "__init__.py"))) or "\n")
        for folder in FOLDERS
    }
    unclear = [
        folder
        for folder, text in first.items()
        if not text.splitlines()[0].endswith(".")
    ]
    assert unclear == []


def test_few_classes_share_a_name():
    homes: dict[str, list[str]] = defaultdict(list)
    for name in SOURCES:
        for node in tree(name).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    shared = {name: where for name, where in homes.items() if len(where) > 1}
    assert len(shared) <= 4, shared


def test_few_places_import_later():
    """The linter's settings list the modules that import inside a function."""
    late = {"imports in functions": 0, "by name": 0, "for types alone": 0}
    for name in SOURCES:
        for node in nodes(name):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inside = (ast.Import, ast.ImportFrom)
                late["imports in functions"] += sum(
                    isinstance(each, inside) for each in ast.walk(node)
                )
            elif isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                late["by name"] += name == "import_module"
            elif isinstance(node, ast.If):
                test = getattr(node.test, "attr", getattr(node.test, "id", ""))
                late["for types alone"] += test == "TYPE_CHECKING"
    assert late["imports in functions"] <= 40, late
    assert late["by name"] + late["for types alone"] <= 15, late


_STAND_INS = {"ctypes", "imp", "inotify_simple", "marshal"}
_PRIVATE = {
    # The whole client starts in the time that ``socket`` alone takes.
    "store/warm/client.py: _socket",
}
_EXITS = {
    # A forked child.
    "hooks/supervise.py",
    "store/files/background.py",
}


def test_python_and_its_libraries_are_used_by_public_names():
    private = set()
    for name in SOURCES:
        for node in nodes(name):
            for module in _imported(node):
                parts = module.split(".")
                hidden = any(re.match("_(?!_)", part) for part in parts)
                if hidden or parts[0] in _STAND_INS:
                    private.add(f"{name}: {module}")
    assert private == _PRIVATE


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def test_few_places_end_the_process_at_once():
    exits = {name for name, text in SOURCES.items() if re.search(r"os\._exit", text)}
    assert exits == _EXITS


def test_sql_is_written_in_the_store_alone():
    sql = re.compile(r"\.execute(?:many|script)?\(")
    outside = [
        name
        for name, text in SOURCES.items()
        if sql.search(text) and not name.startswith("store/")
    ]
    assert outside == []


_HOMES = {
    "programs that run others": (r"\bsetsid\b(?!=)|\bnpm exec\b", "core/shell/"),
    "the table of wrappers": (r"\"systemd-run\": 0", "core/shell/programs.py"),
    "the parser of shell commands": (r"tree_sitter_bash", "core/shell/grammar.py"),
    "operators between commands": (r"\"&&\", \"\|\|\"", "core/shell/tree.py"),
    "headers of a patch": (
        r"\(Add File\|Update File|\(---\|",
        "core/text/patches.py",
    ),
    "rank of a priority": (
        r"enumerate\(Priority\)|for \w+ in Priority\}",
        "core/model.py",
    ),
    "known agents": (
        r"\bAGENTS = |\(\"claude\", \"codex\"",
        "core/agents/registry.py",
    ),
    "a call in one line": (r"def (?:command|path)_target", "core/turns/targets.py"),
    "the similarity of letters": (r"OSA", "core/search/spelling.py"),
    "the header of a memory": (r"YAMLHandler", "core/memories/header_yaml.py"),
}


def test_a_decision_has_one_home():
    found = {
        decision: [name for name, text in SOURCES.items() if re.search(pattern, text)]
        for decision, (pattern, _) in _HOMES.items()
    }
    astray = {
        decision: names
        for decision, names in found.items()
        if not names or not all(n.startswith(_HOMES[decision][1]) for n in names)
    }
    assert astray == {}


def test_lists_of_programs_that_run_others_are_in_their_table():
    known = programs.LAUNCHERS | programs.SHELLS | programs.PASSES.keys()
    astray = [
        f"{name}: {ast.unparse(node)[:60]}"
        for name in SOURCES
        if not name.startswith("core/shell/")
        for node in nodes(name)
        if isinstance(node, ast.Tuple | ast.List | ast.Set)
        if len(set(_strings(node)) & known) >= 3
    ]
    assert astray == []


def _strings(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [text for each in node.elts for text in _strings(each)]
    constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return [ast.literal_eval(node)] if constant else []


def test_the_agents_that_are_wired_are_the_known_ones():
    assert set(wirings()) == set(AGENTS)
    assert set(hooked()) < set(AGENTS)


def test_the_text_of_a_patch_is_read_by_one_function():
    functions = [
        node.name
        for node in tree("core/text/patches.py").body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    assert functions == ["patch_paths", "is_apply_patch"]


@pytest.mark.parametrize("name", _LIMITS)
def test_every_limit_has_its_unit_and_its_reason(name):
    body = tree(name).body
    bare = [
        ast.unparse(node)
        for node, after in zip_longest(body, body[1:])
        if _targets(node) and not _is_text(after)
    ]
    assert bare == []


def _is_text(node: ast.stmt | None) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def test_every_constant_is_used():
    tests = "".join(
        path.read_text(encoding="utf-8")
        for top in ("tests", "bench")
        for path in (ROOT / top).rglob("*.py")
    )
    words: dict[str, int] = defaultdict(int)
    for text in (*SOURCES.values(), tests):
        for word in re.findall(r"\b_?[A-Z][A-Z0-9_]+\b", text):
            words[word] += 1
    unused = [
        f"{name}: {target.id}"
        for name in SOURCES
        for node in tree(name).body
        for target in _targets(node)
        if re.fullmatch(r"_?[A-Z][A-Z0-9_]+", target.id) and words[target.id] < 2
    ]
    assert unused == []


def test_no_number_is_defined_twice():
    names = [
        target.id
        for name in _LIMITS
        for node in tree(name).body
        for target in _targets(node)
    ]
    assert sorted(set(names)) == sorted(names)


def _targets(node: ast.stmt) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [target for target in targets if isinstance(target, ast.Name)]


def test_the_map_in_contributing_is_that_of_the_packages():
    done = subprocess.run(
        [sys.executable, "-m", "tests.layout", "--check"], cwd=ROOT, check=False
    )
    assert done.returncode == 0, "make generate writes it"
