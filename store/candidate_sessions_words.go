package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"assay/store/rules"
)

// The search finds sessions by prefixes of words. The table of the words is written
// by a background job, in the order of the sessions' ids: it fills the table after the
// migration, it does not matter which version of the service made a session, and no
// invite waits for it. Until then, a search looks at the newest sessions themselves.

const (
	maxWords      = 8  // of a search
	maxWordLength = 64 // bytes

	// wordsDelay is how old a session is when its words are written. No session with an
	// older id can become visible later, even if the clocks of replicas differ.
	wordsDelay = time.Minute

	wordsBatch = 200 // sessions in one transaction
)

// wordsOf returns the words of a text, in lower case, without accents and invisible
// characters, and each once. Everything else that is neither a letter nor a digit separates words.
func wordsOf(text string) []string {
	text = strings.Map(func(r rune) rune {
		if rules.IsInvisible(r) {
			return -1
		}
		return r
	}, text)
	var plain strings.Builder
	plain.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		if r < utf8.RuneSelf || !unicode.Is(unicode.Mn, r) {
			plain.WriteRune(unicode.ToLower(r))
		}
	}
	words := strings.FieldsFunc(plain.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		if len(word) > maxWordLength {
			words[i] = strings.ToValidUTF8(word[:maxWordLength], "")
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// wordsOfSession returns the words by which a session is found.
func wordsOfSession(session *CandidateSession) []string {
	text := session.CandidateName + " " + session.CandidateEmail
	if session.ExternalID != nil {
		text += " " + *session.ExternalID
	}
	// A search has the words as they are typed, so that it also finds sessions whose words
	// version 1.0 has written. So the form in which texts are compared is an addition: Weiß is
	// also weiss, and ٤٢ is also 42.
	words := append(wordsOf(text), wordsOf(rules.NormalText(text, false))...)
	slices.Sort(words)
	return slices.Compact(words)
}

// UnscopedIndexWords writes the words of the next sessions. more reports whether there
// are others. Any number of replicas can call it at once: one of them works.
func (s *Store) UnscopedIndexWords(ctx context.Context) (more bool, err error) {
	err = s.write(ctx, func(c conn) error {
		var position string
		err := c.Get(ctx, &position, `SELECT session_id FROM candidate_session_words_position`+c.store.db.SkipLocked)
		if errors.Is(err, sql.ErrNoRows) {
			more = false
			return nil // another replica works
		}
		if err != nil {
			return err
		}
		// The lock makes an erasure wait, which then finds the words.
		var sessions []CandidateSession
		if err := c.List(ctx, &sessions, `
			SELECT id, organization_id, candidate_name, candidate_email, external_id, test, erased_at FROM candidate_sessions
			WHERE id > ? AND id < ? ORDER BY id LIMIT ?`+c.store.db.ForShare,
			position, keptSessions.boundary(c.store.Now().Add(-wordsDelay)), wordsBatch); err != nil {
			return err
		}
		if more = len(sessions) == wordsBatch; len(sessions) == 0 {
			return nil
		}
		if err := c.insertWords(ctx, sessions); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `UPDATE candidate_session_words_position SET session_id = ?`, sessions[len(sessions)-1].ID)
		return err
	})
	return more, err
}

func (c conn) insertWords(ctx context.Context, sessions []CandidateSession) error {
	type row struct {
		OrganizationID string `json:"o"`
		Word           string `json:"w"`
		SessionID      string `json:"s"`
	}
	var rows []row
	for _, session := range sessions {
		if session.Test || session.ErasedAt != nil {
			continue
		}
		for _, word := range wordsOfSession(&session) {
			rows = append(rows, row{session.OrganizationID, word, session.ID})
		}
	}
	encoded, err := json.Marshal(rows)
	if err != nil || rows == nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO candidate_session_words (organization_id, word, session_id)
		SELECT value->>'o', value->>'w', value->>'s' FROM `+c.store.db.JSONRows+`
		WHERE TRUE ON CONFLICT (organization_id, word, session_id) DO NOTHING`, string(encoded))
	return err
}

// deleteWords permits no plan but the index of the sessions. SQLite would choose the primary
// key, and with it all words of the organization.
const deleteWords = `DELETE FROM candidate_session_words WHERE session_id = ? AND organization_id || '' = ?`

func (c conn) eraseWords(ctx context.Context, scope Scope, id string, _ time.Time) error {
	_, err := c.Exec(ctx, deleteWords, id, scope.OrganizationID)
	return err
}

// rewriteWords replaces the words of a locked session whose name or external id has
// changed. Words that UnscopedIndexWords has not written yet are then written already.
func (c conn) rewriteWords(ctx context.Context, scope Scope, session CandidateSession) error {
	if err := c.eraseWords(ctx, scope, session.ID, c.store.Now()); err != nil {
		return err
	}
	return c.insertWords(ctx, []CandidateSession{session})
}
