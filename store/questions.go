package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"assay/store/rules"
)

// BankQuestion is one row of questions.
type BankQuestion struct {
	ID             string             `db:"id"`
	OrganizationID string             `db:"organization_id"`
	Version        int                `db:"version"`  // of the content
	Row            int                `db:"revision"` // see Revision
	Type           rules.QuestionType `db:"type"`
	Prompt         string             `db:"prompt"`
	Points         float64            `db:"points"`
	TagList        string             `db:"tags"` // JSON; see Tags
	UsedIn         int                `db:"used_in"`
	CreatedAt      Time               `db:"created_at"`
	UpdatedAt      Time               `db:"updated_at"`
	ArchivedAt     *Time              `db:"archived_at"`

	// Lists leave the following fields empty.
	Encoded string         `db:"content"`
	Bytes   int            `db:"bytes"` // of all kept versions
	Content rules.Question `db:"-"`     // its id is that of the question of the bank

	Texts *Assessment `db:"-" json:"-"` // of Content; see Store.HTML
}

const (
	maxQuestionTags     = 20
	maxQuestionVersions = 20 // kept of one question; published assessments have copies
)

// Tags are the tags in the order of their author.
func (q BankQuestion) Tags() []string {
	tags := []string{}
	_ = json.Unmarshal([]byte(q.TagList), &tags) // the store wrote it
	return tags
}

// Revision is the question's state for comparisons: a change of content, tags, or archivedAt changes it.
func (q BankQuestion) Revision() string { return strconv.Itoa(q.Row) }

const (
	bankSummaryColumns = `id, organization_id, version, revision, type, prompt, points, tags, created_at, updated_at,
		archived_at, (SELECT COUNT(*) FROM question_uses u WHERE u.question_id = questions.id) AS used_in`
	bankSummaryQuery = `SELECT ` + bankSummaryColumns + ` FROM questions`
	bankQuery        = `SELECT ` + bankSummaryColumns + `, content, bytes FROM questions
		WHERE organization_id = ? AND id = ?`
)

// bankQuestion reads a question with its content.
func (c conn) bankQuestion(ctx context.Context, scope Scope, id, locking string) (*BankQuestion, error) {
	var q BankQuestion
	if err := c.Get(ctx, &q, bankQuery+locking, scope.OrganizationID, id); err != nil {
		return nil, orRefuse(err, errNoBankQuestion)
	}
	if err := json.Unmarshal([]byte(q.Encoded), &q.Content); err != nil {
		return nil, err
	}
	q.Content.ID = q.ID
	return &q, nil
}

// RetrieveQuestion returns a question of the bank. Refusal: not_found.
func (s *Store) RetrieveQuestion(ctx context.Context, scope Scope, id string) (*BankQuestion, error) {
	q, err := s.read().bankQuestion(ctx, scope, id, "")
	if err != nil {
		return nil, err
	}
	return s.withTexts(ctx, q)
}

// withTexts returns the question with its texts as HTML. It is called after the transaction, as rendered is.
func (s *Store) withTexts(ctx context.Context, q *BankQuestion) (_ *BankQuestion, err error) {
	q.Texts, err = s.bankTexts(ctx, q.OrganizationID, q.Content)
	return q, err
}

// bankTexts returns what HTML needs for the texts of questions of the bank. They are shown as in a draft: with
// formulas, and with the pictures of the organization.
func (s *Store) bankTexts(
	ctx context.Context, organizationID string, questions ...rules.Question,
) (*Assessment, error) {
	return s.rendered(ctx, &Assessment{
		OrganizationID: organizationID, Status: rules.AssessmentDraft,
		Definition: rules.Definition{Stages: []rules.Stage{{Questions: questions}}},
	})
}

// NewBankQuestion is the input of CreateQuestion.
type NewBankQuestion struct {
	Content rules.Question
	Tags    []string
}

// CreateQuestion adds a question to the bank. Refusals: invalid_request, question_quota_exceeded,
// definition_quota_exceeded.
func (s *Store) CreateQuestion(ctx context.Context, scope Scope, in NewBankQuestion) (*BankQuestion, error) {
	content, tags, err := in.checked("")
	if err != nil {
		return nil, err
	}
	encoded, err := encodeContent(content)
	if err != nil {
		return nil, err
	}
	var created *BankQuestion
	err = once(ctx, s, scope, &created, func(c conn) error {
		added := Usage{Questions: 1, DefinitionBytes: int64(2 * len(encoded))} // the newest version is stored twice
		if err := c.requireRoom(ctx, scope, added); err != nil {
			return err
		}
		id, now := s.NewID("qbk"), s.Now()
		if _, err := c.Exec(ctx, `
			INSERT INTO questions (id, organization_id, version, revision, type, prompt, points, content, tags, bytes,
				created_at, updated_at)
			VALUES (?, ?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?)`, id, scope.OrganizationID, content.Type, content.Prompt,
			content.Points, encoded, tags.encoded(), added.DefinitionBytes, now, now); err != nil {
			return err
		}
		if err := c.insertVersion(ctx, scope, id, 1, encoded); err != nil {
			return err
		}
		if err := c.replaceQuestionTags(ctx, scope, id, tags, false); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditQuestionCreated, id); err != nil {
			return err
		}
		created, err = c.bankQuestion(ctx, scope, id, "")
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.withTexts(ctx, created)
}

// checked returns the content and the tags as they are stored. id is that of the question, or "".
func (in NewBankQuestion) checked(id string) (rules.Question, questionTags, error) {
	var faults []rules.Fault
	if in.Content.ID != "" && in.Content.ID != id {
		faults = append(faults, fault("/question/id", "unknown_id", "is not the id of the question; leave it out"))
	}
	if in.Content.BankQuestionID != nil && *in.Content.BankQuestionID != "" {
		faults = append(faults, fault("/question/bankQuestionId", "unknown_id", "must be absent: the bank has no copies"))
	}
	content, contentFaults := rules.BankContent(in.Content)
	tags, tagFaults := newQuestionTags(in.Tags)
	if faults = slices.Concat(faults, contentFaults, tagFaults); len(faults) > 0 {
		return content, tags, errInvalid.with(faults...)
	}
	return content, tags, nil
}

func encodeContent(content rules.Question) (string, error) {
	encoded, err := json.Marshal(content)
	return string(encoded), err
}

func (c conn) insertVersion(ctx context.Context, scope Scope, id string, version int, content string) error {
	_, err := c.Exec(ctx, `
		INSERT INTO question_versions (question_id, version, organization_id, content, created_at) VALUES (?, ?, ?, ?, ?)`,
		id, version, scope.OrganizationID, content, c.store.Now())
	return err
}

// BankQuestionVersion is one version of a question of the bank.
type BankQuestionVersion struct {
	Version   int            `db:"version"`
	Encoded   string         `db:"content"`
	CreatedAt Time           `db:"created_at"`
	Content   rules.Question `db:"-"`
}

// ListQuestionVersions returns the kept versions of a question, the newest first, with what HTML needs for their texts.
// Refusal: not_found.
func (s *Store) ListQuestionVersions(
	ctx context.Context, scope Scope, id string,
) (versions []BankQuestionVersion, texts *Assessment, err error) {
	c := s.read()
	if err := c.requireBankQuestion(ctx, scope, id); err != nil {
		return nil, nil, err
	}
	if err := c.List(ctx, &versions, `
		SELECT version, content, created_at FROM question_versions WHERE organization_id = ? AND question_id = ?
		ORDER BY version DESC LIMIT ?`, scope.OrganizationID, id, maxQuestionVersions); err != nil {
		return nil, nil, err
	}
	contents := make([]rules.Question, len(versions))
	for i := range versions {
		if err := json.Unmarshal([]byte(versions[i].Encoded), &versions[i].Content); err != nil {
			return nil, nil, err
		}
		versions[i].Content.ID = id
		contents[i] = versions[i].Content
	}
	texts, err = s.bankTexts(ctx, scope.OrganizationID, contents...)
	return versions, texts, err
}

func (c conn) requireBankQuestion(ctx context.Context, scope Scope, id string) error {
	var found string
	return orRefuse(c.Get(ctx, &found, `SELECT id FROM questions WHERE organization_id = ? AND id = ?`,
		scope.OrganizationID, id), errNoBankQuestion)
}

// DeleteQuestion removes a question that no assessment has. Refusals: not_found, question_in_use.
func (s *Store) DeleteQuestion(ctx context.Context, scope Scope, id string) error {
	return s.write(ctx, func(c conn) error {
		// A transaction that puts the question into an assessment holds a shared lock of it.
		q, err := c.bankQuestion(ctx, scope, id, s.db.ForUpdate)
		if err != nil {
			return err
		}
		if q.UsedIn > 0 {
			return errQuestionInUse
		}
		var uses int
		if err := c.Get(ctx, &uses, `SELECT COUNT(*) FROM question_uses WHERE question_id = ?`, id); err != nil {
			return err
		}
		if uses > 0 { // added while this transaction waited for its lock
			return errQuestionInUse
		}
		for _, statement := range []string{
			`DELETE FROM question_versions WHERE organization_id = ? AND question_id = ?`,
			`DELETE FROM question_tags WHERE organization_id = ? AND question_id = ?`,
			`DELETE FROM questions WHERE organization_id = ? AND id = ?`,
		} {
			if _, err := c.Exec(ctx, statement, scope.OrganizationID, id); err != nil {
				return err
			}
		}
		return c.audit(ctx, scope, AuditQuestionDeleted, id)
	})
}
