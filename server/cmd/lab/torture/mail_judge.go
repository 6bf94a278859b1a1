package torture

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

// mailAudit compares what the mail servers received with what the service acknowledged,
// and with what it holds.
type mailAudit struct {
	post    *post
	mailers []*mailer
	db      *rig.Database
	kills   int // of members that send email
	faults  []string

	rows      map[string]mailRow         // by id
	to        map[string][]string        // address → ids that arrived
	tokens    map[string]map[string]bool // address → tokens of the links that arrived
	asked     map[string]int             // address → number of emails that may arrive at most
	invites   int                        // acknowledged, with resends
	resets    int                        // acknowledged
	members   int                        // acknowledged
	doubles   int
	cancelled int // emails that arrived and were cancelled by a resend meanwhile
}

// mailRow is an email in the database.
type mailRow struct{ kind, status string }

func (a *mailAudit) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// run waits until the queue is empty, and compares.
func (a *mailAudit) run(ctx context.Context) error {
	if err := a.drain(ctx); err != nil {
		return err
	}
	a.post.mu.Lock()
	defer a.post.mu.Unlock()
	a.index()
	a.compareRows()
	for _, m := range a.mailers {
		a.faults = append(a.faults, m.faults...)
		a.compareResets(m)
		a.compareMembers(m)
		if err := a.compareInvites(ctx, m); err != nil {
			return err
		}
	}
	a.compareAsked()
	a.compareDoubles()
	a.faults = append(a.faults, a.post.faults...)
	return nil
}

// mailDrainTimeout is far above the time that the backlog takes.
const mailDrainTimeout = 2 * time.Minute

// drain waits until only reminders are queued, which are due in some days. It reads the
// rows. What is still queued at the end is reported with all else.
func (a *mailAudit) drain(ctx context.Context) error {
	for end := time.Now().Add(mailDrainTimeout); ; {
		rows, err := a.db.Strings(ctx, `SELECT id || ' ' || kind || ' ' || status FROM emails`)
		if err != nil {
			return err
		}
		a.rows = map[string]mailRow{}
		queued := 0
		for _, row := range rows {
			fields := strings.Fields(row)
			a.rows[fields[0]] = mailRow{fields[1], fields[2]}
			if fields[2] == "QUEUED" && fields[1] != "REMINDER" {
				queued++
			}
		}
		if queued == 0 || time.Now().After(end) || !rig.Pause(ctx, 300*time.Millisecond) {
			return ctx.Err()
		}
	}
}

func (a *mailAudit) index() {
	a.to, a.tokens, a.asked = map[string][]string{}, map[string]map[string]bool{}, map[string]int{}
	for id, email := range a.post.arrived {
		a.to[email.to] = append(a.to[email.to], id)
		if a.tokens[email.to] == nil {
			a.tokens[email.to] = map[string]bool{}
		}
		for _, token := range email.tokens {
			a.tokens[email.to][token] = true
		}
	}
}

// compareRows compares the emails in the database with the emails that arrived.
func (a *mailAudit) compareRows() {
	for id, row := range a.rows {
		_, arrived := a.post.arrived[id]
		switch {
		case row.status == "SENT" && !arrived:
			a.fault("%s %s is recorded as sent and never arrived", row.kind, id)
		case row.status == "FAILED", row.status == "QUEUED" && row.kind != "REMINDER":
			a.fault("%s %s is still %s", row.kind, id, row.status)
		}
	}
	for id, email := range a.post.arrived {
		row, held := a.rows[id]
		switch {
		case !held:
			a.fault("%s arrived at %s and is not in the database", id, email.to)
		case row.status == "CANCELLED" && row.kind == "INVITE":
			a.cancelled++
		case row.status != "SENT":
			a.fault("%s %s arrived at %s and is %s", row.kind, id, email.to, row.status)
		}
	}
}

// kindsTo lists the kinds of the emails that arrived at an address.
func (a *mailAudit) kindsTo(address string) (kinds []string) {
	for _, id := range a.to[address] {
		kinds = append(kinds, a.rows[id].kind)
	}
	slices.Sort(kinds)
	return kinds
}

// count is the number of emails of a kind that arrived at an address.
func (a *mailAudit) count(address, kind string) (n int) {
	for _, id := range a.to[address] {
		if a.rows[id].kind == kind {
			n++
		}
	}
	return n
}

// compareResets expects an email for each acknowledged request, and at most one for each
// that was not.
func (a *mailAudit) compareResets(m *mailer) {
	address := rig.Email(m.name)
	arrived := a.count(address, "PASSWORD_RESET")
	if arrived < m.resets.told || arrived > m.resets.tried {
		a.fault("%d resets of %s were acknowledged and %d tried, and %d emails arrived",
			m.resets.told, address, m.resets.tried, arrived)
	}
	a.resets += m.resets.told
	a.asked[address] = m.resets.tried
}

func (a *mailAudit) compareMembers(m *mailer) {
	for address, told := range m.members {
		a.asked[address] = 1
		if !told {
			continue
		}
		a.members++
		if a.count(address, "INVITATION") != 1 || len(a.tokens[address]) != 1 {
			a.fault("%s was invited as a member and got %v", address, a.kindsTo(address))
		}
	}
}

// compareInvites expects that the present link of each session has arrived, and that the
// session says so.
func (a *mailAudit) compareInvites(ctx context.Context, m *mailer) error {
	if err := m.SignIn(ctx); err != nil {
		return err
	}
	held := map[string]invitedByEmail{}
	err := rig.Pages(ctx, m.API, "/v1/candidate-sessions?limit=100", m.Owner, func(s struct {
		invitedByEmail

		CandidateEmail string
	}) {
		held[s.CandidateEmail] = s.invitedByEmail
	})
	if err != nil {
		return err
	}
	for _, i := range m.invites {
		a.asked[i.address] = 1 + i.resends
		session, there := held[i.address]
		_, token, _ := strings.Cut(session.InviteURL, "#")
		switch {
		case i.sessionID != "" && session.ID != i.sessionID:
			a.fault("session %s was acknowledged, and %q has its address", i.sessionID, session.ID)
		case !there:
			continue // it was never acknowledged
		case i.sessionID != "" && !i.unsure && token != i.token:
			a.fault("session %s was acknowledged with another link", session.ID)
		case session.Email.Status != "SENT":
			a.fault("session %s was invited by email, and its email is %s", session.ID, session.Email.Status)
		case !a.tokens[i.address][token]:
			a.fault("the email of session %s is SENT, and its link never arrived", session.ID)
		}
		if i.sessionID != "" {
			a.invites += 1 + i.resends
		}
	}
	return nil
}

// compareAsked expects no email that nobody asked for.
func (a *mailAudit) compareAsked() {
	for address, ids := range a.to {
		if len(ids) > a.asked[address] {
			a.fault("%d emails arrived at %s, which asked for %d: %v", len(ids), address, a.asked[address],
				a.kindsTo(address))
		}
	}
}

// compareDoubles expects that a process sends an email again only after it was killed, and
// only one.
func (a *mailAudit) compareDoubles() {
	for by, again := range a.post.again() {
		a.doubles += again
		if !by.member.Killed(by.start) {
			a.fault("%d emails of %s, start %d, arrived again, and it was not killed", again, by.member.Name, by.start)
		} else if again > 1 {
			a.fault("%d emails arrived again after one kill of %s", again, by.member.Name)
		}
	}
}

// table describes the run.
func (a *mailAudit) table() [][]string {
	sprung := a.post.sprung
	return [][]string{
		{"emails: invites and resends of acknowledged sessions", strconv.Itoa(a.invites)},
		{"acknowledged password resets", strconv.Itoa(a.resets)},
		{"acknowledged member invitations", strconv.Itoa(a.members)},
		{"different emails that arrived", strconv.Itoa(len(a.post.arrived))},
		{"of these replaced by a resend meanwhile", strconv.Itoa(a.cancelled)},
		{"emails that arrived again", strconv.Itoa(a.doubles)},
		{"kills of processes that send", strconv.Itoa(a.kills)},
		{"of these before a message was accepted", strconv.Itoa(sprung[unaccepted])},
		{"after it was accepted, before the reply", strconv.Itoa(sprung[unanswered])},
		{"right after the reply", strconv.Itoa(sprung[unrecorded])},
	}
}
