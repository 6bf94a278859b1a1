package store_test

import (
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"assay/store"
)

// The steps in this file are those of the organization.

func (x *sessionTest) invite(t *rapid.T) {
	assessment := x.assessments[index(t, "assessment", x.assessments)]
	email := uniform("ada@example.com", "Ada@Example.COM", "grace@example.com").Draw(t, "email")
	if uniform("again", "again", "again", "any").Draw(t, "candidate") == "again" {
		before := x.session(t)
		assessment, email = before.assessment, strings.ToUpper(before.email)
	}

	onExisting := uniform("", store.ReturnExisting, store.UpdateExisting, store.RefuseExisting, store.NewAttempt).Draw(t,
		"onExisting")
	var expires *time.Time
	if within := uniform("", "", "", "", "1h", "8784h", "0s", "8784h0.001s").Draw(t, "expires"); within != "" {
		d, err := time.ParseDuration(within)
		must(t, err)
		expires = new(x.now().Add(d))
	}
	x.inviteTo(t, assessment, email, onExisting, expires, uniform(0, 1, 33, 400).Draw(t, "extra"))
}

// inviteTo always uses the same replica: the order of two sessions that two
// replicas create within one millisecond is undefined.
func (x *sessionTest) inviteTo(
	t *rapid.T, assessment *modelAssessment, email string, onExisting store.OnExisting, expires *time.Time, extra int,
) {
	now, s := x.now(), x.replicas[0]
	invited, err := s.CreateCandidateSession(x.ctx, x.scope, store.Invite{
		AssessmentID: assessment.id, CandidateName: "A candidate", CandidateEmail: email,
		ExpiresAt: expires, ExtraTimePercent: &extra, OnExisting: onExisting,
	})
	stored, created := invited.Session, invited.Created

	attempt, existing := 1, (*modelSession)(nil)
	for _, other := range x.sessions {
		if other.assessment == assessment && strings.EqualFold(other.email, email) {
			attempt++
			if other.settled(now).live() {
				existing = other
			}
		}
	}
	if onExisting == store.NewAttempt {
		existing = nil
	}

	const year = 366 * 24 * time.Hour
	switch {
	case expires != nil && (!expires.After(now) || expires.After(now.Add(year))):
		wantRefusal(t, err, "invalid_request")
	case assessment.archived:
		wantRefusal(t, err, "assessment_not_published")
	case existing != nil && onExisting == store.RefuseExisting:
		wantRefusal(t, err, "candidate_already_invited")
	case existing != nil:
		next := existing.settled(now)
		differs := extra != next.extra || expires != nil && !expires.Equal(next.expires)
		if differs && (onExisting != store.UpdateExisting || next.status != "INVITED") {
			wantRefusal(t, err, "candidate_already_invited")
			return
		}
		must(t, err)
		if created || stored.ID != existing.id {
			t.Fatalf("the invite returns %s, created %t, want the existing session %s", stored.ID, created, existing.id)
		}
		if differs {
			next.extra, next.updated = extra, now
			if expires != nil {
				next.expires = *expires
			}
			x.update(existing, next)
			x.wantSession(t, s, stored, next)
		}
	default:
		must(t, err)
		if !created {
			t.Fatalf("the invite returns the existing session %s, want a new one", stored.ID)
		}
		session := &modelSession{
			assessment: assessment, id: stored.ID, email: email, attempt: attempt, links: []string{linkOf(t, s, stored)},
			extra:  extra,
			status: "INVITED", invited: now, updated: now, expires: now.AddDate(0, 0, assessment.expiryDays),
			stage: -1, score: -1, answers: map[string]modelSaved{},
		}
		if expires != nil {
			session.expires = *expires
		}
		x.sessions = append(x.sessions, session)
		x.events = append(x.events, session.event("candidate.invited", now))
		x.wantSession(t, s, stored, *session)
	}
}

func (x *sessionTest) resend(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	stored, err := s.ResendCandidateSession(x.ctx, x.scope, session.id, store.Resend{})
	next := session.settled(x.now())
	switch {
	case next.status != "INVITED" && next.status != "EXPIRED":
		wantRefusal(t, err, "session_not_invited")
		return
	case next.status == "EXPIRED" && next.assessment.archived:
		wantRefusal(t, err, "assessment_not_published")
		return
	}
	must(t, err)

	x.update(session, next) // an expired invitation emits its event before it is renewed
	next.resend(x.now())
	link := linkOf(t, s, stored)
	if slices.Contains(next.links, link) {
		t.Fatalf("the resend of %s returns an earlier link", session.id)
	}
	next.links = append(next.links, link)
	x.update(session, next)
	x.events = append(x.events, next.event("candidate.invited", x.now()))
	x.wantSession(t, s, stored, next)
	x.useLink(t, session, len(session.links)-2)
}

func (x *sessionTest) cancel(t *rapid.T) {
	session, s := x.session(t), x.replica(t)
	stored, err := s.CancelCandidateSession(x.ctx, x.scope, session.id)
	next := session.settled(x.now())
	if !next.live() {
		wantRefusal(t, err, "session_closed")
		return
	}
	must(t, err)
	x.update(session, next) // a deadline emits its events before the cancellation

	next.cancel(x.now())
	x.update(session, next)
	x.wantSession(t, s, stored, next)
	x.useLink(t, session, len(session.links)-1)
}

func linkOf(t *rapid.T, s *store.Store, session store.CandidateSession) string {
	t.Helper()
	link := s.InviteURL(session)
	if link == nil {
		t.Fatalf("%s has no link", session.ID)
	}
	return *link
}
