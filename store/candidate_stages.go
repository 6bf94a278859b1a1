package store

import (
	"context"
	"time"

	"assay/store/rules"
)

// CurrentStage is the stage that is in progress or ready.
type CurrentStage struct {
	Assessment *Assessment
	Stage      rules.Stage // in the candidate's order
	Order      int         // from 1
	Status     rules.StageStatus
	DeadlineAt *time.Time
	Answers    map[string]rules.SavedAnswer // by question id
	Now        time.Time
}

// RetrieveCurrentStage returns the stage in progress, or the one that waits for its
// start. Refusals: session_not_in_progress, invite_expired.
func (s *Store) RetrieveCurrentStage(ctx context.Context, scope Scope) (CurrentStage, error) {
	own, err := s.currentSession(ctx, scope)
	if err != nil {
		return CurrentStage{}, err
	}
	if _, refusal := own.Status.After(rules.VerbSave); refusal != "" {
		return CurrentStage{}, refused(refusal)
	}
	assessment, err := s.read().contentFor(ctx, scope, own.contentID(), own.ID)
	if err != nil {
		return CurrentStage{}, err
	}
	s.noteReader(ctx, scope)
	if own.Progress.Ready() { // no answers
		return s.currentStage(own.ID, assessment, own.Progress, nil), nil
	}
	answers, err := s.read().answers(ctx, scope, own.ID)
	return s.currentStage(own.ID, assessment, own.Progress, answers), err
}

func (s *Store) currentStage(
	sessionID string, assessment *Assessment, progress rules.Progress, answers savedAnswers,
) CurrentStage {
	i := progress.Current()
	stage := assessment.Definition.Stages[i].Shuffled(sessionID, assessment.ShuffleQuestions, assessment.ShuffleOptions)
	return CurrentStage{
		Assessment: assessment, Stage: stage, Order: i + 1, Status: progress.Stages[i].Status,
		DeadlineAt: progress.Stages[i].DeadlineAt, Answers: answers, Now: s.Now(),
	}
}

// StartStage starts the clock of a stage that waits, and returns the stage. A second
// call changes nothing. Refusals: not_found for a stage that is unknown or not reached,
// stage_closed, session_not_in_progress, invite_expired.
func (s *Store) StartStage(ctx context.Context, scope Scope, stageID string) (CurrentStage, error) {
	var current CurrentStage
	err := s.write(ctx, func(c conn) error {
		own, now, err := c.lockOwnSession(ctx, scope)
		if err != nil {
			return err
		}
		if _, refusal := own.Status.After(rules.VerbSave); refusal != "" {
			return commitThenRefuse(refused(refusal))
		}
		assessment, err := c.contentFor(ctx, scope, own.contentID(), own.ID)
		if err != nil {
			return err
		}
		progress := own.Progress
		if _, position, known := assessment.Definition.StageByID(stageID); !known || position > progress.Current() {
			return commitThenRefuse(errNoStage)
		} else if position < progress.Current() {
			return commitThenRefuse(errStageClosed)
		}

		answers, err := c.answers(ctx, scope, own.ID)
		if err != nil {
			return err
		}
		if progress.Ready() {
			m, err := c.materialOf(ctx, own.CandidateSession, assessment, progress, answers)
			if err != nil {
				return err
			}
			m.progress.StartStage(m.scoring, now)
			if err := c.saveProgress(ctx, own.CandidateSession, m, now); err != nil {
				return err
			}
			progress = m.progress
			// The session ends when its time is up, even if the grace period is not over.
			if _, refusal := progress.Status.After(rules.VerbSave); refusal != "" {
				return commitThenRefuse(refused(refusal))
			}
		}
		if err := c.noteDevice(ctx, own, scope, "", now); err != nil {
			return err
		}
		current = s.currentStage(own.ID, assessment, progress, answers)
		return nil
	})
	return current, err
}

// StageOutcome is the effect of submitting a stage.
type StageOutcome struct {
	Taking  Taking          // the session, after the submission
	Answers []AnswerOutcome // of each change in the submission
}

// SubmitStage saves the answers that the submission contains, closes the current
// stage, scores it, and applies its gate. Submitting a closed stage again changes
// nothing: answers that were not saved before are refused. Refusals: not_found for a
// stage that is unknown or not reached, stage_not_started, session_not_in_progress,
// invite_expired.
func (s *Store) SubmitStage(ctx context.Context, scope Scope, in StageAnswers) (StageOutcome, error) {
	var outcome StageOutcome
	err := s.write(ctx, func(c conn) error {
		own, now, err := c.lockOwnSession(ctx, scope)
		if err != nil {
			return err
		}
		assessment, err := c.contentFor(ctx, scope, own.contentID(), own.ID)
		if err != nil {
			return err
		}
		stage, position, known := assessment.Definition.StageByID(in.StageID)
		if err := submittable(own, position, known); err != nil {
			return commitThenRefuse(err)
		}

		if err := c.noteDevice(ctx, own, scope, in.ClientID, now); err != nil {
			return err
		}
		open := position == own.Progress.Current()
		var answers savedAnswers
		if open || len(in.Changes) > 0 {
			if answers, err = c.answers(ctx, scope, own.ID); err != nil {
				return err
			}
		}
		if outcome.Answers, err = c.changeAnswers(ctx, own, stage, answers, in.Changes, now); err != nil {
			return err
		}
		if err := c.noteUndelivered(ctx, own, stage, in.Undelivered, now); err != nil {
			return err
		}
		if open {
			m, err := c.materialOf(ctx, own.CandidateSession, assessment, own.Progress, answers)
			if err != nil {
				return err
			}
			m.progress.Submit(m.scoring, now)
			if err := c.saveProgress(ctx, own.CandidateSession, m, now); err != nil {
				return err
			}
			if own, err = c.ownSession(ctx, scope, ownSessionQuery); err != nil {
				return err
			}
		}
		outcome.Taking, err = c.taking(ctx, own)
		return err
	})
	return outcome, err
}

// submittable returns the refusal of a submission of the stage at position, or nil
// when the stage is in progress or closed.
func submittable(own ownSession, position int, known bool) error {
	_, refusal := own.Status.After(rules.VerbSubmit)
	switch {
	case own.StartedAt == nil:
		return refused(refusal)
	case known && own.Progress.Stages[position].StartedAt != nil:
		return nil
	case refusal != "":
		return refused(refusal)
	case known && position == own.Progress.Current():
		return errStageNotStarted
	}
	return errNoStage // unknown and not reached, which a candidate cannot tell apart
}
