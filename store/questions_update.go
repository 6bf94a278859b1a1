package store

import (
	"context"
	"slices"
	"time"

	"assay/store/rules"
)

// BankQuestionChange is the input of UpdateQuestion. A nil field does not change.
type BankQuestionChange struct {
	Content  *rules.Question
	Tags     []string // nil: not changed
	Archived *bool

	// IfMatch are the permitted revisions of the question. Nil permits all.
	IfMatch []string
}

// UpdateQuestion changes a question of the bank. Other content is the next version. Refusals: not_found,
// question_changed, invalid_request, definition_quota_exceeded.
func (s *Store) UpdateQuestion(
	ctx context.Context, scope Scope, id string, change BankQuestionChange,
) (*BankQuestion, error) {
	var changed *BankQuestion
	err := s.write(ctx, func(c conn) error {
		before, err := c.bankQuestion(ctx, scope, id, s.db.ForNoKeyUpdate)
		if err != nil {
			return err
		}
		if change.IfMatch != nil && !slices.Contains(change.IfMatch, before.Revision()) {
			return errQuestionChanged
		}
		after, tags, err := change.applied(*before, s.Now())
		if err != nil {
			return err
		}
		if after.Encoded != before.Encoded {
			if err := c.addVersion(ctx, scope, &after); err != nil {
				return err
			}
		}
		if after.Encoded == before.Encoded && after.TagList == before.TagList &&
			(after.ArchivedAt == nil) == (before.ArchivedAt == nil) {
			changed = before
			return nil
		}
		if err := c.saveBankQuestion(ctx, scope, *before, after, tags); err != nil {
			return err
		}
		changed, err = c.bankQuestion(ctx, scope, id, "")
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.withTexts(ctx, changed)
}

// applied returns the question with the change, without its next version.
func (change BankQuestionChange) applied(before BankQuestion, now time.Time) (BankQuestion, questionTags, error) {
	in := NewBankQuestion{Content: before.Content, Tags: before.Tags()}
	if change.Content != nil {
		in.Content = *change.Content
		in.Content.KeepOmitted(before.Content)
	}
	if change.Tags != nil {
		in.Tags = change.Tags
	}
	after := before
	content, tags, err := in.checked(before.ID)
	if err != nil {
		return after, tags, err
	}
	if after.Encoded, err = encodeContent(content); err != nil {
		return after, tags, err
	}
	after.TagList = tags.encoded()
	after.Type, after.Prompt, after.Points = content.Type, content.Prompt, content.Points
	if change.Archived != nil && *change.Archived != (before.ArchivedAt != nil) {
		after.ArchivedAt = nil
		if *change.Archived {
			after.ArchivedAt = &Time{now}
		}
	}
	return after, tags, nil
}

// addVersion stores the content as the next version, and removes the oldest one above the limit.
func (c conn) addVersion(ctx context.Context, scope Scope, q *BankQuestion) error {
	q.Version++
	var kept int
	if err := c.Get(ctx, &kept, `
		SELECT COALESCE(SUM(LENGTH(content)), 0) FROM question_versions
		WHERE organization_id = ? AND question_id = ? AND version > ?`,
		scope.OrganizationID, q.ID, q.Version-maxQuestionVersions); err != nil {
		return err
	}
	bytes := kept + 2*len(q.Encoded)
	if growth := bytes - q.Bytes; growth > 0 {
		if err := c.requireRoom(ctx, scope, Usage{DefinitionBytes: int64(growth)}); err != nil {
			return err
		}
	}
	q.Bytes = bytes
	if _, err := c.Exec(ctx, `
		DELETE FROM question_versions WHERE organization_id = ? AND question_id = ? AND version <= ?`,
		scope.OrganizationID, q.ID, q.Version-maxQuestionVersions); err != nil {
		return err
	}
	return c.insertVersion(ctx, scope, q.ID, q.Version, q.Encoded)
}

func (c conn) saveBankQuestion(ctx context.Context, scope Scope, before, after BankQuestion, tags questionTags) error {
	if _, err := c.Exec(ctx, `
		UPDATE questions SET version = ?, revision = revision + 1, type = ?, prompt = ?, points = ?, content = ?, tags = ?,
			bytes = ?, updated_at = ?, archived_at = ?
		WHERE organization_id = ? AND id = ?`,
		after.Version, after.Type, after.Prompt, after.Points, after.Encoded, after.TagList, after.Bytes, c.store.Now(),
		timePtr(after.ArchivedAt), scope.OrganizationID, after.ID); err != nil {
		return err
	}
	if err := c.replaceQuestionTags(ctx, scope, after.ID, tags, after.ArchivedAt != nil); err != nil {
		return err
	}
	if (before.ArchivedAt == nil) != (after.ArchivedAt == nil) {
		action := AuditQuestionRestored
		if after.ArchivedAt != nil {
			action = AuditQuestionArchived
		}
		if err := c.audit(ctx, scope, action, after.ID); err != nil {
			return err
		}
	}
	var changes auditChanges
	changes.compare("question", before.Encoded, after.Encoded)
	changes.compare("tags", before.TagList, after.TagList)
	if len(changes) == 0 {
		return nil
	}
	return c.audit(ctx, scope, AuditQuestionUpdated, after.ID, changes...)
}
