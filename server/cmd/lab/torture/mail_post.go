package torture

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/server/cmd/lab/rig"
	"assay/server/mail/mailtest"
)

// post has the mail servers of the run: one for each member that sends email, so that a
// trap kills the member whose message arrives. They run as long as this process.
type post struct {
	servers []*mailtest.Server

	mu      sync.Mutex
	random  *rand.Rand // of the traps
	arrived map[string]*arrival
	traps   map[*rig.Member]*trap // that are set
	sprung  [trapKinds]int        // traps that have killed
	faults  []string
}

// arrival is an email that has arrived, once or more often.
type arrival struct {
	to     string
	tokens []string  // of its links, in all copies
	copies []process // that sent one
}

// process is one process of a member.
type process struct {
	member *rig.Member
	start  int
}

// trap kills a member when its next message arrives.
type trap struct {
	kind   trapKind
	sprung bool
	kill   chan struct{} // closed after the kill
}

type trapKind int

// The kinds of traps.
const (
	unaccepted trapKind = iota // kills before the message is accepted, which is then lost
	unanswered                 // accepts it, and kills before it replies
	unrecorded                 // replies, and kills while the member records that
	trapKinds
)

const (
	// trapHold is how long the server of an unanswered trap waits before it kills. If the member
	// sent another email meanwhile, the kill would double two emails.
	trapHold = 50 * time.Millisecond
	// maxTrapDelay is about the time in which a member records that it has sent an email.
	maxTrapDelay = 3 * time.Millisecond
)

func newPost(seed uint64) *post {
	return &post{
		random:  rand.New(rand.NewPCG(seed, 2)), //nolint:gosec // protects nothing
		arrived: map[string]*arrival{}, traps: map[*rig.Member]*trap{},
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

// trap sets a trap for a member. It returns false if one is already set.
func (p *post) trap(m *rig.Member) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.traps[m] != nil {
		return false
	}
	p.traps[m] = &trap{kind: trapKind(p.random.IntN(int(trapKinds))), kill: make(chan struct{})}
	return true
}

// disarm removes the traps that nothing has sprung.
func (p *post) disarm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.traps, func(_ *rig.Member, set *trap) bool { return !set.sprung })
}

// take receives a message. The member learns that it was accepted when take returns.
func (p *post) take(m *rig.Member, message mailtest.Message) {
	set, first := p.spring(m)
	if !first || set.kind != unaccepted {
		p.record(process{m, m.Starts()}, message)
	}
	switch {
	case set == nil:
	case !first:
		<-set.kill
	case set.kind == unrecorded:
		p.mu.Lock()
		defer p.mu.Unlock()
		time.AfterFunc(time.Duration(p.random.Int64N(int64(maxTrapDelay))), func() { p.kill(m, set) })
	case set.kind == unanswered:
		time.Sleep(trapHold)
		p.kill(m, set)
	default:
		p.kill(m, set)
	}
}

// spring returns the trap of a member, if one is set, and whether this message springs it.
func (p *post) spring(m *rig.Member) (set *trap, first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if set = p.traps[m]; set == nil || set.sprung && set.kind == unrecorded {
		return nil, false
	}
	first, set.sprung = !set.sprung, true
	return set, first
}

func (p *post) kill(m *rig.Member, set *trap) {
	m.Kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sprung[set.kind]++
	delete(p.traps, m)
	close(set.kill)
}

// linkToken is the secret part of a link. The part before it depends on the member.
var linkToken = regexp.MustCompile(`#((?:inv|mbr|pwr)_[A-Za-z0-9_-]+)`)

// record notes what arrived.
func (p *post) record(from process, message mailtest.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.note(from, message); err != nil {
		p.faults = append(p.faults, fmt.Sprintf("an email to %s: %v", message.To, err))
	}
}

func (p *post) note(from process, message mailtest.Message) error {
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
	known.copies = append(known.copies, from)
	for _, link := range linkToken.FindAllStringSubmatch(parsed.Text, -1) {
		if !slices.Contains(known.tokens, link[1]) {
			known.tokens = append(known.tokens, link[1])
		}
	}
	return nil
}

// again counts the emails that arrived again, by the process that sent the earlier copy and
// did not record it.
func (p *post) again() map[process]int {
	again := map[process]int{}
	for _, a := range p.arrived {
		for _, unrecorded := range a.copies[:len(a.copies)-1] {
			again[unrecorded]++
		}
	}
	return again
}
