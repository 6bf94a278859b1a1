package store_test

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"assay/store"
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
		taking, err = s.StartTaking(x.ctx, scope)
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
	}

	stage := max(session.settled(x.now()).stage, 0)
	for _, question := range session.assessment.stages[stage].questions {
		x.save(t, session, stage, question)
	}
	if rapid.Bool().Draw(t, "submit") {
		x.submit(t, session, stage)
	}
}

func (x *sessionTest) save(t *rapid.T, session *modelSession, stage int, question modelQuestion) {
	s := x.replica(t)
	answer := question.answers[0]
	if !rapid.Bool().Draw(t, "correct") {
		answer = question.answers[index(t, "answer", question.answers)]
	}
	var savedAt time.Time
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		savedAt, err = s.SaveAnswer(x.ctx, scope, question.id, answer.given)
		return err
	})
	next := session.settled(x.now())
	if code := next.saveRefusal(stage); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	if !savedAt.Equal(x.now()) {
		t.Fatalf("saved at %s, want %s", savedAt, x.now())
	}
	// The response does not say whether the store applied a deadline, so the rest
	// of the model keeps its state until compare.
	session.answers[question.id] = answer
}

func (x *sessionTest) submitCurrent(t *rapid.T) {
	session := x.session(t)
	x.submit(t, session, max(session.settled(x.now()).stage, 0))
}

// submitAny submits any stage of the session, or an unknown one.
func (x *sessionTest) submitAny(t *rapid.T) {
	session := x.session(t)
	x.submit(t, session, index(t, "stage", make([]int, len(session.assessment.stages)+1))-1)
}

// submit submits a stage. Stage -1 is an unknown one.
func (x *sessionTest) submit(t *rapid.T, session *modelSession, stage int) {
	s, stageID := x.replica(t), "stg_00000000000000000000000000"
	if stage >= 0 {
		stageID = session.assessment.stages[stage].id
	}
	var outcome store.StageOutcome
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		outcome, err = s.SubmitStage(x.ctx, scope, stageID)
		return err
	})
	next := session.settled(x.now())
	if code := next.submitRefusal(stage); code != "" {
		wantRefusal(t, err, code)
		return
	}
	must(t, err)

	if stage == next.stage {
		next.submit(x.now())
	}
	x.update(session, next)
	x.wantSession(t, s, outcome.Taking.Session, next)
	status, nextID := next.outcome(stage)
	if got := string(outcome.Status) + " " + deref(outcome.NextStageID); got != status+" "+orDash(nextID) {
		t.Fatalf("the submission returns %s, want %s %s", got, status, orDash(nextID))
	}
}

// linkLifetime is how long a replica accepts a link for reading after another
// replica has invalidated it.
const linkLifetime = time.Second

// read reads everything that the candidate can see.
func (x *sessionTest) read(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	now, next := x.now(), session.settled(x.now())
	if next.status == "CANCELLED" && now.Sub(next.cancelled) < linkLifetime {
		return
	}
	var taking store.Taking
	err := x.asCandidate(s, session.link(), func(scope store.Scope) (err error) {
		taking, err = s.RetrieveTaking(x.ctx, scope)
		return err
	})
	switch next.status {
	case "CANCELLED", "EXPIRED":
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

	deadline := "-"
	if current.DeadlineAt != nil {
		deadline = formatExactTime(*current.DeadlineAt)
	}
	want := fmt.Sprintf("%s %d %s", next.assessment.stages[next.stage].id, next.stage+1, formatTime(next.due()))
	if got := fmt.Sprintf("%s %d %s", current.Stage.ID, current.Order, deadline); got != want {
		t.Fatalf("the current stage is %s, want %s", got, want)
	}
	for _, question := range next.assessment.stages[next.stage].questions {
		saved, ok := current.Answers[question.id]
		wanted, exists := next.answers[question.id]
		if ok != exists || toJSON(t, saved) != toJSON(t, wanted.given) {
			t.Fatalf("the answer to %s is %s, want %s", question.id, toJSON(t, saved), toJSON(t, wanted.given))
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
		"start": func(scope store.Scope) error { _, err := s.StartTaking(x.ctx, scope); return err },
		"save": func(scope store.Scope) error {
			_, err := s.SaveAnswer(x.ctx, scope, stage.questions[0].id, stage.questions[0].answers[0].given)
			return err
		},
		"submit": func(scope store.Scope) error { _, err := s.SubmitStage(x.ctx, scope, stage.id); return err },
	}
	if x.now().Sub(session.renewed) >= linkLifetime && x.now().Sub(session.cancelled) >= linkLifetime {
		uses["read"] = func(store.Scope) error { return nil }
	}
	if do, ok := uses[uniform("read", "start", "save", "submit").Draw(t, "use")]; ok {
		wantRefusal(t, x.asCandidate(s, session.links[link], do), "unauthenticated")
	}
}
