package store

import (
	"context"
	"slices"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Role is what a person may do in their organization.
type Role string

// The roles, from most to least.
const (
	Owner  Role = "OWNER"
	Admin  Role = "ADMIN"
	Member Role = "MEMBER"
)

// Scope says for whom a method works: the organization whose rows it sees, and
// who is asking. It comes from a verified credential, never from a request's
// content. Which of the fields are set follows from the kind of credential.
type Scope struct {
	OrganizationID string

	// A person.
	UserID  string
	LoginID string
	Role    Role

	// An integration.
	APIKeyID string
	Scopes   []string
	until    time.Time // when the key expires; zero means never

	// A candidate.
	SessionID    string
	AssessmentID string
	generation   int

	Origin Origin // of the request
	Once   *Once  // nil when the request has no Idempotency-Key
}

// MayInvite reports whether the credential may invite candidates, and so may
// see their links.
func (s Scope) MayInvite() bool {
	return s.UserID != "" || slices.Contains(s.Scopes, "candidates:write")
}

// credentialLifetime bounds for how long a verified credential is believed
// without asking the database, and so how late a revocation on another replica
// takes effect here.
const credentialLifetime = time.Second

// credentialCacheSize bounds the memory: an entry is under 500 bytes.
const credentialCacheSize = 10_000

// credentialCache remembers the scopes of credentials that were found valid.
// Its keys are ids and hashes, never the credentials themselves.
type credentialCache struct {
	entries *lru.Cache[string, cachedScope]
	mu      sync.Mutex // of what is read and changed together with the epoch
	epoch   int        // moves on at each revocation here
}

type cachedScope struct {
	scope  Scope
	readAt time.Time
}

func newCredentialCache() (*credentialCache, error) {
	entries, err := lru.New[string, cachedScope](credentialCacheSize)
	return &credentialCache{entries: entries}, err
}

// forget drops what is remembered of the credentials, of all without a key, so
// that a revocation counts at once on the replica that did it.
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

// remember keeps what was read since the epoch, unless there was a revocation
// meanwhile: it may be from before that.
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

// scope returns the remembered scope of key, or what load finds.
func (s *Store) scope(ctx context.Context, key string, load func(context.Context) (Scope, error)) (Scope, error) {
	now := s.opts.Now()
	if cached, ok := s.credentials.entries.Get(key); ok {
		age, until := now.Sub(cached.readAt), cached.scope.until
		if age >= 0 && age < credentialLifetime && (until.IsZero() || now.Before(until)) {
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
