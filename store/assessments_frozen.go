package store

import (
	"context"
	"slices"
	"time"

	"assay/store/rules"
)

// check returns the refusal of a change, or nil. definition has the stages after the
// change. A published assessment stays complete, and its frozen fields can only be
// repeated, so that a client can send the whole assessment back.
func (change AssessmentChange) check(a *Assessment, definition rules.Definition) error {
	window := rules.Window{
		OpensAt: change.OpensAt.after(timePtr(a.OpensAt)), ClosesAt: change.ClosesAt.after(timePtr(a.ClosesAt)),
	}
	if faults := append(rules.LocaleFaults(change.Locale.Value), window.Faults()...); len(faults) > 0 {
		return errInvalid.with(faults...)
	}
	if a.Status == rules.AssessmentDraft {
		return nil
	}
	if faults := change.frozenFaults(a, definition); len(faults) > 0 {
		return errAssessmentFrozen.with(faults...)
	}
	title := a.Title
	if change.Title != nil {
		title = *change.Title
	}
	// What was missing already was published by an earlier version, and is frozen.
	known := rules.MissingForPublish(a.Title, a.Definition)
	missing := slices.DeleteFunc(rules.MissingForPublish(title, definition), func(fault rules.Fault) bool {
		return slices.Contains(known, fault)
	})
	if len(missing) > 0 {
		return errAssessmentIncomplete.with(missing...)
	}
	return nil
}

// texts is the assessment with its texts after the change.
func (change AssessmentChange) texts(a *Assessment, definition rules.Definition) *Assessment {
	return &Assessment{
		ID: a.ID, OrganizationID: a.OrganizationID, Status: a.Status, Definition: definition,
		Description: change.Description.after(a.Description), Instructions: change.Instructions.after(a.Instructions),
		ClosingMessage: change.ClosingMessage.after(a.ClosingMessage),
	}
}

// changePictures records the pictures of the texts. A published assessment gets no picture that could not be published.
func (c conn) changePictures(ctx context.Context, scope Scope, before, after *Assessment) error {
	if before.Status != rules.AssessmentDraft {
		known, err := c.pictureFaults(ctx, before)
		if err != nil {
			return err
		}
		missing, err := c.pictureFaults(ctx, after)
		if err != nil {
			return err
		}
		missing = slices.DeleteFunc(missing, func(fault rules.Fault) bool { return slices.Contains(known, fault) })
		if len(missing) > 0 {
			return errAssessmentIncomplete.with(missing...)
		}
	}
	return c.saveUses(ctx, scope, before, after, before.Status != rules.AssessmentDraft)
}

func (change AssessmentChange) frozenFaults(a *Assessment, definition rules.Definition) []rules.Fault {
	var faults []rules.Fault
	for _, field := range []struct {
		pointer string
		differs bool
	}{
		{"/passingScore", differ(change.PassingScore.after(a.PassingScore), a.PassingScore)},
		{"/timeLimitMinutes", differ(change.TimeLimitMinutes.after(a.TimeLimitMinutes), a.TimeLimitMinutes)},
		{"/shuffleQuestions", change.ShuffleQuestions != nil && *change.ShuffleQuestions != a.ShuffleQuestions},
		{"/shuffleOptions", change.ShuffleOptions != nil && *change.ShuffleOptions != a.ShuffleOptions},
	} {
		if field.differs {
			faults = append(faults, rules.FrozenFault(field.pointer))
		}
	}
	return append(faults, rules.FrozenFaults(a.Definition, definition)...)
}

// movesWindow reports whether sessions can be started at other times after the change.
func (change AssessmentChange) movesWindow(a *Assessment) bool {
	moves := func(change Change[time.Time], before *time.Time) bool {
		after := storedTime(change.after(before))
		return (after == nil) != (before == nil) || after != nil && !after.Equal(*before)
	}
	return moves(change.OpensAt, timePtr(a.OpensAt)) || moves(change.ClosesAt, timePtr(a.ClosesAt))
}

func differ[T comparable](a, b *T) bool {
	return (a == nil) != (b == nil) || a != nil && *a != *b
}

// after returns the value of a field after the change.
func (change Change[T]) after(before *T) *T {
	if change.Set {
		return change.Value
	}
	return before
}

// storedTime returns a time as it is stored: in UTC, in milliseconds.
func storedTime(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	rounded := t.UTC().Truncate(time.Millisecond)
	return &rounded
}
