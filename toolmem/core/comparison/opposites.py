"""Words and signs of which one denies the other, units, and words without content."""

import re
from functools import cache
from itertools import product

from toolmem.core.language.language import ENGLISH

_OPPOSITES = """
    on enable active activate true yes set : off disable inactive deactivate false no
    unset clear; allow permit legal grant accept approve open : forbid forbidden deny
    prohibit disallow ban block reject refuse decline illegal revoke restrict; require
    mandatory compulsory need necessary : optional voluntary forbid forbidden; include
    contain : exclude omit skip; keep kept retain preserve store persist : discard
    delete drop remove strip trim purge wipe erase evict lose lost; add insert append
    create attach register : remove delete drop detach destroy deregister; start begin
    launch boot resume open : stop end finish close shut halt terminate pause abort;
    increase raise rise grow expand climb : decrease reduce lower fall shrink collapse
    drop; success succeed pass healthy : failure error fail unhealthy broken; more most
    maximum max many much large big : less least minimum min few fewer little small
    tiny; high above over upper top : low below under lower bottom; fast quick rapid :
    slow; quickly : slowly; before ahead early : after behind late; public open shared
    exposed : private internal restricted exclusive confidential; external outer outside
    exterior : internal inner inside interior; inbound incoming ingress import input in
    : outbound outgoing egress output out export; left : right; east : west; north :
    south; front first begin : back last end; head : tail; upstream : downstream; up
    upward ascend asc : down downward descend desc; manual : automatic automated;
    manually : automatically; synchronous sync : asynchronous async; serial sequential :
    parallel concurrent simultaneous; serially sequentially : parallel concurrently
    simultaneously; lock freeze frozen : unlock unfrozen thaw; safe harmless secure :
    dangerous risky harmful; same equal identical alike similar : different distinct;
    old stale legacy ancient outdated expired obsolete deprecated : new fresh modern
    current valid supported; hot warm : cold cool; read reader : write writer; readonly
    immutable : writable writeonly readwrite; persistent permanent durable stable :
    temporary transient volatile ephemeral; permanently : temporarily; encrypt encode
    compress serialize : decrypt decode decompress deserialize; show shown visible
    reveal : hide hidden conceal; acquire : release; log report print : swallow silence
    suppress; sorted ordered : shuffled random unordered; always : never; use prefer
    recommend encourage : avoid discourage shun; strict tight : lenient loose relaxed;
    eager : lazy; eagerly : lazily; implicit : explicit; implicitly : explicitly;
    mutable : frozen; full complete whole : empty partial half incremental; single
    singular : double multiple plural several; often usually frequently commonly :
    rarely seldom; common frequent : rare; busy occupied : idle vacant free; easy simple
    : difficult hard complex complicated; clean : dirty; present exist : absent missing;
    hit : miss; stateful : stateless; useful : useless; dense : sparse; deep : shallow;
    wide : narrow; lowercase : uppercase; horizontal : vertical; horizontally :
    vertically; portrait : landscape; push upload publish send sent : pull download
    fetch receive; connect mount join enter arrive install : disconnect unmount split
    leave exit depart uninstall; commit : revert; merge : split; debit : credit; gain
    profit win won : loss lose lost; buy bought : sell sold; client frontend sender :
    server backend receiver; primary master leader : secondary slave replica follower
    standby; love like : hate dislike; trust : distrust; lend : borrow; strong : weak;
    correct right : wrong; good better best : bad worse worst; positive plus : negative
    minus; odd : even; thick : thin; long : short; cheap : expensive dear; day : night;
    morning : evening afternoon; wet : dry; light bright : dark dim; light : heavy; loud
    noisy : quiet silent; rich : poor; rough : smooth; here : there; today : tomorrow
    yesterday; once : twice thrice; near : far; daily : weekly monthly yearly hourly
    nightly; weekly : monthly yearly hourly; monthly : yearly hourly; weekday : weekend;
    alive : dead; soft : hard; real natural genuine : fake artificial; alone : together;
    major : minor; global : local; local : remote; static : dynamic; previous : next;
    forward : backward; from : to; if : unless; during : after; only : also write
    writable; blacklist blocklist denylist : whitelist allowlist; utc : local; lf :
    crlf; http : https; tab : space; am : pm; fifo : lifo; online : offline; celsius :
    fahrenheit; metric : imperial; relative : absolute; debug : release; optimistic :
    pessimistic; clockwise : counterclockwise anticlockwise; flaky : stable; respect
    follow obey honor honour : ignore disobey bypass violate; agree : disagree;
    inclusive : exclusive; inclusively : exclusively; increment : decrement; arm :
    disarm; authenticated : anonymous; match : mismatch; active : idle; symmetric :
    asymmetric; appear approve similar : disappear disapprove dissimilar; finite :
    infinite; written : read; configured : misconfigured; normalize : denormalize;
    centralized : decentralized; honest : dishonest; allocate : deallocate; erlaubt :
    verboten; vor : nach; ein an : aus; zuerst : zuletzt; mehr : weniger; öffentlich :
    privat; neu : alt; manuell : automatisch; autorisé permis : interdit; avant : après;
    activé : désactivé; plus : moins; premier : dernier; vrai : faux; permitido :
    prohibido; antes : después; más : menos; público : privado; primero : último;
    activado : desactivado; разрешено : запрещено; до : после; больше : меньше;
    允许 : 禁止; 之前 : 之后; → : ←; ↑ : ↓; ⇒ : ⇐; -> : <-; 👍 : 👎;
    ✅ ✓ ✔ ☑ : ❌ ✗ ✖ ✘ ☐; ∈ : ∉; ∋ : ∌; ⊂ : ⊄; ⊆ : ⊈; ∃ : ∄; < : > >= ≥; > : <= ≤;
    <= ≤ : >= ≥; == : !=; = : != ≠; === : !==; + : - −; * × : / ÷; && ∧ : || ∨;
    & : |; ∪ : ∩; ++ : --; += : -=; << : >>; ▲ : ▼; ● : ○
"""
"""Groups between semicolons: each word before the colon denies each one after it."""
_SIDES = re.compile(r"\s:\s")
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
FILLERS = frozenset("a an the please just do does did 's ne".split())
"""Words that are left out before two statements are compared."""
SOFT = frozenset(
    """
    always ever any anymore longer still yes must should shall may can could will would
    might be is are was were has have had all every some each with while
    everyone everybody everything anyone anybody
    immer mit toujours avec siempre con sempre всегда с
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
_NUMBERS = """
    zero = 0 one = 1 two = 2 three = 3 four = 4 five = 5 six = 6 seven = 7 eight = 8
    nine = 9 ten = 10 eleven = 11 twelve = 12 thirteen = 13 fourteen = 14 fifteen = 15
    sixteen = 16 seventeen = 17 eighteen = 18 nineteen = 19 twenty = 20 thirty = 30
    forty = 40 fifty = 50 sixty = 60 seventy = 70 eighty = 80 ninety = 90 hundred = 100
    first = 1st third = 3rd fourth = 4th fifth = 5th sixth = 6th
"""
NUMBERS = dict(re.findall(r"(\w+) = (\w+)", _NUMBERS))
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
    pairs: set[tuple[str, str]] = set()
    for group in _OPPOSITES.split(";"):
        ours, theirs = (map(_stem, side.split()) for side in _SIDES.split(group))
        pairs.update(product(ours, theirs))
    return frozenset(pairs | {(other, one) for one, other in pairs})


@cache
def _listed() -> frozenset[str]:
    return frozenset(word for word, _ in _pairs())


def _stem(word: str) -> str:
    return ENGLISH.stem_of(word) if word.isalpha() else word


def is_listed(word: str) -> bool:
    """Return True for a word that has opposites."""
    stem = _stem(word.lower())
    return stem in _listed()


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
