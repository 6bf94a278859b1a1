package proxy

import "encoding/binary"

// Sent returns the types of the messages that clients have sent since the last call,
// one byte each, in the order of each connection. The types are in "Message Formats"
// of PostgreSQL's documentation. Connections must not be encrypted.
func (p *Proxy) Sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := string(p.sent)
	p.sent = nil
	return sent
}

// recorder records the types of the messages on one connection.
type recorder struct {
	proxy *Proxy
	begun bool   // the first message, which has no type, has been read
	head  []byte // the bytes so far of the next message's type and length
	skip  int    // the remaining bytes of the last message
}

func (r *recorder) record(data []byte) {
	for len(data) > 0 {
		if skipped := min(r.skip, len(data)); skipped > 0 {
			r.skip, data = r.skip-skipped, data[skipped:]
			continue
		}
		r.head, data = append(r.head, data[0]), data[1:]
		length := r.head
		if r.begun {
			length = r.head[1:]
		}
		if len(length) < 4 {
			continue
		}
		r.skip = max(0, int(binary.BigEndian.Uint32(length))-4)
		if r.begun {
			r.proxy.mu.Lock()
			r.proxy.sent = append(r.proxy.sent, r.head[0])
			r.proxy.mu.Unlock()
		}
		r.begun, r.head = true, r.head[:0]
	}
}
