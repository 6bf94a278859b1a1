package store

import (
	"context"
	"slices"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Role is a person's role in their organization.
type Role string

// The roles, from most to fewest rights.
const (
	Owner    Role = "OWNER"
	Admin    Role = "ADMIN"
	Editor   Role = "EDITOR"
	Member   Role = "MEMBER"
	Reviewer Role = "REVIEWER" // judges the answers of some assessments, and sees nothing else: see access_reviewers.go
)

// roleColumn is the role of a row of users or invitations.
//
// Compatibility until v1.2: v1.0 knows no EDITOR, and its tables refuse the value, so that an EDITOR is a MEMBER with a
// mark. It ignores the mark, also when it changes the role.
const roleColumn = `CASE WHEN role = 'MEMBER' AND is_editor THEN 'EDITOR' ELSE role END AS role`

// atMost returns the role, or the limit if it has fewer rights.
func (r Role) atMost(limit Role) Role {
	order := []Role{Reviewer, Member, Editor, Admin, Owner}
	if slices.Index(order, r) > slices.Index(order, limit) {
		return limit
	}
	return r
}

// stored returns the value of the column role.
func (r Role) stored() Role {
	if r == Editor {
		return Member
	}
	return r
}

// Scope is the organization whose rows a method sees, and the caller. It comes
// from a verified credential, never from the content of a request. The kind of
// credential decides which fields are set.
type Scope struct {
	OrganizationID string

	// A person.
	UserID    string
	LoginID   string
	Role      Role
	LimitedTo LimitedTo
	PersonID  string       // the account, whose memberships have a UserID each
	Method    SignInMethod // of the sign-in

	// See CheckSecondFactor.
	hasFactor      bool
	factorRequired bool  // by the organization
	confirmedAt    *Time // the last proof in this sign-in

	// An integration.
	APIKeyID string
	Scopes   []string
	until    time.Time // expiry of the key; zero means none

	// A candidate.
	SessionID  string
	contentID  string // see CandidateSession.contentID
	generation int

	retention bool // the sweep of the retention acts

	Origin Origin // of the request
	Once   *Once  // nil when the request has no Idempotency-Key
}

// MayInvite reports whether the caller may invite candidates, and may therefore
// see their links.
func (s Scope) MayInvite() bool {
	return s.UserID != "" && s.Role != Reviewer || slices.Contains(s.Scopes, "candidates:write")
}

// MayReadReviews reports whether the caller may see what the team has decided about candidates.
func (s Scope) MayReadReviews() bool {
	return s.UserID != "" && s.Role != Reviewer || slices.Contains(s.Scopes, "reviews:read")
}

// SeesDeliveries reports whether the caller sees the deliveries of events.
func (s Scope) SeesDeliveries() bool {
	return s.UserID != "" && !s.IsLimited() || slices.Contains(s.Scopes, "webhooks:manage")
}

// credentialLifetime is how long a verified credential is accepted without another
// query, and therefore how late a revocation on another replica takes effect.
const credentialLifetime = time.Second

// candidateLifetime is likewise for a candidate's link. What its scope contains never
// changes, except whether the link is valid, and each operation of a candidate reads that
// with the session. So an answer needs one query, although a candidate saves one every
// few seconds.
const candidateLifetime = 10 * time.Minute

// credentialCacheSize bounds the memory: an entry is under 500 bytes.
const credentialCacheSize = 10_000

// credentialCache keeps the scopes of valid credentials. Its keys are ids and
// hashes, never the credentials themselves.
type credentialCache struct {
	entries *lru.Cache[string, cachedScope]
	mu      sync.Mutex // protects epoch, and changes of entries that depend on it
	epoch   int        // increases with each revocation in this process
}

type cachedScope struct {
	scope  Scope
	readAt time.Time
}

func newCredentialCache() *credentialCache {
	return &credentialCache{entries: newCache[string, cachedScope](credentialCacheSize)}
}

// forget removes the credentials with the given keys, or all credentials when it is
// called without keys. A revocation thereby takes effect immediately on the replica
// that performs it.
func (c *credentialCache) forget(keys ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	if len(keys) == 0 {
		c.entries.Purge()
	}
	for _, key := range keys {
		c.entries.Remove(key)
	}
}

// remember adds a scope that was read in the given epoch. If a revocation has begun
// another epoch since, it adds nothing, because the scope may be out of date.
func (c *credentialCache) remember(key string, read cachedScope, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.epoch == epoch {
		c.entries.Add(key, read)
	}
}

func (c *credentialCache) currentEpoch() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// scope returns the cached scope of key, or the result of load.
func (s *Store) scope(
	ctx context.Context, key string, lifetime time.Duration, load func(context.Context) (Scope, error),
) (Scope, error) {
	now := s.opts.Now()
	if cached, ok := s.credentials.entries.Get(key); ok {
		age, until := now.Sub(cached.readAt), cached.scope.until
		if age >= 0 && age < lifetime && (until.IsZero() || now.Before(until)) {
			return cached.scope, nil
		}
	}
	epoch := s.credentials.currentEpoch()
	scope, err := load(ctx)
	if err != nil {
		return Scope{}, err
	}
	s.credentials.remember(key, cachedScope{scope, now}, epoch)
	return scope, nil
}
