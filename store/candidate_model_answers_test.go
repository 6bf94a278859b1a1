package store_test

import (
	"cmp"
	"fmt"
	"time"

	"pgregory.net/rapid"

	"assay/store"
	"assay/store/rules"
)

// The steps in this file are those of open pages, which save several answers at once.

// modelChange is one row of a request. A row without an answer clears it.
type modelChange struct {
	question               string
	answer                 *modelAnswer
	client                 string
	revision, seenRevision int64
	refusal                string
}

// answerMany saves changes to any stage. Each row has an outcome of its own.
func (x *sessionTest) answerMany(t *rapid.T) {
	session := x.session(t)
	stage := max(session.settled(x.now()).stage, 0)
	if uniform("current", "current", "current", "any").Draw(t, "stage") == "any" {
		stage = x.anyStage(t, session)
	}
	s := x.replica(t)
	batch, rows := x.drawChanges(t, session, stage, uniform(1, 2, 5).Draw(t, "changes"))
	var saved store.SavedStage
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		saved, err = s.SaveAnswers(x.ctx, scope, batch)
		return err
	})
	next := session.settled(x.now())
	if code := next.saveRefusal(stage); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	deadline := "-"
	if saved.DeadlineAt != nil {
		deadline = formatExactTime(*saved.DeadlineAt)
	}
	if want := formatTime(next.limit()); deadline != want || !saved.Now.Equal(x.now()) {
		t.Fatalf("the deadline is %s at %s, want %s at %s", deadline, saved.Now, want, x.now())
	}
	next.change(t, x.now(), stage, rows, saved.Answers)
	x.update(session, next) // a batch applies deadlines first
}

// drawChanges draws changes by one of two pages. The revisions are mostly those that a
// page would send.
func (x *sessionTest) drawChanges(
	t *rapid.T, session *modelSession, stage, number int,
) (store.StageAnswers, []modelChange) {
	batch := store.StageAnswers{StageID: session.assessment.stageID(stage)}
	client := uniform("one", "two").Draw(t, "client")
	var rows []modelChange
	for range number {
		from := max(stage, 0)
		if uniform("this", "this", "this", "any").Draw(t, "question") == "any" {
			from = index(t, "stage", session.assessment.stages)
		}
		questions := session.assessment.stages[from].questions
		question := questions[index(t, "question", questions)]
		stored := session.answers[question.id]
		row := modelChange{question: question.id, client: client,
			revision:     max(stored.clientRevision+uniform[int64](1, 1, 1, 0, -1).Draw(t, "revision"), 1),
			seenRevision: max(stored.revision+uniform[int64](0, 0, 0, -1, 1).Draw(t, "seen"), 0),
		}
		change := &rules.AnswerChange{QuestionID: question.id, ClientID: client, Revision: row.revision,
			SeenRevision: row.seenRevision}
		switch uniform("answer", "answer", "answer", "same", "clear", "invalid").Draw(t, "change") {
		case "answer":
			row.answer = &question.answers[index(t, "answer", question.answers)]
		case "same":
			row.answer = stored.answer
		case "invalid":
			change.Answer = invalidAnswers[1+index(t, "answer", invalidAnswers[1:])]
			row.refusal = "invalid_request"
		}
		if row.answer != nil {
			change.Answer = row.answer.given
		}
		if from != stage {
			row.refusal = "not_found"
		}
		batch.Changes, rows = append(batch.Changes, change), append(rows, row)
	}
	return batch, rows
}

// change makes the changes to the answers of a stage, and compares the outcomes.
func (s *modelSession) change(
	t *rapid.T, now time.Time, stage int, rows []modelChange, outcomes []store.AnswerOutcome,
) {
	t.Helper()
	if len(outcomes) != len(rows) {
		t.Fatalf("%d outcomes of %d changes", len(outcomes), len(rows))
	}
	for i, row := range rows {
		got, refusal := outcomes[i], ""
		if got.Refusal != nil {
			refusal = got.Refusal.Code
		}
		want, code := s.changeOne(t, now, stage, row)
		text, wantText := savedText(t, got.Saved), s.answers[row.question].text(t)
		if code == "not_found" {
			wantText = modelSaved{}.text(t)
		}
		if string(got.Outcome) != want || refusal != code || text != wantText {
			t.Fatalf("the change %+v is %s %s, %s, want %s %s, %s", row, got.Outcome, refusal, text, want, code, wantText)
		}
	}
}

func (s *modelSession) changeOne(t *rapid.T, now time.Time, stage int, row modelChange) (outcome, refusal string) {
	if row.refusal != "" {
		return "REFUSED", row.refusal
	}
	stored := s.answers[row.question]
	switch {
	case stored.revision > 0 && stored.client == row.client:
		if row.revision == stored.clientRevision && (modelSaved{answer: row.answer}).given(t) == stored.given(t) {
			return "SAVED", ""
		}
		if row.revision <= stored.clientRevision {
			return "OUTDATED", ""
		}
	case row.seenRevision != stored.revision:
		return "OUTDATED", ""
	}
	if stage != s.stage {
		return "REFUSED", "stage_closed"
	}
	s.answers[row.question] = modelSaved{answer: row.answer, revision: stored.revision + 1, client: row.client,
		clientRevision: row.revision}
	s.active = now
	return "SAVED", ""
}

// given is the answer as JSON, or a dash for a cleared one.
func (s modelSaved) given(t *rapid.T) string {
	if s.answer == nil {
		return "-"
	}
	return toJSON(t, s.answer.given)
}

// text writes a saved answer as savedText writes a stored one.
func (s modelSaved) text(t *rapid.T) string {
	return fmt.Sprintf("%s revision=%d client=%s/%d", s.given(t), s.revision, cmp.Or(s.client, "-"), s.clientRevision)
}

func savedText(t *rapid.T, saved rules.SavedAnswer) string {
	given := "-"
	if !saved.Answer.Cleared() {
		given = toJSON(t, saved.Answer)
	}
	return fmt.Sprintf("%s revision=%d client=%s/%d",
		given, saved.Revision, cmp.Or(saved.ClientID, "-"), saved.ClientRevision)
}
