package proxy

import "encoding/binary"

// Sent returns the types of the messages that clients sent since the last call,
// in their order on each connection (PostgreSQL's documentation, "Message
// Formats"). Connections must not be encrypted.
func (p *Proxy) Sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := string(p.sent)
	p.sent = nil
	return sent
}

// notes reads the heads of a connection's messages as its bytes pass by.
type notes struct {
	proxy *Proxy
	begun bool   // the first message has no type
	head  []byte // of the next message, as far as it is there
	skip  int    // bytes of the last one that are to come
}

func (n *notes) take(said []byte) {
	for len(said) > 0 {
		if skipped := min(n.skip, len(said)); skipped > 0 {
			n.skip, said = n.skip-skipped, said[skipped:]
			continue
		}
		n.head, said = append(n.head, said[0]), said[1:]
		length := n.head
		if n.begun {
			length = n.head[1:]
		}
		if len(length) < 4 {
			continue
		}
		n.skip = max(0, int(binary.BigEndian.Uint32(length))-4)
		if n.begun {
			n.proxy.mu.Lock()
			n.proxy.sent = append(n.proxy.sent, n.head[0])
			n.proxy.mu.Unlock()
		}
		n.begun, n.head = true, n.head[:0]
	}
}
