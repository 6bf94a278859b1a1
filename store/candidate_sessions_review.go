package store

import (
	"context"
	"encoding/json"
	"time"

	"assay/store/rules"
)

// A session in review waits for a person: for grades of answers without a key, or for a ruling about a failed gate.
// Each grade, ruling, and correction computes its progress again, in its own transaction (decide).

// decide applies the decisions about a locked session in review. The caller has just written the newest one. The
// session stays in review, goes on, or ends with everything that an end has.
func (c conn) decide(ctx context.Context, session CandidateSession, now time.Time) (changed bool, err error) {
	m, err := c.material(ctx, session)
	if err != nil {
		return false, err
	}
	if !m.progress.Decide(m.scoring, now) {
		return false, c.queueAnswers(ctx, session, m) // other answers can wait
	}
	if err := c.saveProgress(ctx, session, m, now); err != nil {
		return false, err
	}
	if m.progress.Status == rules.SessionInProgress {
		// By a grade, too: nothing else tells the candidate that the clock runs again.
		err = c.tellGatePassed(ctx, session)
	}
	return true, err
}

// requestReview records that a session began to wait for a person, and emits candidate.submitted and
// candidate.review_requested. The session is not a test.
func (c conn) requestReview(ctx context.Context, session CandidateSession, m material, now time.Time) error {
	review := m.progress.Review
	rulingStageID, pending := m.progress.Waits(m.scoring)
	session.Status = rules.SessionInReview
	if m.before.Status != rules.SessionInReview {
		if err := c.noteReviewRequest(ctx, session, *review); err != nil {
			return err
		}
		if review.End != nil && len(pending) > 0 {
			if err := c.emit(ctx, event{
				organizationID: session.OrganizationID, kind: EventCandidateSubmitted, subjectID: session.ID, at: now,
				data: candidateSubmittedData{
					candidateData: session.eventData(), InReviewSince: wireTime(review.Since), CloseReason: *review.End,
					PendingAnswers: len(pending),
				},
			}); err != nil {
				return err
			}
		}
	}
	if rulingStageID == "" || rulingStageID == awaitedRuling(m.before) {
		return nil
	}
	stage, position, _ := m.assessment.Definition.StageByID(rulingStageID)
	return c.emit(ctx, event{
		organizationID: session.OrganizationID, kind: EventReviewRequested, subjectID: session.ID, at: now,
		data: reviewRequestedData{
			candidateData: session.eventData(), InReviewSince: wireTime(review.Since),
			failedGateData: failedGateData{
				StageID: stage.ID, StageTitle: stage.Title, StageScore: m.scoring.Stage(position).Score,
				MinScore: stage.Gate.MinScore,
			},
		},
	})
}

// awaitedRuling is the stage for whose gate a stored progress awaits a ruling, or "".
func awaitedRuling(p rules.Progress) string {
	if p.Status != rules.SessionInReview {
		return ""
	}
	for _, stage := range p.Stages {
		if stage.StageID == p.Review.StageID && stage.GatePassed != nil && !*stage.GatePassed {
			return stage.StageID
		}
	}
	return ""
}

func (c conn) noteReviewRequest(ctx context.Context, session CandidateSession, review rules.Review) error {
	var stageID *string
	if review.StageID != "" {
		stageID = &review.StageID
	}
	_, err := c.Exec(ctx, `
		INSERT INTO review_requests (id, organization_id, session_id, stage_id, created_at) VALUES (?, ?, ?, ?, ?)`,
		c.store.NewID("rvr"), session.OrganizationID, session.ID, stageID, review.Since)
	return err
}

// endReview ends the review in the progress of a locked session that is cancelled.
func (c conn) endReview(ctx context.Context, session CandidateSession) error {
	progress, err := c.progress(ctx, Scope{OrganizationID: session.OrganizationID}, session.ID)
	if err != nil {
		return err
	}
	progress.Cancel()
	encoded, err := json.Marshal(progress)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `UPDATE candidate_sessions SET progress = ? WHERE organization_id = ? AND id = ?`,
		string(encoded), session.OrganizationID, session.ID)
	return err
}

// withdrawDecisions withdraws the ruling about a stage that a person reopens, and the grades of its answers without a
// key, so that people judge what the candidate does there. Times would not do: the clocks of replicas differ. Other
// grades stay: they decide against the key, whatever the answer is.
func (c conn) withdrawDecisions(
	ctx context.Context, scope Scope, session CandidateSession, stage rules.Stage, reopening, reason string, now time.Time,
) error {
	if _, err := c.Exec(ctx, `
		UPDATE rulings SET withdrawn_by = ?
		WHERE organization_id = ? AND session_id = ? AND stage_id = ? AND withdrawn_by IS NULL`,
		reopening, scope.OrganizationID, session.ID, stage.ID); err != nil {
		return err
	}
	for _, question := range stage.Questions {
		if !question.NeedsGrader() {
			continue
		}
		if _, err := c.Exec(ctx, `
			INSERT INTO grades (organization_id, session_id, question_id, version, reason, user_id, created_at)
			SELECT organization_id, session_id, question_id, version + 1, ?, ?, ? FROM grades g
			WHERE session_id = ? AND question_id = ? AND (points IS NOT NULL OR answer IS NOT NULL)
				AND version = (SELECT MAX(n.version) FROM grades n
					WHERE n.session_id = g.session_id AND n.question_id = g.question_id)`,
			reason, scope.UserID, now, session.ID, question.ID); err != nil {
			return err
		}
		if err := c.forgetMarks(ctx, session, question.ID); err != nil {
			return err
		}
	}
	return nil
}

// resultRefusal is why a session without a result has none.
func resultRefusal(status rules.SessionStatus, inReviewSince *Time) *Error {
	if status == rules.SessionInReview && inReviewSince != nil {
		return errResultInReview.since(inReviewSince.Time)
	}
	return errResultNotReady
}

// reviewTimeline are the entries of a session's reviews and rulings.
func (c conn) reviewTimeline(ctx context.Context, scope Scope, id string) ([]TimelineEntry, error) {
	var requests []struct {
		StageID   *string `db:"stage_id"`
		CreatedAt Time    `db:"created_at"`
	}
	if err := c.List(ctx, &requests, `
		SELECT stage_id, created_at FROM review_requests WHERE organization_id = ? AND session_id = ? ORDER BY id LIMIT ?`,
		scope.OrganizationID, id, maxTimeline); err != nil {
		return nil, err
	}
	rulings, err := c.rulings(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	entries := make([]TimelineEntry, 0, len(requests)+len(rulings))
	for _, request := range requests {
		entries = append(entries, TimelineEntry{
			At: request.CreatedAt.Time, Type: TimelineReviewRequested, Actor: ActorService, StageID: request.StageID,
		})
	}
	for i := range rulings {
		ruling, kind := &rulings[i], TimelineGateStopped
		if ruling.Pass {
			kind = TimelineGatePassed
		}
		entries = append(entries, TimelineEntry{
			At: ruling.CreatedAt.Time, Type: kind, Actor: ActorUser, ActorID: &ruling.UserID, ActorName: ruling.UserName,
			StageID: &ruling.StageID, Reason: &ruling.Reason,
		})
	}
	return entries, nil
}
