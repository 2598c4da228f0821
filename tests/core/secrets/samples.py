"""Planted keys and clean lines, made at run time so that no scanner finds them."""

import base64
import random
import string
import uuid
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"

Random = random.Random


def chars(rng: Random, alphabet: str, size: int) -> str:
    """Random characters: letters or digits at both ends, one digit at least."""
    plain = [char for char in alphabet if char.isalnum()]
    body = [rng.choice(alphabet) for _ in range(size)]
    body[0], body[-1] = rng.choice(plain), rng.choice(plain)
    if any(char.isdigit() for char in alphabet):
        body[size // 2] = rng.choice([char for char in alphabet if char.isdigit()])
    return "".join(body)


def token(prefix: tuple[str, ...], alphabet: str, size: int) -> Callable[[Random], str]:
    """Make tokens; the prefix is in pieces so that no whole one is in this file."""
    return lambda rng: "".join(prefix) + chars(rng, alphabet, size)


def jwt(rng: Random) -> str:
    head, body = (
        base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        for text in ('{"alg":"HS256"}', f'{{"sub":"{chars(rng, ALNUM, 12)}"}}')
    )
    return f"{head}.{body}.{chars(rng, URLSAFE, 43)}"


def pem(rng: Random) -> str:
    label = rng.choice(("RSA ", "EC ", "OPENSSH ", "")) + "PRIVATE" + " KEY"
    lines = "\n".join(chars(rng, ALNUM + "+/", 64) for _ in range(rng.randint(3, 24)))
    return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----"


TOKENS: tuple[Callable[[Random], str], ...] = (
    token(("AK", "IA"), string.ascii_uppercase + "234567", 16),
    token(("AS", "IA"), string.ascii_uppercase + "234567", 16),
    token(("gh", "p_"), ALNUM, 36),
    token(("gh", "s_"), ALNUM, 36),
    token(("github", "_pat_"), ALNUM + "_", 82),
    token(("gl", "pat-"), URLSAFE, 20),
    token(("xo", "xb-", "193847562019-"), ALNUM, 24),
    token(("xo", "xp-", "1234567890-"), ALNUM, 32),
    token(("sk_", "live_"), ALNUM, 24),
    token(("rk_", "live_"), ALNUM, 24),
    token(("sk-", "proj-"), URLSAFE, 64),
    token(("sk", "-"), ALNUM, 48),
    token(("sk-", "ant-", "api03-"), URLSAFE, 95),
    token(("AI", "za"), URLSAFE, 35),
    token(("GOC", "SPX-"), URLSAFE, 28),
    token(("npm", "_"), ALNUM, 36),
    token(("pypi-", "AgEIcHlwaS5vcmc"), URLSAFE, 120),
    token(("S", "G.", "abcDEF123456789012345x", "."), URLSAFE, 43),
    token(("h", "f_"), ALNUM, 34),
    token(("dop", "_v1_"), HEX, 64),
    token(("da", "pi"), HEX, 32),
    token(("shp", "at_"), HEX, 32),
    token(("hv", "s."), URLSAFE, 90),
    token(("lin", "_api_"), ALNUM, 40),
    token(("gs", "k_"), ALNUM, 52),
    token(("dckr", "_pat_"), URLSAFE, 27),
    token(("key", "-"), HEX, 32),
    token(("S", "K"), HEX, 32),
    jwt,
    pem,
)


def password(rng: Random) -> str:
    symbols = "!@#%^&*+-_="
    return chars(rng, ALNUM, 5) + rng.choice(symbols) + chars(rng, ALNUM, 7)


CONTEXTS: tuple[Callable[[Random], str], ...] = (
    lambda rng: f"password = '{password(rng)}'",
    lambda rng: f'  "db_password": "{password(rng)}",',
    lambda rng: f"DB_PASSWORD={chars(rng, ALNUM, 16)}",
    lambda rng: f"api_key: {chars(rng, HEX, 32)}",
    lambda rng: f'apiKey: "{chars(rng, ALNUM, 32)}"',
    lambda rng: f"export API_TOKEN={chars(rng, ALNUM, 40)}",
    lambda rng: f"aws_secret_access_key = {chars(rng, ALNUM + '+/', 40)}",
    lambda rng: f'client_secret = "{chars(rng, URLSAFE, 40)}"',
    lambda rng: f"the staging password is {password(rng)}.",
    lambda rng: f"mysql --user=app --password={password(rng)} shop",
    lambda rng: f"deploy --token {chars(rng, ALNUM, 30)} --env prod",
    lambda rng: f"postgres://app:{chars(rng, ALNUM, 14)}@db.internal:5432/shop",
    lambda rng: f"git clone https://ci:{chars(rng, ALNUM, 20)}@git.acme.io/x.git",
    lambda rng: f"curl -u admin:{password(rng)} https://api.acme.io/v1",
    lambda rng: f"Authorization: Bearer {chars(rng, URLSAFE, 40)}",
    lambda rng: f"-H 'Authorization: token {chars(rng, HEX, 40)}'",
    lambda rng: f"X-API-Key: {chars(rng, ALNUM, 32)}",
    lambda rng: f"redis://:{chars(rng, ALNUM, 18)}@cache:6379/0",
    lambda rng: f"AccountKey={chars(rng, ALNUM + '+/', 86)}==;EndpointSuffix=core",
    lambda rng: f'{{\\"token\\":\\"{chars(rng, ALNUM, 36)}\\"}}',
)
AROUND = ("{}", "use {} for the staging box", "KEY={}", '"{}"', "see: {}, then retry")


def planted(rng: Random, count: int) -> list[str]:
    """Lines with one credential each, of every shape in turn."""
    lines = []
    for number in range(count):
        if number % 2:
            lines.append(CONTEXTS[number // 2 % len(CONTEXTS)](rng))
        else:
            made = TOKENS[number // 2 % len(TOKENS)](rng)
            lines.append(rng.choice(AROUND).format(made))
    return lines


WORD_LIST = """
    run the tests before you push and keep every change small token password secret key
    api access refresh rotate never commit build docker compose service user session
    header request retry timeout cache index vault memory rule prompt agent deploy auth
"""
WORDS = WORD_LIST.split()


def prose(rng: Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(4, 16))).capitalize()


def path(rng: Random) -> str:
    return "/".join(rng.choice(WORDS) for _ in range(rng.randint(2, 6))) + ".py"


def b64(rng: Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


CLEAN: tuple[Callable[[Random], str], ...] = (
    prose,
    lambda rng: f"- {prose(rng)}: {prose(rng)}.",
    lambda rng: f"password: <{rng.choice(WORDS)}>",
    lambda rng: f"{rng.choice(WORDS)}_token = get_{rng.choice(WORDS)}_token()",
    lambda rng: f"api_key = os.environ['{rng.choice(WORDS).upper()}_API_KEY']",
    lambda rng: f"token: ${{{{ secrets.{rng.choice(WORDS).upper()}_TOKEN }}}}",
    lambda rng: f"PASSWORD=${rng.choice(WORDS).upper()}_PASSWORD",
    lambda rng: f"const secret = config.{rng.choice(WORDS)}.clientSecret;",
    lambda rng: f"self.password = {rng.choice(WORDS)}_password",
    lambda rng: f"max_tokens: {rng.randint(1, 200_000)}",
    lambda rng: f'"integrity": "sha512-{b64(rng, 64)}"',
    lambda rng: f"golang.org/x/{rng.choice(WORDS)} v0.1.2 h1:{b64(rng, 32)}",
    lambda rng: f'checksum = "{rng.randbytes(32).hex()}"',
    lambda rng: f"    --hash=sha256:{rng.randbytes(32).hex()} \\",
    lambda rng: f"commit {rng.randbytes(20).hex()}",
    lambda rng: f"{rng.randbytes(4).hex()[:7]} {prose(rng)}",
    lambda rng: f"FROM python@sha256:{rng.randbytes(32).hex()}",
    lambda rng: f"id = {uuid.UUID(bytes=rng.randbytes(16), version=4)}",
    lambda rng: f"token: {uuid.UUID(bytes=rng.randbytes(16), version=4)}",
    lambda rng: f"mail {rng.choice(WORDS)}.{rng.choice(WORDS)}@example.com about it",
    lambda rng: f"https://example.com/{path(rng)}?page={rng.randint(1, 99)}#top",
    lambda rng: f'File "/srv/{path(rng)}", line {rng.randint(1, 999)}, in main',
    lambda rng: f"def {rng.choice(WORDS)}_secret(token: str, key: str) -> bool:",
    lambda rng: f"  uses: actions/checkout@{rng.randbytes(20).hex()}",
    lambda rng: f"2026-04-0{rng.randint(1, 9)}T10:00:00Z {prose(rng)} ({rng.random()})",
    lambda rng: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{b64(rng, 32)} me@host",
    lambda rng: f"toolu_{chars(rng, ALNUM, 22)} call_{chars(rng, ALNUM, 24)}",
    lambda rng: f"git@github.com:{rng.choice(WORDS)}/{rng.choice(WORDS)}.git",
    lambda rng: f"postgres://user:password@localhost/{rng.choice(WORDS)}",
    lambda rng: f"curl -u $USER:$TOKEN https://api.acme.io/{rng.choice(WORDS)}",
    lambda rng: f"Authorization: Bearer ${rng.choice(WORDS).upper()}",
    lambda rng: f"password is required; the {rng.choice(WORDS)} token is refreshed",
    lambda rng: f'next_page_token: "{chars(rng, ALNUM, 24)}"',
    lambda rng: f'<img src="data:image/png;base64,{b64(rng, 90)}">',
    lambda rng: f"API_KEY={'x' * rng.randint(8, 40)}",
    lambda rng: f"secret_key_base: change_me_{rng.choice(WORDS)}",
)


def clean(rng: Random, count: int) -> list[str]:
    """Lines of notes, code, logs and lock files without a credential."""
    return [CLEAN[number % len(CLEAN)](rng) for number in range(count)]
