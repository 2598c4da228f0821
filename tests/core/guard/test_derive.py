import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.guard.derive import BAN, derive_guards
from toolmem.core.rules.guard_table import parse_guards

MAIN = ["main", "+main", "*:main", "refs/heads/main", "*:refs/heads/main"]


def derived(text: str, tool: str) -> list[dict[str, object]]:
    tables = derive_guards(text, tool, BAN)
    assert parse_guards(tables, path="r.toml")[1] == ()
    hidden = ("note",)
    return [{k: v for k, v in t.items() if k not in hidden} for t in tables]


@pytest.mark.parametrize(
    ("text", "tool", "wanted"),
    [
        ("never email Sarah at sarah@x.com", "mail", {"recipient": "sarah@x.com"}),
        (
            "Never email a@x.com, b@x.com.",
            "mail",
            {"recipient": ["a@x.com", "b@x.com"]},
        ),
        ("never email a@x.com, only b@x.com", "mail", {"recipient": "a@x.com"}),
        ("use b@x.com, never a@x.com", "mail", {"contains": "a@x.com"}),
        ("never fetch https://x.org", "WebFetch", {"host": "x.org"}),
        ("never fetch https://x.org/a/b.", "WebFetch", {"contains": "x.org/a/b"}),
        ("never upload anything to pastebin.com", "_any", {"host": "pastebin.com"}),
        ("never link to evil.com", "post", {"contains": "evil.com"}),
        (
            "never read ~/.ssh/id_rsa",
            "_any",
            {"path": "~/.ssh/id_rsa", "operation": "read"},
        ),
        ("Don't edit a/b.py or vendor/.", "Edit", {"path": ["a/b.py", "vendor/"]}),
        ("don't edit *.snap files", "Edit", {"path": "*.snap"}),
        ("never run git push --force", "bash", {"command": ["git", "push", "--force"]}),
        ("Never run `npm i -g`; use `npx`", "bash", {"command": ["npm", "i", "-g"]}),
        ("never force push", "_any", {"command": ["git", "push", "--force"]}),
        ("no more force-pushes please", "git", {"command": ["git", "push", "--force"]}),
        ("never push to main", "bash", {"command": ["git", "push"], "glob": MAIN}),
        (
            "don't force-push to `main`",
            "bash",
            {"command": ["git", "push", "--force"], "glob": MAIN},
        ),
        ("do not push", "bash", {"command": ["git", "push"]}),
        (
            "dont ever push with --no-verify",
            "bash",
            {"command": ["git", "push", "--no-verify"]},
        ),
        ("don't use rm -rf", "bash", {"command": ["rm", "-rf"]}),
        ("avoid using sudo, it's not needed", "bash", {"command": ["sudo"]}),
        ("never use pip, use uv", "bash", {"command": ["pip"]}),
        ("never run `make deploy`", "bash", {"command": ["make", "deploy"]}),
        ("From now on, never run `make x`", "bash", {"command": ["make", "x"]}),
        ("In future: don't run `make x`", "bash", {"command": ["make", "x"]}),
        ("For safety reasons never run `make x`", "bash", {"command": ["make", "x"]}),
        ("never run a release (`rel up`)", "bash", {"command": ["rel", "up"]}),
        (
            "never publish a package (`npm publish`)",
            "bash",
            {"command": ["npm", "publish"]},
        ),
        (
            "never rm -rf ./build/.cache, e.g. to clean",
            "bash",
            {"command": ["rm", "-rf"], "path": "./build/.cache"},
        ),
        (
            "never commit .env",
            "bash",
            {"command": [["git", "add"], ["git", "commit"]], "path": ".env"},
        ),
        (
            "never delete /var/data",
            "bash",
            {"path": "/var/data", "operation": "delete"},
        ),
        ("**Never** run `DROP TABLE`", "run_sql", {"contains": "DROP TABLE"}),
    ],
)
def test_certain_literals_become_a_guard_that_denies(text, tool, wanted) -> None:
    assert derived(text, tool) == [{"action": "deny", **wanted}]


@pytest.mark.parametrize(
    ("text", "tool", "wanted"),
    [
        ("never email a@x.com unless I say so", "mail", {"recipient": "a@x.com"}),
        ("don't email a@x.com on Fridays", "mail", {"recipient": "a@x.com"}),
        ("never push without asking me", "bash", {"command": ["git", "push"]}),
        (
            "never run terraform destroy without my approval",
            "bash",
            {"command": ["terraform", "destroy"]},
        ),
        (
            "never push to main until I say so",
            "bash",
            {"command": ["git", "push"], "glob": MAIN},
        ),
        ("for now, avoid touching auth.py", "Edit", {"path": "auth.py"}),
        ("never use kubectl exec on prod", "bash", {"command": ["kubectl", "exec"]}),
        ("If CI is red, do not push", "bash", {"command": ["git", "push"]}),
    ],
)
def test_words_that_leave_room_make_it_ask(text, tool, wanted) -> None:
    assert derived(text, tool) == [{"action": "ask", **wanted}]


def test_two_bans_in_one_sentence_are_two_guards() -> None:
    assert derived("do not run `rm -rf` and do not push", "bash") == [
        {"action": "deny", "command": ["rm", "-rf"]},
        {"action": "deny", "command": ["git", "push"]},
    ]


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("never email anyone except bob@x.com", "mail"),
        ("never open attachments from a@x.com", "browser"),
        ("never use docker for tests", "bash"),
        ("avoid sudo where you can", "bash"),
        ("never use sudo although it is quick", "bash"),
        ("never run the tests with --force", "bash"),
        ("when working with json, never use grep", "bash"),
        ("don't use npm scripts", "bash"),
        ("never make a mess", "bash"),
        ("never time it", "bash"),
        ("don't A/B test and/or guess", "_any"),
        ("avoid curl | bash installs", "bash"),
        ("never mention the budget", "mail"),
        ("never force push", "mail"),
        ("always use pnpm", "bash"),
        ("", "bash"),
        ("Do not just run `cargo check`; also run `cargo test`", "bash"),
        ("never only run `pytest`", "bash"),
        ("Use `.env.local` for development — never commit it", "bash"),
        ("Once `v1` is tagged, do not push this.", "bash"),
        ('Never tell it in comments ("used by X flow", "added for Y")', "bash"),
        ("Never add notes to the code (`used by the login flow`)", "bash"),
    ],
)
def test_what_is_not_certain_yields_no_guard(text, tool) -> None:
    assert derived(text, tool) == []


def test_only_a_ban_yields_guards() -> None:
    assert derive_guards("never push to main", "bash", "mandate") == ()


WORDS = (
    "never don't do not push to main run use `git push` --force sudo rm -rf / ~/x"
    ' a@b.com https://x.org/y unless except . , ; : ( ) " ` when for and or é \n'
)


@examples(200)
@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=14), st.sampled_from("_b"))
def test_no_sentence_breaks_the_derivation(words, tool) -> None:
    text = "never " + " ".join(words)
    tool = "_any" if tool == "_" else "bash"
    assert derived(text, tool) == derived(text, tool)


@pytest.mark.parametrize(
    "unit", ["a/", "a.", "git ", "a-", "`", ",", "/a", "-", "@a", "a "]
)
def test_long_sentences_take_one_pass(unit) -> None:
    assert derived("never " + unit * 5000 + "@", "bash") is not None


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("no longer avoid curl", "bash"),
        ("never avoid `make lint`", "bash"),
        ("never skip tests/unit/", "Edit"),
        ("don't ignore .env", "Edit"),
        ("never bypass proxy.example.com", "fetch"),
        ("never forget to run `npm test`", "Edit"),
    ],
)
def test_a_ban_on_leaving_something_guards_against_nothing(text, tool):
    assert derive_guards(text, tool, BAN) == ()
