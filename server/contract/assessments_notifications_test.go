package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// subscribe turns the emails about finished candidates of an assessment on or off.
func (a *api) subscribe(who credential, assessmentID string, on bool) {
	a.t.Helper()
	path := "/v1/assessments/" + assessmentID + "/notifications"
	a.do("PUT", path, who, object{"finishedEmail": on}).want(200).wantFields(object{"data.finishedEmail": on})
	a.do("GET", path, who, nil).want(200).wantFields(object{"data.finishedEmail": on})
}

// finished returns the names of the candidates in an email.
func (s sent) finished(t testing.TB) (names []string) {
	t.Helper()
	if s.Email.Kind != store.EmailFinished {
		t.Fatalf("the email is %s", s.Email.Kind)
	}
	for _, session := range s.Finished.Sessions {
		names = append(names, session.CandidateName)
	}
	return names
}

// Each member decides for each assessment. Nobody sees or changes the decisions of others,
// and assessments of other organizations do not exist.
func TestAssessmentNotifications(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		member := o.member("MEMBER")
		first, second := o.publish(oneQuestion()), o.publish(oneQuestion())
		a.subscribe(member.who, first, true)
		a.subscribe(member.who, first, true)
		for who, at := range map[credential]string{member.who: second, o.owner: first} {
			a.do("GET", "/v1/assessments/"+at+"/notifications", who, nil).want(200).
				wantFields(object{"data.finishedEmail": false})
		}
		path := "/v1/assessments/" + first + "/notifications"
		for _, id := range []string{first, "asm_01hzzzzzzzzzzzzzzzzzzzzzzz"} {
			path := "/v1/assessments/" + id + "/notifications"
			a.do("GET", path, other.owner, nil).want(404, "not_found")
			a.do("PUT", path, other.owner, object{"finishedEmail": true}).want(404, "not_found")
		}
		a.do("PUT", path, o.owner, object{}).want(400, "invalid_request")
		a.do("PUT", path, o.key(), object{"finishedEmail": true}).want(401, "unauthenticated")
		if rows := storetest.Count(t, a.database, "assessment_subscriptions"); rows != 1 {
			t.Errorf("%d subscriptions, want 1", rows)
		}
		a.subscribe(member.who, first, false)
		a.subscribe(member.who, first, false)
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		a.subscribe(o.owner, draft, true)
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		if rows := storetest.Count(t, a.database, "assessment_subscriptions"); rows != 0 {
			t.Errorf("%d subscriptions, want none", rows)
		}
	}, sendsEmail)
}

// A session that ends in any way is in the next email to each member who asked for it:
// submitted, disqualified at a gate, or closed by a deadline, with a request or by the sweeper.
func TestFinishedEmail(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.register()
		member, silent := o.member("MEMBER"), o.member("ADMIN")
		outbox := a.outbox()
		outbox.send()
		assessment, timed, ignored := o.publish(twoStages()), o.publish(timed(10, 0)), o.publish(oneQuestion())
		for _, who := range []credential{o.owner, member.who} {
			a.subscribe(who, assessment, true)
			a.subscribe(who, timed, true)
		}
		a.subscribe(silent.who, ignored, true)
		named := func(id, name string) response { return o.invite(id, object{"candidateName": name}) }

		a.complete(o.preview(ignored).candidate())
		a.finish(named(assessment, "Completed").candidate(), true)
		a.clock.Advance(time.Second)
		a.finish(named(assessment, "Disqualified").candidate(), false)
		swept, late := named(timed, "Swept"), named(timed, "Late")
		for _, session := range []response{swept, late} {
			a.do("POST", "/v1/candidate/session/start", session.candidate(), nil).want(200)
			a.clock.Advance(time.Second)
		}
		unfinished := named(assessment, "Unfinished")
		a.do("POST", "/v1/candidate/session/start", unfinished.candidate(), nil).want(200)
		o.invite(assessment)
		a.clock.Advance(11 * time.Minute)
		a.do("GET", "/v1/candidate/session", late.candidate(), nil).want(200)
		a.sweep()

		emails := outbox.send()
		if len(emails) != 2 {
			t.Fatalf("%d emails were sent, want 2", len(emails))
		}
		to := map[string]bool{}
		for _, email := range emails {
			to[email.ToAddress] = true
			if got := email.finished(t); !slices.Equal(got, []string{"Late", "Swept", "Disqualified", "Completed"}) ||
				email.Finished.More != 0 || email.UnsubscribeURL == "" {
				t.Errorf("the email names %q and %d more", got, email.Finished.More)
			}
			completed, disqualified := email.Finished.Sessions[3], email.Finished.Sessions[2]
			if completed.AssessmentTitle != "Night-shift pharmacist" || *completed.Score != 100 || !*completed.Passed ||
				completed.Disqualified || !disqualified.Disqualified || completed.FinishedAt.IsZero() ||
				!strings.HasPrefix(completed.URL, "https://assay.test/app/candidates/ses_") {
				t.Errorf("the email has %+v and %+v", completed, disqualified)
			}
		}
		if !to[o.email] || !to[member.email] {
			t.Errorf("emails to %v", to)
		}
		if rows := storetest.Count(t, a.database, "finished_notices"); rows != 0 {
			t.Errorf("%d notices remain", rows)
		}
	}, sendsEmail)
}

// A member gets at most one email per hour, which names all candidates who have finished
// since the last one. A candidate who finishes while it is sent is in the next one.
func TestFinishedEmailOncePerHour(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessment := o.publish(oneQuestion())
		a.subscribe(o.owner, assessment, true)
		finish := func(name string) response {
			t.Helper()
			session := o.invite(assessment, object{"candidateName": name})
			a.complete(session.candidate())
			a.clock.Advance(time.Second)
			return session
		}
		outbox, second := a.outbox(), b.outbox()

		finish("one")
		email := outbox.claim()
		content := outbox.content(*email)
		if names := (sent{*email, content}).finished(t); !slices.Equal(names, []string{"one"}) {
			t.Errorf("the first email names %q", names)
		}
		finish("two")
		second.sendNone() // the lease of the first one has not ended
		if !outbox.settle(*email, store.EmailSent, "") {
			t.Error("the first email was not settled")
		}
		finish("three")
		second.sendNone()
		a.clock.Advance(time.Hour - 3*time.Second)
		outbox.sendNone()
		a.clock.Advance(2 * time.Second)
		if names := second.sendOne().finished(t); !slices.Equal(names, []string{"three", "two"}) {
			t.Errorf("the second email names %q", names)
		}
		a.clock.Advance(time.Hour)
		outbox.sendNone()

		// A worker that was killed between sending and recording: the email is sent again, with those who came later.
		o.signIn()
		finish("four")
		killed := outbox.claim()
		outbox.content(*killed)
		finish("five")
		a.clock.Advance(2 * time.Minute)
		if names := second.sendOne().finished(t); !slices.Equal(names, []string{"five", "four"}) {
			t.Errorf("the email after a crash names %q", names)
		}
		if outbox.settle(*killed, store.EmailSent, "") {
			t.Error("the ended lease settled the email")
		}

		// A refused email takes its notices with it. Otherwise it would be queued again forever.
		a.clock.Advance(time.Hour)
		o.signIn()
		finish("six")
		refused := outbox.claim()
		outbox.content(*refused)
		outbox.settle(*refused, store.EmailFailed, "no such mailbox")
		outbox.sendNone()
		if rows := storetest.Count(t, a.database, "finished_notices"); rows != 0 {
			t.Errorf("%d notices remain", rows)
		}
	}, sendsEmail)
}

// Erased candidates, ended subscriptions, and removed members are in no email.
func TestFinishedEmailEnds(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		member := o.member("MEMBER")
		outbox := a.outbox()
		outbox.send()
		kept, ended := o.publish(oneQuestion()), o.publish(oneQuestion())
		for _, who := range []credential{o.owner, member.who} {
			a.subscribe(who, kept, true)
			a.subscribe(who, ended, true)
		}
		erased := o.invite(kept)
		a.complete(erased.candidate())
		a.complete(o.invite(kept, object{"candidateName": "Kept"}).candidate())
		a.complete(o.invite(ended).candidate())
		a.erase(o.owner, erased.text("data.id"))
		a.subscribe(o.owner, ended, false)
		a.remove(o.owner, member.id).want(204)
		if email := outbox.sendOne(); email.ToAddress != o.email || !slices.Equal(email.finished(t), []string{"Kept"}) {
			t.Errorf("the email to %s names %q", email.ToAddress, email.finished(t))
		}
		a.clock.Advance(time.Hour)
		o.signIn()
		last := o.invite(kept)
		a.complete(last.candidate())
		a.erase(o.owner, last.text("data.id"))
		outbox.sendNone()
		outbox.sendNone()
		if rows := storetest.Count(t, a.database, "finished_notices"); rows != 0 {
			t.Errorf("%d notices remain", rows)
		}
	}, sendsEmail)
}

// A member whom the previous binary has removed causes one email, which is cancelled, and
// not another one each second.
func TestFinishedEmailToRemovedMember(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		member := o.member("MEMBER")
		outbox := a.outbox()
		outbox.send()
		assessment := o.publish(oneQuestion())
		a.subscribe(member.who, assessment, true)
		storetest.RemoveUser(t, a.database, member.id)
		before := storetest.Count(t, a.database, "emails")
		a.complete(o.invite(assessment).candidate())
		for range 3 {
			outbox.sendNone()
		}
		if queued := storetest.Count(t, a.database, "emails") - before; queued != 1 {
			t.Errorf("%d emails were queued", queued)
		}
		for _, table := range []string{"finished_notices", "assessment_subscriptions"} {
			if rows := storetest.Count(t, a.database, table); rows != 0 {
				t.Errorf("%s has %d rows", table, rows)
			}
		}
	}, sendsEmail)
}

// An email names the 50 newest candidates, and counts the others. Candidates who finish at
// once, and several workers, make one email.
func TestFinishedEmailOfMany(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		assessment := o.publish(oneQuestion())
		a.subscribe(o.owner, assessment, true)
		var wait sync.WaitGroup
		const candidates = 54
		for i := range candidates {
			who := o.invite(assessment, object{"candidateName": fmt.Sprint("Candidate ", i)}).candidate()
			wait.Go(func() { []*api{a, b}[i%2].complete(who) })
		}
		wait.Wait()
		emails := make(chan []sent, 8)
		for i := range cap(emails) {
			go func() { emails <- []*api{a, b}[i%2].outbox().send() }()
		}
		named := 0
		for range cap(emails) {
			for _, email := range <-emails {
				named += len(email.finished(t)) + email.Finished.More
				if len(email.Finished.Sessions) != 50 {
					t.Errorf("an email names %d candidates", len(email.Finished.Sessions))
				}
			}
		}
		if named != candidates {
			t.Errorf("the emails name %d candidates, want %d", named, candidates)
		}
	}, sendsEmail)
}
