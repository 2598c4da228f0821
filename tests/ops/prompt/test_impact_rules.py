"""The blocks at two commits, which have most rules in common."""

from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.store.vault import rule_files


def _write(world, name, text):
    rule = f'id = "{name}000000a"\nrule = "{text}"\npriority = "critical"\n'
    world.write(f"system/rules/shell/{name}.toml", rule)


def test_a_rule_that_two_commits_share_is_parsed_once(world, monkeypatch):
    world.vault("empty").write("projects/p/facts.md", "")
    _write(world, "a", "never share this rule twice")
    _write(world, "b", "never change this rule")
    world.commit("one")
    _write(world, "b", "never change this rule again")
    world.commit("two")
    parsed = []

    def parse(text, *, path, **more):
        parsed.append(path.rpartition("/")[2])
        return parse_rule_file(text, path=path, **more)

    monkeypatch.setattr(rule_files, "read_rule", parse)
    world.call("diff", "HEAD~1", "HEAD", "--project", "p")
    assert sorted(parsed) == ["a.toml", "b.toml", "b.toml"]
