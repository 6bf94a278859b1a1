package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

// GateRuling is a person's decision about a failed gate.
type GateRuling struct {
	ID        string  `db:"id"`
	StageID   string  `db:"stage_id"`
	Pass      bool    `db:"pass"` // the candidate goes on
	Reason    string  `db:"reason"`
	UserID    string  `db:"user_id"`
	UserName  *string `db:"user_name"`
	CreatedAt Time    `db:"created_at"`
}

// RulingInput is the input of RuleCandidateSession.
type RulingInput struct {
	StageID string
	Pass    bool
	Reason  string // can contain personal data; an erasure removes it
}

// RuleCandidateSession decides about the failed gate at which a session is held. The candidate goes on with the next
// stage, or the session ends. Refusals: not_found, session_not_in_review, answers_not_graded, session_erased,
// invalid_request.
func (s *Store) RuleCandidateSession(
	ctx context.Context, scope Scope, id string, in RulingInput,
) (CandidateSession, error) {
	if err := s.checkStage(ctx, scope, id, in.StageID); err != nil {
		return CandidateSession{}, err
	}
	return s.changeSession(ctx, scope, id, rules.VerbDecide, func(c conn, session CandidateSession, now time.Time) error {
		if session.ErasedAt != nil {
			return errSessionErased
		}
		m, err := c.material(ctx, session)
		if err != nil {
			return err
		}
		switch awaited, _ := m.progress.Waits(m.scoring); {
		case m.progress.Review.StageID != in.StageID:
			return errSessionNotInReview
		case awaited != in.StageID:
			return errAnswersNotGraded
		}
		at := now
		if closed := m.progress.Stages[positionOf(m.progress, in.StageID)].ClosedAt; at.Before(*closed) {
			at = *closed // the clock of the replica that closed the stage is ahead, and an earlier ruling would not count
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO rulings (id, organization_id, session_id, stage_id, pass, reason, user_id, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			s.NewID("rul"), scope.OrganizationID, id, in.StageID, in.Pass, in.Reason, scope.UserID, at); err != nil {
			return err
		}
		if err := c.audit(ctx, scope, AuditGateRuled, id, valueOf("decision", decisionOf(in.Pass))); err != nil {
			return err
		}
		_, err = c.decide(ctx, session, now)
		return err
	})
}

// The decisions about a gate, as in openapi.yaml.
const (
	decisionPass = "PASS"
	decisionStop = "STOP"
)

func decisionOf(pass bool) string {
	if pass {
		return decisionPass
	}
	return decisionStop
}

// Decision is PASS or STOP.
func (r GateRuling) Decision() string { return decisionOf(r.Pass) }

const rulingQuery = `
	SELECT r.id, r.stage_id, r.pass, r.reason, r.user_id, r.created_at,
		(SELECT u.name FROM users u WHERE u.organization_id = r.organization_id AND u.id = r.user_id) AS user_name
	FROM rulings r WHERE r.organization_id = ? AND r.session_id = ?`

// rulings are the newest decisions about the gates of a session, the newest first.
func (c conn) rulings(ctx context.Context, scope Scope, sessionID string) ([]GateRuling, error) {
	var rulings []GateRuling
	err := c.List(ctx, &rulings, rulingQuery+` ORDER BY r.id DESC LIMIT ?`,
		scope.OrganizationID, sessionID, maxTimeline)
	return rulings, err
}

// openDecision is the contract's OpenDecision.
type openDecision struct {
	Since           *wireTime            `json:"since"`
	WaitsFor        *string              `json:"waitsFor"`
	StageID         *string              `json:"stageId"`
	QuestionIDs     []string             `json:"questionIds"`
	CandidateGoesOn bool                 `json:"candidateGoesOn"`
	Stages          []ResultStage        `json:"stages"`
	Rulings         []openDecisionRuling `json:"rulings"`
}

type openDecisionRuling struct {
	ID        string        `json:"id"`
	StageID   string        `json:"stageId"`
	Decision  string        `json:"decision"`
	Reason    string        `json:"reason"`
	CreatedBy decisionMaker `json:"createdBy"`
	CreatedAt wireTime      `json:"createdAt"`
}

type decisionMaker struct {
	ID   string  `json:"id"`
	Name *string `json:"name"`
}

// RetrieveOpenDecision returns what a session waits for, with the answers and the points so far, in the contract's
// form. Refusal: not_found.
func (s *Store) RetrieveOpenDecision(ctx context.Context, scope Scope, id string) (*Document, error) {
	c := s.read()
	session, err := c.readSession(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	m, err := c.material(ctx, session)
	if err != nil {
		return nil, err
	}
	rulings, err := c.rulings(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(newOpenDecision(m, rulings))
	if err != nil {
		return nil, err
	}
	shown, err := s.withHTML(m.assessment, string(encoded))
	return NewDocument(shown), err
}

func newOpenDecision(m material, rulings []GateRuling) openDecision {
	progress := m.progress
	open := openDecision{QuestionIDs: []string{}, Rulings: make([]openDecisionRuling, len(rulings))}
	if progress.Status == rules.SessionInReview {
		since := wireTime(progress.Review.Since)
		awaited, pending := progress.Waits(m.scoring)
		open.Since, open.WaitsFor = &since, new("GRADES")
		open.QuestionIDs = append(open.QuestionIDs, pending...)
		open.CandidateGoesOn = progress.Review.End == nil
		if progress.Review.StageID != "" {
			open.StageID = &progress.Review.StageID
		}
		if awaited != "" {
			open.WaitsFor = new("RULING")
		}
	}
	for i, stage := range m.assessment.Definition.Stages {
		shown := rules.StageProgress{StageID: stage.ID, Status: rules.StageNotReached}
		if i < len(progress.Stages) && progress.Stages[i].ClosedAt != nil {
			shown = progress.Stages[i]
		}
		open.Stages = append(open.Stages, newResultStage(i+1, stage, shown, m.scoring.Stage(i)))
	}
	for i, ruling := range rulings {
		open.Rulings[i] = openDecisionRuling{
			ID: ruling.ID, StageID: ruling.StageID, Decision: ruling.Decision(), Reason: ruling.Reason,
			CreatedBy: decisionMaker{ID: ruling.UserID, Name: ruling.UserName}, CreatedAt: wireTime(ruling.CreatedAt.Time),
		}
	}
	return open
}
