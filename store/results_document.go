package store

import (
	"time"

	"assay/store/rules"
)

// Result is the document of a finished session, in the contract's form. It is
// written when the session finishes, and only an erasure changes it. The percentile
// is not stored, because it depends on the time of the request.
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
	Required bool    `json:"required"`
	MinScore float64 `json:"minScore"`
	Passed   *bool   `json:"passed"`
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
	MaxPoints float64            `json:"maxPoints"`
}

// Disqualification names the gate that ended a session.
type Disqualification struct {
	StageID    string   `json:"stageId"`
	StageTitle string   `json:"stageTitle"`
	Score      float64  `json:"score"`
	MinScore   float64  `json:"minScore"`
	At         wireTime `json:"at"`
}

// newResult makes the document of a session that has just finished.
func newResult(
	session CandidateSession, assessment *Assessment, progress rules.Progress, answers map[string]rules.Answer,
) Result {
	result := Result{
		SessionID:  session.ID,
		Assessment: ResultAssessment{ID: assessment.ID, Title: assessment.Title},
		Candidate:  ResultCandidate{Name: session.CandidateName, Email: session.CandidateEmail},
		ExternalID: session.ExternalID, Metadata: session.Metadata(), Status: progress.Status,
		Score: *progress.Score, Points: rules.RoundPoints(*progress.Points), MaxPoints: assessment.MaxPoints,
		PassingScore: assessment.PassingScore, Passed: progress.Passed,
		StartedAt: wireTime(progress.StartedAt), CompletedAt: wireTime(*progress.ClosedAt),
		DurationSeconds: seconds(progress.StartedAt, *progress.ClosedAt), CloseReason: *progress.CloseReason,
	}
	for i, stage := range assessment.Definition.Stages {
		result.Stages = append(result.Stages, newResultStage(i+1, stage, progress.Stages[i], answers))
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

func newResultStage(
	order int, stage rules.Stage, progress rules.StageProgress, answers map[string]rules.Answer,
) ResultStage {
	result := ResultStage{
		ID: stage.ID, Order: order, Title: stage.Title, Status: progress.Status, Score: progress.Score,
		MaxPoints: rules.RoundPoints(stage.MaxPoints()),
	}
	if stage.Gate != nil {
		result.Gate = &ResultGate{Required: stage.Gate.Required, MinScore: stage.Gate.MinScore, Passed: progress.GatePassed}
	}
	if progress.ClosedAt != nil {
		duration, points := seconds(*progress.StartedAt, *progress.ClosedAt), rules.RoundPoints(*progress.Points)
		result.DurationSeconds, result.Points = &duration, &points
	} else {
		answers = nil // saved answers of this stage were never scored
	}
	scores := rules.GradeStage(stage, answers).Questions
	for i, question := range stage.Questions {
		var correct *bool
		if progress.ClosedAt != nil {
			correct = &scores[i].Correct
		}
		result.Questions = append(result.Questions, ResultQuestion{
			ID: question.ID, Type: question.Type, Order: i + 1, Prompt: question.Prompt, Options: question.Options,
			Answer: scores[i].Answer, Correct: correct,
			Points: rules.RoundPoints(scores[i].Points), MaxPoints: question.Points,
		})
	}
	return result
}

func seconds(from, to time.Time) int { return int(to.Sub(from) / time.Second) }
