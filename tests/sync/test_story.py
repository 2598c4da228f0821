"""Ada and Bob share a vault: they learn the same, and the opposite, and agree."""

import json

from tests.sync.checked import ADVICE, advice_lines

PROJECT = ("--project", "mech-fighters")
CHAIN = (*PROJECT, "--agent-type", "coding")
BAN = "from now on never run the release script on a friday"
LEARNED = "system/rules/_any/never-run-the-release-script-on-a-friday-2d570403"
DRAFT = "system/rules/send_email/send-a-draft-first-when-more-than-five-d23f0824"
HEAT = "Heat is clamped to 0..100 only after the shot has been resolved."


def tell(world, sentence):
    """Say something to an agent at work; what is captured waits for review."""
    done = world.call("capture", "-", *PROJECT, "--json", stdin=turn(sentence))
    assert done.code == 0, done.stderr


def turn(sentence):
    lines = [
        {"role": "user", "content": sentence},
        {"role": "assistant", "content": "Understood."},
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def must(world, *words, code=0):
    done = world.call(*words)
    assert done.code == code, (words, done)
    return done.stdout


def high(name):
    """Options of a high rule: here ids count up, and both would choose the same."""
    return "-p", "high", "--id", f"{name}-deploy"


def accept_all(world):
    """Review: accept whatever capture proposes."""
    for proposal in json.loads(must(world, "review", "--json")):
        must(world, "review", "--accept", proposal["id"])


def test_two_people_learn_the_same_and_the_opposite(clone):
    ada, bob = clone("ada"), clone("bob")
    for world in (ada, bob):
        # The same: a ban, a fact and a memory.
        tell(world, f"Please: {BAN}.")
        accept_all(world)
        must(world, "fact", "set", "release_day", "tuesday", *PROJECT)
        must(world, "memory", "save", HEAT, "--kind", "insight", *PROJECT)
    bob.clock(days=1)
    # Each something of his own.
    must(ada, "rule", "add", "deploy", "never deploy without a tag", *high("ada"))
    must(bob, "rule", "add", "deploy", "always tell the channel", *high("bob"))
    must(ada, "fact", "set", "python", "3.12", *PROJECT)
    must(bob, "fact", "set", "node", "22", *PROJECT)
    # The opposite: a priority, a wording, a fact, a rule retired and raised.
    must(ada, "rule", "edit", "d23f0824", "-p", "critical", "--tag", "ada")
    must(bob, "rule", "edit", "d23f0824", "-p", "normal", "--tag", "bob")
    must(ada, "rule", "edit", "8d116ece", "--text", "never reset any database")
    must(bob, "rule", "edit", "8d116ece", "--text", "ask before a database reset")
    must(ada, "fact", "set", "test_command", "pytest -q", *PROJECT)
    must(bob, "fact", "set", "test_command", "pytest -x", *PROJECT)
    must(ada, "rule", "archive", "90c192cf", "--reason", "the target is gone")
    must(bob, "rule", "edit", "90c192cf", "-p", "critical")
    ada.commit("what ada learned")
    bob.commit("what bob learned")

    must(ada, "sync")
    told = json.loads(must(bob, "sync", "--json", code=1))
    assert sorted(conflict["key"] for conflict in told["conflicts"]) == [
        "deleted",
        "priority",
        "project.test_command",
        "rule",
    ]
    # Until it is settled both texts hold, and the higher priority.
    block = must(bob, "prompt", "--only", "rules", *CHAIN)
    for text in ("never reset any database", "ask before a database reset"):
        assert f"- **[critical]** {text}\n" in block
    assert "- **[critical]** send a draft first" in block
    assert must(bob, "check", code=1).count("merge-conflict") == 4

    must(bob, "resolve", "d23f0824", "--take", "stricter")
    must(bob, "resolve", "8d116ece", "--take", "theirs")
    must(bob, "resolve", "90c192cf", "--take", "theirs")
    must(bob, "resolve", "--take", "ours")
    bob.commit("agreed")
    must(bob, "sync")
    must(ada, "sync")

    assert ada.files() == bob.files()
    prompts = [must(world, "prompt", *CHAIN) for world in (ada, bob)]
    assert prompts[0] == prompts[1]
    for text in (
        "- **[critical]** Never run the release script on a friday",
        "- **[critical]** never reset any database",
        "- **[critical]** send a draft first",
        "never deploy without a tag",
        "always tell the channel",
        "- test_command: pytest -x",
        "- python: 3.12",
        "- node: 22",
        "- release_day: tuesday",
    ):
        assert prompts[0].count(text) == 1, text
    for world in (ada, bob):
        assert must(world, "check") == advice_lines((*ADVICE, LEARNED, DRAFT))
        assert world.git("status", "--porcelain") == ""
    rule = ada.read(f"{DRAFT}.toml")
    assert 'tags = ["ada", "bob"]' in rule
    memories = json.loads(must(ada, "memory", "list", "--json", *PROJECT))
    assert str(memories).count("heat-is-clamped-to-0-100") >= 1
