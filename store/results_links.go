package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"assay/store/keys"
	"assay/store/rules"
)

// ResultPath is the page of a link to a result.
const ResultPath = "/result"

const (
	maxResultLinks       = 50 // of a session that work
	maxResultLinksListed = 200
	maxResultLinkDays    = 366

	// defaultResultLinkDays is that of the migration.
	defaultResultLinkDays = 30
)

// ResultLink is a link to a page with one result, which needs no account.
type ResultLink struct {
	ID           string     `db:"id"`
	SessionID    string     `db:"session_id"`
	Label        *string    `db:"label"` // for whom it is
	WithAnswers  bool       `db:"with_answers"`
	ActorType    *ActorType `db:"actor_type"` // nil for a link that was created for an event
	ActorID      *string    `db:"actor_id"`
	ActorName    *string    `db:"actor_name"`
	CreatedAt    Time       `db:"created_at"`
	ExpiresAt    Time       `db:"expires_at"`
	RevokedAt    *Time      `db:"revoked_at"`
	OpenCount    int        `db:"open_count"`
	LastOpenedAt *Time      `db:"last_opened_at"`
}

// Author returns who created the link, or nil if it was created for an event.
func (l ResultLink) Author() *ReviewAuthor {
	if l.ActorType == nil {
		return nil
	}
	return &ReviewAuthor{Type: *l.ActorType, ActorID: value(l.ActorID), Name: l.ActorName}
}

func (l ResultLink) works(now time.Time) bool {
	return l.RevokedAt == nil && now.Before(l.ExpiresAt.Time)
}

// ResultURL returns the address of the page, or nil if the link does not work any more.
func (s *Store) ResultURL(l ResultLink) *string {
	if !l.works(s.Now()) {
		return nil
	}
	url := s.resultURL(l.ID)
	return &url
}

func (s *Store) resultURL(id string) string {
	return s.opts.BaseURL + ResultPath + "?token=" + s.opts.Keys.LinkToken(keys.PurposeResultLink, id)
}

// ResultLinkInput is the input of CreateResultLink.
type ResultLinkInput struct {
	Label       *string
	ExpiresAt   *time.Time // nil for the setting of the organization
	WithAnswers bool
}

const resultLinkQuery = `
	SELECT a.id, a.session_id, a.label, a.with_answers, a.actor_type, a.actor_id, a.created_at, a.expires_at, a.revoked_at,
		a.open_count, a.last_opened_at, ` + actorName + ` AS actor_name
	FROM result_links a WHERE a.organization_id = ?`

// ListResultLinks returns the links to the result of a session, newest first. Refusal: not_found.
func (s *Store) ListResultLinks(ctx context.Context, scope Scope, sessionID string) ([]ResultLink, error) {
	c := s.read()
	if _, err := c.session(ctx, scope, sessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`); err != nil {
		return nil, err
	}
	return c.resultLinks(ctx, scope, sessionID)
}

// ListPublicResultLinks is ListResultLinks.
func (s *Store) ListPublicResultLinks(ctx context.Context, scope Scope, sessionID string) ([]ResultLink, error) {
	return s.ListResultLinks(ctx, scope, sessionID)
}

func (c conn) resultLinks(ctx context.Context, scope Scope, sessionID string) ([]ResultLink, error) {
	var links []ResultLink
	err := c.List(ctx, &links, resultLinkQuery+` AND a.session_id = ? ORDER BY a.id DESC LIMIT ?`,
		scope.OrganizationID, sessionID, maxResultLinksListed)
	return links, err
}

// labelOf returns the label of the link that an entry of the audit log names, if it has one.
func labelOf(links []ResultLink, changes []AuditChange) *string {
	for _, change := range changes {
		for _, link := range links {
			if change.Field == "linkId" && change.To != nil && *change.To == link.ID {
				return link.Label
			}
		}
	}
	return nil
}

// createdResultLink is a new link, as an Idempotency-Key keeps it.
type createdResultLink struct {
	Link ResultLink
}

func (c createdResultLink) sessionIDs() []string { return []string{c.Link.SessionID} }

// CreateResultLink creates a link to the result of a finished session. Refusals: not_found, result_not_ready,
// result_in_review, session_erased, too_many_result_links, invalid_request for an end in the past or too far ahead.
func (s *Store) CreateResultLink(
	ctx context.Context, scope Scope, sessionID string, in ResultLinkInput,
) (ResultLink, error) {
	var created createdResultLink
	err := once(ctx, s, scope, &created, func(c conn) error {
		session, err := c.reviewedSession(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		now := s.Now()
		if err := c.mayLinkResult(ctx, scope, session.ID, now); err != nil {
			return err
		}
		if in.ExpiresAt == nil {
			organization, err := c.organization(ctx, scope)
			if err != nil {
				return err
			}
			in.ExpiresAt = new(now.Add(days(organization.ResultLinkDays)))
		}
		expiresAt := milliseconds(*in.ExpiresAt)
		if !expiresAt.After(now) {
			return errExpiryInPast
		}
		if expiresAt.After(now.Add(days(maxResultLinkDays))) {
			return errExpiryTooFar
		}
		author := scope.author()
		created.Link, err = c.insertResultLink(ctx, scope, ResultLink{
			SessionID: sessionID, Label: in.Label, WithAnswers: in.WithAnswers, ActorType: &author.Type,
			ActorID: &author.ActorID, CreatedAt: Time{now}, ExpiresAt: Time{expiresAt},
		})
		if err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditResultLinkCreated, sessionID, valueOf("linkId", created.Link.ID))
	})
	return created.Link, err
}

// CreatePublicResultLink is CreateResultLink.
func (s *Store) CreatePublicResultLink(
	ctx context.Context, scope Scope, sessionID string, in ResultLinkInput,
) (ResultLink, error) {
	return s.CreateResultLink(ctx, scope, sessionID, in)
}

// mayLinkResult refuses a link to a locked session without a result, or with too many links.
func (c conn) mayLinkResult(ctx context.Context, scope Scope, sessionID string, now time.Time) error {
	var state struct {
		Finished bool                `db:"finished"`
		Status   rules.SessionStatus `db:"status"`
		InReview *Time               `db:"in_review_since"`
		Links    int                 `db:"links"`
	}
	if err := c.Get(ctx, &state, `
		SELECT s.result IS NOT NULL AS finished, s.status, s.in_review_since, (SELECT COUNT(*) FROM result_links l
			WHERE l.organization_id = s.organization_id AND l.session_id = s.id AND l.revoked_at IS NULL
				AND l.expires_at > ?) AS links
		FROM candidate_sessions s WHERE s.organization_id = ? AND s.id = ?`,
		now, scope.OrganizationID, sessionID); err != nil {
		return orRefuse(err, errNoSession)
	}
	switch {
	case !state.Finished:
		return resultRefusal(state.Status, state.InReview)
	case state.Links >= maxResultLinks:
		return errTooManyResultLinks
	}
	return nil
}

func (c conn) insertResultLink(ctx context.Context, scope Scope, link ResultLink) (ResultLink, error) {
	link.ID = c.store.NewID("rlk")
	if _, err := c.Exec(ctx, `
		INSERT INTO result_links (id, organization_id, session_id, label, with_answers, actor_type, actor_id, created_at,
			expires_at, open_count)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
		link.ID, scope.OrganizationID, link.SessionID, link.Label, link.WithAnswers, link.ActorType, link.ActorID,
		link.CreatedAt.Time, link.ExpiresAt.Time); err != nil {
		return link, err
	}
	err := c.Get(ctx, &link, resultLinkQuery+` AND a.id = ?`, scope.OrganizationID, link.ID)
	return link, err
}

// RevokeResultLink ends a link. A second call changes nothing. Refusal: not_found.
func (s *Store) RevokeResultLink(ctx context.Context, scope Scope, sessionID, id string) error {
	return s.write(ctx, func(c conn) error {
		if _, err := c.lockSession(ctx, scope, sessionID); err != nil {
			return err
		}
		var link ResultLink
		if err := c.Get(ctx, &link, resultLinkQuery+` AND a.session_id = ? AND a.id = ?`,
			scope.OrganizationID, sessionID, id); err != nil {
			return orRefuse(err, errNoResultLink)
		}
		if link.RevokedAt != nil {
			return nil
		}
		if _, err := c.Exec(ctx, `UPDATE result_links SET revoked_at = ? WHERE organization_id = ? AND id = ?`,
			s.Now(), scope.OrganizationID, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditResultLinkRevoked, sessionID, valueOf("linkId", id))
	})
}

// RevokePublicResultLink is RevokeResultLink.
func (s *Store) RevokePublicResultLink(ctx context.Context, scope Scope, sessionID, id string) error {
	return s.RevokeResultLink(ctx, scope, sessionID, id)
}

// resultURLForEvent creates the link of an event, and returns its address: nil if the organization wants none. The
// event in the database then contains the whole address. Its readers can read the result in the database, too.
func (c conn) resultURLForEvent(ctx context.Context, session CandidateSession, now time.Time) (*string, error) {
	scope := Scope{OrganizationID: session.OrganizationID}
	var lifetime int
	err := c.Get(ctx, &lifetime, `SELECT result_link_days FROM organizations WHERE id = ? AND result_link_in_events`,
		scope.OrganizationID)
	if errors.Is(err, sql.ErrNoRows) || session.Test {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	link, err := c.insertResultLink(ctx, scope, ResultLink{
		SessionID: session.ID, CreatedAt: Time{now}, ExpiresAt: Time{milliseconds(now.Add(days(lifetime)))},
	})
	return new(c.store.resultURL(link.ID)), err
}

func (c conn) eraseResultLinks(ctx context.Context, scope Scope, id string, _ time.Time) error {
	_, err := c.Exec(ctx, `DELETE FROM result_links WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, id)
	return err
}
