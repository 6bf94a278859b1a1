package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/store/rules"
)

// SelfIdentification are the voluntary questions of an assessment.
type SelfIdentification struct {
	Questions []SelfIdentificationQuestion
	UpdatedAt *time.Time // nil if they were never changed
}

// SelfIdentificationQuestion is a voluntary question. A candidate chooses one option or none.
type SelfIdentificationQuestion struct {
	ID      string                     `json:"id"` // chosen by the organization
	Text    string                     `json:"text"`
	Options []SelfIdentificationOption `json:"options"`
}

// SelfIdentificationOption is an answer to a voluntary question.
type SelfIdentificationOption struct {
	ID   string `json:"id"` // chosen by the organization
	Text string `json:"text"`
}

// question returns the question with the id.
func (in SelfIdentification) question(id string) (SelfIdentificationQuestion, bool) {
	i := slices.IndexFunc(in.Questions, func(q SelfIdentificationQuestion) bool { return q.ID == id })
	if i < 0 {
		return SelfIdentificationQuestion{}, false
	}
	return in.Questions[i], true
}

// option returns the option with the id.
func (q SelfIdentificationQuestion) option(id string) (SelfIdentificationOption, bool) {
	i := slices.IndexFunc(q.Options, func(o SelfIdentificationOption) bool { return o.ID == id })
	if i < 0 {
		return SelfIdentificationOption{}, false
	}
	return q.Options[i], true
}

// faults names ids that are used twice.
func (in SelfIdentification) faults() []rules.Fault {
	var faults []rules.Fault
	check := func(pointer, id string, known map[string]bool) {
		if known[id] {
			faults = append(faults, fault(pointer+"/id", "duplicate", "is the id of an earlier item"))
		}
		known[id] = true
	}
	questions := map[string]bool{}
	for i, question := range in.Questions {
		at := fmt.Sprintf("/questions/%d", i)
		check(at, question.ID, questions)
		options := map[string]bool{}
		for j, option := range question.Options {
			check(fmt.Sprintf("%s/options/%d", at, j), option.ID, options)
		}
	}
	return faults
}

// RetrieveSelfIdentification returns the voluntary questions of an assessment. Refusal: not_found.
func (s *Store) RetrieveSelfIdentification(ctx context.Context, scope Scope, id string) (SelfIdentification, error) {
	c := s.read()
	if err := c.requireAssessment(ctx, scope, id, ""); err != nil {
		return SelfIdentification{}, err
	}
	return c.selfIdentification(ctx, scope, id)
}

// selfIdentification returns the voluntary questions of an assessment, which are none without a row.
func (c conn) selfIdentification(ctx context.Context, scope Scope, assessmentID string) (SelfIdentification, error) {
	var row struct {
		Questions string `db:"questions"`
		UpdatedAt Time   `db:"updated_at"`
	}
	err := c.Get(ctx, &row, `
		SELECT questions, updated_at FROM self_identifications WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	if errors.Is(err, sql.ErrNoRows) {
		return SelfIdentification{}, nil
	}
	if err != nil {
		return SelfIdentification{}, err
	}
	found := SelfIdentification{UpdatedAt: &row.UpdatedAt.Time}
	return found, json.Unmarshal([]byte(row.Questions), &found.Questions)
}

// ReplaceSelfIdentification sets the voluntary questions of an assessment in any status, because they do not belong to
// the content that publishing freezes. Refusals: not_found, invalid_request.
func (s *Store) ReplaceSelfIdentification(
	ctx context.Context, scope Scope, id string, questions []SelfIdentificationQuestion,
) (SelfIdentification, error) {
	in := SelfIdentification{Questions: questions}
	if faults := in.faults(); len(faults) > 0 {
		return SelfIdentification{}, errInvalid.with(faults...)
	}
	encoded, err := json.Marshal(questions)
	if err != nil {
		return SelfIdentification{}, err
	}
	var replaced SelfIdentification
	err = s.write(ctx, func(c conn) error {
		if err := c.requireAssessment(ctx, scope, id, s.db.ForNoKeyUpdate); err != nil {
			return err
		}
		var err error
		if replaced, err = c.selfIdentification(ctx, scope, id); err != nil {
			return err
		}
		before, err := json.Marshal(replaced.Questions)
		if err != nil || string(before) == string(encoded) {
			return err
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO self_identifications (assessment_id, organization_id, questions, updated_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (assessment_id) DO UPDATE SET questions = excluded.questions, updated_at = excluded.updated_at`,
			id, scope.OrganizationID, string(encoded), s.Now()); err != nil {
			return err
		}
		if replaced, err = c.selfIdentification(ctx, scope, id); err != nil {
			return err
		}
		return c.auditEdit(ctx, scope, id, []AuditChange{{Field: "selfIdentification"}})
	})
	return replaced, err
}

// copySelfIdentification gives a copy of an assessment its voluntary questions.
func (c conn) copySelfIdentification(ctx context.Context, scope Scope, fromID, toID string) error {
	_, err := c.Exec(ctx, `
		INSERT INTO self_identifications (assessment_id, organization_id, questions, updated_at)
		SELECT ?, organization_id, questions, updated_at FROM self_identifications
		WHERE organization_id = ? AND assessment_id = ?`, toID, scope.OrganizationID, fromID)
	return err
}

// deleteSelfIdentification removes the voluntary questions of a draft that is being deleted. A draft has no answers.
func (c conn) deleteSelfIdentification(ctx context.Context, scope Scope, assessmentID string) error {
	_, err := c.Exec(ctx, `DELETE FROM self_identifications WHERE organization_id = ? AND assessment_id = ?`,
		scope.OrganizationID, assessmentID)
	return err
}
