package store_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"assay/store"
)

// as does what a candidate's request does: the link first, then the rest.
func (x *sessionTest) as(s *store.Store, link string, do func(store.Scope) error) error {
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
	err := x.as(s, session.links[len(session.links)-1], func(scope store.Scope) (err error) {
		taking, err = s.StartTaking(x.ctx, scope)
		return err
	})
	next := session.settled(x.now())
	if code := next.mayStart(); code != "" {
		refused(t, err, code)
		return
	}
	must(t, err)
	if next.status == "INVITED" {
		next.start(x.now())
	}
	x.become(session, next)
	x.same(t, s, taking.Session, next)
}

// answer saves one answer to a question of any stage, now and then one that
// cannot be an answer to it.
func (x *sessionTest) answer(t *rapid.T) {
	session := x.session(t)
	stage := place(t, "stage", session.assessment.stages)
	questions := session.assessment.stages[stage].questions
	question := questions[place(t, "question", questions)]
	if evenly("possible", "possible", "possible", "impossible").Draw(t, "answer") == "possible" {
		x.save(t, session, stage, question)
		return
	}
	s := x.replica(t)
	impossible := place(t, "answer", impossibleAnswers)
	err := x.as(s, session.links[len(session.links)-1], func(scope store.Scope) error {
		_, err := s.SaveAnswer(x.ctx, scope, question.id, impossibleAnswers[impossible])
		return err
	})
	refused(t, err, "invalid_request", cmp.Or(session.settled(x.now()).maySave(stage), "invalid_request"))
}

// work is what candidates mostly do: they start, and then answer all that they
// are asked, and submit it. For who has finished, there is a next time.
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
	if !rapid.Bool().Draw(t, "right") {
		answer = question.answers[place(t, "answer", question.answers)]
	}
	var savedAt time.Time
	err := x.as(s, session.links[len(session.links)-1], func(scope store.Scope) (err error) {
		savedAt, err = s.SaveAnswer(x.ctx, scope, question.id, answer.given)
		return err
	})
	next := session.settled(x.now())
	if code := next.maySave(stage); code != "" {
		refused(t, err, code)
		return
	}
	must(t, err)
	if !savedAt.Equal(x.now()) {
		t.Fatalf("saved at %s, want %s", savedAt, x.now())
	}
	// Saving changes nothing else: whether a deadline was applied is to be seen.
	session.answers[question.id] = answer
}

func (x *sessionTest) submitCurrent(t *rapid.T) {
	session := x.session(t)
	x.submit(t, session, max(session.settled(x.now()).stage, 0))
}

// submitAny submits stages before and after the current one, and one that is none.
func (x *sessionTest) submitAny(t *rapid.T) {
	session := x.session(t)
	x.submit(t, session, place(t, "stage", make([]int, len(session.assessment.stages)+1))-1)
}

func (x *sessionTest) submit(t *rapid.T, session *modelSession, stage int) {
	s, stageID := x.replica(t), "stg_00000000000000000000000000"
	if stage >= 0 {
		stageID = session.assessment.stages[stage].id
	}
	var outcome store.StageOutcome
	err := x.as(s, session.links[len(session.links)-1], func(scope store.Scope) (err error) {
		outcome, err = s.SubmitStage(x.ctx, scope, stageID)
		return err
	})
	next := session.settled(x.now())
	if code := next.maySubmit(stage); code != "" {
		refused(t, err, code)
		return
	}
	must(t, err)
	if stage == next.stage {
		next.submit(x.now())
	}
	x.become(session, next)
	x.same(t, s, outcome.Taking.Session, next)
	status, nextID := next.outcome(stage)
	if got := string(outcome.Status) + " " + deref(outcome.NextStageID); got != status+" "+orDash(nextID) {
		t.Fatalf("submitted: %s, want %s %s", got, status, orDash(nextID))
	}
}

// believed is how long another replica may go on believing a link for reading.
const believed = time.Second

// look reads what the candidate sees.
func (x *sessionTest) look(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	now, next := x.now(), session.settled(x.now())
	if next.status == "CANCELLED" && now.Sub(next.cancelled) < believed {
		return
	}
	link := session.links[len(session.links)-1]
	var taking store.Taking
	err := x.as(s, link, func(scope store.Scope) (err error) {
		taking, err = s.RetrieveTaking(x.ctx, scope)
		return err
	})
	switch next.status {
	case "CANCELLED", "EXPIRED":
		refused(t, err, next.mayWork())
	default:
		must(t, err)
		x.same(t, s, taking.Session, next, *session)
	}
	var current store.CurrentStage
	err = x.as(s, link, func(scope store.Scope) (err error) {
		current, err = s.RetrieveCurrentStage(x.ctx, scope)
		return err
	})
	if code := next.mayWork(); code != "" {
		refused(t, err, code)
		return
	}
	must(t, err)
	want := fmt.Sprintf("%s %d %s", next.assessment.stages[next.stage].id, next.stage+1, moment(next.due()))
	if got := fmt.Sprintf("%s %d %s", current.Stage.ID, current.Order, pointed(current.DeadlineAt)); got != want {
		t.Fatalf("the current stage is %s, want %s", got, want)
	}
	for _, question := range next.assessment.stages[next.stage].questions {
		saved, ok := current.Answers[question.id]
		wanted, there := next.answers[question.id]
		if ok != there || encoded(t, saved) != encoded(t, wanted.given) {
			t.Fatalf("the answer to %s is %s, want %s", question.id, encoded(t, saved), encoded(t, wanted.given))
		}
	}
}

// useDeadLink uses a link that was replaced, or whose session was cancelled.
func (x *sessionTest) useDeadLink(t *rapid.T) {
	session := x.session(t)
	dead := len(session.links) - 1
	if session.status == "CANCELLED" {
		dead++
	}
	if dead == 0 {
		x.look(t)
		return
	}
	x.useDead(t, session, place(t, "link", session.links[:dead]))
}

func (x *sessionTest) useDead(t *rapid.T, session *modelSession, link int) {
	s, stage := x.replica(t), session.assessment.stages[0]
	uses := map[string]func(store.Scope) error{
		"start": func(scope store.Scope) error { _, err := s.StartTaking(x.ctx, scope); return err },
		"save": func(scope store.Scope) error {
			_, err := s.SaveAnswer(x.ctx, scope, stage.questions[0].id, stage.questions[0].answers[0].given)
			return err
		},
		"submit": func(scope store.Scope) error { _, err := s.SubmitStage(x.ctx, scope, stage.id); return err },
	}
	if x.now().Sub(session.renewed) >= believed && x.now().Sub(session.cancelled) >= believed {
		uses["look"] = func(store.Scope) error { return nil }
	}
	if do, may := uses[evenly("look", "start", "save", "submit").Draw(t, "use")]; may {
		refused(t, x.as(s, session.links[link], do), "unauthenticated")
	}
}

// same fails the test unless the stored session is one of those wanted.
func (x *sessionTest) same(t *rapid.T, s *store.Store, stored store.CandidateSession, wanted ...modelSession) {
	t.Helper()
	got := describe(s, stored)
	if !slices.ContainsFunc(wanted, func(want modelSession) bool { return want.String() == got }) {
		t.Fatalf("at %s the session is\n  %s\nwant\n  %s", moment(x.now()), got, wanted[0])
	}
}

func linkOf(t *rapid.T, s *store.Store, session store.CandidateSession) string {
	t.Helper()
	link := s.InviteURL(session)
	if link == nil {
		t.Fatalf("%s has no link", session.ID)
	}
	return *link
}

// describe writes a stored session as the model writes its own.
func describe(s *store.Store, session store.CandidateSession) string {
	score, passed := "-", "-"
	if session.Score != nil {
		score = strconv.FormatFloat(*session.Score, 'f', -1, 64)
	}
	if session.Passed != nil {
		passed = strconv.FormatBool(*session.Passed)
	}
	stored := func(at *store.Time) string {
		if at == nil {
			return "-"
		}
		return exact(at.Time)
	}
	return fmt.Sprintf("%s %s attempt=%d extra=%d %s reason=%s stage=%s score=%s passed=%s invited=%s expires=%s started=%s "+
		"deadline=%s "+
		"due=%s completed=%s disqualified=%s cancelled=%s updated=%s link=%s",
		session.ID, session.CandidateEmail, session.Attempt, session.ExtraTimePercent, session.Status,
		deref(session.CloseReason),
		deref(session.CurrentStageID), score, passed, exact(session.InvitedAt.Time), exact(session.ExpiresAt.Time),
		stored(session.StartedAt),
		stored(session.DeadlineAt), stored(session.DueAt), stored(session.CompletedAt), stored(session.DisqualifiedAt),
		stored(session.CancelledAt), exact(session.UpdatedAt.Time), deref(s.InviteURL(session)))
}

// exact is moment, with what is finer than a millisecond shown if there is any.
func exact(t time.Time) string {
	if t.Equal(t.Truncate(time.Millisecond)) {
		return moment(t)
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func pointed(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return exact(*t)
}

func deref[T ~string](text *T) string {
	if text == nil {
		return "-"
	}
	return string(*text)
}

func encoded(t *rapid.T, value any) string {
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}
