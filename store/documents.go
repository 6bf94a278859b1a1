package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"sync/atomic"
	"time"
)

// Document is a JSON document in the form of a response, kept in memory. It is not changed.
type Document struct {
	Body []byte // {"data": the document}, and a line break
	ETag string // weak, because a compressed response has it too (RFC 9110, section 8.8.3)

	packed atomic.Pointer[[]byte]
}

const (
	documentStart = `{"data":`
	documentEnd   = "}\n"
)

// documentLifetime is how long a document is used without asking the database whether it
// has changed, and therefore how late a change on another replica takes effect.
const documentLifetime = time.Second

// NewDocument makes a document of JSON that can come in parts.
func NewDocument(parts ...string) *Document {
	length := len(documentStart) + len(documentEnd)
	for _, part := range parts {
		length += len(part)
	}
	body := append(make([]byte, 0, length), documentStart...)
	for _, part := range parts {
		body = append(body, part...)
	}
	body = append(body, documentEnd...)
	return &Document{Body: body, ETag: EntityTag(body)}
}

// EntityTag returns the weak entity tag of a body.
func EntityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// Data is the document without the envelope of the response.
func (d *Document) Data() json.RawMessage {
	return d.Body[len(documentStart) : len(d.Body)-len(documentEnd)]
}

// Packed returns the body compressed by pack, which runs once.
func (d *Document) Packed(pack func([]byte) []byte) []byte {
	if packed := d.packed.Load(); packed != nil {
		return *packed
	}
	packed := pack(d.Body)
	d.packed.Store(&packed)
	return packed
}

// Memory estimates the bytes of memory that the document takes. A compressed body has at
// most half of the length.
func (d *Document) Memory() int {
	const fixed = 512
	return fixed + len(d.Body)*3/2
}

// isRecent reports whether something that was true at a time can be used without asking again.
func isRecent(at, now time.Time) bool {
	age := now.Sub(at)
	return age >= 0 && age < documentLifetime
}
