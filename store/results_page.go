package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"assay/store/keys"
	"assay/store/rules"
)

// ResultPage is what the page of a link to a result shows.
type ResultPage struct {
	Organization Organization
	Link         ResultLink
	Result       *ReadResult // nil if the session has no result at present, because it was reopened
	Locale       *string     // of the assessment
	Zone         *time.Location

	// Keys are the accepted answers of each question with all corrections, by the question's id. They are nil unless the
	// link is with answers.
	Keys map[string][]rules.Question
}

// ReadResult is a result as callers read it.
type ReadResult struct {
	Result
	Stages []ReadResultStage `json:"stages"`
}

// ReadResultStage is a stage of a ReadResult.
type ReadResultStage struct {
	ResultStage
	Questions []ReadResultQuestion `json:"questions"`
}

// ReadResultQuestion is a question of a ReadResult.
type ReadResultQuestion struct {
	ResultQuestion
	PromptHTML string `json:"promptHtml"` // sanitized
}

// UnscopedResultPage returns the page of a link. An opening is recorded, once an hour for each network. Refusal:
// not_found for a token that is wrong, was revoked, or has expired. If it was valid once, the Organization is set.
func (s *Store) UnscopedResultPage(ctx context.Context, origin Origin, token string, opens bool) (ResultPage, error) {
	id, ok := s.opts.Keys.ParseLinkToken(keys.PurposeResultLink, token)
	if !ok {
		return ResultPage{}, errNoResultLink
	}
	c := s.read()
	scope := Scope{Origin: origin}
	if err := c.Get(ctx, &scope.OrganizationID, `SELECT organization_id FROM result_links WHERE id = ?`, id); err != nil {
		return ResultPage{}, orRefuse(err, errNoResultLink)
	}
	var page ResultPage
	var err error
	if page.Organization, err = c.organization(ctx, scope); err != nil {
		return page, err
	}
	page.Zone = time.UTC
	if zone, err := time.LoadLocation(value(page.Organization.TimeZone)); err == nil {
		page.Zone = zone
	}
	if err := c.Get(ctx, &page.Link, resultLinkQuery+` AND a.id = ?`, scope.OrganizationID, id); err != nil {
		return page, orRefuse(err, errNoResultLink)
	}
	if !page.Link.works(s.Now()) {
		return page, errNoResultLink
	}
	if err := c.fillResultPage(ctx, scope, &page); err != nil {
		return page, err
	}
	if opens {
		err = s.recordOpening(ctx, scope, page.Link)
	}
	return page, err
}

func (c conn) fillResultPage(ctx context.Context, scope Scope, page *ResultPage) error {
	document, err := c.result(ctx, scope, page.Link.SessionID)
	var refusal *Error
	if errors.As(err, &refusal) && (refusal.Code == errResultNotReady.Code || refusal.Code == errResultInReview.Code) {
		return nil
	}
	if err != nil {
		return err
	}
	page.Result = new(ReadResult)
	if err := json.Unmarshal(document.Data(), page.Result); err != nil {
		return err
	}
	session, err := c.session(ctx, scope, page.Link.SessionID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
	if err != nil {
		return err
	}
	assessment, err := c.contentFor(ctx, scope, session.contentID(), session.ID)
	if err != nil {
		return err
	}
	page.Locale = assessment.Locale
	if !page.Link.WithAnswers {
		return nil
	}
	corrections, err := c.corrections(ctx, scope, session.AssessmentID)
	if err != nil {
		return err
	}
	page.Keys = map[string][]rules.Question{}
	for _, stage := range assessment.Definition.Stages {
		for _, question := range stage.Questions {
			page.Keys[question.ID] = rules.AcceptedKeys(question, corrections)
		}
	}
	return nil
}

func (s *Store) recordOpening(ctx context.Context, scope Scope, link ResultLink) error {
	now, key := s.Now(), string(AuditResultLinkOpened)+" "+link.ID+" "+scope.Origin.Network()
	if at, seen := s.repeats.reads.Get(key); seen && now.Sub(at) < repeatInterval {
		return nil
	}
	err := s.write(ctx, func(c conn) error {
		if _, err := c.Exec(ctx, `
			UPDATE result_links SET open_count = open_count + 1, last_opened_at = ? WHERE organization_id = ? AND id = ?`,
			now, scope.OrganizationID, link.ID); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditResultLinkOpened, link.SessionID, valueOf("linkId", link.ID))
	})
	if err == nil {
		s.repeats.reads.Add(key, now)
	}
	return err
}
