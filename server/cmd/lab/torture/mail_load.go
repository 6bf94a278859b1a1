package torture

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/server/cmd/lab/rig"
)

// mailOrganizations is how many organizations cause emails. Each has its own queues.
const mailOrganizations = 3

// mailer is an organization that causes emails without a pause, and what it was told.
// It sends no request twice.
type mailer struct {
	*rig.Organization
	name string

	invites []*invite
	members map[string]bool // by address: whether the invitation was acknowledged
	resets  struct{ tried, told int }
	faults  []string
}

// invite is an invite by email.
type invite struct {
	address   string
	sessionID string // "" without an answer
	token     string // of the last acknowledged link
	resends   int    // tried
	unsure    bool   // the answer to the last resend was lost
}

// maxResends is below the limit of three emails with an invite per day.
const maxResends = 2

func newMailers(ctx context.Context, api *rig.Client) ([]*mailer, error) {
	var all []*mailer
	for n := range mailOrganizations {
		m := &mailer{name: fmt.Sprintf("mail-%d", n), members: map[string]bool{}}
		var err error
		if m.Organization, err = rig.NewOrganization(ctx, api, m.name); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// startMailers lets them work until stop is called, which waits for the last answers.
func startMailers(ctx context.Context, all []*mailer) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working errgroup.Group
	for _, m := range all {
		working.Go(func() error {
			for n := 0; rig.Pause(ctx, 30*time.Millisecond); n++ {
				m.turn(context.WithoutCancel(ctx), n)
			}
			return nil
		})
	}
	return func() {
		cancel()
		_ = working.Wait() // they return no errors
	}
}

// turn sends some requests that cause emails.
func (m *mailer) turn(ctx context.Context, n int) {
	m.invite(ctx, n)
	if n%3 == 2 {
		m.resend(ctx, m.invites[(n*7)%len(m.invites)])
	}
	if n%4 == 1 {
		m.resets.tried++
		if _, ok := m.send(ctx, "/v1/auth/forgot-password", nil, rig.Object{"email": rig.Email(m.name)}); ok {
			m.resets.told++
		}
	}
	if n%8 == 3 {
		m.send(ctx, "/v1/auth/forgot-password", nil, rig.Object{"email": rig.Email("stranger")})
	}
	if n%8 == 7 {
		address := rig.Email(fmt.Sprintf("%s-member-%d", m.name, n))
		_, m.members[address] = m.send(ctx, "/v1/members", m.Owner,
			rig.Object{"name": "Jonas Weber", "email": address, "role": "MEMBER"})
	}
}

// send sends a request once, and reports whether it was acknowledged.
func (m *mailer) send(ctx context.Context, path string, header http.Header, body rig.Object) (rig.Answer, bool) {
	answer, err := m.API.Send(ctx, http.MethodPost, path, header, body)
	if err == nil && !answer.OK() && answer.Status < 500 {
		m.faults = append(m.faults, fmt.Sprintf("%s was refused: %d %s", path, answer.Status, answer.Body))
	}
	return answer, err == nil && answer.OK()
}

// invitedByEmail is the answer to an invite that Assay sends.
type invitedByEmail struct {
	rig.Invited

	Email struct{ Status string }
}

// take reads an answer to an invite or a resend.
func (m *mailer) take(answer rig.Answer, i *invite) {
	var told invitedByEmail
	err := answer.Decode(&told)
	_, token, _ := strings.Cut(told.InviteURL, "#")
	if err != nil || token == "" || told.Email.Status != "QUEUED" {
		m.faults = append(m.faults, fmt.Sprintf("an invite by email was acknowledged as %s, %v", answer.Body, err))
	}
	i.sessionID, i.token = told.ID, token
}

func (m *mailer) invite(ctx context.Context, n int) {
	name := fmt.Sprintf("%s-candidate-%d", m.name, n)
	i := &invite{address: rig.Email(name)}
	m.invites = append(m.invites, i)
	body := m.Invite(name)
	body["sendEmail"] = true
	if answer, ok := m.send(ctx, "/v1/public/candidate-sessions", m.Key, body); ok {
		m.take(answer, i)
	}
}

func (m *mailer) resend(ctx context.Context, i *invite) {
	if i.sessionID == "" || i.resends >= maxResends {
		return
	}
	i.resends++
	answer, ok := m.send(ctx, "/v1/public/candidate-sessions/"+i.sessionID+"/resend", m.Key, rig.Object{"sendEmail": true})
	if i.unsure = !ok; ok {
		m.take(answer, i)
	}
}
