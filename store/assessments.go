package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// Assessment is one row of assessments with its definition, which lists leave empty.
type Assessment struct {
	ID               string                 `db:"id"`
	OrganizationID   string                 `db:"organization_id"`
	Title            string                 `db:"title"`
	Description      *string                `db:"description"`
	Status           rules.AssessmentStatus `db:"status"`
	PassingScore     *float64               `db:"passing_score"` // percent
	TimeLimitMinutes *int                   `db:"time_limit_minutes"`
	InviteExpiryDays int                    `db:"invite_expiry_days"`
	RedirectURL      *string                `db:"redirect_url"`
	StageCount       int                    `db:"stage_count"`
	QuestionCount    int                    `db:"question_count"`
	MaxPoints        float64                `db:"max_points"`
	CreatedAt        Time                   `db:"created_at"`
	UpdatedAt        Time                   `db:"updated_at"`
	PublishedAt      *Time                  `db:"published_at"`
	ArchivedAt       *Time                  `db:"archived_at"`

	Definition rules.Definition `db:"-"`
	Encoded    string           `db:"definition"` // Definition as stored; "" once it is decoded
}

const (
	assessmentColumns = `SELECT id, organization_id, title, description, status, passing_score, time_limit_minutes,
		invite_expiry_days, redirect_url, stage_count, question_count, max_points, created_at, updated_at,
		published_at, archived_at FROM assessments`
	assessmentDetailColumns = `SELECT id, organization_id, title, description, status, passing_score, time_limit_minutes,
		invite_expiry_days, redirect_url, stage_count, question_count, max_points, created_at, updated_at,
		published_at, archived_at, definition FROM assessments`
)

// AssessmentFilter narrows ListAssessments. A zero field does not narrow it.
type AssessmentFilter struct {
	Status        rules.AssessmentStatus
	TitleContains string // ignores case
	UpdatedSince  *time.Time
}

// ListAssessments returns a page of assessments without their definitions, and
// whether there are more.
func (s *Store) ListAssessments(
	ctx context.Context, scope Scope, in AssessmentFilter, page Page,
) ([]Assessment, bool, error) {
	where := filterOf(scope, page)
	if in.Status != "" {
		where.and("status = ?", in.Status)
	}
	if in.TitleContains != "" {
		where.and(`lower(title) LIKE lower(?) ESCAPE '\'`, "%"+escapeLike(in.TitleContains)+"%")
	}
	if in.UpdatedSince != nil {
		where.updatedSince(*in.UpdatedSince)
	}
	query, args := where.newestFirst(assessmentColumns, page)
	var assessments []Assessment
	if err := s.read().List(ctx, &assessments, query, args...); err != nil {
		return nil, false, err
	}
	assessments, more := cut(assessments, page.Limit)
	return assessments, more, nil
}

// ListPublicAssessments is ListAssessments for published assessments.
func (s *Store) ListPublicAssessments(ctx context.Context, scope Scope, page Page) ([]Assessment, bool, error) {
	return s.ListAssessments(ctx, scope, AssessmentFilter{Status: rules.AssessmentPublished}, page)
}

// RetrieveAssessment returns one assessment with its definition.
func (s *Store) RetrieveAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	return s.read().assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
}

// RetrievePublicAssessment returns one published assessment with its definition.
func (s *Store) RetrievePublicAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	if cached, ok := s.definitions.Get(id); ok && cached.OrganizationID == scope.OrganizationID {
		// The definition never changes. The status can have changed.
		var current Assessment
		err := s.read().Get(ctx, &current, assessmentColumns+` WHERE organization_id = ? AND id = ? AND status = 'PUBLISHED'`,
			scope.OrganizationID, id)
		current.Definition = cached.Definition
		return &current, orRefuse(err, errNoAssessment)
	}
	return s.read().assessment(ctx, scope, id,
		assessmentDetailColumns+` WHERE organization_id = ? AND id = ? AND status = 'PUBLISHED'`)
}

// assessment reads one assessment with its definition. It caches one that is not
// a draft, because its definition never changes.
func (c conn) assessment(ctx context.Context, scope Scope, id, query string) (*Assessment, error) {
	var a Assessment
	err := c.Get(ctx, &a, query, scope.OrganizationID, id)
	if err != nil {
		return nil, orRefuse(err, errNoAssessment)
	}
	if a.Definition, err = rules.DecodeDefinition(a.Encoded); err != nil {
		return nil, err
	}
	a.Encoded = ""
	if a.Status != rules.AssessmentDraft {
		c.store.definitions.Add(id, &a)
	}
	return &a, nil
}

// content returns an assessment for its title, limits, and definition. It can come
// from the cache, so its status, and the times that belong to it, may be out of date.
func (c conn) content(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	if cached, ok := c.store.definitions.Get(id); ok && cached.OrganizationID == scope.OrganizationID {
		return cached, nil
	}
	return c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
}

// NewAssessment is the input of CreateAssessment. Ids of stages and questions
// must be empty.
type NewAssessment struct {
	Title            string
	Description      *string
	PassingScore     *float64
	TimeLimitMinutes *int
	InviteExpiryDays *int // nil: the organization's
	RedirectURL      *string
	Definition       rules.Definition
}

// CreateAssessment creates a draft. Refusal: invalid_request for a definition
// that rules.CompleteIDs rejects.
func (s *Store) CreateAssessment(ctx context.Context, scope Scope, in NewAssessment) (*Assessment, error) {
	if faults := rules.CompleteIDs(&in.Definition, rules.Definition{}, s.NewID); len(faults) > 0 {
		return nil, errInvalid.with(faults...)
	}
	var created *Assessment
	err := once(ctx, s, scope, &created, func(c conn) error {
		var err error
		created, err = c.insertAssessment(ctx, scope, in)
		return err
	})
	return created, err
}

func (c conn) insertAssessment(ctx context.Context, scope Scope, in NewAssessment) (*Assessment, error) {
	now := c.store.Now()
	encoded, err := in.Definition.Encode()
	if err != nil {
		return nil, err
	}
	id := c.store.NewID("asm")
	if _, err := c.Exec(ctx, `
		INSERT INTO assessments (id, organization_id, title, description, status, passing_score, time_limit_minutes,
			invite_expiry_days, redirect_url, stage_count, question_count, max_points, definition, created_at, updated_at)
		SELECT ?, id, ?, ?, ?, ?, ?, COALESCE(?, invite_expiry_days), ?, ?, ?, ?, ?, ?, ? FROM organizations WHERE id = ?`,
		id, in.Title, in.Description, rules.AssessmentDraft, in.PassingScore, in.TimeLimitMinutes,
		in.InviteExpiryDays, in.RedirectURL, len(in.Definition.Stages), in.Definition.QuestionCount(),
		rules.RoundPoints(in.Definition.MaxPoints()), encoded, now, now, scope.OrganizationID); err != nil {
		return nil, err
	}
	return c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
}

// AssessmentChange is the input of UpdateAssessment. A nil field does not change.
type AssessmentChange struct {
	Title            *string
	Description      Change[string]
	PassingScore     Change[float64]
	TimeLimitMinutes Change[int]
	InviteExpiryDays *int
	RedirectURL      Change[string]
	Definition       *rules.Definition // replaces all stages
}

// UpdateAssessment changes a draft. Refusals: not_found, assessment_not_draft,
// invalid_request.
func (s *Store) UpdateAssessment(
	ctx context.Context, scope Scope, id string, change AssessmentChange,
) (*Assessment, error) {
	return s.changeAssessment(ctx, scope, id, rules.VerbEdit, func(c conn, a *Assessment) error {
		definition := a.Definition
		if change.Definition != nil {
			if faults := rules.CompleteIDs(change.Definition, definition, s.NewID); len(faults) > 0 {
				return errInvalid.with(faults...)
			}
			definition = *change.Definition
		}
		encoded, err := definition.Encode()
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `
			UPDATE assessments SET title = COALESCE(?, title),
				description = CASE WHEN ? THEN ? ELSE description END,
				passing_score = CASE WHEN ? THEN ? ELSE passing_score END,
				time_limit_minutes = CASE WHEN ? THEN ? ELSE time_limit_minutes END,
				invite_expiry_days = COALESCE(?, invite_expiry_days),
				redirect_url = CASE WHEN ? THEN ? ELSE redirect_url END,
				stage_count = ?, question_count = ?, max_points = ?, definition = ?, updated_at = ?
			WHERE organization_id = ? AND id = ?`,
			change.Title, change.Description.Set, change.Description.Value, change.PassingScore.Set, change.PassingScore.Value,
			change.TimeLimitMinutes.Set, change.TimeLimitMinutes.Value, change.InviteExpiryDays,
			change.RedirectURL.Set, change.RedirectURL.Value,
			len(definition.Stages), definition.QuestionCount(), rules.RoundPoints(definition.MaxPoints()), encoded, s.Now(),
			scope.OrganizationID, id)
		return err
	})
}

// DeleteAssessment removes a draft. Refusals: not_found, assessment_not_draft.
func (s *Store) DeleteAssessment(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		a, err := c.lockAssessment(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, refusal := a.Status.After(rules.VerbDelete); refusal != "" {
			return refused(refusal)
		}
		if _, err = c.Exec(ctx, `DELETE FROM assessments WHERE organization_id = ? AND id = ?`,
			scope.OrganizationID, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditAssessmentDeleted, id)
	})
}

// PublishAssessment makes a draft available and emits assessment.published.
// Publishing again changes nothing. Refusals: not_found, assessment_not_draft
// from ARCHIVED, assessment_incomplete with every fault.
func (s *Store) PublishAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	return s.changeAssessment(ctx, scope, id, rules.VerbPublish, func(c conn, a *Assessment) error {
		if missing := rules.MissingForPublish(a.Title, a.Definition); len(missing) > 0 {
			return errAssessmentIncomplete.with(missing...)
		}
		now := s.Now()
		if _, err := c.Exec(ctx, `
			UPDATE assessments SET status = ?, published_at = ?, updated_at = ? WHERE organization_id = ? AND id = ?`,
			rules.AssessmentPublished, now, now, scope.OrganizationID, id); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditAssessmentPublished, id); err != nil {
			return err
		}
		return c.emit(ctx, event{
			organizationID: scope.OrganizationID, kind: EventAssessmentPublished, subjectID: id, at: now,
			data: assessmentPublishedData{AssessmentID: id, Title: a.Title, Status: rules.AssessmentPublished,
				PublishedAt: wireTime(now)},
		})
	})
}

// ArchiveAssessment makes an assessment refuse new invites; live sessions continue.
// Archiving again changes nothing.
// Refusals: not_found, assessment_not_published from DRAFT.
func (s *Store) ArchiveAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	return s.changeAssessment(ctx, scope, id, rules.VerbArchive, func(c conn, _ *Assessment) error {
		now := s.Now()
		if _, err := c.Exec(ctx, `
			UPDATE assessments SET status = ?, archived_at = ?, updated_at = ? WHERE organization_id = ? AND id = ?`,
			rules.AssessmentArchived, now, now, scope.OrganizationID, id); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditAssessmentArchived, id)
	})
}

// DuplicateAssessment creates a draft with the same content and new ids.
func (s *Store) DuplicateAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	var created *Assessment
	err := once(ctx, s, scope, &created, func(c conn) error {
		a, err := c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
		if err != nil {
			return err
		}
		definition, err := a.Definition.WithFreshIDs(s.NewID)
		if err != nil {
			return err
		}
		created, err = c.insertAssessment(ctx, scope, NewAssessment{
			Title: a.Title, Description: a.Description, PassingScore: a.PassingScore, TimeLimitMinutes: a.TimeLimitMinutes,
			InviteExpiryDays: &a.InviteExpiryDays, RedirectURL: a.RedirectURL, Definition: definition,
		})
		return err
	})
	return created, err
}

// changeAssessment locks the assessment, runs change if its status permits verb,
// and returns the assessment afterwards. It does not run change for a verb that
// has already happened, such as publishing a published assessment.
func (s *Store) changeAssessment(
	ctx context.Context, scope Scope, id string, verb rules.AssessmentVerb, change func(conn, *Assessment) error,
) (*Assessment, error) {
	var changed *Assessment
	err := s.write(ctx, func(c conn) error {
		a, err := c.lockAssessment(ctx, scope, id)
		if err != nil {
			return err
		}
		next, refusal := a.Status.After(verb)
		if refusal != "" {
			return refused(refusal)
		}
		if next != a.Status || verb == rules.VerbEdit {
			if err := change(c, a); err != nil {
				return err
			}
		}
		changed, err = c.assessment(ctx, scope, id, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`)
		return err
	})
	return changed, err
}

func (c conn) lockAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	var a Assessment
	err := c.Get(ctx, &a, assessmentDetailColumns+` WHERE organization_id = ? AND id = ?`+c.store.db.ForUpdate,
		scope.OrganizationID, id)
	if err != nil {
		return nil, orRefuse(err, errNoAssessment)
	}
	a.Definition, err = rules.DecodeDefinition(a.Encoded)
	return &a, err
}
