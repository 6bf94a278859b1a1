package store

import (
	"time"

	"assay/store/rules"
)

// Result is the document of a finished session, in the contract's form. A decision of a
// person makes another revision of it; an erasure changes all revisions. The percentile is not
// stored, because it depends on the time of the request.
type Result struct {
	SessionID        string              `json:"sessionId"`
	Assessment       ResultAssessment    `json:"assessment"`
	Candidate        ResultCandidate     `json:"candidate"`
	ExternalID       *string             `json:"externalId"`
	Metadata         map[string]string   `json:"metadata"`
	Status           rules.SessionStatus `json:"status"`
	Score            float64             `json:"score"` // percent of the whole assessment
	Points           float64             `json:"points"`
	MaxPoints        float64             `json:"maxPoints"`
	PassingScore     *float64            `json:"passingScore"`
	Passed           *bool               `json:"passed"`
	Stages           []ResultStage       `json:"stages"`
	Disqualification *Disqualification   `json:"disqualification"`
	StartedAt        wireTime            `json:"startedAt"`
	CompletedAt      wireTime            `json:"completedAt"`
	DurationSeconds  int                 `json:"durationSeconds"`
	CloseReason      rules.CloseReason   `json:"closeReason"`
	Revision         int                 `json:"revision"` // from 1
	DecidedBy        DecidedBy           `json:"decidedBy"`
	Corrections      []ResultCause       `json:"corrections"`
}

// DecidedBy says whether a person has decided about a result.
type DecidedBy string

// Who decides about a result.
const (
	DecidedByRule   DecidedBy = "RULE"
	DecidedByPerson DecidedBy = "PERSON" // graded an answer, or reopened the session
)

// CauseType is the kind of a person's decision.
type CauseType string

// The decisions that make another revision of a result.
const (
	CauseCorrection CauseType = "CORRECTION" // of the assessment
	CauseGrade      CauseType = "GRADE"      // of one answer
	CauseReopening  CauseType = "REOPENING"  // of the session
	CauseRuling     CauseType = "RULING"     // about a failed gate
)

// WireAt is the time in the contract's form.
func (c ResultCause) WireAt() string { return WireTime(time.Time(c.At)) }

// ResultCause is a person's decision on which a result depends. ID is nil for a grade, and
// QuestionID for a ruling and a reopening.
type ResultCause struct {
	Cause      CauseType `json:"cause"`
	ID         *string   `json:"id"`
	QuestionID *string   `json:"questionId"`
	At         wireTime  `json:"at"`
}

// ResultAssessment names the assessment of a result.
type ResultAssessment struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// ResultCandidate names the candidate of a result.
type ResultCandidate struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// ResultStage is one stage of a result.
type ResultStage struct {
	ID              string            `json:"id"`
	Order           int               `json:"order"`
	Title           string            `json:"title"`
	Status          rules.StageStatus `json:"status"`
	Score           *float64          `json:"score"`
	Points          *float64          `json:"points"`
	MaxPoints       float64           `json:"maxPoints"`
	Gate            *ResultGate       `json:"gate"`
	DurationSeconds *int              `json:"durationSeconds"`
	Questions       []ResultQuestion  `json:"questions"`
}

// ResultGate is a stage's gate. Passed is nil when the stage was not reached.
type ResultGate struct {
	Required bool         `json:"required"`
	MinScore float64      `json:"minScore"`
	OnFail   rules.OnFail `json:"onFail"`
	Passed   *bool        `json:"passed"`
}

// ResultQuestion is one question of a result, with the answer that was scored. Options
// is nil for a question without options. Correct is nil when the stage was not reached.
type ResultQuestion struct {
	ID        string             `json:"id"`
	Type      rules.QuestionType `json:"type"`
	Order     int                `json:"order"`  // from 1
	Prompt    string             `json:"prompt"` // reading adds promptHtml: see withHTML
	Options   []rules.Option     `json:"options"`
	Answer    *rules.Answer      `json:"answer"`
	Correct   *bool              `json:"correct"`
	Points    float64            `json:"points"`
	MaxPoints float64            `json:"maxPoints"` // 0 when a correction has excluded the question
	ScoredBy  rules.ScoredBy     `json:"scoredBy"`

	BankQuestionID *string `json:"bankQuestionId,omitempty"`
	BankVersion    int     `json:"bankVersion,omitempty"`
	PoolID         string  `json:"poolId,omitempty"`
}

// Disqualification names the gate that ended a session.
type Disqualification struct {
	StageID    string   `json:"stageId"`
	StageTitle string   `json:"stageTitle"`
	Score      float64  `json:"score"`
	MinScore   float64  `json:"minScore"`
	At         wireTime `json:"at"`
}

// newResult makes the document of a session that has finished.
func newResult(session CandidateSession, m material) Result {
	assessment, progress := m.assessment, m.progress
	result := Result{
		SessionID:  session.ID,
		Assessment: ResultAssessment{ID: assessment.ID, Title: assessment.Title},
		Candidate:  ResultCandidate{Name: session.CandidateName, Email: session.CandidateEmail},
		ExternalID: session.ExternalID, Metadata: session.Metadata(), Status: progress.Status,
		Score: *progress.Score, Points: rules.RoundPoints(*progress.Points),
		PassingScore: assessment.PassingScore, Passed: progress.Passed,
		StartedAt: wireTime(progress.StartedAt), CompletedAt: wireTime(*progress.ClosedAt),
		DurationSeconds: seconds(progress.StartedAt, *progress.ClosedAt), CloseReason: *progress.CloseReason,
		Revision: session.Revision, DecidedBy: DecidedByRule, Corrections: m.causes,
	}
	maxPoints := 0.0
	for i, stage := range assessment.Definition.Stages {
		scored := m.scoring.Stage(i)
		maxPoints += scored.MaxPoints
		result.Stages = append(result.Stages, newResultStage(i+1, stage, progress.Stages[i], scored))
	}
	result.MaxPoints = rules.RoundPoints(maxPoints)
	if result.Corrections == nil {
		result.Corrections = []ResultCause{}
	}
	for _, cause := range m.causes {
		if cause.Cause != CauseCorrection {
			result.DecidedBy = DecidedByPerson
		}
	}
	if progress.Status == rules.SessionDisqualified {
		failed, stage := progress.FailedStage(assessment.Definition)
		result.Disqualification = &Disqualification{
			StageID: stage.ID, StageTitle: stage.Title, Score: *failed.Score, MinScore: stage.Gate.MinScore,
			At: wireTime(*failed.ClosedAt),
		}
	}
	return result
}

// newResultStage ignores the saved answers of a stage that was not reached: they were never scored.
func newResultStage(order int, stage rules.Stage, progress rules.StageProgress, scored rules.StageScore) ResultStage {
	result := ResultStage{
		ID: stage.ID, Order: order, Title: stage.Title, Status: progress.Status, Score: progress.Score,
		MaxPoints: rules.RoundPoints(scored.MaxPoints),
	}
	if stage.Gate != nil {
		result.Gate = &ResultGate{
			Required: stage.Gate.Required, MinScore: stage.Gate.MinScore, OnFail: stage.Gate.WhenFailed(),
			Passed: progress.GatePassed,
		}
	}
	reached := progress.ClosedAt != nil
	if reached {
		duration := seconds(*progress.StartedAt, *progress.ClosedAt)
		result.DurationSeconds = &duration
		if progress.Points != nil { // nil while people must grade answers
			points := rules.RoundPoints(*progress.Points)
			result.Points = &points
		}
	}
	for i, question := range stage.Questions {
		shown := ResultQuestion{
			ID: question.ID, Type: question.Type, Order: i + 1, Prompt: question.Prompt, Options: question.Options,
			MaxPoints: scored.Questions[i].MaxPoints, ScoredBy: scored.Questions[i].ScoredBy,
			BankQuestionID: question.BankQuestionID, BankVersion: question.BankVersion, PoolID: question.PoolID,
		}
		if reached {
			shown.Answer, shown.Correct = scored.Questions[i].Answer, &scored.Questions[i].Correct
			shown.Points = rules.RoundPoints(scored.Questions[i].Points)
		}
		result.Questions = append(result.Questions, shown)
	}
	return result
}

func seconds(from, to time.Time) int { return int(to.Sub(from) / time.Second) }
