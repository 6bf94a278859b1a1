package rules

import (
	"slices"
	"time"
)

// CorrectionAction is what a correction changes about a question of a published assessment.
type CorrectionAction string

// The actions of corrections.
const (
	ReplaceKey CorrectionAction = "REPLACE_KEY" // another key takes the place of the present one
	AcceptAlso CorrectionAction = "ACCEPT_ALSO" // a further key is right too
	FullPoints CorrectionAction = "FULL_POINTS" // everybody who reached the question gets all its points
	Exclude    CorrectionAction = "EXCLUDE"     // the question counts for nobody
)

// CorrectionPolicy says whether a correction can take points away.
type CorrectionPolicy string

// The policies of corrections.
const (
	Exact      CorrectionPolicy = "EXACT"       // results follow the corrected key
	NeverLower CorrectionPolicy = "NEVER_LOWER" // nobody loses points
)

// Correction is a decision about one question of a published assessment, which applies to
// the results of all sessions. Key is nil unless the action needs one.
type Correction struct {
	ID         string
	QuestionID string
	Action     CorrectionAction
	Key        *AnswerKey
	Policy     CorrectionPolicy
	At         time.Time
}

// AnswerKey is the key of a question. The question's type decides which fields are set.
type AnswerKey struct {
	CorrectOptionID  *string  `json:"correctOptionId,omitempty"`  // SINGLE_CHOICE
	CorrectOptionIDs []string `json:"correctOptionIds,omitempty"` // MULTIPLE_CHOICE
	Answer           *float64 `json:"answer,omitempty"`           // NUMERIC
	Tolerance        float64  `json:"tolerance,omitempty"`        // NUMERIC: accepted distance, inclusive
	AcceptedAnswers  []string `json:"acceptedAnswers,omitempty"`  // SHORT_TEXT
}

// NeedsKey reports whether the action needs a key.
func (a CorrectionAction) NeedsKey() bool { return a == ReplaceKey || a == AcceptAlso }

// withKey is the question with another key.
func (q Question) withKey(key AnswerKey) Question {
	q.CorrectOptionID, q.CorrectOptionIDs = key.CorrectOptionID, key.CorrectOptionIDs
	q.Answer, q.Tolerance, q.AcceptedAnswers = key.Answer, key.Tolerance, key.AcceptedAnswers
	return q
}

// CorrectionFaults returns the faults of a correction of the question. Pointers begin at
// the correction.
func CorrectionFaults(q Question, c Correction) []Fault {
	var faults fieldFaults
	switch {
	case c.Action.NeedsKey() && q.NeedsGrader():
		faults.add("/action", "invalid_value", "does not apply to a question without a key")
	case !c.Action.NeedsKey() && c.Key != nil:
		faults.add("/key", "unknown_field", "does not belong to the action "+string(c.Action))
	case c.Action.NeedsKey() && c.Key == nil:
		faults.add("/key", "required", "is needed by the action "+string(c.Action))
	case c.Key != nil:
		faults.addKey(q, *c.Key)
	}
	return faults
}

func (f *fieldFaults) addKey(q Question, key AnswerKey) {
	var belongs []string
	if k, known := kinds[q.Type]; known {
		_, belongs = k.fields()
	}
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"correctOptionId", key.CorrectOptionID != nil}, {"correctOptionIds", key.CorrectOptionIDs != nil},
		{"answer", key.Answer != nil}, {"tolerance", key.Tolerance != 0}, {"acceptedAnswers", key.AcceptedAnswers != nil},
	} {
		if field.given && !slices.Contains(belongs, field.name) {
			f.add("/key/"+field.name, "unknown_field", "does not belong to a question of type "+string(q.Type))
		}
	}
	f.addQuestionKey("/key", q.withKey(key))
}

// keys is what a question accepts after some of its corrections.
type keys struct {
	accepted []Question // the question with each of its keys
	full     bool
	excluded bool
}

// corrected returns the keys after one more correction. A later correction ends an earlier
// exclusion only if it can lower scores, because the question's points then count again.
func (k keys) corrected(q Question, c Correction) keys {
	excluded := k.excluded && c.Policy == NeverLower
	switch c.Action {
	case ReplaceKey:
		return keys{accepted: []Question{q.withKey(*c.Key)}, excluded: excluded}
	case AcceptAlso:
		accepted := slices.Concat(k.accepted, []Question{q.withKey(*c.Key)})
		return keys{accepted: accepted, excluded: excluded}
	case FullPoints:
		return keys{accepted: k.accepted, full: true, excluded: excluded}
	case Exclude:
		return keys{accepted: k.accepted, excluded: true}
	}
	return k
}

// keysOf returns what the question accepts with all its corrections.
func keysOf(q Question, corrections []Correction) keys {
	k := keys{accepted: []Question{q}}
	for _, c := range corrections {
		if c.QuestionID == q.ID {
			k = k.corrected(q, c)
		}
	}
	return k
}

// AcceptedKeys returns the question with each key that it accepts with its corrections.
func AcceptedKeys(q Question, corrections []Correction) []Question {
	return keysOf(q, corrections).accepted
}

// grade returns the points of an answer by the key that gives the most.
func (k keys) grade(q Question, a *Answer) (points float64, correct bool) {
	if k.full {
		return q.Points, true
	}
	for _, accepted := range k.accepted {
		if p, c := gradeQuestion(accepted, a); p > points || c {
			points, correct = p, c
		}
	}
	return points, correct
}

// gradeCorrected scores an answer with the question's corrections, in their order. With
// NeverLower, an answer keeps the points that it had before the correction; these also
// remain when the question no longer counts.
func gradeCorrected(q Question, a *Answer, corrections []Correction) QuestionScore {
	score := QuestionScore{QuestionID: q.ID, Answer: a, MaxPoints: q.Points, ScoredBy: ByKey}
	score.Points, score.Correct = gradeQuestion(q, a)
	return score.corrected(q, corrections)
}

// corrected applies the question's corrections to the score that it has without them.
func (score QuestionScore) corrected(q Question, corrections []Correction) QuestionScore {
	var k keys
	for _, c := range corrections {
		if c.QuestionID != q.ID {
			continue
		}
		if k.accepted == nil {
			k.accepted = []Question{q}
		}
		k = k.corrected(q, c)
		points, correct := 0.0, false
		score.ScoredBy, score.MaxPoints = ByExclusion, 0
		if !k.excluded {
			points, correct = k.grade(q, score.Answer)
			score.ScoredBy, score.MaxPoints = ByCorrection, q.Points
		}
		if c.Policy != NeverLower || points >= score.Points {
			score.Points, score.Correct = points, correct
		}
	}
	return score
}

// RemainingFaults returns the faults of an assessment that has the corrections: each stage with
// a gate, and the whole, must keep a question that gives points, whatever is drawn.
func (s Scoring) RemainingFaults() []Fault {
	var faults fieldFaults
	least := make([]float64, len(s.Definition.Stages))
	sum := 0.0
	for i := range least {
		least[i] = s.leastMaxPoints(i)
		sum += least[i]
	}
	if sum <= 0 {
		faults.add("/action", "invalid_value", "must leave a question that gives points")
		return faults
	}
	for i, stage := range s.Definition.Stages {
		if stage.Gate != nil && least[i] <= 0 {
			faults.add("/action", "invalid_value", "must leave a question that gives points in a stage with a gate")
			break
		}
	}
	return faults
}

// GradeAnswer scores one answer with the corrections of its question.
func GradeAnswer(q Question, a Answer, corrections []Correction) QuestionScore {
	return gradeCorrected(q, &a, corrections)
}
