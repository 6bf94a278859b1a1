package attack

import "time"

// The rules, in the words of what the service promises, each with its bound.
const (
	ruleBodyCPU    = "a body of permitted size costs at most 50 ms of CPU"
	ruleBodyMemory = "a body of permitted size allocates at most 16 MiB"
	bodyCPU        = 50 * time.Millisecond
	bodyMemory     = 16 << 20

	ruleTextCPU   = "creating a draft of 400 KiB of hostile texts costs at most 400 ms of CPU"
	ruleTextOnce  = "reading or renaming such a draft costs at most 60 ms of CPU"
	textCPU       = 400 * time.Millisecond
	textOnce      = 60 * time.Millisecond
	ruleIsolation = "beside costly requests of one organization, the p99 of another's list rises by at most 20 ms"
	isolationRise = 20 * time.Millisecond // two time slices of Go's scheduler

	ruleQuota       = "at the quota, the next request is refused with its code"
	ruleUsage       = "GET /v1/organization shows the quotas and what is used"
	ruleQuotaInvite = "at the quota of endpoints, an invite takes at most 5 ms longer than with none"
	quotaInvite     = 5 * time.Millisecond
	ruleFanOut      = "the fan-out of one organization raises the p99 of another by at most 20 %"
	fanOutPercent   = 20

	ruleOrganization  = "all keys of an organization together have a limit"
	rulePerson        = "each signed-in person has a limit"
	ruleCandidate     = "each candidate token has a limit"
	ruleTests         = "an organization sends at most 5 pings per minute"
	ruleTestFiles     = "pings hold few files open"
	ruleReplays       = "an organization replays at most 10 times per hour"
	ruleUnknownPaths  = "unknown paths have a limit per network"
	ruleProbes        = "/readyz has a limit per network"
	ruleVictim        = "the victim's requests succeed, with a p99 of at most 250 ms or three times that alone"
	testsPerMinute    = 5
	testFiles         = 100
	replaysPerHour    = 10
	victimBound       = 250 * time.Millisecond
	ruleReadOnce      = "one read of a page allocates at most 64 MiB, however many deliveries they have"
	ruleReadsTogether = "eight such reads at once take at most 256 MiB"
	readOnce          = 64 << 20 // a page of 100 events has up to 10,000 deliveries
	readsTogether     = 256 << 20
	ruleCache         = "published definitions in memory are bounded by bytes: at most 350 MiB of growth"
	cacheGrowth       = 350 << 20 // caches of 64 and 32 MiB, with GOGC=200 twice as much garbage, and requests

	ruleFirstToken  = "the first registration needs the setup token, unless it comes from loopback"
	ruleFirstOnce   = "only one registration is the first"
	ruleClosed      = "a closed service accepts no registration"
	ruleOpen        = "an open service accepts registrations, and limits them per network"
	ruleCreateByCLI = "assay create-organization makes an organization from a shell"
	ruleDemo        = "assay demo listens on loopback only, unless --public is given"
	registrations   = 10 // per network and hour

	ruleInviteBlind    = "an invitation is answered the same for an address with and without an account"
	ruleInviteHarmless = "an invited stranger can still register"
	rulePromotion      = "a change of role ends an open invitation"
	ruleElsewhere      = "a link for an address with an account elsewhere is 409, rate-limited and audited"

	ruleHashes       = "guesses from 60 unknown networks reach the hasher at most 5 times per minute and 20 times per hour"
	ruleKnownNetwork = "a network from which the account signed in is never blocked by strangers"
	ruleUnknown      = "an unknown network gets its attempt within three minutes after the attack"
	ruleFlood        = "beside a flood of passwords, known people sign in within a second, and none is refused"
	floodNetworks    = 100
	floodPeople      = 20
	floodTime        = 20 * time.Second
	floodBound       = time.Second
	guessesPerMinute = 5
	guessesPerHour   = 20

	ruleMailReset     = "a password reset reaches the mail server within 5 s, however many invites others have queued"
	ruleMailInvite    = "an invite by email reaches the mail server within 5 s, however many invites others have queued"
	ruleForgotBlind   = "forgot-password answers the same, and as fast, for an address with and without an account"
	ruleForgotNetwork = "a network gets at most 10 links to reset a password per hour"
	ruleForgotPerson  = "a person gets at most 3 emails with such a link per hour"
	mailWithin        = 5 * time.Second
	forgotPercent     = 10
	forgotPerNetwork  = 10
	forgotPerPerson   = 3

	ruleAudited      = "each attempt and each action has an entry in the audit log"
	ruleAuditPrivate = "no entry contains personal data, secrets, or definitions"
	ruleAuditFlood   = "a flood of refused requests does not flood the audit log"
	ruleAuditOnce    = "one person's edits of one assessment within ten minutes are one entry"
	ruleAuditUnknown = "the operator reads failed sign-ins at unknown accounts with assay audit"
	floodEntries     = 50

	ruleFileModes    = "SQLite files and the secret are 0600 in any folder"
	ruleSecretMode   = "a secret that others can read is refused at startup"
	ruleSameReason   = "a ping answers the same for a private name and an unknown name"
	ruleLaterStage   = "an answer to a stage not yet reached is 404, like an unknown id"
	ruleControls     = "control characters and bidirectional overrides in names and titles are rejected"
	ruleProfiles     = "pprof is off by default"
	ruleHost         = "a foreign Host is warned about once"
	ruleSSLMode      = "sslmode is verify-full for a host that is not loopback, and the error says how to change it"
	ruleDeliveryID   = "a delivery id cannot wrap"
	ruleMemory       = "ten seconds after a hundred sign-ins at most 64 MiB are resident"
	memoryAfter      = 64 << 20
	memoryWait       = 10 * time.Second
	memorySignIns    = 100
	memoryAtOnce     = 8 // more are refused
	knownNetwork     = "198.51.100.7"
	unknownNetwork   = "203.0.113.200"
	startsWithin     = 10 * time.Second
	guessingNetworks = 60
)
