package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"assay/store/rules"
)

// UnscopedCandidate returns the scope of an invite token. Refusal: unauthenticated
// for a token that is forged, replaced by a later one, or of a cancelled session.
func (s *Store) UnscopedCandidate(ctx context.Context, token string) (Scope, error) {
	sessionID, generation, ok := s.opts.Keys.ParseInviteToken(token)
	if !ok {
		return Scope{}, errUnauthenticated
	}
	load := func(ctx context.Context) (Scope, error) {
		var row struct {
			OrganizationID string `db:"organization_id"`
			AssessmentID   string `db:"assessment_id"`
			Generation     int    `db:"invite_generation"`
		}
		err := s.read().Get(ctx, &row, `
			SELECT organization_id, assessment_id, invite_generation FROM candidate_sessions WHERE id = ?
				AND status <> 'CANCELLED'`, sessionID)
		if errors.Is(err, sql.ErrNoRows) {
			return Scope{}, errUnauthenticated
		}
		return Scope{
			OrganizationID: row.OrganizationID, SessionID: sessionID, AssessmentID: row.AssessmentID, generation: row.Generation,
		}, err
	}
	scope, err := s.scope(ctx, sessionID, load)
	if err == nil && scope.generation < generation {
		// Another replica has sent a new link since the cached scope was read. The
		// old link may work until the cache expires; the new one must work immediately.
		s.credentials.forget(sessionID)
		scope, err = s.scope(ctx, sessionID, load)
	}
	if err == nil && scope.generation != generation {
		return Scope{}, errUnauthenticated
	}
	return scope, err
}

// Taking is a session as the candidate sees it.
type Taking struct {
	Session          CandidateSession
	OrganizationName string
	Assessment       *Assessment
	Progress         rules.Progress // zero before the start
	RedirectURL      *string        // the address for a finished candidate, without the result token
	Now              time.Time
}

// RetrieveTaking returns the candidate's session. Refusal: invite_expired.
func (s *Store) RetrieveTaking(ctx context.Context, scope Scope) (Taking, error) {
	session, err := s.currentSession(ctx, scope)
	if err != nil {
		return Taking{}, err
	}
	if session.Status == rules.SessionExpired {
		return Taking{}, errInviteExpired
	}
	return s.read().taking(ctx, session)
}

// currentSession applies passed deadlines to the candidate's session and returns it.
func (s *Store) currentSession(ctx context.Context, scope Scope) (CandidateSession, error) {
	session, err := s.RetrieveCandidateSession(ctx, scope, scope.SessionID)
	if err != nil || session.DueAt == nil || s.Now().Before(session.DueAt.Time) {
		return session, err
	}
	err = s.write(ctx, func(c conn) error {
		locked, err := c.lockSession(ctx, scope, scope.SessionID)
		if err != nil {
			return err
		}
		session, _, err = c.applyDeadlines(ctx, locked, s.Now())
		return err
	})
	return session, err
}

func (c conn) taking(ctx context.Context, session CandidateSession) (Taking, error) {
	scope := Scope{OrganizationID: session.OrganizationID}
	taking := Taking{Session: session, Now: c.store.Now()}
	var err error
	if taking.Assessment, err = c.content(ctx, scope, session.AssessmentID); err != nil {
		return Taking{}, err
	}
	if session.StartedAt != nil {
		if taking.Progress, err = c.progress(ctx, scope, session.ID); err != nil {
			return Taking{}, err
		}
	}
	var organization struct {
		Name        string  `db:"name"`
		RedirectURL *string `db:"redirect_url"`
	}
	if err := c.Get(ctx, &organization, `SELECT name, redirect_url FROM organizations WHERE id = ?`,
		session.OrganizationID); err != nil {
		return Taking{}, err
	}
	taking.OrganizationName = organization.Name
	taking.RedirectURL = firstOf(session.RedirectURL, taking.Assessment.RedirectURL, organization.RedirectURL)
	return taking, nil
}

func firstOf(values ...*string) *string {
	for _, value := range values {
		if value != nil {
			return value
		}
	}
	return nil
}

// StartTaking starts the session's clock. A second call changes nothing. Refusals:
// session_not_in_progress when the session has ended, invite_expired.
func (s *Store) StartTaking(ctx context.Context, scope Scope) (Taking, error) {
	var taking Taking
	err := s.write(ctx, func(c conn) error {
		session, now, err := c.ownSession(ctx, scope)
		if err != nil {
			return err
		}
		if _, refusal := session.Status.After(rules.VerbStart); refusal != "" {
			return commitThenRefuse(refused(refusal))
		}
		if session.Status == rules.SessionInvited {
			assessment, err := c.content(ctx, scope, session.AssessmentID)
			if err != nil {
				return err
			}
			progress := rules.StartProgress(assessment.Definition, assessment.TimeLimitMinutes, session.ExtraTimePercent, now)
			if err := c.saveProgress(ctx, session, assessment, progress, nil, now); err != nil {
				return err
			}
			session, err = c.session(ctx, scope, session.ID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
			if err != nil {
				return err
			}
		}
		taking, err = c.taking(ctx, session)
		return err
	})
	return taking, err
}

// ownSession locks the candidate's session and applies passed deadlines. Wrap a
// later refusal in commitThenRefuse, so that the deadlines stay applied.
func (c conn) ownSession(ctx context.Context, scope Scope) (CandidateSession, time.Time, error) {
	session, err := c.lockSession(ctx, scope, scope.SessionID)
	if err != nil {
		return session, time.Time{}, err
	}
	if session.InviteGeneration != scope.generation || session.Status == rules.SessionCancelled {
		return session, time.Time{}, errUnauthenticated
	}
	now := c.store.Now()
	session, _, err = c.applyDeadlines(ctx, session, now)
	return session, now, err
}

// CurrentStage is the stage in progress.
type CurrentStage struct {
	Stage      rules.Stage
	Order      int // from 1
	DeadlineAt *time.Time
	Answers    map[string]rules.Answer // by question id
	Now        time.Time
}

// RetrieveCurrentStage returns the stage in progress. Refusals:
// session_not_in_progress, invite_expired.
func (s *Store) RetrieveCurrentStage(ctx context.Context, scope Scope) (CurrentStage, error) {
	session, err := s.currentSession(ctx, scope)
	if err != nil {
		return CurrentStage{}, err
	}
	if _, refusal := session.Status.After(rules.VerbSave); refusal != "" {
		return CurrentStage{}, refused(refusal)
	}
	assessment, progress, answers, err := s.read().material(ctx, session)
	if err != nil {
		return CurrentStage{}, err
	}
	i := progress.Current()
	if i < 0 { // the session ended between the two reads
		_, refusal := progress.Status.After(rules.VerbSave)
		return CurrentStage{}, refused(refusal)
	}
	return CurrentStage{
		Stage: assessment.Definition.Stages[i], Order: i + 1, DeadlineAt: progress.Stages[i].DeadlineAt, Answers: answers,
		Now: s.Now(),
	}, nil
}

// SaveAnswer saves the candidate's answer to a question of the current stage, and
// returns when it was saved. It replaces an earlier answer. The answer is one
// statement; deadlines that passed before it are applied in a transaction of their
// own. Refusals: not_found for a question that is unknown or in a later stage,
// stage_closed, session_not_in_progress, invite_expired, invalid_request.
func (s *Store) SaveAnswer(
	ctx context.Context, scope Scope, questionID string, answer rules.Answer,
) (time.Time, error) {
	assessment, err := s.read().content(ctx, scope, scope.AssessmentID)
	if err != nil {
		return time.Time{}, err
	}
	question, position, known := assessment.Definition.QuestionByID(questionID)
	if !known {
		return time.Time{}, errNoQuestion
	}
	if fault := rules.ValidAnswer(question, answer); fault != nil {
		return time.Time{}, errInvalid.with(*fault)
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return time.Time{}, err
	}
	for range maxSaveAttempts {
		now := s.Now()
		// One statement checks and writes, so that every accepted answer is scored:
		// the stage cannot close in between.
		saved, err := s.autocommit().Exec(ctx, `
			INSERT INTO answers (organization_id, session_id, question_id, answer, saved_at)
			SELECT organization_id, id, ?, ?, ? FROM candidate_sessions
			WHERE organization_id = ? AND id = ? AND invite_generation = ? AND status = 'IN_PROGRESS' AND current_stage_id = ?
				AND (due_at IS NULL OR due_at > ?)`+s.db.ForShare+`
			ON CONFLICT (session_id, question_id) DO UPDATE SET answer = excluded.answer, saved_at = excluded.saved_at`,
			questionID, string(encoded), now,
			scope.OrganizationID, scope.SessionID, scope.generation, assessment.Definition.Stages[position].ID, now)
		if err != nil || saved > 0 {
			return now, err
		}
		if err := s.checkAnswerable(ctx, scope, position); err != nil {
			return time.Time{}, err
		}
	}
	return time.Time{}, errSessionChanging
}

// maxSaveAttempts bounds the attempts to save an answer. One that saves nothing is
// repeated when the session has changed by the time that checkAnswerable reads it.
const maxSaveAttempts = 4

// checkAnswerable returns the refusal of an answer to a question of the stage at
// position. It applies passed deadlines first, and returns nil when one of them has
// opened the stage, so that the answer can be saved now.
func (s *Store) checkAnswerable(ctx context.Context, scope Scope, position int) error {
	return s.write(ctx, func(c conn) error {
		session, _, err := c.ownSession(ctx, scope)
		if err != nil {
			return err
		}
		if _, refusal := session.Status.After(rules.VerbSave); refusal != "" {
			return commitThenRefuse(refused(refusal))
		}
		progress, err := c.progress(ctx, scope, session.ID)
		if err != nil {
			return err
		}
		switch current := progress.Current(); {
		case position > current:
			return commitThenRefuse(errNoQuestion)
		case position == current:
			return nil
		}
		return commitThenRefuse(errStageClosed)
	})
}

// StageOutcome is the effect of submitting a stage.
type StageOutcome struct {
	Taking      Taking
	Status      rules.SessionStatus // of the session, after this stage
	NextStageID *string
}

// SubmitStage closes the current stage, scores it, and applies its gate. A second
// submit of the stage returns the same outcome. Refusals: not_found for a stage that
// is unknown or not reached, session_not_in_progress, invite_expired.
func (s *Store) SubmitStage(ctx context.Context, scope Scope, stageID string) (StageOutcome, error) {
	var outcome StageOutcome
	err := s.write(ctx, func(c conn) error {
		session, now, err := c.ownSession(ctx, scope)
		if err != nil {
			return err
		}
		_, refusal := session.Status.After(rules.VerbSubmit)
		if session.StartedAt == nil {
			return commitThenRefuse(refused(refusal))
		}
		assessment, progress, answers, err := c.material(ctx, session)
		if err != nil {
			return err
		}
		_, position, known := assessment.Definition.StageByID(stageID)
		switch {
		case !known:
			return commitThenRefuse(errNoStage)
		case progress.Stages[position].StartedAt != nil: // current, or submitted before
		case refusal != "":
			return commitThenRefuse(refused(refusal))
		default:
			return commitThenRefuse(errNoStage)
		}
		if position == progress.Current() {
			progress.Submit(assessment.Definition, answers, assessment.PassingScore, now)
			if err := c.saveProgress(ctx, session, assessment, progress, answers, now); err != nil {
				return err
			}
			session, err = c.session(ctx, scope, session.ID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
			if err != nil {
				return err
			}
		}
		if outcome.Taking, err = c.taking(ctx, session); err != nil {
			return err
		}
		outcome.Status, outcome.NextStageID = progress.Outcome(position)
		return nil
	})
	return outcome, err
}
