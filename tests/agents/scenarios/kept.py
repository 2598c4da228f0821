"""What is kept of the user's words, where, and what is not kept at all."""

import json
import re
from collections.abc import Sequence

from tests.agents.scenarios.guard import result_of
from tests.agents.steps import FromRequest, Say, Shell, Step
from tests.agents.table import scenario
from tests.agents.world import World

_NOTED = r"run: (toolmem rule keep k\w+)"


def _keep(texts: Sequence[str]) -> Step:
    """Run the command of toolmem's last note."""
    commands = [m[1] for text in texts for m in re.finditer(_NOTED, text)]
    return Shell(f"{commands[-1]} --tool shell" if commands else "echo no candidate")


def _rules(world: World) -> dict[str, str]:
    """Return the scope of each rule by its text."""
    listed = json.loads(world.toolmem("rule", "list", "--json"))
    return {one["rule"]: one["scope"] for one in listed}


@scenario("a kept rule is stored where the user's words say")
def place(world: World) -> None:
    before = _rules(world)
    here = "Fix the login. In this repository we should never run npm install. Thanks!"
    world.ask(here, [FromRequest(_keep), Say("Done.")])
    everywhere = "Thanks. We should never run yarn install in any of our projects."
    world.ask(everywhere, [FromRequest(_keep), Say("Done.")], resumed=True)
    kept = {text: scope for text, scope in _rules(world).items() if text not in before}
    scopes = {
        name: scope
        for text, scope in kept.items()
        for name in ("npm", "yarn")
        if name in text
    }
    assert scopes == {"npm": "project:acme", "yarn": "system"}, kept


@scenario("a quotation is kept as its whole sentence")
def whole_sentence(world: World) -> None:
    typed = "Look at the plan. We should never run terraform apply from a laptop. Ok?"
    quote = "We should never run terraform"
    keep = f"toolmem rule keep --quote '{quote}' --tool shell"
    world.ask(typed, [Shell(keep), Say("Done.")])
    texts = [text for text in _rules(world) if "terraform" in text]
    assert len(texts) == 1, texts
    assert "terraform apply from a laptop" in texts[0], texts


@scenario("a question about what people say stops no call")
def question(world: World) -> None:
    typed = "Can you explain why people say never use npm install?"
    run = world.ask(typed, [Shell("npm install left-pad"), Say("They prefer pnpm.")])
    assert "npm ran: install left-pad" in result_of(run.last, 0), run.last.results()
    assert "npm" not in world.toolmem("rule", "list", "--effective")
