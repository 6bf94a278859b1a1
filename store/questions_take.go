package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"assay/store/rules"
)

// maxTakenBytes bounds a definition with content of the bank, so that a client can send it back: it is the limit of a
// body.
const maxTakenBytes = 1 << 20

// include gives each question of a draft that is a copy of the bank's the newest content. Refusal: invalid_request for
// one that the bank does not have.
func (c conn) include(ctx context.Context, scope Scope, d rules.Definition) (rules.Definition, error) {
	ids := d.Included()
	if len(ids) == 0 {
		return d, nil
	}
	bank, err := c.fromBank(ctx, scope, ids)
	if err != nil {
		return d, err
	}
	included, faults := d.Include(bank)
	if len(faults) == 0 {
		if faults, err = takenFaults(included); err != nil {
			return d, err
		}
	}
	if len(faults) > 0 {
		return d, errInvalid.with(faults...)
	}
	return included, nil
}

func takenFaults(d rules.Definition) ([]rules.Fault, error) {
	encoded, err := d.Encode()
	if err != nil || len(encoded) <= maxTakenBytes {
		return nil, err
	}
	return []rules.Fault{fault("/stages", "too_long", "must not take more than 1 MiB with the content from the bank")}, nil
}

// fromBank reads questions of the bank by id. A transaction keeps them: none is deleted or changed until its end.
func (c conn) fromBank(ctx context.Context, scope Scope, ids []string) (map[string]rules.BankQuestion, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	locking := ""
	if c.InTransaction() {
		locking = c.store.db.ForShare
	}
	var rows []struct {
		ID         string `db:"id"`
		Version    int    `db:"version"`
		Content    string `db:"content"`
		ArchivedAt *Time  `db:"archived_at"`
	}
	if err := c.List(ctx, &rows, `
		SELECT id, version, content, archived_at FROM questions WHERE organization_id = ? AND `+
		c.store.db.IsOneOf("id")+` ORDER BY id`+locking, scope.OrganizationID, string(encoded)); err != nil {
		return nil, err
	}
	bank := make(map[string]rules.BankQuestion, len(rows))
	for _, row := range rows {
		found := rules.BankQuestion{ID: row.ID, Version: row.Version, Archived: row.ArchivedAt != nil}
		if err := json.Unmarshal([]byte(row.Content), &found.Content); err != nil {
			return nil, err
		}
		bank[row.ID] = found
	}
	return bank, nil
}

// publishable returns the definition that publishing stores, and everything that prevents it: a draft with the newest
// content of the bank, and with all questions of its pools. Any other assessment stays as it is.
func (c conn) publishable(ctx context.Context, scope Scope, a *Assessment) (rules.Definition, []rules.Fault, error) {
	if a.Status != rules.AssessmentDraft || !a.Definition.HasBankContent() {
		faults, err := c.missingForPublish(ctx, a)
		return a.Definition, faults, err
	}
	tagged, err := c.taggedQuestions(ctx, scope, a.Definition.Tags())
	if err != nil {
		return a.Definition, nil, err
	}
	matches, faults := a.Definition.Matches(tagged, TagKey)
	if len(faults) > 0 {
		matches = make([][]string, len(matches)) // the content could be large
	}
	bank, err := c.fromBank(ctx, scope, slices.Concat(append(matches, a.Definition.Included())...))
	if err != nil {
		return a.Definition, nil, err
	}
	included, unknown := a.Definition.Include(bank)
	missing, err := c.missingForPublish(ctx, a.with(included))
	if err != nil {
		return a.Definition, nil, err
	}
	faults = slices.Concat(missing, unknown, included.ArchivedFaults(bank), faults)
	filled, poolFaults := included.Fill(matches, bank, c.store.NewID)
	if faults = append(faults, poolFaults...); len(faults) == 0 {
		faults, err = takenFaults(filled)
	}
	if len(faults) == 0 && err == nil { // questions of pools have texts, too
		faults, err = c.textFaults(ctx, a.with(filled))
		faults = filled.AtPools(faults)
	}
	return filled, faults[:min(len(faults), rules.MaxFaults)], err
}

// taggedQuestions returns the keys of tags of the questions that have some of the tags and are not archived.
func (c conn) taggedQuestions(
	ctx context.Context, scope Scope, tags []string,
) (map[string]map[string]bool, error) {
	tagged := map[string]map[string]bool{}
	if len(tags) == 0 {
		return tagged, nil
	}
	keys := make([]string, len(tags))
	for i, tag := range tags {
		keys[i] = TagKey(tag)
	}
	slices.Sort(keys)
	encoded, err := json.Marshal(slices.Compact(keys))
	if err != nil {
		return nil, err
	}
	rows, err := c.Rows(ctx, `SELECT question_id, key FROM question_tags WHERE organization_id = ? AND `+
		c.store.db.IsOneOf("key")+` AND NOT archived`, scope.OrganizationID, string(encoded))
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var id, key string
		if err := rows.Scan(&id, &key); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		if tagged[id] == nil {
			tagged[id] = map[string]bool{}
		}
		tagged[id][key] = true
	}
	return tagged, errors.Join(rows.Err(), rows.Close())
}

// replaceUses writes which questions of the bank an assessment has. before is its definition until now.
func (c conn) replaceUses(ctx context.Context, scope Scope, assessmentID string, before, after rules.Definition) error {
	had, has := before.Copies(), after.Copies()
	if slices.Equal(had, has) {
		return nil
	}
	if len(had) > 0 {
		if _, err := c.Exec(ctx, `DELETE FROM question_uses WHERE organization_id = ? AND assessment_id = ?`,
			scope.OrganizationID, assessmentID); err != nil {
			return err
		}
	}
	encoded, err := json.Marshal(has)
	if err != nil || len(has) == 0 {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO question_uses (question_id, assessment_id, organization_id)
		SELECT id, ?, organization_id FROM questions WHERE organization_id = ? AND `+c.store.db.IsOneOf("id"),
		assessmentID, scope.OrganizationID, string(encoded))
	return err
}
