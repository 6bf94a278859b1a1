package webhooks_test

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// answer is what a name leads to; the zero answer is that there is no such name.
type answer struct {
	addresses []string
	alias     string // with the final dot
}

// dnsServer is a name server on this machine that says what a test wants said.
type dnsServer struct {
	conn  net.PacketConn
	mu    sync.Mutex
	names map[string][]answer // the answers in turn, the last one for ever
	count map[string]int      // of A queries
}

func newDNS(t testing.TB) *dnsServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s := &dnsServer{conn: conn, names: map[string][]answer{}, count: map[string]int{}}
	go s.serve()
	return s
}

// add returns the name.
func (s *dnsServer) add(name string, answers ...answer) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name+"."] = answers
	return name
}

func (s *dnsServer) of(name string) []answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[name+"."]
}

func (s *dnsServer) asked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[name+"."]
}

// resolver asks this server only, whatever the machine is set up with.
func (s *dnsServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

func (s *dnsServer) serve() {
	buffer := make([]byte, 4096)
	for {
		n, from, err := s.conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		var parser dnsmessage.Parser
		header, err := parser.Start(buffer[:n])
		if err != nil {
			continue
		}
		question, err := parser.Question()
		if err != nil {
			continue
		}
		reply := s.reply(header.ID, question)
		if packed, err := reply.Pack(); err == nil {
			_, _ = s.conn.WriteTo(packed, from)
		}
	}
}

func (s *dnsServer) reply(id uint16, question dnsmessage.Question) dnsmessage.Message {
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: id, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: []dnsmessage.Question{question},
	}
	found := s.turn(question)
	if len(found.addresses) == 0 && found.alias == "" {
		reply.RCode = dnsmessage.RCodeNameError
		return reply
	}
	header := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET}
	if found.alias != "" {
		alias := dnsmessage.MustNewName(found.alias)
		reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.CNAMEResource{CNAME: alias}})
		header.Name = alias
		if further := s.of(found.alias[:len(found.alias)-1]); len(further) > 0 {
			found = further[0]
		}
	}
	for _, text := range found.addresses {
		address := netip.MustParseAddr(text)
		switch {
		case address.Is4() && question.Type == dnsmessage.TypeA:
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: address.As4()}})
		case address.Is6() && question.Type == dnsmessage.TypeAAAA:
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}})
		}
	}
	return reply
}

// turn counts lookups by their A queries: each lookup asks for A and AAAA.
func (s *dnsServer) turn(question dnsmessage.Question) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := question.Name.String()
	answers := s.names[name]
	if len(answers) == 0 {
		return answer{}
	}
	at := min(s.count[name], len(answers)-1)
	if question.Type == dnsmessage.TypeA {
		s.count[name]++
	}
	return answers[at]
}
