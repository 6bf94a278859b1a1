package rules

import (
	"reflect"
	"time"
)

// SavedAnswer is the last save of a question. The zero value is a question that was
// never saved.
type SavedAnswer struct {
	Answer         Answer // see Cleared
	Revision       int64  // the number of saves
	ClientID       string // the open page that saved it; "" for a save that names none
	ClientRevision int64  // the page's own counter
	SavedAt        time.Time
}

// Cleared reports whether the answer has no field, because the candidate cleared it.
// An empty list of options is an answer.
func (a Answer) Cleared() bool {
	return a.OptionID == nil && a.OptionIDs == nil && a.Number == nil && a.Text == nil
}

// AnswerChange is the request of an open page to save one answer.
type AnswerChange struct {
	QuestionID   string
	Answer       Answer // see Cleared
	ClientID     string // the page
	Revision     int64  // the page's own counter for the question: a later change has a higher one
	SeenRevision int64  // the SavedAnswer.Revision that the page last saw
}

// SaveOutcome is what happened to an AnswerChange.
type SaveOutcome string

// The outcomes of an AnswerChange.
const (
	AnswerSaved    SaveOutcome = "SAVED"
	AnswerOutdated SaveOutcome = "OUTDATED" // the stored answer is newer, or the page has not seen it
	AnswerRefused  SaveOutcome = "REFUSED"  // the change is invalid
)

// Save returns the answer after the change, and whether the change has an effect.
// From the page that saved last, the change with the higher revision wins: requests
// can arrive in another order, or twice. Another page must have seen the stored
// answer, so that no page overwrites what it does not show.
func (s SavedAnswer) Save(change AnswerChange, now time.Time) (_ SavedAnswer, _ SaveOutcome, changed bool) {
	if s.Revision > 0 && s.ClientID == change.ClientID {
		if change.Revision == s.ClientRevision && reflect.DeepEqual(change.Answer, s.Answer) {
			return s, AnswerSaved, false // the same request again
		}
		if change.Revision <= s.ClientRevision {
			return s, AnswerOutdated, false
		}
	} else if change.SeenRevision != s.Revision {
		return s, AnswerOutdated, false
	}
	return SavedAnswer{
		Answer: change.Answer, Revision: s.Revision + 1, ClientID: change.ClientID, ClientRevision: change.Revision,
		SavedAt: now,
	}, AnswerSaved, true
}
