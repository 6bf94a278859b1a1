package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/server/mail/mailtest"
)

// aimMail is in emails per second to a mail server on the same machine.
const aimMail = 50

// Mail is `lab bench mail`: a process of `assay serve` sends a backlog of invites to a
// mail server in this process.
type Mail struct {
	rig.Flags        `embed:""`
	rig.DatabaseFlag `embed:""`
	Ratios           `embed:""`

	Emails        int `default:"1000" help:"Emails of each turn."`
	Organizations int `default:"10" help:"Organizations that have them sent, each with its own queue."`
	Turns         int `default:"3" help:"Turns of the service and of the bare loop."`
}

// mostAtOnce is the number of invites that one request permits.
const mostAtOnce = 500

// Run measures on each kind of database. A missing email fails it.
func (c *Mail) Run(ctx context.Context, out io.Writer) error {
	if err := c.begin(conditions(fmt.Sprintf("%d emails, %d organizations", c.Emails, c.Organizations))); err != nil {
		return err
	}
	return c.finish(out, c.measureAll(ctx, out, &c.Ratios))
}

func (c *Mail) measureAll(ctx context.Context, out io.Writer, ratios *Ratios) error {
	if min(c.Emails, c.Organizations, c.Turns) < 1 || c.Emails < c.Organizations {
		return errors.New("emails, organizations and turns must be positive, and each organization needs an email")
	}
	return c.EachDatabase(ctx, c.Database, func(db *rig.Database) error {
		to, err := newMailReceiver()
		if err != nil {
			return err
		}
		defer to.server.Close()
		run := &mailRun{Mail: c, out: out, db: db, service: db.Service(c.Binary), to: to, ratios: ratios}
		run.service.Env = []string{
			"ASSAY_SMTP_URL=" + to.server.URL(), "ASSAY_MAIL_FROM=Assay <assay@lab.example>", "ASSAY_MAIL_RATE=10000",
		}
		err = run.all(ctx)
		if run.server != nil {
			err = run.server.Explain(err)
			run.server.Stop()
		}
		return err
	})
}

// mailReceiver is a mail server that counts.
type mailReceiver struct {
	server *mailtest.Server
	count  atomic.Int64
	first  atomic.Int64 // when the first message arrived, in nanoseconds since 1970
	last   atomic.Pointer[mailtest.Message]
	all    chan pace // after the last message that is expected

	expected int64
}

func newMailReceiver() (*mailReceiver, error) {
	r := &mailReceiver{all: make(chan pace, 1)}
	var err error
	r.server, err = mailtest.Start(mailtest.Options{OnMessage: r.take})
	return r, err
}

func (r *mailReceiver) take(m mailtest.Message) {
	at := time.Now()
	r.first.CompareAndSwap(0, at.UnixNano())
	if r.count.Add(1) == r.expected {
		r.last.Store(&m)
		r.all <- pace{int(r.expected), time.Unix(0, r.first.Load()), at}
	}
}

// expect starts counting. No earlier message may be on its way.
func (r *mailReceiver) expect(count int) {
	r.expected = int64(count)
	r.count.Store(0)
	r.first.Store(0)
}

// mailTimeout is far above the time of a turn.
const mailTimeout = 5 * time.Minute

// wait returns after the last expected message.
func (r *mailReceiver) wait(ctx context.Context) (pace, error) {
	select {
	case <-ctx.Done():
		return pace{}, ctx.Err()
	case <-time.After(mailTimeout):
		return pace{}, fmt.Errorf("%d of %d emails arrived within %s", r.count.Load(), r.expected, mailTimeout)
	case p := <-r.all:
		return p, nil
	}
}

// mailRun is the measurement on one database.
type mailRun struct {
	*Mail
	out     io.Writer
	db      *rig.Database
	service rig.Service
	to      *mailReceiver
	server  *rig.Process
	orgs    []*rig.Organization
	ratios  *Ratios
	invited int

	sent, bare []pace
	cpu        time.Duration
	peak       int64
}

func (r *mailRun) all(ctx context.Context) error {
	about, err := r.db.About(ctx)
	if err != nil {
		return err
	}
	for turn := range r.Turns {
		if err := r.turn(ctx, turn); err != nil {
			return err
		}
	}
	sent, bare := total(r.sent), total(r.bare)
	var ratios []float64
	for i := range r.sent {
		ratios = append(ratios, r.sent[i].rate()/r.bare[i].rate())
	}
	r.ratios.add(r.db.Kind, "emails", ratios)
	rate := float64(sent.count) / sent.took.Seconds()
	bareRate := float64(bare.count) / bare.took.Seconds()
	_, _ = fmt.Fprintf(r.out, "\nemail, %s, %d turns\n", about, r.Turns)
	rig.PrintTable(r.out, [][]string{
		{"", "emails", "time", "emails/s", "CPU", "peak memory", "bare emails/s", "ratio", "(turns)", ""},
		{
			fmt.Sprintf("%d organizations", r.Organizations), fmt.Sprint(sent.count), rig.Seconds(sent.took),
			fmt.Sprintf("%.0f", rate), rig.Microseconds(r.cpu / time.Duration(sent.count)), rig.Mebibytes(r.peak),
			fmt.Sprintf("%.0f", bareRate), median(ratios), spread(ratios),
			missed(rate < aimMail, fmt.Sprintf("aim %d/s", aimMail)),
		},
	})
	return nil
}

// sum is the emails of several turns.
type sum struct {
	count int
	took  time.Duration
}

func total(turns []pace) (s sum) {
	for _, p := range turns {
		s.count, s.took = s.count+p.count, s.took+p.elapsed()
	}
	return s
}

// turn queues emails while nothing sends them. It then measures a server that starts with
// that backlog, and the bare loop after it.
func (r *mailRun) turn(ctx context.Context, turn int) error {
	if err := r.restart(ctx, "--no-dispatcher"); err != nil {
		return err
	}
	if err := r.queue(ctx); err != nil {
		return err
	}
	if err := r.db.Analyze(ctx); err != nil {
		return err
	}
	r.to.expect(r.Emails)
	if err := r.restart(ctx); err != nil {
		return err
	}
	sent, err := r.to.wait(ctx)
	if err != nil {
		return err
	}
	used := r.server.Usage()
	r.sent, r.cpu, r.peak = append(r.sent, sent), r.cpu+used.CPU, max(r.peak, used.Peak)
	rig.Pause(ctx, 200*time.Millisecond) // for the record of the last one
	r.server.Stop()
	r.server = nil

	r.to.expect(r.Emails)
	if err := r.bareLoop(ctx, turn); err != nil {
		return err
	}
	bare, err := r.to.wait(ctx)
	r.bare = append(r.bare, bare)
	return err
}

// restart starts a new process of the server, so that its figures belong to one turn.
func (r *mailRun) restart(ctx context.Context, args ...string) error {
	if r.server != nil {
		r.server.Stop()
		r.server = nil
	}
	server, _, err := r.service.Serve(ctx, args...)
	if err != nil {
		return err
	}
	r.server = server
	for _, org := range r.orgs {
		org.API = rig.NewClient([]string{server.Addr}, preparing)
	}
	return nil
}

// queue invites candidates by email, the same number in each organization.
func (r *mailRun) queue(ctx context.Context) error {
	for len(r.orgs) < r.Organizations {
		org, err := rig.NewOrganization(ctx, rig.NewClient([]string{r.server.Addr}, preparing),
			fmt.Sprintf("bench-%d", len(r.orgs)))
		if err != nil {
			return err
		}
		r.orgs = append(r.orgs, org)
	}
	left := r.Emails
	for n, org := range r.orgs {
		for mine := left / (len(r.orgs) - n); mine > 0; {
			rows := make([]rig.Object, 0, mostAtOnce)
			for range min(mine, mostAtOnce) {
				r.invited++
				row := org.Invite(fmt.Sprintf("candidate-%d", r.invited))
				row["sendEmail"] = true
				rows = append(rows, row)
			}
			if _, err := org.API.Call(ctx, http.MethodPost, "/v1/public/candidate-sessions/bulk", org.Key,
				rig.Object{"rows": rows}, nil); err != nil {
				return err
			}
			mine -= len(rows)
			left -= len(rows)
		}
	}
	return nil
}
