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
	onFail   rules.OnFail
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
	byHand bool // a person grades it, and earned is what the person could give
}

// modelSession is a session. A missing time is zero, and a missing stage or score is -1.
type modelSession struct {
	assessment *modelAssessment
	id         string
	email      string
	attempt    int
	links      []string // every link that was sent; only the last one is valid
	extra      int

	status, reason                     string
	invited, expires, updated          time.Time
	started, deadline                  time.Time
	completed, disqualified, cancelled time.Time

	active time.Time // the last start, save, or submission
	idle   time.Time // when the store looks whether the candidate still works, without a deadline

	stage   int
	ready   bool // the stage waits for its start
	runs    []modelRun
	answers map[string]modelSaved // by question id
	score   int64
	points  *big.Rat

	review *modelReview     // while a person must decide
	grades map[string]int64 // hundredths of points, by question id
	graded map[string]int   // the number of grades
	ruled  map[int]bool     // whether a person let the candidate pass, by stage
}

// modelRun is the state of one stage in a session.
type modelRun struct {
	started, due, closed time.Time
	points               *big.Rat
	score                int64
}

// modelSaved is a saved answer. A cleared one is nil.
type modelSaved struct {
	answer                   *modelAnswer
	revision, clientRevision int64
	client                   string
}

func (s modelSession) clone() modelSession {
	s.links = slices.Clone(s.links)
	s.runs = slices.Clone(s.runs)
	s.answers = maps.Clone(s.answers)
	s.grades, s.graded, s.ruled = maps.Clone(s.grades), maps.Clone(s.graded), maps.Clone(s.ruled)
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
		if limit := s.limit(); !limit.IsZero() {
			return limit.Add(modelGrace)
		}
		return s.idle
	}
	return time.Time{}
}

// limit is the deadline that candidates see: of the current stage, or of the session
// while the stage waits for its start.
func (s modelSession) limit() time.Time {
	if s.ready {
		return s.deadline
	}
	return s.runs[s.stage].due
}

// abandonment is when the session ends without a deadline.
func (s modelSession) abandonment() time.Time {
	since := s.runs[s.stage].started
	if s.ready {
		since = s.runs[s.stage-1].closed
	}
	if at := s.active.Add(30 * 24 * time.Hour); at.After(since) {
		return at
	}
	return since
}

// lapse is when the session in progress, or its stage, ends if the candidate does nothing more. It is later than due
// after an answer that was saved without a deadline.
func (s modelSession) lapse() time.Time {
	if s.limit().IsZero() {
		return s.abandonment()
	}
	return s.due()
}

func (s modelSession) overdue(now time.Time) bool { return !s.due().IsZero() && !now.Before(s.due()) }

func (s modelSession) live() bool {
	return s.status == "INVITED" || s.status == "IN_PROGRESS" || s.status == "IN_REVIEW"
}

func (s modelSession) finished() bool { return s.status == "COMPLETED" || s.status == "DISQUALIFIED" }

// settled returns the session after all deadlines until now. Each deadline takes
// effect at its own time, not at now.
func (s modelSession) settled(now time.Time) modelSession {
	s = s.clone()
	for s.overdue(now) {
		if s.status == "INVITED" {
			s.status, s.reason, s.updated = "EXPIRED", "INVITE_EXPIRED", now
			continue
		}
		at, reason := s.limit(), "TIME_EXPIRED"
		if at.IsZero() {
			at, reason = s.abandonment(), "ABANDONED"
		}
		if at.After(now) { // the candidate has saved an answer
			s.idle = at
			break
		}
		s.updated = now
		s.end(at, reason)
	}
	return s
}

// lapses reports whether a stage or the session ends until now.
func (s modelSession) lapses(now time.Time) bool {
	next := s.settled(now)
	return next.status != s.status || next.stage != s.stage
}

// start opens the first stage.
func (s *modelSession) start(now time.Time) {
	s.status, s.started, s.updated, s.active = "IN_PROGRESS", now, now, now
	if s.assessment.minutes > 0 {
		s.deadline = now.Add(extended(s.assessment.minutes, s.extra))
	}
	s.runs = make([]modelRun, len(s.assessment.stages))
	s.startStage(0, now)
}

func (s *modelSession) openStage(i int, at time.Time) {
	if s.assessment.stages[i].minutes == 0 {
		s.startStage(i, at)
		return
	}
	s.stage, s.ready = i, true
	s.runs[i] = modelRun{score: -1}
	s.idle = s.abandonment()
}

func (s *modelSession) startStage(i int, at time.Time) {
	s.stage, s.ready = i, false
	run := modelRun{started: at, due: s.deadline, score: -1}
	if minutes := s.assessment.stages[i].minutes; minutes > 0 {
		own := at.Add(extended(minutes, s.extra))
		if run.due.IsZero() || own.Before(run.due) {
			run.due = own
		}
	}
	s.runs[i] = run
	s.idle = s.abandonment()
}

// startReady starts the stage that waits, unless the time of the session is up.
func (s *modelSession) startReady(now time.Time) {
	s.updated = now
	if !s.deadline.IsZero() && !now.Before(s.deadline) {
		s.end(s.deadline, "TIME_EXPIRED")
		return
	}
	s.active = now
	s.startStage(s.stage, now)
}

// submit closes the current stage.
func (s *modelSession) submit(now time.Time) {
	s.updated, s.active = now, now
	if limit := s.limit(); !limit.IsZero() && !now.Before(limit) { // in the grace period
		s.end(limit, "TIME_EXPIRED")
		return
	}
	s.closeStage(now, "SUBMITTED", false)
}

// end is what happens without the candidate.
func (s *modelSession) end(at time.Time, reason string) {
	if s.ready {
		s.endAt(at, reason)
		return
	}
	s.closeStage(at, reason, reason == "ABANDONED" || at.Equal(s.deadline))
}

func (s *modelSession) finish(status, reason string) {
	s.status, s.reason, s.stage, s.ready = status, reason, -1, false
	s.points, s.review = new(big.Rat), nil
	for i := range s.runs {
		if !s.runs[i].closed.IsZero() {
			s.scoreRun(i)
			s.points.Add(s.points, s.runs[i].points)
		}
	}
	s.score = scoreOf(s.points, maxPoints(s.assessment.stages...))
}

func (s *modelSession) cancel(now time.Time) {
	s.status, s.reason, s.stage, s.ready = "CANCELLED", "CANCELLED", -1, false
	s.cancelled, s.updated, s.review = now, now, nil
}

// resend renews an open or expired invitation. The caller adds the new link.
func (s *modelSession) resend(now time.Time) {
	s.status, s.reason = "INVITED", ""
	s.invited, s.updated = now, now
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
	if refusal := s.stageRefusal(i); refusal != "" || !s.ready {
		return refusal
	}
	return "stage_not_started"
}

// stageRefusal is like startRefusal, for starting stage i.
func (s modelSession) stageRefusal(i int) string {
	switch {
	case s.workRefusal() != "":
		return s.workRefusal()
	case i > s.stage || i < 0:
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
	case i >= 0 && !s.runs[i].started.IsZero():
		return ""
	case s.workRefusal() != "":
		return s.workRefusal()
	case i == s.stage:
		return "stage_not_started"
	}
	return "not_found"
}

// stageStatus is the status of stage i.
func (s modelSession) stageStatus(i int) string {
	gate := s.assessment.stages[i].gate
	switch {
	case i == s.stage && s.ready:
		return "READY"
	case i == s.stage:
		return "IN_PROGRESS"
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
