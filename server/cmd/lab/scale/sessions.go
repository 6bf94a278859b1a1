package scale

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// sessionReads are the filters and orders of the list of sessions for people: each
// filter alone and with an assessment, and combinations that examine many sessions.
func (w *world) sessionReads() []operation {
	const orEmpty = true
	// rare is the word of one session in the middle of the history; its number is a multiple of ten, so it is of the
	// main assessment. Many old sessions and no new sessions have a word that begins with old. All sessions have a word
	// that begins with common.
	rare := fmt.Sprintf("q=%d", w.Sessions/20*10)
	_, number, _ := strings.Cut(strings.TrimSuffix(w.finished(0).Email, "@scale.example"), "-")
	old, common, ofMain := "q="+number, "q=cand", "assessmentId="+w.plan.AssessmentID
	middle := "createdSince=" + w.at(0.5) + "&createdUntil=" + w.at(0.6)
	done := "completedSince=" + w.at(0.5) + "&completedUntil=" + w.at(0.6)
	recently := "completedSince=" + w.at(0.999)
	var all []operation
	for _, read := range []struct {
		name, query string
		mayBeEmpty  bool
	}{
		{"two statuses", "status=CANCELLED,DISQUALIFIED", false},
		{"passed", "passed=true", false},
		{"passed rare", "passed=false", orEmpty},
		{"score common", "minScore=50", false},
		{"score rare", "minScore=99.9", orEmpty},
		{"created in the middle", middle, false},
		{"completed in the middle", done, false},
		{"completed recently", recently, orEmpty},
		{"word common", common, false},
		{"word rare", rare, false},
		{"word old", old, orEmpty},
		{"test", "test=true", orEmpty},
		{"by score", "sort=-score", false},
		{"by completion", "sort=-completedAt", false},
		{"by change", "sort=updatedAt", false},
		{"score common, status rare", "minScore=50&status=CANCELLED", orEmpty},
		{"by score, status rare", "sort=-score&status=DISQUALIFIED", orEmpty},
		{"word common, by score", "sort=-score&" + common, false},
		{"score common, completed in the middle", "minScore=50&" + done, false},
	} {
		for _, of := range []struct{ name, query string }{{"", ""}, {", assessment", ofMain + "&"}} {
			o := w.owns("sessions, "+read.name+of.name, http.MethodGet, func(int) string {
				return sessions + "?" + of.query + read.query
			}, nil)
			o.mayBeEmpty = read.mayBeEmpty
			all = append(all, o)
		}
	}
	for _, read := range []struct{ name, query string }{
		{"all", ""}, {"assessment", ofMain}, {"score common", "minScore=50"}, {"word common", common},
		{"word rare", rare}, {"word old", old},
		{"passed", "passed=true"}, {"passed rare", "passed=false"}, {"passed rare, assessment", ofMain + "&passed=false"},
		{"completed in the middle", done}, {"completed in the middle, assessment", ofMain + "&" + done},
		{"word common, assessment", ofMain + "&" + common},
	} {
		all = append(all, w.owns("summary, "+read.name, http.MethodGet, func(int) string {
			return sessions + "/summary?" + read.query
		}, nil))
	}
	for _, part := range []string{"timeline", "progress"} {
		all = append(all, w.owns(part, http.MethodGet, func(i int) string {
			return sessions + "/" + w.finished(i).ID + "/" + part
		}, nil))
	}
	return all
}

// words writes two words of each session, one that all have and one that few have, and
// the position up to which the service has written them.
func (f *filler) words(ctx context.Context, first, last int64) error {
	if err := f.exec(ctx, drawnSessions+`
		INSERT INTO candidate_session_words (organization_id, word, session_id)
		SELECT d.organization_id, 'candidate', d.id FROM sessions d`, first, last); err != nil {
		return err
	}
	if err := f.exec(ctx, drawnSessions+`
		INSERT INTO candidate_session_words (organization_id, word, session_id)
		SELECT d.organization_id, CAST(d.n AS TEXT), d.id FROM sessions d`, first, last); err != nil {
		return err
	}
	return f.exec(ctx, `UPDATE candidate_session_words_position SET session_id = (SELECT MAX(id) FROM candidate_sessions)`)
}
