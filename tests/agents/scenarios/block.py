"""The prompt block reaches the model once, and keeps its prefix."""

from tests.agents.model import Request, prefix_broken
from tests.agents.steps import Say, Shell
from tests.agents.table import AGENTS, scenario
from tests.agents.world import BLOCK, World

RULE = "never run the tests with the network on"


def add_rule(world: World) -> None:
    """Add a critical rule to the project."""
    world.toolmem("rule", "add", "shell", RULE, "-p", "critical", "--project", "acme")


def expect_one_block(request: Request, text: str = BLOCK) -> None:
    """Fail unless a text reached the model exactly once."""
    where = [piece.role for piece in request.pieces if text in piece.text]
    assert request.count(text) == 1, f"the block came {request.count(text)}×: {where}"


@scenario("the block comes once at the start", agents=(*AGENTS, "droid"))
def at_the_start(world: World) -> None:
    add_rule(world)
    run = world.ask("list the files", [Shell("ls"), Shell("ls -a"), Say("Two.")])
    expect_one_block(run.last)
    expect_one_block(run.last, RULE)
    broken = prefix_broken(run.requests)
    assert not broken, broken


@scenario("the block comes by a file of rules", agents=["continue"])
def by_file(world: World) -> None:
    run = world.ask("list the files", [Shell("ls"), Say("Two.")])
    expect_one_block(run.last)


@scenario("the block comes once with the first results", agents=["cline"])
def with_results(world: World) -> None:
    add_rule(world)
    run = world.ask("list the files", [Shell("ls"), Shell("ls -a"), Say("Two.")])
    expect_one_block(run.requests[1], RULE)
    expect_one_block(run.last, RULE)


@scenario("the block comes once after a resume")
def after_a_resume(world: World) -> None:
    add_rule(world)
    world.ask("MY FIRST QUESTION", [Shell("ls"), Say("Two files.")])
    world.ask("MY SECOND QUESTION", [Shell("ls"), Say("Two.")], resumed=True)
    run = world.ask("MY THIRD QUESTION", [Shell("ls"), Say("Two.")], resumed=True)
    expect_one_block(run.last)
    for text in ("MY FIRST QUESTION", "MY SECOND QUESTION", "MY THIRD QUESTION"):
        assert run.last.count(text), f"{text} did not reach the model"
    broken = prefix_broken(run.requests)
    assert not broken, broken


@scenario("a rule added between two runs is shown at the resume")
def rule_between_runs(world: World) -> None:
    add_rule(world)
    world.ask("hello", [Say("Hi.")])
    later = "never push on a Friday evening"
    world.toolmem("rule", "add", "git", later, "-p", "critical", "--project", "acme")
    run = world.ask("go on", [Shell("ls"), Say("Done.")], resumed=True)
    assert run.last.count(later) >= 1, "the new rule did not reach the model"
    expect_one_block(run.last)


@scenario("a rule added in mid-session keeps the prefix")
def rule_in_mid_session(world: World) -> None:
    add_rule(world)
    add = "toolmem rule add git 'never push on a Friday' -p critical --project acme"
    script = [Shell("ls"), Shell(add), Shell("ls"), Shell("ls"), Say("Done.")]
    run = world.ask("go on", script)
    expect_one_block(run.last)
    broken = prefix_broken(run.requests)
    assert not broken, broken


@scenario("the block comes once after a compaction", agents=["claude", "copilot"])
def after_a_compaction(world: World) -> None:
    add_rule(world)
    world.ask("MY FIRST QUESTION", [Shell("ls"), Say("Two files.")])
    world.ask("/compact", [Say("Compacted.")], resumed=True)
    run = world.ask("MY SECOND QUESTION", [Shell("ls"), Say("Two.")], resumed=True)
    expect_one_block(run.last)
    expect_one_block(run.last, RULE)
