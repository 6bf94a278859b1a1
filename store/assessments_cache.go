package store

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// assessmentCacheSize bounds the number of assessments in memory, with their
// definitions and the HTML of their texts: about 50 MiB for definitions of 50 KiB,
// and a gigabyte for the largest ones (1 MiB).
const assessmentCacheSize = 256

// assessmentLifetime is how long an assessment is used without asking the database
// for its version, and therefore how late a change on another replica takes effect.
const assessmentLifetime = time.Second

// assessmentCache keeps assessments that are not drafts. Their questions never
// change. Their texts, and what limits the start of a session, can change.
type assessmentCache struct {
	mu      sync.Mutex // makes remember atomic
	entries *lru.Cache[string, cachedAssessment]
}

type cachedAssessment struct {
	assessment *Assessment
	checkedAt  time.Time // when its version was the database's
}

func newAssessmentCache() (*assessmentCache, error) {
	entries, err := lru.New[string, cachedAssessment](assessmentCacheSize)
	return &assessmentCache{entries: entries}, err
}

// of returns the organization's assessment with the id, or false.
func (c *assessmentCache) of(scope Scope, id string) (cachedAssessment, bool) {
	cached, ok := c.entries.Get(id)
	if !ok || cached.assessment.OrganizationID != scope.OrganizationID {
		return cachedAssessment{}, false
	}
	return cached, true
}

// remember adds an assessment that was read at the given time, unless a later
// version has been added meanwhile.
func (c *assessmentCache) remember(a *Assessment, readAt time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.entries.Peek(a.ID); ok && known.assessment.Version > a.Version {
		return
	}
	c.entries.Add(a.ID, cachedAssessment{a, readAt})
}

// content returns an assessment for its texts, limits, and definition. The id is that
// of an assessment, or the contentID of a session. The assessment can come
// from the cache, so its status, and the times that belong to it, may be out of date.
func (c conn) content(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	if isSnapshot(id) {
		return c.snapshot(ctx, scope, id)
	}
	cached, ok := c.store.assessments.of(scope, id)
	if !ok {
		return c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
	}
	now := c.store.opts.Now()
	if age := now.Sub(cached.checkedAt); age >= 0 && age < assessmentLifetime {
		return cached.assessment, nil
	}
	var version int
	if err := c.Get(ctx, &version, `SELECT version FROM assessments WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id); err != nil {
		return nil, orRefuse(err, errNoAssessment)
	}
	if version != cached.assessment.Version {
		return c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
	}
	c.store.assessments.remember(cached.assessment, now)
	return cached.assessment, nil
}

// current returns an assessment as it is in the database. Its definition comes from
// the cache if that has the same version. where selects it by organization and id.
func (c conn) current(ctx context.Context, scope Scope, id, where string) (*Assessment, error) {
	cached, ok := c.store.assessments.of(scope, id)
	if !ok {
		return c.assessment(ctx, scope, id, assessmentDetailColumns+where)
	}
	var a Assessment
	if err := c.Get(ctx, &a, assessmentColumns+where, scope.OrganizationID, id); err != nil {
		return nil, orRefuse(err, errNoAssessment)
	}
	if a.Version != cached.assessment.Version {
		return c.assessment(ctx, scope, id, assessmentDetailColumns+where)
	}
	a.Instructions, a.ClosingMessage = cached.assessment.Instructions, cached.assessment.ClosingMessage
	a.Definition, a.html = cached.assessment.Definition, cached.assessment.html
	return &a, nil
}
