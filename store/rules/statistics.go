package rules

import "slices"

// Statistics is what is known of all finished sessions of one assessment. Sessions
// are added and removed one by one, and none can be recognized in it. Its size depends on the
// definition and not on the number of sessions. Stages, questions, and options have
// the positions of the definition, which does not change after publishing.
type Statistics struct {
	Version   int          `json:"version,omitempty"`   // StatisticsVersion, or 0 if an earlier version counted sessions
	Passed    int64        `json:"passed"`              // completed sessions that reached the passing score
	OutOfTime int64        `json:"outOfTime,omitempty"` // finished sessions that ran out of time
	Durations Sketch       `json:"durations"`           // of completed sessions, in seconds
	Totals    Moments      `json:"totals"`              // points of completed sessions, as a share of all points
	Percents  Moments      `json:"percents"`            // scores of completed sessions, from 0 to 1
	Stages    []StageTally `json:"stages"`
}

// StatisticsVersion is that of documents with all figures. A document of another version is computed anew.
const StatisticsVersion = 1

// StageTally is about the sessions that closed the stage.
type StageTally struct {
	Reached   int64           `json:"reached"`
	Passed    int64           `json:"passed"` // its gate
	Failed    int64           `json:"failed"`
	OutOfTime int64           `json:"outOfTime,omitempty"`
	Scores    Sketch          `json:"scores"`    // percent of the stage
	Durations Sketch          `json:"durations"` // in seconds
	Totals    Moments         `json:"totals"`    // points of completed sessions, as a share of all points
	Percents  Moments         `json:"percents"`  // scores of completed sessions, from 0 to 1
	Questions []QuestionTally `json:"questions"`
}

// QuestionTally is about the sessions that closed the question's stage.
type QuestionTally struct {
	Given    int64     `json:"given,omitempty"` // for a question of a pool; any other is given to all
	Answered int64     `json:"answered"`
	Points   float64   `json:"points"`             // the sum
	Chosen   []int64   `json:"chosen,omitempty"`   // by option
	Choosers []int64   `json:"choosers,omitempty"` // of each option, in completed sessions
	Rest     []float64 `json:"rest,omitempty"`     // the mean of Pairs.Y of the choosers
	Times    Times     `json:"times,omitzero"`
	Pairs    Pairs     `json:"pairs"` // the points of the question and of all other questions, in completed sessions
}

// Finished is what the statistics use of the result of a finished session.
type Finished struct {
	Status          SessionStatus   `json:"status"`
	Points          float64         `json:"points"`
	Passed          *bool           `json:"passed"`
	DurationSeconds int             `json:"durationSeconds"`
	Stages          []FinishedStage `json:"stages"`
	CloseReason     string          `json:"closeReason"`

	Seconds map[string]int `json:"-"` // for how long the page showed each question, by its id
}

// FinishedStage is a stage of a finished session. Score is nil when the stage was
// not reached.
type FinishedStage struct {
	ID        string             `json:"id"`
	Status    StageStatus        `json:"status"`
	Score     *float64           `json:"score"`
	Duration  *int               `json:"durationSeconds"`
	Questions []FinishedQuestion `json:"questions"`
}

// FinishedQuestion is a question of a finished session. The answer is nil when there
// is none, or when it was erased.
type FinishedQuestion struct {
	ID        string  `json:"id"`
	Answer    *Answer `json:"answer"`
	Correct   *bool   `json:"correct"`
	Points    float64 `json:"points"`
	MaxPoints float64 `json:"maxPoints"`
}

// IsAnswered reports whether there is an answer.
func (q FinishedQuestion) IsAnswered() bool { return q.Answer != nil && !q.Answer.empty() }

// Add adds a finished session. Stages and questions that the definition does not
// contain are ignored.
func (s *Statistics) Add(d Definition, finished Finished) { s.count(d, finished, 1) }

// Remove removes a session that was added, for example because a correction has given it
// another result.
func (s *Statistics) Remove(d Definition, finished Finished) { s.count(d, finished, -1) }

// countedSession is a session that is added or removed.
type countedSession struct {
	Finished
	definition Definition
	n          int64   // 1, or -1 to remove it
	maxPoints  float64 // of the definition
	total      float64 // the sum of the rounded points, which a person can add up
	isCurrent  bool    // the statistics have all figures; otherwise, the newer ones stay empty instead of incomplete
}

// count adds the session n times. n is 1 or -1.
func (s *Statistics) count(d Definition, finished Finished, n int64) {
	if n > 0 && s.Version != StatisticsVersion && s.isEmpty() {
		*s = Statistics{Version: StatisticsVersion}
	}
	s.Fit(d)
	session := countedSession{Finished: finished, definition: d, n: n, maxPoints: d.MaxPoints(),
		isCurrent: s.Version == StatisticsVersion}
	session.total = session.points()
	if finished.Status == SessionCompleted {
		s.Durations.count(float64(finished.DurationSeconds), n)
		if session.isCurrent {
			s.Totals.count(session.share(session.total), n)
			s.Percents.count(session.percent()/100, n)
		}
		if finished.Passed != nil && *finished.Passed {
			s.Passed += n
		}
	}
	isOutOfTime, hasAnswers := false, finished.hasAnswers()
	for at, stage := range finished.Stages {
		defined, i, known := d.StageByID(stage.ID)
		if known && stage.Score != nil {
			s.Stages[i].count(session, defined, stage)
			if session.isCurrent && hasAnswers && session.endedByTime(at, defined) {
				s.Stages[i].OutOfTime += n
				isOutOfTime = true
			}
		}
	}
	if isOutOfTime {
		s.OutOfTime += n
	}
}

// hasAnswers reports whether the candidate has answered a question. Without an answer, the candidate may have left at
// once, and has not run out of time. Answers that were erased are unknown.
func (s Finished) hasAnswers() bool {
	return slices.ContainsFunc(s.Stages, func(stage FinishedStage) bool {
		return slices.ContainsFunc(stage.Questions, FinishedQuestion.IsAnswered)
	})
}

func (s *Statistics) isEmpty() bool {
	return !slices.ContainsFunc(s.Stages, func(t StageTally) bool { return t.Reached != 0 }) && s.Durations.Count() == 0
}

// points is the sum of the points of the questions in the stages that the session reached.
func (s *countedSession) points() float64 {
	sum := 0.0
	for _, stage := range s.Stages {
		if defined, _, known := s.definition.StageByID(stage.ID); known && stage.Score != nil {
			sum += stage.points(defined)
		}
	}
	return sum
}

func (s FinishedStage) points(defined Stage) float64 {
	sum := 0.0
	for _, question := range s.Questions {
		if defined.position(question.ID) >= 0 {
			sum += question.Points
		}
	}
	return sum
}

// position is that of the question in the stage, -1 if it is not there.
func (s Stage) position(questionID string) int {
	return slices.IndexFunc(s.Questions, func(q Question) bool { return q.ID == questionID })
}

// share is points as a part of all points. An assessment without points has none to compare.
func (s *countedSession) share(points float64) float64 {
	if s.maxPoints <= 0 {
		return 0
	}
	return points / s.maxPoints
}

// percent is the score. Corrections can have excluded questions, whose MaxPoints are 0.
func (s *countedSession) percent() float64 {
	maxPoints := 0.0
	for _, stage := range s.Stages {
		for _, question := range stage.Questions {
			maxPoints += question.MaxPoints
		}
	}
	return cappedPercent(s.Points, maxPoints)
}

// endedByTime reports whether the time ended in the stage at position `at` of the result while a question had no
// answer. A result does not contain deadlines. The session's deadline ends the last stage that was reached. A stage's
// own limit is known from a duration that equals it, unless the candidate had extra time.
func (s *countedSession) endedByTime(at int, defined Stage) bool {
	stage := s.Stages[at]
	if !slices.ContainsFunc(stage.Questions, func(q FinishedQuestion) bool { return !q.IsAnswered() }) {
		return false
	}
	isLast := !slices.ContainsFunc(s.Stages[at+1:], func(later FinishedStage) bool { return later.Score != nil })
	if isLast && s.CloseReason == string(ClosedTimeExpired) {
		return true
	}
	return defined.TimeLimitMinutes != nil && stage.Duration != nil && *stage.Duration == *defined.TimeLimitMinutes*60
}

// Fit gives the statistics the size of the definition.
func (s *Statistics) Fit(d Definition) {
	s.Stages = sized(s.Stages, len(d.Stages))
	for i, stage := range d.Stages {
		s.Stages[i].Questions = sized(s.Stages[i].Questions, len(stage.Questions))
		for j, question := range stage.Questions {
			tally := &s.Stages[i].Questions[j]
			tally.Chosen = sized(tally.Chosen, len(question.Options))
			tally.Choosers = sized(tally.Choosers, len(question.Options))
			tally.Rest = sized(tally.Rest, len(question.Options))
		}
	}
}

func sized[T any](list []T, n int) []T {
	return append(list, make([]T, max(0, n-len(list)))...)[:n]
}

func (t *StageTally) count(s countedSession, defined Stage, stage FinishedStage) {
	n := s.n
	t.Reached += n
	t.Scores.count(*stage.Score, n)
	if s.isCurrent && stage.Duration != nil {
		t.Durations.count(float64(*stage.Duration), n)
	}
	switch stage.Status {
	case StagePassed:
		t.Passed += n
	case StageFailed:
		t.Failed += n
	case StageCompleted, StageNotReached, StageReady, StageInProgress, StageInReview:
	}
	// A disqualified candidate could earn no points in later stages, which would
	// make every question before the gate seem to discriminate.
	isCompleted := s.Status == SessionCompleted
	if isCompleted && s.isCurrent {
		t.Totals.count(s.share(stage.points(defined)), n)
		t.Percents.count(*stage.Score/100, n)
	}
	for _, question := range stage.Questions {
		i := defined.position(question.ID)
		if i < 0 {
			continue
		}
		tally := &t.Questions[i]
		if defined.Questions[i].PoolID != "" {
			tally.Given += n
		}
		tally.Points += float64(n) * question.Points
		if seconds, measured := s.Seconds[question.ID]; measured && s.isCurrent {
			tally.Times.count(seconds, n)
		}
		rest := s.share(s.total - question.Points)
		if isCompleted && s.maxPoints > 0 {
			tally.Pairs.repeat(s.share(question.Points), rest, n)
		}
		tally.countAnswer(defined.Questions[i], question.Answer, n, isCompleted && s.isCurrent, rest)
	}
}

// QuestionReached is the number of sessions that were given the question at position i and closed its stage.
func (t StageTally) QuestionReached(defined Stage, i int) int64 {
	if defined.Questions[i].PoolID != "" {
		return t.Questions[i].Given
	}
	return t.Reached
}

// countAnswer counts the chosen options. rest are the points for all other questions, as a share of all points, which
// count if withRest is set.
func (t *QuestionTally) countAnswer(defined Question, answer *Answer, n int64, withRest bool, rest float64) {
	if answer == nil || answer.empty() {
		return
	}
	t.Answered += n
	for i, option := range defined.Options {
		if answer.OptionID != nil && *answer.OptionID == option.ID || slices.Contains(answer.OptionIDs, option.ID) {
			t.Chosen[i] += n
			if withRest {
				t.Choosers[i] += n
				t.Rest[i] = shiftedMean(t.Rest[i], t.Choosers[i], rest, n)
			}
		}
	}
}

// MeanPoints is the average of the question's points in reached sessions, in which
// a question without an answer counts as 0. It is nil without sessions.
func (t QuestionTally) MeanPoints(reached int64) *float64 {
	if reached == 0 {
		return nil
	}
	return new(t.Points / float64(reached))
}

// Difficulty is MeanPoints as a share of the question's points. It is nil without
// sessions, and for a question that gives no points.
func (t QuestionTally) Difficulty(q Question, reached int64) *float64 {
	mean := t.MeanPoints(reached)
	if mean == nil || q.Points <= 0 {
		return nil
	}
	return new(*mean / q.Points)
}
