package store_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/store/rules"
)

// The model of a candidate session says in the simplest way what api.md says of
// one. It calls nothing of store: times are added and points are summed here
// once more, points as fractions and scores as whole hundredths of a percent.

// modelAssessment is an assessment as far as sessions depend on it.
type modelAssessment struct {
	id         string
	minutes    int   // of a whole session; 0 is no limit
	passing    int64 // hundredths of a percent; -1 is none
	expiryDays int
	archived   bool
	stages     []modelStage
}

type modelStage struct {
	id        string
	minutes   int // 0 is no limit
	gate      *modelGate
	questions []modelQuestion
}

type modelGate struct {
	required bool
	minScore int64 // hundredths of a percent
}

type modelQuestion struct {
	id      string
	points  int64 // hundredths
	answers []modelAnswer
}

// modelAnswer is an answer that a candidate may give, with the share of the
// question's points that it earns: the model need not know how to grade.
type modelAnswer struct {
	given  rules.Answer
	earned *big.Rat
}

// modelSession is a session. A time is zero, a stage -1 and a score -1 as long
// as there is none.
type modelSession struct {
	assessment *modelAssessment
	id         string
	email      string
	attempt    int
	links      []string // every link that was sent; the last one is the one that counts
	renewed    time.Time
	extra      int

	status, reason                     string
	invited, expires, updated          time.Time
	started, deadline                  time.Time
	completed, disqualified, cancelled time.Time
	stage                              int
	runs                               []modelRun
	answers                            map[string]modelAnswer // by question id
	score                              int64
	points                             *big.Rat
}

// modelRun is one stage of a session.
type modelRun struct {
	started, due, closed time.Time
	points               *big.Rat
	score                int64
}

func (s modelSession) clone() modelSession {
	s.links = slices.Clone(s.links)
	s.runs = slices.Clone(s.runs)
	s.answers = maps.Clone(s.answers)
	return s
}

// due is when the clock changes the session next.
func (s modelSession) due() time.Time {
	switch s.status {
	case "INVITED":
		return s.expires
	case "IN_PROGRESS":
		return s.runs[s.stage].due
	}
	return time.Time{}
}

func (s modelSession) overdue(now time.Time) bool { return !s.due().IsZero() && !now.Before(s.due()) }

// live is what may be submitted, cancelled, or found by an invite.
func (s modelSession) live() bool { return s.status == "INVITED" || s.status == "IN_PROGRESS" }

func (s modelSession) finished() bool { return s.status == "COMPLETED" || s.status == "DISQUALIFIED" }

// settled is the session after the deadlines that have passed at now, each of
// which took effect at its own instant.
func (s modelSession) settled(now time.Time) modelSession {
	s = s.clone()
	for s.overdue(now) {
		at := s.due()
		s.updated = now
		if s.status == "INVITED" {
			s.status, s.reason = "EXPIRED", "INVITE_EXPIRED"
			continue
		}
		s.closeStage(at, "TIME_EXPIRED", at.Equal(s.deadline))
	}
	return s
}

// start opens the first stage.
func (s *modelSession) start(now time.Time) {
	s.status, s.started, s.updated = "IN_PROGRESS", now, now
	if s.assessment.minutes > 0 {
		s.deadline = now.Add(lengthened(s.assessment.minutes, s.extra))
	}
	s.runs = make([]modelRun, len(s.assessment.stages))
	s.openStage(0, now)
}

func (s *modelSession) openStage(i int, at time.Time) {
	s.stage = i
	run := modelRun{started: at, due: s.deadline, score: -1}
	if minutes := s.assessment.stages[i].minutes; minutes > 0 {
		own := at.Add(lengthened(minutes, s.extra))
		if run.due.IsZero() || own.Before(run.due) {
			run.due = own
		}
	}
	s.runs[i] = run
}

// submit closes the current stage.
func (s *modelSession) submit(now time.Time) {
	s.updated = now
	s.closeStage(now, "SUBMITTED", false)
}

// closeStage scores the current stage and goes on to the next, unless a
// required gate, the last stage or the session's own deadline ends it all.
func (s *modelSession) closeStage(at time.Time, reason string, timeIsUp bool) {
	stage, run := s.assessment.stages[s.stage], &s.runs[s.stage]
	run.closed = at
	run.points = new(big.Rat)
	for _, question := range stage.questions {
		if answer, ok := s.answers[question.id]; ok {
			run.points.Add(run.points, new(big.Rat).Mul(question.worth(), answer.earned))
		}
	}
	run.score = hundredths(run.points, worthOf(stage))
	switch {
	case stage.gate != nil && stage.gate.required && run.score < stage.gate.minScore:
		s.finish("DISQUALIFIED", "STAGE_GATE")
		s.disqualified = at
	case timeIsUp || s.stage == len(s.assessment.stages)-1:
		s.finish("COMPLETED", reason)
		s.completed = at
	default:
		s.openStage(s.stage+1, at)
	}
}

func (s *modelSession) finish(status, reason string) {
	s.status, s.reason, s.stage = status, reason, -1
	s.points = new(big.Rat)
	for _, run := range s.runs {
		if run.points != nil {
			s.points.Add(s.points, run.points)
		}
	}
	s.score = hundredths(s.points, worthOf(s.assessment.stages...))
}

// cancel ends a live session.
func (s *modelSession) cancel(now time.Time) {
	s.status, s.reason, s.stage = "CANCELLED", "CANCELLED", -1
	s.cancelled, s.updated = now, now
}

// resend makes an open or expired invitation a new one; the link is to follow.
func (s *modelSession) resend(now time.Time) {
	s.status, s.reason = "INVITED", ""
	s.invited, s.updated, s.renewed = now, now, now
	s.expires = now.AddDate(0, 0, s.assessment.expiryDays)
}

// passed is "-" where there is nothing to pass, or nothing to tell yet.
func (s modelSession) passed() string {
	if !s.finished() || s.assessment.passing < 0 {
		return "-"
	}
	return strconv.FormatBool(s.status == "COMPLETED" && s.score >= s.assessment.passing)
}

// mayStart is the code with which starting is refused, "" when it is not.
func (s modelSession) mayStart() string {
	if s.status == "INVITED" {
		return ""
	}
	return s.mayWork()
}

// mayWork is the code with which saving and submitting are refused.
func (s modelSession) mayWork() string {
	switch s.status {
	case "IN_PROGRESS":
		return ""
	case "CANCELLED":
		return "unauthenticated"
	case "EXPIRED":
		return "invite_expired"
	}
	return "session_not_in_progress"
}

// maySave is the code with which an answer to a question of stage i is refused.
func (s modelSession) maySave(i int) string {
	switch {
	case s.mayWork() != "":
		return s.mayWork()
	case i > s.stage:
		return "not_found" // what is to come is not shown
	case i < s.stage:
		return "stage_closed"
	}
	return ""
}

// maySubmit is the code with which submitting stage i is refused; what was
// submitted once may be so for ever, with the same outcome.
func (s modelSession) maySubmit(i int) string {
	switch {
	case s.status == "CANCELLED" || s.started.IsZero():
		return s.mayWork()
	case i < 0:
		return "not_found"
	case !s.runs[i].started.IsZero():
		return ""
	case s.mayWork() != "":
		return s.mayWork()
	}
	return "not_found"
}

// outcome is what submitting stage i, which has been closed, is answered with.
func (s modelSession) outcome(i int) (status, next string) {
	if i+1 < len(s.runs) && !s.runs[i+1].started.IsZero() {
		return "IN_PROGRESS", s.assessment.stages[i+1].id
	}
	return s.status, ""
}

// stageStatus is how stage i is told of in the result.
func (s modelSession) stageStatus(i int) string {
	gate := s.assessment.stages[i].gate
	switch {
	case s.runs[i].closed.IsZero():
		return "NOT_REACHED"
	case gate == nil:
		return "COMPLETED"
	case s.runs[i].score >= gate.minScore:
		return "PASSED"
	}
	return "FAILED"
}

// event is the line that stands for the event of an invitation or an end.
func (s modelSession) event(kind string, at time.Time) string {
	switch kind {
	case "candidate.invited":
		return eventLine(at, kind, s.id, s.assessment.id, s.email, "INVITED", s.links[len(s.links)-1], moment(s.expires))
	case "candidate.disqualified":
		last := len(s.runs) - 1
		for s.runs[last].closed.IsZero() {
			last--
		}
		stage := s.assessment.stages[last]
		return eventLine(at, kind, s.id, s.assessment.id, s.email, s.status, percentage(s.score), s.passed(),
			stage.id, percentage(s.runs[last].score), percentage(stage.gate.minScore))
	}
	return eventLine(at, kind, s.id, s.assessment.id, s.email, s.status, percentage(s.score), s.passed())
}

func eventLine(at time.Time, kind string, fields ...string) string {
	return moment(at) + " " + kind + " " + strings.Join(fields, " ")
}

// String is one line that describe writes in the same way for the stored session.
func (s modelSession) String() string {
	stage := "-"
	if s.stage >= 0 {
		stage = s.assessment.stages[s.stage].id
	}
	link := "-"
	if s.live() {
		link = s.links[len(s.links)-1]
	}
	return fmt.Sprintf("%s %s attempt=%d extra=%d %s reason=%s stage=%s score=%s passed=%s invited=%s expires=%s started=%s "+
		"deadline=%s "+
		"due=%s completed=%s disqualified=%s cancelled=%s updated=%s link=%s",
		s.id, s.email, s.attempt, s.extra, s.status, orDash(s.reason), stage, percentage(s.score), s.passed(),
		moment(s.invited), moment(s.expires),
		moment(s.started), moment(s.deadline), moment(s.due()), moment(s.completed), moment(s.disqualified),
		moment(s.cancelled), moment(s.updated), link)
}

func (q modelQuestion) worth() *big.Rat { return big.NewRat(q.points, 100) }

func worthOf(stages ...modelStage) *big.Rat {
	sum := new(big.Rat)
	for _, stage := range stages {
		for _, question := range stage.questions {
			sum.Add(sum, question.worth())
		}
	}
	return sum
}

// hundredths is the share of most that points are, in hundredths of a percent, half up.
func hundredths(points, most *big.Rat) int64 {
	share := new(big.Rat).Mul(new(big.Rat).Quo(points, most), big.NewRat(10_000, 1))
	share.Add(share, big.NewRat(1, 2))
	return new(big.Int).Div(share.Num(), share.Denom()).Int64()
}

// lengthened is a limit with the extra time: 600 ms are a hundredth of a minute.
func lengthened(minutes, extra int) time.Duration {
	return time.Duration(minutes*(100+extra)*600) * time.Millisecond
}

// percentage writes hundredths of a percent as JSON does, "-" for none.
func percentage(hundredths int64) string {
	if hundredths < 0 {
		return "-"
	}
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// moment writes a time as the contract does, "-" for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
