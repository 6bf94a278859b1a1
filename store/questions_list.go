package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"assay/store/rules"
)

// BankFilter narrows ListQuestions. Tags must all be there.
type BankFilter struct {
	PromptContains string
	Tags           []string
	Archived       bool
}

// maxPromptsExamined bounds the prompts that a page compares with a text: each can have 10,000 characters.
const maxPromptsExamined = 1_000

// ListQuestions returns a page of the bank, newest first, and the id after which the next page begins: "" on the last
// page. With a text, a page can be short and have a next one.
func (s *Store) ListQuestions(
	ctx context.Context, scope Scope, in BankFilter, page Page,
) (questions []BankQuestion, next string, err error) {
	c, where := s.read(), filterOf(scope, page)
	where.and(map[bool]string{false: "archived_at IS NULL", true: "archived_at IS NOT NULL"}[in.Archived])
	for _, tag := range in.Tags {
		where.and(`id IN (SELECT question_id FROM question_tags WHERE organization_id = ? AND key = ?)`,
			scope.OrganizationID, TagKey(tag))
	}
	examined := ""
	if in.PromptContains != "" {
		var found string
		if found, examined, err = c.prompted(ctx, where, in.PromptContains, page); err != nil {
			return nil, "", err
		}
		where.and(s.db.IsOneOf("id"), found)
	}
	query, args := where.newestFirst(bankSummaryQuery, page)
	if err := c.List(ctx, &questions, query, args...); err != nil {
		return nil, "", err
	}
	questions, next = pageEnd(questions, page.Limit, examined, func(q BankQuestion) string { return q.ID })
	return questions, next, nil
}

// prompted returns the ids of the first questions of a list whose prompts contain a text, as a JSON array of one id
// more than the page has. last is that of the last examined question, or "" if there are no others. Neither
// database has the form in which texts are compared.
func (c conn) prompted(ctx context.Context, where *filter, text string, page Page) (found, last string, err error) {
	rows, err := c.Rows(ctx, `SELECT id, prompt FROM questions`+where.sql.String()+` ORDER BY id DESC LIMIT `+
		strconv.Itoa(maxPromptsExamined), where.args...)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = rows.Close() }()
	ids, wanted, examined := []string{}, rules.NormalText(text, false), 0
	for len(ids) <= page.Limit && rows.Next() {
		var prompt string
		if err := rows.Scan(&last, &prompt); err != nil {
			return "", "", err
		}
		examined++
		if strings.Contains(rules.NormalText(prompt, false), wanted) {
			ids = append(ids, last)
		}
	}
	if err := rows.Err(); err != nil {
		return "", "", err
	}
	if examined < maxPromptsExamined {
		last = ""
	}
	encoded, err := json.Marshal(ids)
	return string(encoded), last, err
}

// questionTags are tags without repetitions, with their keys.
type questionTags struct{ names, keys []string }

// newQuestionTags returns the tags as they are stored, in the order of the author.
func newQuestionTags(tags []string) (questionTags, []rules.Fault) {
	stored, seen := questionTags{names: []string{}}, map[string]bool{}
	var faults []rules.Fault
	for i, tag := range tags {
		key := TagKey(tag)
		if key == "" { // only invisible characters
			faults = append(faults, fault("/tags/"+strconv.Itoa(i), "invalid_format", "must not be blank"))
		}
		if !seen[key] {
			seen[key] = true
			stored.names, stored.keys = append(stored.names, rules.Label(tag)), append(stored.keys, key)
		}
	}
	return stored, faults
}

func (t questionTags) encoded() string {
	encoded, _ := json.Marshal(t.names) // texts
	return string(encoded)
}

// replaceQuestionTags writes the tags by which pools and lists find a locked question.
func (c conn) replaceQuestionTags(ctx context.Context, scope Scope, id string, tags questionTags, archived bool) error {
	if _, err := c.Exec(ctx, `DELETE FROM question_tags WHERE organization_id = ? AND question_id = ?`,
		scope.OrganizationID, id); err != nil {
		return err
	}
	for i, key := range tags.keys {
		if _, err := c.Exec(ctx, `
			INSERT INTO question_tags (organization_id, key, question_id, name, archived) VALUES (?, ?, ?, ?, ?)`,
			scope.OrganizationID, key, id, tags.names[i], archived); err != nil {
			return err
		}
	}
	return nil
}

// QuestionTag is a tag of the bank.
type QuestionTag struct {
	Name  string `db:"name"`
	Count int    `db:"questions"`
}

const maxBankTags = 1_000 // that are listed

// ListQuestionTags returns the tags of the questions that are not archived, in alphabetical order.
func (s *Store) ListQuestionTags(ctx context.Context, scope Scope) ([]QuestionTag, error) {
	var tags []QuestionTag
	err := s.read().List(ctx, &tags, `
		SELECT COUNT(*) AS questions, (SELECT n.name FROM question_tags n WHERE n.organization_id = ? AND n.key = t.key
				AND NOT n.archived ORDER BY n.question_id DESC LIMIT 1) AS name
		FROM question_tags t WHERE t.organization_id = ? AND NOT t.archived GROUP BY t.key ORDER BY t.key LIMIT ?`,
		scope.OrganizationID, scope.OrganizationID, maxBankTags)
	return tags, err
}
