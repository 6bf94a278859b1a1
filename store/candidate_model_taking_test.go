package store_test

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"assay/store"
	"assay/store/rules"
)

// The steps in this file are those of the candidate.

// asCandidate authenticates the link and then calls do, as each request of a
// candidate does.
func (x *sessionTest) asCandidate(s *store.Store, link string, do func(store.Scope) error) error {
	_, token, _ := strings.Cut(link, "#")
	scope, err := s.UnscopedCandidate(x.ctx, token)
	if err != nil {
		return err
	}
	return do(scope)
}

func (x *sessionTest) start(t *rapid.T) { x.startTaking(t, x.session(t)) }

func (x *sessionTest) startTaking(t *rapid.T, session *modelSession) {
	s := x.replica(t)
	var taking store.Taking
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		taking, err = s.StartTaking(x.ctx, scope, false, "")
		return err
	})
	next := session.settled(x.now())
	if code := next.startRefusal(); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	if next.status == "INVITED" {
		next.start(x.now())
	}
	x.update(session, next)
	x.wantSession(t, s, taking.Session, next)
}

// answer saves an answer to a question of any stage. One answer in four is invalid.
func (x *sessionTest) answer(t *rapid.T) {
	session := x.session(t)
	stage := index(t, "stage", session.assessment.stages)
	questions := session.assessment.stages[stage].questions
	question := questions[index(t, "question", questions)]
	if uniform("valid", "valid", "valid", "invalid").Draw(t, "answer") == "valid" {
		x.save(t, session, stage, question)
		return
	}

	s := x.replica(t)
	invalid := index(t, "answer", invalidAnswers)
	err := x.asCandidate(s, session.link(), func(scope store.Scope) error {
		_, err := s.SaveAnswer(x.ctx, scope, question.id, invalidAnswers[invalid])
		return err
	})
	wantRefusal(t, err, "invalid_request", cmp.Or(session.settled(x.now()).saveRefusal(stage), "invalid_request"))
}

// work is the usual step of a candidate: start the session, or answer all
// questions of the current stage and submit it. A candidate whose session has
// ended is invited again.
func (x *sessionTest) work(t *rapid.T) {
	session := x.session(t)
	switch {
	case !session.live():
		x.invite(t)
		return
	case session.status == "INVITED":
		x.startTaking(t, session)
		return
	case session.status == "IN_REVIEW":
		if session.awaitsRuling() {
			x.rule(t)
		} else {
			x.grade(t)
		}
		return
	}

	next := session.settled(x.now())
	stage := max(next.stage, 0)
	if next.ready {
		x.startStage(t, session, stage)
	}
	for _, question := range session.assessment.stages[stage].questions {
		x.save(t, session, stage, question)
	}
	if rapid.Bool().Draw(t, "submit") {
		x.submit(t, session, stage)
	}
}

// startAnyStage starts any stage of the session, or an unknown one.
func (x *sessionTest) startAnyStage(t *rapid.T) {
	session := x.session(t)
	stage := max(session.settled(x.now()).stage, 0)
	if uniform("current", "current", "any").Draw(t, "stage") == "any" {
		stage = x.anyStage(t, session)
	}
	x.startStage(t, session, stage)
}

// startStage starts a stage. Stage -1 is an unknown one.
func (x *sessionTest) startStage(t *rapid.T, session *modelSession, stage int) {
	s := x.replica(t)
	var current store.CurrentStage
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		current, err = s.StartStage(x.ctx, scope, session.assessment.stageID(stage))
		return err
	})
	next := session.settled(x.now())
	if code := next.stageRefusal(stage); code != "" {
		wantRefusal(t, err, code)
		return
	}
	if next.ready {
		next.startReady(x.now())
	}
	x.update(session, next)
	if code := next.workRefusal(); code != "" { // the time of the session was up
		wantRefusal(t, err, code)
		return
	}
	must(t, err)
	x.wantStage(t, current, next)
}

func (x *sessionTest) save(t *rapid.T, session *modelSession, stage int, question modelQuestion) {
	s := x.replica(t)
	answer := question.answers[0]
	if !rapid.Bool().Draw(t, "correct") {
		answer = question.answers[index(t, "answer", question.answers)]
	}
	var saved rules.SavedAnswer
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		saved, err = s.SaveAnswer(x.ctx, scope, question.id, answer.given)
		return err
	})
	x.replaced(t, session, stage, question, &answer, saved, err)
}

func (x *sessionTest) clear(t *rapid.T) {
	session := x.session(t)
	stage := index(t, "stage", session.assessment.stages)
	questions := session.assessment.stages[stage].questions
	question := questions[index(t, "question", questions)]

	s := x.replica(t)
	var saved rules.SavedAnswer
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		saved, err = s.ClearAnswer(x.ctx, scope, question.id)
		return err
	})
	x.replaced(t, session, stage, question, nil, saved, err)
}

// replaced checks the response to a save or to a clear, whose answer is nil.
func (x *sessionTest) replaced(
	t *rapid.T, session *modelSession, stage int, question modelQuestion, answer *modelAnswer, saved rules.SavedAnswer,
	err error,
) {
	t.Helper()
	next := session.settled(x.now())
	if code := next.saveRefusal(stage); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	revision := session.answers[question.id].revision + 1
	if !saved.SavedAt.Equal(x.now()) || saved.Revision != revision {
		t.Fatalf("saved at %s, revision %d, want %s, revision %d", saved.SavedAt, saved.Revision, x.now(), revision)
	}
	// The response does not say whether the store applied a deadline: it did only if it had to.
	if session.overdue(x.now()) {
		x.update(session, next)
	}
	session.answers[question.id] = modelSaved{answer: answer, revision: revision}
	session.active = x.now()
}

func (x *sessionTest) submitCurrent(t *rapid.T) {
	session := x.session(t)
	x.submit(t, session, max(session.settled(x.now()).stage, 0))
}

// submitAny submits any stage of the session, or an unknown one.
func (x *sessionTest) submitAny(t *rapid.T) {
	session := x.session(t)
	x.submit(t, session, x.anyStage(t, session))
}

// anyStage draws a stage of the session, or -1 for an unknown one.
func (x *sessionTest) anyStage(t *rapid.T, session *modelSession) int {
	return index(t, "stage", make([]int, len(session.assessment.stages)+1)) - 1
}

// stageID is the id of a stage. Stage -1 is an unknown one.
func (a *modelAssessment) stageID(stage int) string {
	if stage < 0 {
		return "stg_00000000000000000000000000"
	}
	return a.stages[stage].id
}

// submit submits a stage. Stage -1 is an unknown one.
func (x *sessionTest) submit(t *rapid.T, session *modelSession, stage int) {
	s := x.replica(t)
	batch, rows := x.drawChanges(t, session, stage, uniform(0, 0, 1, 3).Draw(t, "changes"))
	var outcome store.StageOutcome
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		outcome, err = s.SubmitStage(x.ctx, scope, batch)
		return err
	})
	next := session.settled(x.now())
	if code := next.submitRefusal(stage); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	next.change(t, x.now(), stage, rows, outcome.Answers)
	if stage == next.stage {
		next.submit(x.now())
	}
	x.update(session, next)
	x.wantSession(t, s, outcome.Taking.Session, next)
}

// read reads everything that the candidate can see.
func (x *sessionTest) read(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	next := session.settled(x.now())
	var taking store.Taking
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		taking, err = s.RetrieveTaking(x.ctx, scope)
		return err
	})
	switch next.status {
	case "CANCELLED":
		wantRefusal(t, err, next.workRefusal())
	default:
		must(t, err)
		x.wantSession(t, s, taking.Session, next, *session)
	}
	x.readCurrentStage(t, s, session)
}

func (x *sessionTest) readCurrentStage(t *rapid.T, s *store.Store, session *modelSession) {
	next := session.settled(x.now())
	var current store.CurrentStage
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		current, err = s.RetrieveCurrentStage(x.ctx, scope)
		return err
	})
	if code := next.workRefusal(); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	x.wantStage(t, current, next)
}

// wantStage checks the description of the current stage.
func (x *sessionTest) wantStage(t *rapid.T, current store.CurrentStage, next modelSession) {
	t.Helper()
	deadline := "-"
	if current.DeadlineAt != nil {
		deadline = formatExactTime(*current.DeadlineAt)
	}
	due := next.limit()
	if next.ready {
		due = time.Time{}
	}
	want := fmt.Sprintf("%s %d %s %s",
		next.assessment.stages[next.stage].id, next.stage+1, next.stageStatus(next.stage), formatTime(due))
	if got := fmt.Sprintf("%s %d %s %s", current.Stage.ID, current.Order, current.Status, deadline); got != want {
		t.Fatalf("the current stage is %s, want %s", got, want)
	}
	for _, question := range next.assessment.stages[next.stage].questions {
		got := savedText(t, current.Answers[question.id])
		if want := next.answers[question.id].text(t); got != want {
			t.Fatalf("the answer to %s is %s, want %s", question.id, got, want)
		}
	}
}

// useInvalidLink uses a link that a resend has replaced, or any link of a
// cancelled session.
func (x *sessionTest) useInvalidLink(t *rapid.T) {
	session := x.session(t)
	invalid := len(session.links) - 1
	if session.status == "CANCELLED" {
		invalid++
	}
	if invalid == 0 {
		x.read(t)
		return
	}
	x.useLink(t, session, index(t, "link", session.links[:invalid]))
}

// useLink checks that a request with an invalid link of the session is refused.
func (x *sessionTest) useLink(t *rapid.T, session *modelSession, link int) {
	s, stage := x.replica(t), session.assessment.stages[0]
	uses := map[string]func(store.Scope) error{
		"read":  func(scope store.Scope) error { _, err := s.RetrieveTaking(x.ctx, scope); return err },
		"start": func(scope store.Scope) error { _, err := s.StartTaking(x.ctx, scope, false, ""); return err },
		"save": func(scope store.Scope) error {
			_, err := s.SaveAnswer(x.ctx, scope, stage.questions[0].id, stage.questions[0].answers[0].given)
			return err
		},
		"submit": func(scope store.Scope) error {
			_, err := s.SubmitStage(x.ctx, scope, store.StageAnswers{StageID: stage.id})
			return err
		},
		"save many": func(scope store.Scope) error {
			_, err := s.SaveAnswers(x.ctx, scope, store.StageAnswers{StageID: stage.id})
			return err
		},
		"start stage": func(scope store.Scope) error { _, err := s.StartStage(x.ctx, scope, stage.id); return err },
	}
	use := uniform("read", "start", "save", "submit", "save many", "start stage").Draw(t, "use")
	wantRefusal(t, x.asCandidate(s, session.links[link], uses[use]), "unauthenticated")
}
