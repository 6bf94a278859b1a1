package store

import (
	"context"
	"time"
)

// assessmentCacheBytes bounds the memory for assessments, with their definitions and
// the HTML of their texts: about 700 with definitions of 20 KiB, and 16 of the largest
// ones (1 MiB).
const assessmentCacheBytes = 64 << 20

// assessmentCache keeps assessments that are not drafts. Their questions never
// change. Their texts, and what limits the start of a session, can change.
type assessmentCache struct {
	entries *ByteCache[string, cachedAssessment]
}

type cachedAssessment struct {
	assessment *Assessment
	checkedAt  time.Time // when its version was the database's
	bytes      int       // see memoryOf
}

// memoryOf estimates the memory of an assessment whose definition has the given
// length as JSON. A decoded definition takes up to twice its JSON, because short texts
// have headers and pointers. Each rendered text has an entry in a map.
func memoryOf(a *Assessment, definition int) int {
	const fixed, entry = 2 << 10, 96
	bytes := fixed + 2*definition
	for _, html := range a.html {
		bytes += entry + len(html)
	}
	return bytes
}

// of returns the organization's assessment with the id, or false.
func (c *assessmentCache) of(scope Scope, id string) (cachedAssessment, bool) {
	cached, ok := c.entries.Get(id)
	if !ok || cached.assessment.OrganizationID != scope.OrganizationID {
		return cachedAssessment{}, false
	}
	return cached, true
}

// remember adds an assessment, unless a later version has been added meanwhile.
func (c *assessmentCache) remember(read cachedAssessment) {
	c.entries.AddUnless(read.assessment.ID, read, read.bytes, func(present cachedAssessment) bool {
		return present.assessment.Version > read.assessment.Version
	})
}

// contentFor returns the content of a session, with the questions that were drawn for it. Whatever depends on a
// session uses it and not content, so that nothing else of a pool reaches the candidate or the result. contentID is
// that of the session.
func (c conn) contentFor(ctx context.Context, scope Scope, contentID, sessionID string) (*Assessment, error) {
	read := c.content
	if isSnapshot(contentID) {
		read = c.snapshot
	}
	whole, err := read(ctx, scope, contentID)
	if err != nil || !whole.Definition.HasPools() {
		return whole, err
	}
	taken := *whole // with the pictures of all questions
	taken.Definition = whole.Definition.For(sessionID)
	return &taken, nil
}

// content returns an assessment for its texts, limits, and definition, with all questions of its pools: see contentFor.
// A change on another replica can be missing for documentLifetime. One on this replica has put the new version into the
// cache.
func (c conn) content(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	if err := c.store.CheckAssessmentAccess(scope, id); err != nil {
		return nil, err
	}
	cached, ok := c.store.assessments.of(scope, id)
	if !ok {
		return c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
	}
	now := c.store.opts.Now()
	if isRecent(cached.checkedAt, now) {
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
	cached.checkedAt = now
	c.store.assessments.remember(cached)
	return cached.assessment, nil
}

// RetrievePublicAssessment returns one assessment that is not a draft, with its definition. An
// archived one explains the results of its sessions.
func (s *Store) RetrievePublicAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	if _, ok := s.assessments.of(scope, id); ok { // the cache has no drafts
		return s.read().content(ctx, scope, id)
	}
	return s.read().assessment(ctx, scope, id,
		assessmentDetailColumns+` WHERE organization_id = ? AND id = ? AND status <> 'DRAFT'`)
}

// current returns an assessment as it is in the database. Its definition comes from
// the cache if that has the same version.
func (c conn) current(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	const where = ` WHERE organization_id = ? AND id = ?`
	if err := c.store.CheckAssessmentAccess(scope, id); err != nil {
		return nil, err
	}
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
	a.InviteMessage, a.RemindAfterHours = cached.assessment.InviteMessage, cached.assessment.RemindAfterHours
	a.Definition, a.html, a.pictures = cached.assessment.Definition, cached.assessment.html, cached.assessment.pictures
	return &a, nil
}
