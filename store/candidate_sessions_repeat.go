package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"assay/store/rules"
)

// Two invites of a person at the same moment must not both find that the person has attempted nothing. The unique index
// of the attempts does not prevent it: the invites can be for an assessment and its copy. So invites of an assessment
// with a rule lock the person, then look, and then insert, in one transaction. Without a rule, nothing of this runs.

// personLock is the number of the lock of a person in an assessment and its copies.
func personLock(scope Scope, assessment *Assessment, key string) int64 {
	sum := sha256.Sum256([]byte(strings.Join([]string{"repeat", scope.OrganizationID, assessment.root(), key}, "\x00")))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// guard makes the row one that checkRepeat must permit, if the assessment has a rule.
func (row *inviteRow) guard(scope Scope, assessment *Assessment, key string) {
	row.guarded = assessment.RepeatRule != rules.RepeatAllowed
	row.lock = personLock(scope, assessment, key)
	row.Args[guardedArgument] = row.guarded
}

// guardAnew is for a row that was not inserted: the rule can be newer than the assessment in memory.
func (c conn) guardAnew(ctx context.Context, scope Scope, in Invite, row *inviteRow) error {
	assessment, err := c.current(ctx, scope, in.AssessmentID)
	if err == nil {
		row.guard(scope, assessment, emailKey(in.CandidateEmail))
	}
	return err
}

// guardedInvite is one attempt of insertInvite for an assessment with a rule. It returns done if the invite has an
// outcome.
func (c conn) guardedInvite(
	ctx context.Context, scope Scope, in Invite, row inviteRow, full error, now time.Time, room *room,
) (invited Invited, done bool, err error) {
	err = c.inTransaction(ctx, func(c conn) error {
		invited, done = Invited{}, true
		if row.lock != 0 {
			if err := c.store.db.Lock(ctx, c.Conn, row.lock); err != nil {
				return err
			}
		}
		session, live, err := c.existingSession(ctx, scope, in, now)
		if err != nil || live {
			invited.Session = session
			return err
		}
		if err := c.checkRepeat(ctx, scope, repeatOf{
			assessmentID: in.AssessmentID, email: in.CandidateEmail, consent: in.AllowRepeat,
		}, now); err != nil {
			return err
		}
		if full != nil {
			return commitThenRefuse(full)
		}
		row.Returned = session.columns()
		if err := c.store.db.InsertRow(ctx, c.Conn, &row.Row); err != nil {
			done = !errors.Is(err, sql.ErrNoRows)
			if !done { // another invite took the attempt
				return nil
			}
			return err
		}
		c.tookSession(session, row.Dependent, room)
		invited = Invited{Session: session, Created: true}
		return nil
	})
	return invited, done, err
}

// repeatOf is a person who is to be invited.
type repeatOf struct {
	assessmentID, email string
	consent             bool   // see Invite.AllowRepeat
	except              string // a session that does not count
}

// checkRepeat refuses a person whom the rule of the assessment does not permit.
func (c conn) checkRepeat(ctx context.Context, scope Scope, of repeatOf, now time.Time) error {
	assessment, err := c.current(ctx, scope, of.assessmentID)
	if err != nil {
		return err
	}
	key := emailKey(of.email)
	found, err := c.histories(ctx, scope, assessment, []string{key}, now)
	if err != nil {
		return err
	}
	history, ok := found[key]
	if !ok || history.Repeat == rules.RepeatPossible || of.consent && history.Repeat == rules.RepeatNeedsConsent ||
		history.Latest.SessionID == of.except {
		return nil
	}
	refusal := *errAttemptedBefore
	if history = history.seenBy(scope); history.Latest != nil {
		refusal = *errAttemptedBefore.about(history.Latest.SessionID)
		refusal.Earlier = &history
	}
	return commitThenRefuse(&refusal)
}

// guardGroup locks the people of a bulk's rows, and finds which of them have no history: their rows can be inserted
// together. A dry run locks nobody: it inserts nothing, and can have more rows than PostgreSQL has room for locks.
func (c conn) guardGroup(
	ctx context.Context, scope Scope, invites []*Invite, rows []inviteRow, order []int, dryRun bool, now time.Time,
) error {
	byAssessment := map[string][]string{}
	var locks []int64
	for _, i := range order {
		if rows[i].guarded {
			byAssessment[invites[i].AssessmentID] = append(byAssessment[invites[i].AssessmentID],
				emailKey(invites[i].CandidateEmail))
			locks = append(locks, rows[i].lock)
		}
	}
	if len(locks) == 0 {
		return nil
	}
	// In one order for all transactions, or two could deadlock.
	slices.Sort(locks)
	for _, lock := range slices.Compact(locks) {
		if dryRun {
			break
		}
		if err := c.store.db.Lock(ctx, c.Conn, lock); err != nil {
			return err
		}
	}
	histories := map[string]map[string]History{}
	for id, keys := range byAssessment {
		assessment, err := c.current(ctx, scope, id)
		if err != nil {
			return err
		}
		if histories[id], err = c.histories(ctx, scope, assessment, keys, now); err != nil {
			return err
		}
	}
	first := map[int64]bool{}
	for _, i := range order {
		row := &rows[i]
		if !row.guarded {
			continue
		}
		_, known := histories[invites[i].AssessmentID][emailKey(invites[i].CandidateEmail)]
		row.known = known || first[row.lock]
		first[row.lock] = true
		if dryRun {
			row.lock = 0
		}
	}
	return nil
}
