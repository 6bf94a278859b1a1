package rules

import (
	"math"
	"slices"
)

// Statistics is what is known of all finished sessions of one assessment. Sessions
// are added and removed one by one, and none can be recognized in it. Its size depends on the
// definition and not on the number of sessions. Stages, questions, and options have
// the positions of the definition, which does not change after publishing.
type Statistics struct {
	Version   int          `json:"version,omitempty"` // StatisticsVersion, unless an earlier version counted sessions without all figures
	Passed    int64        `json:"passed"`            // completed sessions that reached the passing score
	Durations Sketch       `json:"durations"`         // of completed sessions, in seconds
	Stages    []StageTally `json:"stages"`
}

// StatisticsVersion is that of documents with all figures. A document of another version is computed anew.
const StatisticsVersion = 1

// StageTally is about the sessions that closed the stage.
type StageTally struct {
	Reached   int64           `json:"reached"`
	Passed    int64           `json:"passed"` // its gate
	Failed    int64           `json:"failed"`
	Scores    Sketch          `json:"scores"` // percent of the stage
	Questions []QuestionTally `json:"questions"`
	Durations Sketch          `json:"durations"` // in seconds
	OutOfTime int64           `json:"outOfTime,omitempty"`
}

// QuestionTally is about the sessions that closed the question's stage.
type QuestionTally struct {
	Given    int64   `json:"given,omitempty"` // for a question of a pool; any other is given to all
	Answered int64   `json:"answered"`
	Points   float64 `json:"points"` // the sum
	Chosen   []int64 `json:"chosen,omitempty"`
	Times    Times   `json:"times"`
	Pairs    Pairs   `json:"pairs"` // the points of the question and of all other questions, in completed sessions
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

// count adds the session n times. n is 1 or -1.
func (s *Statistics) count(d Definition, finished Finished, n int64) {
	s.Fit(d)
	if finished.Status == SessionCompleted {
		s.Durations.count(float64(finished.DurationSeconds), n)
		if finished.Passed != nil && *finished.Passed {
			s.Passed += n
		}
	}
	maxPoints := d.MaxPoints()
	for _, stage := range finished.Stages {
		defined, i, known := d.StageByID(stage.ID)
		if known && stage.Score != nil {
			s.Stages[i].count(defined, stage, finished, maxPoints, n)
		}
	}
}

// Fit gives the statistics the size of the definition.
func (s *Statistics) Fit(d Definition) {
	s.Stages = sized(s.Stages, len(d.Stages))
	for i, stage := range d.Stages {
		s.Stages[i].Questions = sized(s.Stages[i].Questions, len(stage.Questions))
		for j, question := range stage.Questions {
			s.Stages[i].Questions[j].Chosen = sized(s.Stages[i].Questions[j].Chosen, len(question.Options))
		}
	}
}

func sized[T any](list []T, n int) []T {
	return append(list, make([]T, max(0, n-len(list)))...)[:n]
}

func (t *StageTally) count(defined Stage, stage FinishedStage, finished Finished, maxPoints float64, n int64) {
	t.Reached += n
	t.Scores.count(*stage.Score, n)
	switch stage.Status {
	case StagePassed:
		t.Passed += n
	case StageFailed:
		t.Failed += n
	case StageCompleted, StageNotReached, StageReady, StageInProgress, StageInReview:
	}
	for _, question := range stage.Questions {
		i := slices.IndexFunc(defined.Questions, func(q Question) bool { return q.ID == question.ID })
		if i < 0 {
			continue
		}
		tally := &t.Questions[i]
		if defined.Questions[i].PoolID != "" {
			tally.Given += n
		}
		tally.Points += float64(n) * question.Points
		tally.countAnswer(defined.Questions[i], question.Answer, n)
		// A disqualified candidate could earn no points in later stages, which would
		// make every question before the gate seem to discriminate.
		if finished.Status == SessionCompleted && maxPoints > 0 {
			x, y := question.Points/maxPoints, (finished.Points-question.Points)/maxPoints
			if n > 0 {
				tally.Pairs.count(x, y)
			} else {
				tally.Pairs.remove(x, y)
			}
		}
	}
}

// QuestionReached is the number of sessions that were given the question at position i and closed its stage.
func (t StageTally) QuestionReached(defined Stage, i int) int64 {
	if defined.Questions[i].PoolID != "" {
		return t.Questions[i].Given
	}
	return t.Reached
}

func (t *QuestionTally) countAnswer(defined Question, answer *Answer, n int64) {
	if answer == nil || answer.empty() {
		return
	}
	t.Answered += n
	for i, option := range defined.Options {
		if answer.OptionID != nil && *answer.OptionID == option.ID || slices.Contains(answer.OptionIDs, option.ID) {
			t.Chosen[i] += n
		}
	}
}

// Pairs are means and sums over pairs of numbers, from which the correlation of the
// numbers is computed. The sums contain differences from the means (Welford's method):
// sums of the numbers' squares lose the difference between numbers that are almost equal.
type Pairs struct {
	N     int64   `json:"n"`
	MeanX float64 `json:"meanX"`
	MeanY float64 `json:"meanY"`
	XX    float64 `json:"xx"`
	YY    float64 `json:"yy"`
	XY    float64 `json:"xy"`
}

func (p *Pairs) count(x, y float64) {
	p.N++
	dx, dy := x-p.MeanX, y-p.MeanY
	p.MeanX += dx / float64(p.N)
	p.MeanY += dy / float64(p.N)
	p.XX += dx * (x - p.MeanX)
	p.YY += dy * (y - p.MeanY)
	p.XY += dx * (y - p.MeanY)
}

// remove reverses count. Rounding leaves an error of about 1e-16 of the largest value that a
// sum has had, so sums of equal numbers are not exactly zero: see same.
func (p *Pairs) remove(x, y float64) {
	if p.N <= 1 {
		*p = Pairs{}
		return
	}
	dx, dy := x-p.MeanX, y-p.MeanY
	p.N--
	p.MeanX -= dx / float64(p.N)
	p.MeanY -= dy / float64(p.N)
	p.XX = max(0, p.XX-dx*(x-p.MeanX))
	p.YY = max(0, p.YY-dy*(y-p.MeanY))
	p.XY -= dx * (y - p.MeanY)
}

// Correlation is Pearson's coefficient, from -1 to 1. For numbers where one has
// two values it is the point-biserial coefficient. It is nil when one of the numbers
// is the same in all pairs.
func (p Pairs) Correlation() *float64 {
	if same(p.N, p.XX) || same(p.N, p.YY) {
		return nil
	}
	r := p.XY / math.Sqrt(p.XX*p.YY)
	return new(min(max(r, -1), 1))
}

// same reports whether n numbers from 0 to 1 differ by no more than the rounding errors of count and remove.
func same(n int64, squares float64) bool { return squares <= 1e-12*float64(n) }

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

// ScoreCount is the number of completed sessions with a score.
type ScoreCount struct {
	Score float64
	Count int64
}

// ScoreBins is the number of parts of equal width into which Distribution divides
// the scores. A score on a border belongs to the upper part, and 100 to the last one.
const ScoreBins = 20

// ScoreBin is the position of the part to which a score belongs.
func ScoreBin(score float64) int { return min(int(score*ScoreBins/100), ScoreBins-1) }

// Distribution describes scores. Mean and quartiles are nil without scores.
type Distribution struct {
	Count                      int64
	Mean, Lower, Median, Upper *float64 // Lower and Upper are quartiles (nearest rank)
	Bins                       [ScoreBins]int64
	StandardDeviation          *float64 // with n - 1; nil below two scores
	Skewness                   *float64 // nil below three scores, and if all are the same
}

// NewDistribution describes the scores, which must be in ascending order.
func NewDistribution(scores []ScoreCount) Distribution {
	var d Distribution
	sum := 0.0
	for _, score := range scores {
		d.Count += score.Count
		sum += score.Score * float64(score.Count)
		d.Bins[ScoreBin(score.Score)] += score.Count
	}
	if d.Count == 0 {
		return d
	}
	d.Mean = new(RoundPoints(sum / float64(d.Count)))
	d.Lower, d.Median, d.Upper = scoreAt(scores, 0.25, d.Count), scoreAt(scores, 0.5, d.Count),
		scoreAt(scores, 0.75, d.Count)
	return d
}

func scoreAt(scores []ScoreCount, q float64, n int64) *float64 {
	rank := nearestRank(q, n)
	for _, score := range scores {
		if rank -= score.Count; rank <= 0 {
			return new(score.Score)
		}
	}
	return nil
}
