"""Words and signs of which one denies the other, units, and words without content."""

import re
from functools import cache

from toolmem.core.language.language import ENGLISH

_OPPOSITES = """
    on off; true false; yes no; enable disable; allow forbid deny prohibit disallow ban
    permit forbid deny prohibit ban; legal forbidden; accept reject refuse decline
    include exclude omit; require optional; mandatory optional; before after
    above below; over under; more less fewer; most least; minimum maximum; min max
    first last; start end stop finish; begin end finish; up down; open close shut
    add remove; insert delete; create delete; increase decrease reduce; raise lower
    rise fall; grow shrink; left right; top bottom; ascend descend; asc desc
    upper lower; uppercase lowercase; public private
    internal external; inner outer; in out; inside outside; fast slow
    quick slow; early late
    horizontal vertical; horizontally vertically; portrait landscape
    manual automatic automated; manually automatically; synchronous asynchronous
    sync async; pass fail; success failure error; succeed fail; lock unlock
    safe dangerous risky; same different; equal different; old new; hot cold
    warm cold; wet dry; day night; morning evening afternoon; major minor; input output
    encrypt decrypt; import export; upload download; push pull; read write
    encode decode; compress decompress; expand collapse; show hide; visible hidden
    local remote; client server; frontend backend; online offline; always never
    if unless; celsius fahrenheit; big small; large small; high low; long short
    cheap expensive dear
    full empty; full partial; single double; single multiple; singular plural; odd even
    positive negative; right wrong; correct wrong; good bad; better worse; best worst
    strong weak; love hate; like dislike; buy sell; win lose; use avoid; prefer avoid
    keep discard delete drop remove; global local; static dynamic; strict lenient loose
    eager lazy; eagerly lazily; serial parallel; sequential parallel concurrent
    sequentially concurrently; front back; forward backward; next previous
    master slave; light dark; heavy light; thick thin; hard soft; tight loose
    loud quiet; here there; today tomorrow yesterday; trust distrust; mount unmount
    connect disconnect; attach detach; merge split; join split leave; enter leave exit
    arrive depart leave; debit credit; gain loss; profit loss; permanent temporary
    permanently temporarily; once twice; daily weekly monthly yearly hourly nightly
    weekly monthly yearly hourly; weekday weekend; supported deprecated unsupported
    only write writable; blacklist whitelist; allowlist blocklist denylist
    often rarely seldom; usually rarely; frequently rarely; fresh stale
    clean dirty; stateful stateless; useful useless; harmless harmful; mutable frozen
    implicit explicit; implicitly explicitly; tab space; deep shallow; near far
    narrow wide; encourage discourage; increment decrement; ahead behind; from to
    primary secondary; debug release; alive dead; alike different; active idle
    inclusive exclusive; inclusively exclusively; big little; north south; east west
    utc local; lf crlf; http https; present absent; exist missing; relative absolute
    optimistic pessimistic; inbound outbound; incoming outgoing; ingress egress
    upstream downstream; ignore respect follow; require forbidden; mandatory forbidden
    recommend discourage; metric imperial; am pm; clockwise counterclockwise
    clockwise anticlockwise; incremental full; sequentially parallel; sender receiver
    flaky stable; commit revert; install uninstall; during after; persist discard
    → ←; ↑ ↓; ⇒ ⇐; -> <-; ✅ ❌ ✗ ✖; ✓ ✗ ✘ ❌; ✔ ✘ ✖ ✗ ❌; 👍 👎
    ∈ ∉; ∋ ∌; ⊂ ⊄; ⊆ ⊈; ∃ ∄; < > >= ≥; > <= ≤; <= >= ≥; ≤ ≥; == !=; = != ≠; === !==
    allowed forbidden; shown hidden; written read; sold bought; won lost
    activate deactivate; serialize deserialize; allocate deallocate; match mismatch
    symmetric asymmetric; agree disagree; appear disappear; approve disapprove
    similar dissimilar; register deregister; centralized decentralized
    normalize denormalize; obey disobey; honest dishonest; configured misconfigured
    easy difficult hard; simple complex complicated; dense sparse; bright dim dark
    rough smooth; rich poor; modern legacy ancient; common rare; frequent rare
    busy idle; noisy silent quiet; real fake; natural artificial; lend borrow
    alone together; plus minus; interior exterior; fifo lifo; occupied vacant free
    + -; + −; * /; × ÷; && ||; & |; ∧ ∨; ∪ ∩; ++ --; += -=; << >>; ▲ ▼; ● ○; ☑ ☐
"""
"""Rows between semicolons or line ends: the first word against each of the others."""
_PREFIXES = frozenset("un non non-".split())
_OF_ADJECTIVES = frozenset("in im il ir".split())
"""Prefixes that deny an adjective, and mean something else before other words."""
_ADJECTIVE = re.compile(
    r".{2,}(?:[ai]ble|al|ar|ive|ous|[ae]nt|ate|[ae]ct|[du]re|ure|ite|id|plete|ormed)"
)
_ROOT = 3
"""Letters of a word that a prefix turns into its opposite, more than."""
NEGATIONS = frozenset(
    """
    not no never none neither nor nothing nobody nowhere without non
    nicht kein keine keinen keiner nie niemals ohne pas jamais aucun aucune
    nunca jamás ningún ninguna não не нет никогда нельзя
    不 没 沒 勿 别 別 未 無 无 非 禁 안 않 못 없
    """.split()
)
FILLERS = frozenset("a an the please just do does did 's".split())
"""Words that are left out before two statements are compared."""
SOFT = frozenset(
    """
    always ever any anymore longer still yes must should shall may can could will would
    might be is are was were has have had all every some each with while
    everyone everybody everything anyone anybody
    """.split()
)
"""Words that a negation may replace, or bring with it."""
NUMBERED = frozenset(
    """
    port issue ticket migration room node step page http error bug pr build job track
    train gate floor phase chapter server host shard replica worker sprint task case
    test pump line item row channel pin slot bus flight lesson unit exercise
    """.split()
)
"""Things that a number after them names."""
ARTICLES = frozenset("the a an our each every".split())
COMMUTATIVE = frozenset("and or nor plus & + but while whereas both either".split())
"""Words around which two things may change places."""
SYMMETRIC = frozenset(
    "compat incompat equal same conflict differ overlap next togeth".split()
)
"""Stems of words that say of two things what they say of them in the other order."""
CALENDAR = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march
    april may june july august september october november december mondays tuesdays
    wednesdays thursdays fridays saturdays sundays
    """.split()
)
OPENING = frozenset(
    """
    about after against at because before by during for from if in into on once since
    so through to under unless until upon via when where while with within without as
    every each currently always usually then also
    """.split()
)
"""Words that begin a phrase which may be at either end of a sentence."""
NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen"
        " fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {
    word: str(10 * value)
    for value, word in enumerate(
        "thirty forty fifty sixty seventy eighty ninety hundred".split(), 3
    )
}
_UNITS = """
    ms millisecond milliseconds msec = 0.001 s; s sec secs second seconds = 1 s
    min mins minute minutes = 60 s; h hr hrs hour hours = 3600 s; d day days = 86400 s
    week weeks = 604800 s; month months = 1 month; year years = 12 month
    % percent = 1 %; b byte bytes = 1 b; kb kilobyte kilobytes = 1000 b
    mb megabyte megabytes = 1000000 b; gb gigabyte gigabytes = 1000000000 b
    tb terabyte terabytes = 1000000000000 b; kib = 1024 b; mib = 1048576 b
    gib = 1073741824 b; px pixel pixels = 1 px; hz = 1 hz; khz = 1000 hz
    mhz = 1000000 hz; ghz = 1000000000 hz; mm = 1 mm; cm = 10 mm; m = 1000 mm
    km = 1000000 mm; mg = 0.001 g; g = 1 g; kg = 1000 g; ml = 0.001 l; l = 1 l
    v volt volts = 1 v; w watt watts = 1 w; a amp amps = 1 a
    k thousand = 1000 -; million = 1000000 -; € euro euros = 1 euro
    $ dollar dollars = 1 dollar; £ pound pounds = 1 pound
    degree degrees = 1 degree; line lines = 1 line
    token tokens = 1 token; char chars character characters = 1 character
"""


def _units() -> dict[str, tuple[float, str]]:
    found = {}
    for row in filter(str.strip, re.split("[;\n]", _UNITS)):
        names, _, value = row.partition("=")
        factor, dimension = value.split()
        unit = float(factor), dimension.strip("-")
        found.update(dict.fromkeys(names.split(), unit))
    return found


UNITS = _units()
"""Each spelling of a unit to its factor and dimension."""


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    rows = [row.split() for row in re.split("[;\n]", _OPPOSITES) if row.strip()]
    pairs = {(_stem(row[0]), _stem(other)) for row in rows for other in row[1:]}
    return frozenset(pairs | {(other, one) for one, other in pairs})


def _stem(word: str) -> str:
    return ENGLISH.stem_of(word) if word.isalpha() else word


def are_opposite(one: str, other: str) -> bool:
    """Return True for words or signs, in lower case, of which one denies the other."""
    stems = _stem(one), _stem(other)
    if stems in _pairs() or _are_compared_opposites(one, other):
        return True
    return any(_is_denied(*sorted(pair, key=len)) for pair in (stems, (one, other)))


def _are_compared_opposites(one: str, other: str) -> bool:
    """Return True for "louder" and "quieter", "newest" and "oldest"."""
    for ending in ("er", "est"):
        if one.endswith(ending) and other.endswith(ending):
            ours, theirs = (_positives(word, ending) for word in (one, other))
            return any((mine, known) in _pairs() for mine in ours for known in theirs)
    return False


def _positives(word: str, ending: str) -> tuple[str, ...]:
    """Return the stems that a word with the ending of a comparison may have."""
    root = word.removesuffix(ending)
    if root.endswith("i"):
        return (_stem(f"{root[:-1]}y"),)
    return _stem(root), _stem(f"{root}e"), _stem(root[:-1])


def _is_denied(short: str, long: str) -> bool:
    """Return True for a word or option and the same one with a prefix that denies."""
    if long == short.replace("--", "--no-", 1):
        return True
    prefix = long.removesuffix(short)
    if len(short) <= _ROOT or prefix + short != long:
        return False
    denies = prefix in _OF_ADJECTIVES and _ADJECTIVE.fullmatch(short) is not None
    return prefix in _PREFIXES or denies
