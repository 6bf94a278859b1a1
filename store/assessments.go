package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"assay/store/markdown"
	"assay/store/rules"
)

// Assessment is one row of assessments.
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
	Locale           *string                `db:"locale"` // BCP 47, of its texts
	ShuffleQuestions bool                   `db:"shuffle_questions"`
	ShuffleOptions   bool                   `db:"shuffle_options"`
	OpensAt          *Time                  `db:"opens_at"`
	ClosesAt         *Time                  `db:"closes_at"`
	StageCount       int                    `db:"stage_count"`
	QuestionCount    int                    `db:"question_count"`
	MaxPoints        float64                `db:"max_points"`
	CreatedAt        Time                   `db:"created_at"`
	UpdatedAt        Time                   `db:"updated_at"`
	PublishedAt      *Time                  `db:"published_at"`
	ArchivedAt       *Time                  `db:"archived_at"`
	RepeatRule       rules.RepeatRule       `db:"repeat_rule"`
	RepeatAfterDays  int                    `db:"repeat_after_days"`
	OriginID         *string                `db:"origin_id"` // nil unless it is a copy; see root
	GradingRules

	// Version increases with each change of the content.
	Version int `db:"version"`

	// Counts come from the statistics; only the operations of people fill them.
	Counts SessionCounts `db:"session_counts"`

	// Lists leave the following fields empty.
	Instructions   *string `db:"instructions"`
	ClosingMessage *string `db:"closing_message"`
	InviteMessage  *string `db:"invite_message"` // Markdown, in the email with the invite
	// RemindAfterHours is when candidates get reminders, in hours after the invite.
	RemindAfterHours hours             `db:"remind_after_hours"`
	Definition       rules.Definition  `db:"-"`
	Encoded          string            `db:"definition"` // Definition as stored; "" once it is decoded
	html             map[string]string // of its texts, by source; see Store.HTML
	pictures         markdown.Pictures // that its texts can show
}

// root is the id of the assessment from which this one was copied first, or its own. The assessments with
// the same root are a family: attempts at them count together.
func (a *Assessment) root() string {
	if a.OriginID != nil {
		return *a.OriginID
	}
	return a.ID
}

// with returns a copy with another definition, which has the same texts, or none yet rendered.
func (a *Assessment) with(definition rules.Definition) *Assessment {
	copied := *a
	copied.Definition, copied.pictures = definition, nil // they have other pictures
	return &copied
}

// Window returns when sessions of the assessment can be started.
func (a *Assessment) Window() rules.Window {
	return rules.Window{OpensAt: timePtr(a.OpensAt), ClosesAt: timePtr(a.ClosesAt)}
}

// Revision is the assessment's content for comparisons: a change of the assessment
// changes it.
func (a *Assessment) Revision() string { return strconv.Itoa(a.Version) }

const (
	assessmentColumnList = `id, organization_id, title, description, status, passing_score, time_limit_minutes,
		invite_expiry_days, redirect_url, locale, shuffle_questions, shuffle_options, opens_at, closes_at, stage_count,
		question_count, max_points, created_at, updated_at, published_at, archived_at, version, repeat_rule,
		repeat_after_days, origin_id, graders, blind_grading, max_difference_percent, promised_hours`
	assessmentColumns       = `SELECT ` + assessmentColumnList + ` FROM assessments`
	assessmentDetailColumns = `SELECT ` + assessmentColumnList + `, instructions, closing_message, invite_message,
		remind_after_hours, definition
		FROM assessments`
)

// RetrieveAssessment returns one assessment with its definition.
func (s *Store) RetrieveAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	assessment, err := s.read().current(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	if assessment, err = s.read().counted(ctx, scope, assessment); err != nil {
		return nil, err
	}
	return s.rendered(ctx, assessment)
}

// assessment reads one assessment with its definition. One that is not a draft is
// kept in the cache.
func (c conn) assessment(ctx context.Context, scope Scope, id, query string) (*Assessment, error) {
	if err := c.store.CheckAssessmentAccess(scope, id); err != nil {
		return nil, err
	}
	readAt := c.store.opts.Now()
	var a Assessment
	err := c.Get(ctx, &a, query, scope.OrganizationID, id)
	if err != nil {
		return nil, orRefuse(err, errNoAssessment)
	}
	if a.Definition, err = rules.DecodeDefinition(a.Encoded); err != nil {
		return nil, err
	}
	encoded := len(a.Encoded)
	a.Encoded = ""
	if err := c.withPictures(ctx, &a); err != nil {
		return nil, err
	}
	if a.Status != rules.AssessmentDraft {
		if a.html, err = c.store.renderTexts(ctx, &a); err != nil {
			return nil, err
		}
		// After the commit: a transaction that fails must leave nothing in the cache.
		read := cachedAssessment{&a, readAt, memoryOf(&a, encoded)}
		c.AfterCommit(func() { c.store.assessments.remember(read) })
	}
	return &a, nil
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
	Instructions     *string
	ClosingMessage   *string
	InviteMessage    *string
	RemindAfterHours []int
	Locale           *string
	ShuffleQuestions bool
	ShuffleOptions   bool
	Window           rules.Window
	RepeatRule       rules.RepeatRule // "": RepeatAllowed
	RepeatAfterDays  *int             // nil: 180
	OriginID         *string          // of a copy
	Grading          GradingChange
	Definition       rules.Definition
	Pictures         []PreparedPicture // of its texts; see PreparePicture
}

// CreateAssessment creates a draft. Refusal: invalid_request for a definition
// that rules.CompleteIDs rejects, an unknown language, or an empty window;
// assessment_quota_exceeded, definition_quota_exceeded, media_quota_exceeded.
func (s *Store) CreateAssessment(ctx context.Context, scope Scope, in NewAssessment) (*Assessment, error) {
	faults := rules.CompleteIDs(&in.Definition, rules.Definition{}, s.NewID)
	faults = append(append(faults, rules.LocaleFaults(in.Locale)...), in.Window.Faults()...)
	if len(faults) > 0 {
		return nil, errInvalid.with(faults...)
	}
	var created *Assessment
	if err := once(ctx, s, scope, &created, func(c conn) error {
		var err error
		included := in
		if included.Definition, err = c.include(ctx, scope, in.Definition); err != nil {
			return err
		}
		if created, err = c.insertAssessment(ctx, scope, included); err != nil {
			return err
		}
		if err := c.replaceUses(ctx, scope, created.ID, rules.Definition{}, included.Definition); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditAssessmentCreated, created.ID)
	}); err != nil {
		return nil, err
	}
	return s.rendered(ctx, created)
}

func (c conn) insertAssessment(ctx context.Context, scope Scope, in NewAssessment) (*Assessment, error) {
	if err := c.insertPictures(ctx, scope, &in); err != nil {
		return nil, err
	}
	now := c.store.Now()
	encoded, err := in.Definition.Encode()
	if err != nil {
		return nil, err
	}
	if err := c.requireRoom(ctx, scope, Usage{Assessments: 1, DefinitionBytes: int64(len(encoded))}); err != nil {
		return nil, err
	}
	id := c.store.NewID("asm")
	// PostgreSQL takes the type of a parameter in COALESCE from the other value, so that one has decimals.
	if _, err := c.Exec(ctx, `
		INSERT INTO assessments (id, organization_id, title, description, status, passing_score, time_limit_minutes,
			invite_expiry_days, redirect_url, instructions, closing_message, invite_message, remind_after_hours, locale,
			shuffle_questions, shuffle_options, opens_at, closes_at, stage_count, question_count, max_points, definition,
			created_at, updated_at, repeat_rule, repeat_after_days, origin_id, graders, blind_grading,
			max_difference_percent, promised_hours)
		SELECT ?, id, ?, ?, ?, ?, ?, COALESCE(?, invite_expiry_days), ?, ?, ?, ?, COALESCE(?, '[]'), ?, ?, ?, ?, ?, ?, ?, ?,
			?, ?, ?, ?, COALESCE(?, 180), ?, COALESCE(?, 1), COALESCE(?, TRUE), COALESCE(?, 20.0), COALESCE(?, 72)
		FROM organizations WHERE id = ?`,
		id, in.Title, in.Description, rules.AssessmentDraft, in.PassingScore, in.TimeLimitMinutes,
		in.InviteExpiryDays, in.RedirectURL, in.Instructions, in.ClosingMessage, in.InviteMessage,
		newHours(in.RemindAfterHours), in.Locale, in.ShuffleQuestions, in.ShuffleOptions, storedTime(in.Window.OpensAt),
		storedTime(in.Window.ClosesAt), len(in.Definition.Stages), in.Definition.QuestionCount(),
		rules.RoundPoints(in.Definition.MaxPoints()), encoded, now, now, cmp.Or(in.RepeatRule, rules.RepeatAllowed),
		in.RepeatAfterDays, in.OriginID, in.Grading.Graders, in.Grading.Blind, in.Grading.MaxDifferencePercent,
		in.Grading.PromisedHours, scope.OrganizationID); err != nil {
		return nil, err
	}
	if err := c.saveUses(ctx, scope, &Assessment{}, in.texts(id), false); err != nil {
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
	Instructions     Change[string]
	ClosingMessage   Change[string]
	InviteMessage    Change[string]
	RemindAfterHours []int // nil: not changed
	Locale           Change[string]
	ShuffleQuestions *bool
	ShuffleOptions   *bool
	OpensAt          Change[time.Time]
	ClosesAt         Change[time.Time]
	RepeatRule       *rules.RepeatRule
	RepeatAfterDays  *int
	Grading          GradingChange
	Definition       *rules.Definition // replaces all stages

	// IfMatch are the permitted revisions of the assessment. Nil permits all.
	IfMatch []string
}

// UpdateAssessment changes a draft, or the texts and times of a published
// assessment. Refusals: not_found, invalid_request, assessment_not_draft with each
// field that differs and is frozen, assessment_incomplete, assessment_changed,
// definition_quota_exceeded.
func (s *Store) UpdateAssessment(
	ctx context.Context, scope Scope, id string, change AssessmentChange,
) (*Assessment, error) {
	content := change.content(scope)
	if err := s.read().withPictures(ctx, content); err != nil {
		return nil, err
	}
	if _, err := s.renderTexts(ctx, content); err != nil { // not in the transaction
		return nil, err
	}
	return s.changeAssessment(ctx, scope, id, rules.VerbEdit, func(c conn, a *Assessment) error {
		if change.IfMatch != nil && !slices.Contains(change.IfMatch, a.Revision()) {
			return errAssessmentChanged
		}
		definition := a.Definition
		if change.Definition != nil {
			if faults := rules.CompleteIDs(change.Definition, definition, s.NewID); len(faults) > 0 {
				return errInvalid.with(faults...)
			}
			definition = *change.Definition
			if a.Status == rules.AssessmentDraft {
				var err error
				if definition, err = c.include(ctx, scope, definition); err != nil {
					return err
				}
			}
			definition.Formulas = a.Definition.Formulas
		}
		if err := change.check(a, definition); err != nil {
			return err
		}
		if err := c.changePictures(ctx, scope, a, change.texts(a, definition)); err != nil {
			return err
		}
		faults, err := s.newFormulaFaults(ctx, a, change.texts(a, definition))
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return errAssessmentIncomplete.with(faults...)
		}
		encoded, err := definition.Encode()
		if err != nil {
			return err
		}
		if growth := len(encoded) - len(a.Encoded); growth > 0 {
			if err := c.requireRoom(ctx, scope, Usage{DefinitionBytes: int64(growth)}); err != nil {
				return err
			}
		}
		_, err = c.Exec(ctx, `
			UPDATE assessments SET title = COALESCE(?, title),
				description = CASE WHEN ? THEN ? ELSE description END,
				passing_score = CASE WHEN ? THEN ? ELSE passing_score END,
				time_limit_minutes = CASE WHEN ? THEN ? ELSE time_limit_minutes END,
				invite_expiry_days = COALESCE(?, invite_expiry_days),
				redirect_url = CASE WHEN ? THEN ? ELSE redirect_url END,
				instructions = CASE WHEN ? THEN ? ELSE instructions END,
				closing_message = CASE WHEN ? THEN ? ELSE closing_message END,
				invite_message = CASE WHEN ? THEN ? ELSE invite_message END,
				remind_after_hours = COALESCE(?, remind_after_hours),
				locale = CASE WHEN ? THEN ? ELSE locale END,
				shuffle_questions = COALESCE(?, shuffle_questions), shuffle_options = COALESCE(?, shuffle_options),
				opens_at = CASE WHEN ? THEN ? ELSE opens_at END,
				closes_at = CASE WHEN ? THEN ? ELSE closes_at END,
				repeat_rule = COALESCE(?, repeat_rule), repeat_after_days = COALESCE(?, repeat_after_days),
				graders = COALESCE(?, graders), blind_grading = COALESCE(?, blind_grading),
				max_difference_percent = COALESCE(?, max_difference_percent), promised_hours = COALESCE(?, promised_hours),
				stage_count = ?, question_count = ?, max_points = ?, definition = ?, updated_at = ?, version = version + 1
			WHERE organization_id = ? AND id = ?`,
			change.Title, change.Description.Set, change.Description.Value, change.PassingScore.Set, change.PassingScore.Value,
			change.TimeLimitMinutes.Set, change.TimeLimitMinutes.Value, change.InviteExpiryDays,
			change.RedirectURL.Set, change.RedirectURL.Value, change.Instructions.Set, change.Instructions.Value,
			change.ClosingMessage.Set, change.ClosingMessage.Value, change.InviteMessage.Set, change.InviteMessage.Value,
			newHours(change.RemindAfterHours), change.Locale.Set, change.Locale.Value,
			change.ShuffleQuestions, change.ShuffleOptions, change.OpensAt.Set, storedTime(change.OpensAt.Value),
			change.ClosesAt.Set, storedTime(change.ClosesAt.Value), change.RepeatRule, change.RepeatAfterDays,
			change.Grading.Graders, change.Grading.Blind, change.Grading.MaxDifferencePercent, change.Grading.PromisedHours,
			len(definition.Stages), definition.QuestionCount(), rules.RoundPoints(definition.MaxPoints()), encoded, s.Now(),
			scope.OrganizationID, id)
		if err != nil {
			return err
		}
		if err := c.replaceUses(ctx, scope, id, a.Definition, definition); err != nil {
			return err
		}
		if change.movesWindow(a) {
			if err := c.checkReminders(ctx, scope, id); err != nil {
				return err
			}
		}
		return c.auditEdit(ctx, scope, id, change.changes(a, encoded))
	})
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
		if err != nil {
			return err
		}
		changed, err = c.counted(ctx, scope, changed)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.rendered(ctx, changed)
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
