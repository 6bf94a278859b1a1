package store

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/store/rules"
)

// DuplicateAssessment creates a draft with the same content, new ids, and a title with the next
// free number. The copy can be started at any time: opensAt and closesAt belong to one use of the content.
// Refusals: not_found, assessment_quota_exceeded, definition_quota_exceeded.
func (s *Store) DuplicateAssessment(ctx context.Context, scope Scope, id string) (*Assessment, error) {
	var created *Assessment
	err := once(ctx, s, scope, &created, func(c conn) error {
		// Of two copies at once, each gets its own number.
		a, err := c.lockAssessment(ctx, scope, id)
		if err != nil {
			return err
		}
		var titles []string
		if err := c.List(ctx, &titles, `
			SELECT title FROM assessments WHERE organization_id = ? AND id = ?
			UNION ALL SELECT title FROM assessments WHERE organization_id = ? AND origin_id = ?`,
			scope.OrganizationID, a.root(), scope.OrganizationID, a.root()); err != nil {
			return err
		}
		definition, err := a.Definition.WithFreshIDs(s.NewID)
		if err != nil {
			return err
		}
		created, err = c.insertAssessment(ctx, scope, NewAssessment{
			Title: titleOfCopy(a.Title, a.OriginID != nil, titles), Description: a.Description,
			PassingScore: a.PassingScore, TimeLimitMinutes: a.TimeLimitMinutes,
			InviteExpiryDays: &a.InviteExpiryDays, RedirectURL: a.RedirectURL,
			Instructions: a.Instructions, ClosingMessage: a.ClosingMessage, InviteMessage: a.InviteMessage,
			RemindAfterHours: a.RemindAfterHours, Locale: a.Locale,
			ShuffleQuestions: a.ShuffleQuestions, ShuffleOptions: a.ShuffleOptions, RepeatRule: a.RepeatRule,
			RepeatAfterDays: &a.RepeatAfterDays, OriginID: new(a.root()), Grading: a.change(),
			Definition: definition,
		})
		if err != nil {
			return err
		}
		if err := c.replaceUses(ctx, scope, created.ID, rules.Definition{}, definition); err != nil {
			return err
		}
		if err := c.copyEmailTexts(ctx, scope, id, created.ID); err != nil {
			return err
		}
		if err := c.copySelfIdentification(ctx, scope, id, created.ID); err != nil {
			return err
		}
		return c.audit(ctx, scope, AuditAssessmentDuplicated, created.ID)
	})
	if err != nil {
		return nil, err
	}
	return s.rendered(ctx, created)
}

// maxTitle is the limit of openapi.yaml for a title, in characters.
const maxTitle = 200

// numbered is the title of a copy. A year in parentheses is no number of a copy.
var numbered = regexp.MustCompile(`^(.*\S) \((\d{1,3})\)$`)

// titleOfCopy is the title with the next number that none of the titles has: "Line cook (2)".
// A copy of a copy continues
// its numbers. A title that would be too long is cut before its number. A blank title stays, because the author has
// not written one yet.
func titleOfCopy(title string, isCopy bool, titles []string) string {
	if strings.TrimSpace(title) == "" {
		return title
	}
	base, number := title, 1
	if found := numbered.FindStringSubmatch(title); isCopy && found != nil {
		base = found[1]
		number, _ = strconv.Atoi(found[2]) // at most three digits
	}
	for {
		number++
		suffix := " (" + strconv.Itoa(number) + ")"
		characters := []rune(base)
		if room := maxTitle - len(suffix); len(characters) > room {
			characters = characters[:room]
		}
		if next := strings.TrimRight(string(characters), " ") + suffix; !slices.Contains(titles, next) {
			return next
		}
	}
}
