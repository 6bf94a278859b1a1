package store

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"assay/store/rules"
)

// AssessmentFilter narrows ListAssessments. A zero field does not narrow it.
type AssessmentFilter struct {
	Status        rules.AssessmentStatus
	TitleContains string // in the form of rules.NormalText
	UpdatedSince  *time.Time
}

// AssessmentSort is the order of a list of assessments. Assessments with the same
// value are in the order of their ids, which is the order in which they were created.
type AssessmentSort string

// The orders. A leading minus is descending. Titles are compared without regard to case.
const (
	AssessmentsByCreated     AssessmentSort = "createdAt"
	AssessmentsByCreatedDesc AssessmentSort = "-createdAt" // the zero value means this one
	AssessmentsByUpdated     AssessmentSort = "updatedAt"
	AssessmentsByUpdatedDesc AssessmentSort = "-updatedAt"
	AssessmentsByTitle       AssessmentSort = "title"
	AssessmentsByTitleDesc   AssessmentSort = "-title"
)

// AssessmentPage selects one page of a list of assessments.
type AssessmentPage struct {
	Limit int
	After string // Cursor of the last assessment of the previous page; "" for the first one
	Sort  AssessmentSort
}

// ListAssessments returns a page of assessments without their definitions, and
// whether there are more. Refusal: cursor_invalid.
func (s *Store) ListAssessments(
	ctx context.Context, scope Scope, in AssessmentFilter, page AssessmentPage,
) ([]Assessment, bool, error) {
	where := filterOf(scope, Page{})
	s.read().onlySeen(where, scope, "id")
	if in.Status != "" {
		where.and("status = ?", in.Status)
	}
	if in.UpdatedSince != nil {
		where.updatedSince(*in.UpdatedSince)
	}
	after, err := page.Sort.parseCursor(page.After)
	if err != nil {
		return nil, false, err
	}
	where.sql.WriteString(page.Sort.condition(page.After != ""))
	where.args = append(where.args, after...)
	if in.TitleContains != "" {
		titled, err := s.read().titled(ctx, where, in.TitleContains, page)
		if err != nil {
			return nil, false, err
		}
		where.and(s.db.IsOneOf("id"), titled)
	}
	query := countedColumns + where.sql.String() + page.Sort.order() + ` LIMIT ?`
	var assessments []Assessment
	if err := s.read().List(ctx, &assessments, query, append(where.args, page.Limit+1)...); err != nil {
		return nil, false, err
	}
	for i := range assessments {
		assessments[i].Counts = assessments[i].Counts.shown(scope)
	}
	assessments, more := cut(assessments, page.Limit)
	return assessments, more, nil
}

// titled returns the ids of the first assessments of a list whose titles contain a text, as
// a JSON array of one id more than the page has. Neither database has the form in which titles are compared, so
// it reads the titles of all. An organization has some thousands at most.
func (c conn) titled(ctx context.Context, where *filter, text string, page AssessmentPage) (string, error) {
	var all []struct {
		ID    string `db:"id"`
		Title string `db:"title"`
	}
	err := c.List(ctx, &all, `SELECT id, title FROM assessments`+where.sql.String()+page.Sort.order(), where.args...)
	if err != nil {
		return "", err
	}
	ids, wanted := []string{}, rules.NormalText(text, false)
	for _, assessment := range all {
		if strings.Contains(rules.NormalText(assessment.Title, false), wanted) && len(ids) <= page.Limit {
			ids = append(ids, assessment.ID)
		}
	}
	encoded, err := json.Marshal(ids)
	return string(encoded), err
}

// countedColumns are assessmentColumns with the counts of sessions.
const countedColumns = `SELECT ` + assessmentColumnList + `,
	(SELECT s.session_counts FROM assessment_statistics s WHERE s.assessment_id = assessments.id) AS session_counts
	FROM assessments`

// counted returns the assessment with the counts of its sessions. It does not change
// the argument, which can be in the cache.
func (c conn) counted(ctx context.Context, scope Scope, a *Assessment) (*Assessment, error) {
	with := *a
	err := c.Get(ctx, &with.Counts, `
		SELECT (SELECT session_counts FROM assessment_statistics WHERE organization_id = ? AND assessment_id = ?)`,
		scope.OrganizationID, a.ID)
	with.Counts = with.Counts.shown(scope)
	return &with, err
}

// ListPublicAssessments returns a page of published assessments without their
// definitions, newest first, and whether there are more.
func (s *Store) ListPublicAssessments(ctx context.Context, scope Scope, page Page) ([]Assessment, bool, error) {
	where := filterOf(scope, page)
	where.and("status = ?", rules.AssessmentPublished)
	query, args := where.newestFirst(assessmentColumns, page)
	var assessments []Assessment
	if err := s.read().List(ctx, &assessments, query, args...); err != nil {
		return nil, false, err
	}
	assessments, more := cut(assessments, page.Limit)
	return assessments, more, nil
}

// order is the ORDER BY clause of a list.
func (sort AssessmentSort) order() string {
	switch sort {
	case AssessmentsByCreated:
		return ` ORDER BY id`
	case AssessmentsByUpdated:
		return ` ORDER BY updated_at, id`
	case AssessmentsByUpdatedDesc:
		return ` ORDER BY updated_at DESC, id DESC`
	case AssessmentsByTitle:
		return ` ORDER BY lower(title), id`
	case AssessmentsByTitleDesc:
		return ` ORDER BY lower(title) DESC, id DESC`
	default:
		return ` ORDER BY id DESC`
	}
}

// condition selects what follows a cursor, whose values are its arguments.
func (sort AssessmentSort) condition(hasCursor bool) string {
	switch {
	case !hasCursor:
		return ""
	case sort == AssessmentsByCreated:
		return ` AND id > ?`
	case sort == AssessmentsByUpdated:
		return ` AND (updated_at, id) > (?, ?)`
	case sort == AssessmentsByUpdatedDesc:
		return ` AND (updated_at, id) < (?, ?)`
	case sort == AssessmentsByTitle:
		return ` AND (lower(title), id) > (lower(?), ?)`
	case sort == AssessmentsByTitleDesc:
		return ` AND (lower(title), id) < (lower(?), ?)`
	default:
		return ` AND id < ?`
	}
}

// Cursor is the cursor of an assessment in the order: see cursorOf.
func (sort AssessmentSort) Cursor(a Assessment) string {
	switch sort {
	case AssessmentsByUpdated, AssessmentsByUpdatedDesc:
		return encodeCursor(string(sort), a.UpdatedAt.Time, a.ID)
	case AssessmentsByTitle, AssessmentsByTitleDesc:
		return encodeCursor(string(sort), a.Title, a.ID)
	default:
		return a.ID
	}
}

// parseCursor returns the arguments of condition.
func (sort AssessmentSort) parseCursor(cursor string) ([]any, error) {
	value := assessmentCursorValue(string(sort))
	switch {
	case cursor == "":
		return nil, nil
	case value == nil:
		return []any{cursor}, nil
	}
	id := decodeCursor(cursor, string(sort), value)
	if id == "" {
		return nil, errCursorInvalid
	}
	if updatedAt, is := value.(*time.Time); is {
		return []any{updatedAt.UTC(), id}, nil
	}
	return []any{*value.(*string), id}, nil
}
