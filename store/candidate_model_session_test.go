package store_test

import (
	"maps"
	"math/big"
	"slices"
	"time"

	"assay/store/rules"
)

// The model of a candidate session is a second, simpler implementation of the
// rules in openapi.yaml. It calls no code of package store: it adds times and sums
// points itself. Points are fractions, and scores are hundredths of a percent.

// modelAssessment has the settings of an assessment that affect its sessions.
type modelAssessment struct {
	id         string
	minutes    int   // time limit of the session; 0 is no limit
	passing    int64 // hundredths of a percent; -1 is no passing score
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

// modelAnswer is a valid answer and the share of the question's points that it
// earns. The model itself does not grade answers.
type modelAnswer struct {
	given  rules.Answer
	earned *big.Rat
}

// modelSession is a session. A missing time is zero, and a missing stage or score is -1.
type modelSession struct {
	assessment *modelAssessment
	id         string
	email      string
	attempt    int
	links      []string // every link that was sent; only the last one is valid
	renewed    time.Time
	extra      int

	status, reason                     string
	invited, expires, updated          time.Time
	started, deadline                  time.Time
	completed, disqualified, cancelled time.Time

	stage   int
	runs    []modelRun
	answers map[string]modelAnswer // by question id
	score   int64
	points  *big.Rat
}

// modelRun is the state of one stage in a session.
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

// link is the valid link of the session.
func (s modelSession) link() string { return s.links[len(s.links)-1] }

// due is the next deadline of the session, or zero.
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

func (s modelSession) live() bool { return s.status == "INVITED" || s.status == "IN_PROGRESS" }

func (s modelSession) finished() bool { return s.status == "COMPLETED" || s.status == "DISQUALIFIED" }

// settled returns the session after all deadlines until now. Each deadline takes
// effect at its own time, not at now.
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
		s.deadline = now.Add(extended(s.assessment.minutes, s.extra))
	}
	s.runs = make([]modelRun, len(s.assessment.stages))
	s.openStage(0, now)
}

func (s *modelSession) openStage(i int, at time.Time) {
	s.stage = i
	run := modelRun{started: at, due: s.deadline, score: -1}
	if minutes := s.assessment.stages[i].minutes; minutes > 0 {
		own := at.Add(extended(minutes, s.extra))
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

// closeStage scores the current stage. It opens the next stage, or finishes the
// session after a failed required gate, the last stage, or the session's deadline.
func (s *modelSession) closeStage(at time.Time, reason string, sessionExpired bool) {
	stage, run := s.assessment.stages[s.stage], &s.runs[s.stage]
	run.closed = at
	run.points = new(big.Rat)
	for _, question := range stage.questions {
		if answer, ok := s.answers[question.id]; ok {
			run.points.Add(run.points, new(big.Rat).Mul(question.maxPoints(), answer.earned))
		}
	}
	run.score = scoreOf(run.points, maxPoints(stage))

	switch {
	case stage.gate != nil && stage.gate.required && run.score < stage.gate.minScore:
		s.finish("DISQUALIFIED", "STAGE_GATE")
		s.disqualified = at
	case sessionExpired || s.stage == len(s.assessment.stages)-1:
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
	s.score = scoreOf(s.points, maxPoints(s.assessment.stages...))
}

func (s *modelSession) cancel(now time.Time) {
	s.status, s.reason, s.stage = "CANCELLED", "CANCELLED", -1
	s.cancelled, s.updated = now, now
}

// resend renews an open or expired invitation. The caller adds the new link.
func (s *modelSession) resend(now time.Time) {
	s.status, s.reason = "INVITED", ""
	s.invited, s.updated, s.renewed = now, now, now
	s.expires = now.AddDate(0, 0, s.assessment.expiryDays)
}

// startRefusal returns the code with which the store refuses to start the
// session. The empty string means that the store accepts the request.
func (s modelSession) startRefusal() string {
	if s.status == "INVITED" {
		return ""
	}
	return s.workRefusal()
}

// workRefusal is like startRefusal, for saving an answer and submitting a stage.
func (s modelSession) workRefusal() string {
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

// saveRefusal is like startRefusal, for saving an answer to a question of stage i.
func (s modelSession) saveRefusal(i int) string {
	switch {
	case s.workRefusal() != "":
		return s.workRefusal()
	case i > s.stage:
		return "not_found" // a candidate does not see later stages
	case i < s.stage:
		return "stage_closed"
	}
	return ""
}

// submitRefusal is like startRefusal, for submitting stage i. A stage that has
// started can be submitted any number of times, with the same outcome.
func (s modelSession) submitRefusal(i int) string {
	switch {
	case s.status == "CANCELLED" || s.started.IsZero():
		return s.workRefusal()
	case i < 0:
		return "not_found"
	case !s.runs[i].started.IsZero():
		return ""
	case s.workRefusal() != "":
		return s.workRefusal()
	}
	return "not_found"
}

// outcome returns the response to a submission of the closed stage i.
func (s modelSession) outcome(i int) (status, next string) {
	if i+1 < len(s.runs) && !s.runs[i+1].started.IsZero() {
		return "IN_PROGRESS", s.assessment.stages[i+1].id
	}
	return s.status, ""
}

// stageStatus is the status of stage i in the result document.
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

func (q modelQuestion) maxPoints() *big.Rat { return big.NewRat(q.points, 100) }

func maxPoints(stages ...modelStage) *big.Rat {
	sum := new(big.Rat)
	for _, stage := range stages {
		for _, question := range stage.questions {
			sum.Add(sum, question.maxPoints())
		}
	}
	return sum
}

// scoreOf returns points as a share of most, in hundredths of a percent, rounded half up.
func scoreOf(points, most *big.Rat) int64 {
	share := new(big.Rat).Mul(new(big.Rat).Quo(points, most), big.NewRat(10_000, 1))
	share.Add(share, big.NewRat(1, 2))
	return new(big.Int).Div(share.Num(), share.Denom()).Int64()
}

// extended returns a time limit with the extra time in percent. One percent of a
// minute is 600 ms.
func extended(minutes, extra int) time.Duration {
	return time.Duration(minutes*(100+extra)*600) * time.Millisecond
}
