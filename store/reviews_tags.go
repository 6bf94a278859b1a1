package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/store/rules"
)

// ReviewTag is a tag that sessions of an organization have.
type ReviewTag struct {
	Key   string `db:"key"`  // see TagKey
	Name  string `db:"name"` // can contain personal data; exists as long as a session has it
	Count int    `db:"session_count"`
}

const (
	maxReviewTags       = 20  // of a session
	maxOrganizationTags = 200 // different ones
	maxTagChanges       = 200 // of a session in its timeline
)

// TagKey is the form in which tags are compared.
func TagKey(name string) string { return rules.NormalText(name, false) }

// Tags returns the tags of the session in alphabetical order.
func (cs CandidateSession) Tags() []string {
	if cs.ReviewTags == nil {
		return []string{}
	}
	tags := strings.Split(*cs.ReviewTags, ",") // which no tag contains
	slices.SortFunc(tags, func(a, b string) int { return cmp.Compare(TagKey(a), TagKey(b)) })
	return tags
}

func (cs CandidateSession) hasTag(keys []string) bool {
	return slices.ContainsFunc(cs.Tags(), func(tag string) bool { return slices.Contains(keys, TagKey(tag)) })
}

// ListReviewTags returns the tags of the sessions that the caller sees, in alphabetical order.
func (s *Store) ListReviewTags(ctx context.Context, scope Scope) ([]ReviewTag, error) {
	return s.read().reviewTags(ctx, scope)
}

// ListPublicReviewTags is ListReviewTags.
func (s *Store) ListPublicReviewTags(ctx context.Context, scope Scope) ([]ReviewTag, error) {
	return s.ListReviewTags(ctx, scope)
}

func (c conn) reviewTags(ctx context.Context, scope Scope) ([]ReviewTag, error) {
	var tags []ReviewTag
	if !scope.IsLimited() {
		err := c.List(ctx, &tags, `
			SELECT key, name, session_count FROM review_tags WHERE organization_id = ? AND assessment_id = ''
			ORDER BY key LIMIT ?`, scope.OrganizationID, maxOrganizationTags)
		return tags, err
	}
	err := c.List(ctx, &tags, `
		SELECT key, MIN(name) AS name, SUM(session_count) AS session_count FROM review_tags
		WHERE organization_id = ? AND `+c.store.db.IsOneOf("assessment_id")+` GROUP BY key ORDER BY key LIMIT ?`,
		scope.OrganizationID, scope.seen(), maxOrganizationTags)
	return tags, err
}

// isFull reports whether the organization has no place for the tags that no session has yet.
func (c conn) isFull(ctx context.Context, scope Scope, keys []string) (bool, error) {
	if len(keys) == 0 {
		return false, nil
	}
	encoded, _ := json.Marshal(keys) // texts
	var all, known int
	err := c.Row(ctx, []any{&all, &known}, `
		SELECT COUNT(*), COALESCE(SUM(CASE WHEN `+c.store.db.IsOneOf("key")+` THEN 1 ELSE 0 END), 0)
		FROM review_tags WHERE organization_id = ? AND assessment_id = ''`, string(encoded), scope.OrganizationID)
	return len(keys) > known && all+len(keys)-known > maxOrganizationTags, err
}

// TagsChange is the input of ChangeReviewTags. A tag in both lists is added.
type TagsChange struct{ Add, Remove []string }

// ChangeReviewTags adds tags to a session, removes others, and returns the review. Refusals: not_found,
// session_erased, too_many_tags, too_many_organization_tags, invalid_request.
func (s *Store) ChangeReviewTags(ctx context.Context, scope Scope, sessionID string, in TagsChange) (Review, error) {
	var review Review
	change, err := in.parse()
	if err != nil {
		return review, err
	}
	err = s.write(ctx, func(c conn) error {
		if err := c.lockTags(ctx, scope); err != nil {
			return err
		}
		session, err := c.reviewedSession(ctx, scope, sessionID)
		if err != nil {
			return err
		}
		if _, err := c.changeTags(ctx, scope, session, change); err != nil {
			return err
		}
		review, err = c.review(ctx, scope, sessionID)
		return err
	})
	return review, err
}

// ChangePublicReviewTags is ChangeReviewTags.
func (s *Store) ChangePublicReviewTags(
	ctx context.Context, scope Scope, sessionID string, in TagsChange,
) (Review, error) {
	return s.ChangeReviewTags(ctx, scope, sessionID, in)
}

// parsedTags is a TagsChange without repetitions. The keys of added tags have their names.
type parsedTags struct {
	names        map[string]string // by key
	added, taken []string          // keys, sorted
}

func (in TagsChange) parse() (parsedTags, error) {
	change := parsedTags{names: map[string]string{}}
	for list, tags := range map[string][]string{"/add/": in.Add, "/remove/": in.Remove} {
		for i, tag := range tags {
			key := TagKey(tag)
			if key == "" { // only invisible characters
				return change, errInvalid.with(fault(list+strconv.Itoa(i), "invalid_format", "must not be blank"))
			}
			if _, repeated := change.names[key]; list == "/add/" && !repeated {
				change.names[key], change.added = rules.Label(tag), append(change.added, key)
			}
		}
	}
	for _, tag := range in.Remove {
		if _, isAdded := change.names[TagKey(tag)]; !isAdded {
			change.taken = append(change.taken, TagKey(tag))
		}
	}
	slices.Sort(change.added)
	slices.Sort(change.taken)
	change.taken = slices.Compact(change.taken)
	return change, nil
}

// lockTags makes changes of an organization's tags wait for each other. So they never wait in a circle for the rows of
// tags, and the limit of the organization holds.
func (c conn) lockTags(ctx context.Context, scope Scope) error {
	var held string
	return c.Get(ctx, &held, `SELECT id FROM organizations WHERE id = ?`+c.store.db.ForNoKeyUpdate, scope.OrganizationID)
}

// changeTags changes the tags of a locked session, and reports whether anything changed. A refusal has written nothing.
func (c conn) changeTags(ctx context.Context, scope Scope, session CandidateSession, in parsedTags) (bool, error) {
	has := map[string]string{} // names by key
	for _, tag := range session.Tags() {
		has[TagKey(tag)] = tag
	}
	known, err := c.reviewTags(ctx, scope)
	if err != nil {
		return false, err
	}
	removed := slices.DeleteFunc(slices.Clone(in.taken), func(key string) bool { return has[key] == "" })
	added := slices.DeleteFunc(slices.Clone(in.added), func(key string) bool { return has[key] != "" })
	names := map[string]string{}
	for _, tag := range known { // not of what the caller does not see: the spelling would tell
		names[tag.Key] = tag.Name
	}
	isFull, err := c.isFull(ctx, scope, added)
	switch {
	case err != nil:
		return false, err
	case len(removed)+len(added) == 0:
		return false, nil
	case len(added) > 0 && len(has)-len(removed)+len(added) > maxReviewTags:
		return false, errTooManyTags
	case isFull:
		return false, errTooManyOrganizationTags
	}
	now := c.store.Now()
	for _, key := range removed {
		if err := c.removeTag(ctx, scope, session, key); err != nil {
			return false, err
		}
		if err := c.noteTag(ctx, scope, session.ID, has[key], false, now); err != nil {
			return false, err
		}
	}
	for _, key := range added {
		name := cmp.Or(names[key], in.names[key])
		if err := c.addTag(ctx, scope, session, key, name); err != nil {
			return false, err
		}
		if err := c.noteTag(ctx, scope, session.ID, name, true, now); err != nil {
			return false, err
		}
	}
	if err := c.touchSession(ctx, session, now); err != nil {
		return false, err
	}
	return true, c.audit(ctx, scope, AuditReviewTagsChanged, session.ID)
}

func (c conn) addTag(ctx context.Context, scope Scope, session CandidateSession, key, name string) error {
	if _, err := c.Exec(ctx, `
		INSERT INTO review_tags (organization_id, assessment_id, key, name, session_count)
		VALUES (?, '', ?, ?, 1), (?, ?, ?, ?, 1)
		ON CONFLICT (organization_id, assessment_id, key) DO UPDATE SET session_count = review_tags.session_count + 1`,
		scope.OrganizationID, key, name, scope.OrganizationID, session.AssessmentID, key, name); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		INSERT INTO review_session_tags (session_id, organization_id, assessment_id, tag_key, tag)
		VALUES (?, ?, ?, ?, ?)`, session.ID, scope.OrganizationID, session.AssessmentID, key, name)
	return err
}

func (c conn) removeTag(ctx context.Context, scope Scope, session CandidateSession, key string) error {
	if _, err := c.Exec(ctx, `
		DELETE FROM review_session_tags WHERE organization_id = ? AND session_id = ? AND tag_key = ?`,
		scope.OrganizationID, session.ID, key); err != nil {
		return err
	}
	return c.uncountTag(ctx, scope.OrganizationID, session.AssessmentID, key, 1)
}

// uncountTag notes that fewer sessions have a tag. Without any, the tag is deleted, because it can contain personal
// data.
func (c conn) uncountTag(ctx context.Context, organizationID, assessmentID, key string, sessions int) error {
	if _, err := c.Exec(ctx, `
		UPDATE review_tags SET session_count = session_count - ?
		WHERE organization_id = ? AND assessment_id IN ('', ?) AND key = ?`,
		sessions, organizationID, assessmentID, key); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `
		DELETE FROM review_tags WHERE organization_id = ? AND assessment_id IN ('', ?) AND key = ? AND session_count = 0`,
		organizationID, assessmentID, key)
	return err
}

// noteTag adds a row to the history of a session's tags.
func (c conn) noteTag(
	ctx context.Context, scope Scope, sessionID, tag string, isAdded bool, now time.Time,
) error {
	author := scope.author()
	_, err := c.Exec(ctx, `
		INSERT INTO review_tag_changes (id, organization_id, session_id, tag, added, actor_type, actor_id, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		c.store.NewID("rtg"), scope.OrganizationID, sessionID, tag, isAdded, author.Type, author.ActorID, now)
	return err
}

// tagTimeline are the newest additions and removals of tags of a session, oldest first.
func (c conn) tagTimeline(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	var changes []struct {
		Tag   string `db:"tag"`
		Added bool   `db:"added"`
		ReviewAuthor
		CreatedAt Time `db:"created_at"`
	}
	err := c.List(ctx, &changes, `
		SELECT a.tag, a.added, a.actor_type, a.actor_id, a.created_at, `+actorName+` AS actor_name
		FROM review_tag_changes a WHERE a.organization_id = ? AND a.session_id = ? ORDER BY a.id DESC LIMIT ?`,
		scope.OrganizationID, id, maxTagChanges)
	entries := make([]TimelineEntry, 0, len(changes))
	for _, change := range slices.Backward(changes) {
		entry := TimelineEntry{
			At: change.CreatedAt.Time, Type: TimelineTagRemoved, Actor: change.Type, ActorID: &change.ActorID,
			ActorName: change.Name, Tag: &change.Tag,
		}
		if change.Added {
			entry.Type = TimelineTagAdded
		}
		entries = append(entries, entry)
	}
	return entries, err
}

// eraseTags removes the tags of a session and their history.
func (c conn) eraseTags(ctx context.Context, scope Scope, id string, _ time.Time) error {
	if err := c.deleteTags(ctx, []string{id}); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `DELETE FROM review_tag_changes WHERE organization_id = ? AND session_id = ?`,
		scope.OrganizationID, id)
	return err
}

// deleteTags removes all tags of sessions, which the caller has read.
func (c conn) deleteTags(ctx context.Context, sessions []string) error {
	encoded, _ := json.Marshal(sessions) // text
	ofSession := c.store.db.IsOneOf("session_id")
	var counts []struct {
		OrganizationID string `db:"organization_id"`
		AssessmentID   string `db:"assessment_id"`
		Key            string `db:"tag_key"`
		Sessions       int    `db:"sessions"`
	}
	if err := c.List(ctx, &counts, `
		SELECT organization_id, assessment_id, tag_key, COUNT(*) AS sessions FROM review_session_tags WHERE `+ofSession+`
		GROUP BY organization_id, assessment_id, tag_key ORDER BY organization_id, assessment_id, tag_key`,
		string(encoded)); err != nil {
		return err
	}
	if len(counts) == 0 {
		return nil
	}
	if _, err := c.Exec(ctx, `DELETE FROM review_session_tags WHERE `+ofSession, string(encoded)); err != nil {
		return err
	}
	for _, count := range counts {
		if err := c.uncountTag(ctx, count.OrganizationID, count.AssessmentID, count.Key, count.Sessions); err != nil {
			return err
		}
	}
	return nil
}
