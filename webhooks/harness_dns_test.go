package webhooks_test

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// dnsAnswer is the answer for a name. The zero value says that the name does not exist.
type dnsAnswer struct {
	addresses []string
	alias     string // with the final dot
}

// dnsServer is a name server on this machine whose answers a test chooses.
type dnsServer struct {
	conn  net.PacketConn
	mu    sync.Mutex
	names map[string][]dnsAnswer // one answer per lookup, the last one for all further lookups
	count map[string]int         // of A queries
}

func newDNS(t testing.TB) *dnsServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s := &dnsServer{conn: conn, names: map[string][]dnsAnswer{}, count: map[string]int{}}
	go s.serve()
	return s
}

// add sets the answers for a name and returns the name.
func (s *dnsServer) add(name string, answers ...dnsAnswer) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name+"."] = answers
	return name
}

func (s *dnsServer) of(name string) []dnsAnswer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[name+"."]
}

func (s *dnsServer) lookups(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[name+"."]
}

// resolver uses only this server, whatever the machine is configured with.
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

	add := func(header dnsmessage.ResourceHeader, body dnsmessage.ResourceBody) {
		reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: header, Body: body})
	}
	header := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET}
	if found.alias != "" {
		alias := dnsmessage.MustNewName(found.alias)
		add(header, &dnsmessage.CNAMEResource{CNAME: alias})
		header.Name = alias
		if further := s.of(found.alias[:len(found.alias)-1]); len(further) > 0 {
			found = further[0]
		}
	}
	for _, text := range found.addresses {
		address := netip.MustParseAddr(text)
		switch {
		case address.Is4() && question.Type == dnsmessage.TypeA:
			add(header, &dnsmessage.AResource{A: address.As4()})
		case address.Is6() && question.Type == dnsmessage.TypeAAAA:
			add(header, &dnsmessage.AAAAResource{AAAA: address.As16()})
		}
	}
	return reply
}

// turn returns the answer for the current lookup. It counts A queries, because
// each lookup queries both A and AAAA.
func (s *dnsServer) turn(question dnsmessage.Question) dnsAnswer {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := question.Name.String()
	answers := s.names[name]
	if len(answers) == 0 {
		return dnsAnswer{}
	}
	at := min(s.count[name], len(answers)-1)
	if question.Type == dnsmessage.TypeA {
		s.count[name]++
	}
	return answers[at]
}
