"""Who acts and what is acted on: verbs and nouns that tell the agent from the product.

A decree is about the agent (``push``, ``commits``); what a program does
(``render``, ``rows``) is a requirement. Verbs that stand in no list are taken
for neither.
"""

from toolmem.core.capture.smallwords import word_set

AGENT_VERBS = word_set(
    "abbreviate accept add adjust agree alias allowlist alter amend annotate announce"
    " anonymise anonymize answer answer-back apologise apologize append apply approve"
    " archive arm ask assume attach authorise authorize auto-commit auto-format"
    " auto-merge auto-reply autoformat autoreply avoid back backup bake batch bcc"
    " begin benchmark bet bill bind blacklist bluff book bookmark borrow branch browse"
    " build bump bundle buy bypass call cancel capitalise capitalize cc chain change"
    " charge chat check checkout cherry-pick choose cite clean click clone close"
    " comment commit communicate compile complete compress confirm consider consult"
    " contact convert coordinate copy cordon create credit crop cross-check debug"
    " decide default delegate delete deploy deposit describe destroy detach dial"
    " disable disarm discard disclose discount discuss dismiss dispatch dm do document"
    " donate double double-book double-check downgrade download downvote draft drain"
    " drop dump duplicate echo edit elevate email embed ensure escalate estimate"
    " execute explain export expose extract feed fetch file film filter fix flatter"
    " flush focus follow force force-push fork format forward gamble generate give"
    " google grade grant greet grep guess haggle hand-edit hand-roll hang-up hard-code"
    " hardcode hit impersonate implement import improvise include indent inform inject"
    " inline inspect install interrupt introduce invent invite invoice invoke keep"
    " kill label launch leave lecture lend lie like limit lint list localise localize"
    " lock log look mail make mark mask measure mention merge message migrate minify"
    " mock modify monkey-patch monkeypatch mount move mute nag name navigate negotiate"
    " nest notarise notarize notify obfuscate offer omit open optimise optimize order"
    " output over-engineer overbook overcomplicate overengineer override overuse"
    " overwrite page paginate paint paraphrase partition pass paste patch pay perform"
    " phone photograph pick pin ping plan play post practice prefer prefix present"
    " print proceed profile promise promote proofread propose provide prune publish"
    " pull purchase purge push put query quote rate re-run react read rebase reboot"
    " rebuild recall recommend recompile record recreate redact redeem refactor"
    " reference refill reformat refund regenerate rehash reimburse reimplement reindex"
    " reinstall reinvent release rely remind remove rename render-out renew renumber"
    " reopen reorder repeat rephrase replace reply reply-all report request rerun"
    " reschedule research resend resolve respond restart restock restore restrict"
    " resubmit retract retry reuse reveal revert review rewrite rig rm roll rollback"
    " rotate run rush-ship sample save say scale scan schedule scrape sculpt search"
    " sell send set settle shadow share ship shuffle sign simplify skip slack sort"
    " spawn speak specify speculate spend split spoof squash ssh stage star start"
    " stash state stay stick stop store stream stub subclass submit subscribe"
    " substitute suggest summarise summarize suppress swap switch sync tag take talk"
    " tell terminate test text thank think tidy touch touch-up track trade train"
    " transcribe transfer translate transpile trash treat trust try tweak tweet type"
    " unarchive unbind undo unfollow uninstall unlock unmount unmute unpin unsend"
    " unsubscribe update upgrade upload upvote use vacuum vendor verify visit wait"
    " wake water whitelist wipe wire withdraw work wrap write"
)
"""What agents do with tools and with people."""
PRODUCT_VERBS = word_set(
    "abort affect allow animate appear autocomplete autofocus autoplay autosave"
    " block cache clamp collapse consume contain count crash decode default-to"
    " depend display drag drop-down emit encode encrypt enforce escape exceed expand"
    " expire fail fall fallback fire flash hang happen hash hide highlight hover"
    " index leak load mutate overflow overlap panic parse persist prefetch preload"
    " prompt raise recompute redirect reject render require resize return round"
    " sanitise sanitize scroll serialise serialize show sleep spam strip support"
    " throw toggle trigger trim truncate validate yield"
)
"""What programs do: a command with one of these may be a requirement."""
TASK_VERBS = AGENT_VERBS | word_set(
    "address analyse analyze assess bootstrap compare configure connect continue"
    " design determine diagnose enable evaluate examine explore extend figure find"
    " finish get go handle help hook identify improve increase integrate investigate"
    " let port prepare redo reduce scaffold see setup show sketch support teach turn"
    " validate walk"
)
"""First words of a plain step of the task."""
COGNITION = word_set(
    "agree believe belong care doubt exist expect feel get have know like love"
    " matter mean need notice own realise realize recall recognize remember see seem"
    " suppose think trust understand want wish"
)
"""``Don't know why`` has lost its ``I``; it commands nothing."""
IDIOM_VERBS = word_set(
    "appear become blame bluff care confuse cry dare die discourage dream fall fear"
    " fool get grow hold hope hurry joke kid laugh let live lose matter mind"
    " miss mistake overthink relax rush stare suffer sweat tempt underestimate wait"
    " wonder"
)
"""Verbs of what one does not do by command: "don't hold your horses"."""
WAYS = word_set(
    "answer build call choose commit deploy do document fetch file format go import"
    " install log merge pick place push put raise rebase reply report respond run"
    " save send speak squash store switch talk test track use work write"
)
"""Verbs of a way to work: what follows them can be set against another way."""
WORK_VERBS = word_set(
    "add apply build change code commit continue create do edit execute fix"
    " generate implement make modify proceed refactor run start touch update write"
)
"""Verbs of the work itself."""
WORK_OBJECTS = word_set(
    "actual any anything change changes code coding edit edits else file files"
    " further implementation it more new nothing real single the thing things work"
    " yet"
)
"""What the work consists of: to forbid it all is to ask for talk first."""
NO_NOUNS = word_set(
    "big biggie brainer bug bugs chance change changes clue complaints conflict"
    " conflicts crash crashes dice difference doubt duplicate duplicates effect"
    " error errors explanation failure failures flicker flickering gain good"
    " guarantee hard harm hurry idea ideas issue issues joke kidding less longer"
    " luck match matches matter need news no no-brainer not objection objections"
    " offence offense one opinion other output overlap overlaps pain particular"
    " point preference pressure problem problems progress question questions reason"
    " response result results rush sense sign sooner specific strings strong success"
    " such surprise surprises sweat thanks thing warning warnings way where wonder"
    " worries worry yes"
)
"""After ``no``: what one finds or feels, not what one forbids."""
PROCESS_NOUNS = word_set(
    "answer answers approval approvals backup backups branch branches bugfix bugfixes"
    " change changes code command commands comment comments commit commits credential"
    " credentials decision decisions deploy deployment deployments deploys draft"
    " drafts edit edits email emails experiment experiments feature features fix fixes"
    " hotfix hotfixes invite invites invoice invoices issue issues meeting meetings"
    " merge merges message messages migration migrations password passwords payment"
    " payments plan plans post posts pr prs pull-request pull-requests purchase"
    " purchases push pushes refactor refactoring refactors refund refunds release"
    " releases replies reply report reports request requests response responses review"
    " reviews rollback rollbacks rollout rollouts script scripts secret secrets"
    " summaries summary task tasks test tests ticket tickets transfer transfers work"
    " worktree worktrees"
)
"""Things that the agent makes or handles while it works."""
PRODUCT_NOUNS = word_set(
    "animation animations avatar badge banner banners border borders button buttons"
    " camera carousel cart checkbox color colors colour colours corner corners"
    " dialog dropdown enemies enemy favicon font fonts footer gradient header"
    " headings hero icon icons layout logo margin menu modal navbar npc npcs padding"
    " player players popup sidebar skeleton spinner thumbnail toast tooltip"
    " transition"
)
"""What users of a product see: rules about these are requirements."""
TOOL_NOUNS = word_set(
    "api browser calendar cli console crm database editor internet keyboard linter"
    " phone sheet shell spreadsheet terminal tool web"
)
"""Things with "the" that are means, not something already spoken of."""
PURE_PROCESS = word_set(
    "answer answers branch branches change changes commit commits deploy deployment"
    " deployments deploys hotfix hotfixes merge merges migration migrations pr prs"
    " pull-request pull-requests push pushes refactors release releases replies"
    " reply response responses review reviews rollbacks summaries summary worktree"
    " worktrees"
)
"""Those of them that no product has."""
RULE_LEADS = word_set(
    "agreement agreements always boundaries conduct constraint constraints convention"
    " conventions do's dos etiquette forever ground-rules guardrail guardrails"
    " guideline guidelines instruction instructions policies policy practices"
    " preference preferences principles reminder reminders restriction restrictions"
    " role rule rules standards workflow"
)
"""Words of a heading under which commands are rules."""
SPEC_LEADS = word_set(
    "acceptance actual behavior behaviour bug bugs cases changelog criteria"
    " criterion design example examples expected feature features findings"
    " functional issue issues notes product repro reproduce requirement requirements"
    " scenario scenarios spec specification specs step steps stories story summary"
    " ui ux"
)
"""Words of a heading under which sentences say what a product shall do."""
BAN_LEADS = frozenset(
    (
        *("never", "do not", "don't", "dont", "don'ts", "donts", "avoid", "must not"),
        *("you must not", "forbidden", "prohibited", "banned", "not allowed", "stop"),
        *("off limits", "off-limits", "please avoid", "please don't", "please never"),
        *("please do not", "never do", "never do this", "never do the following"),
        *("don't do", "do not do", "stop doing", "things to avoid"),
        "things you must never do",
    )
)
"""Heads of lists whose items are bans."""
MANDATE_LEADS = frozenset(
    (
        *("always", "do", "please always", "you must", "you must always", "must"),
        *("always do", "please do", "from now on", "going forward", "moving forward"),
        *("in future", "in the future", "from here on", "make sure to always"),
    )
)
"""Heads of lists whose items are mandates."""
