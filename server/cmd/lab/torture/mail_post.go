package torture

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/server/mail/mailtest"
)

// post is the mail servers of the run: one for each member that sends email, so that a
// trap kills the member whose message arrives. They run as long as this process.
type post struct {
	servers []*mailtest.Server

	mu      sync.Mutex
	random  *rand.Rand // of the traps
	arrived map[string]*arrival
	traps   map[*rig.Member]bool // that are set
	sprung  int                  // traps that have killed
	faults  []string
}

// arrival is an email that has arrived, once or more often.
type arrival struct {
	to     string
	tokens []string // of its links, in all copies
	count  int
}

func newPost(seed uint64) *post {
	return &post{
		random:  rand.New(rand.NewPCG(seed, 2)), //nolint:gosec // protects nothing
		arrived: map[string]*arrival{}, traps: map[*rig.Member]bool{},
	}
}

// serve starts the mail server of a member, and returns the variables with which the
// member uses it.
func (p *post) serve(of func() *rig.Member) (env []string, err error) {
	server, err := mailtest.Start(mailtest.Options{OnMessage: func(m mailtest.Message) { p.take(of(), m) }})
	if err != nil {
		return nil, err
	}
	p.servers = append(p.servers, server)
	return []string{
		"ASSAY_SMTP_URL=" + server.URL(), "ASSAY_MAIL_FROM=Assay <assay@lab.example>", "ASSAY_MAIL_RATE=1000",
	}, nil
}

func (p *post) close() {
	for _, server := range p.servers {
		server.Close()
	}
}

// trap lets the next message that a member sends kill it. It returns false if a trap is
// already set.
func (p *post) trap(m *rig.Member) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.traps[m] {
		return false
	}
	p.traps[m] = true
	return true
}

// maxTrapDelay is about the time in which a member records that it has sent an email.
const maxTrapDelay = 3 * time.Millisecond

// take records a message before the member learns that it was accepted. A trap kills the
// member now, or while it records the email.
func (p *post) take(m *rig.Member, message mailtest.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.record(message); err != nil {
		p.faults = append(p.faults, fmt.Sprintf("an email to %s cannot be read: %v", message.To, err))
	}
	if !p.traps[m] {
		return
	}
	p.traps[m] = false
	p.sprung++
	if p.random.IntN(2) == 0 {
		m.Kill()
		return
	}
	time.AfterFunc(time.Duration(p.random.Int64N(int64(maxTrapDelay))), m.Kill)
}

// linkToken is the secret part of a link. The part before it depends on the member.
var linkToken = regexp.MustCompile(`#((?:inv|mbr|pwr)_[A-Za-z0-9_-]+)`)

func (p *post) record(message mailtest.Message) error {
	parsed, err := message.Parse()
	if err != nil {
		return err
	}
	id, _, found := strings.Cut(strings.TrimPrefix(parsed.Header.Get("Message-Id"), "<"), "@")
	if !found {
		return errors.New("it has no Message-ID")
	}
	to := strings.Join(message.To, ", ")
	known := p.arrived[id]
	if known == nil {
		known = &arrival{to: to}
		p.arrived[id] = known
	}
	if known.to != to {
		return fmt.Errorf("%s went to %s before", id, known.to)
	}
	known.count++
	for _, link := range linkToken.FindAllStringSubmatch(parsed.Text, -1) {
		if !slices.Contains(known.tokens, link[1]) {
			known.tokens = append(known.tokens, link[1])
		}
	}
	return nil
}

// again counts the messages that had arrived before.
func (p *post) again() (again int) {
	for _, a := range p.arrived {
		again += a.count - 1
	}
	return again
}
