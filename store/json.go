package store

import "fmt"

// AppendMember returns a JSON object with one more member. Decoding a stored document
// in order to encode it again would be most of the work of a request.
func AppendMember(object, name, value string) []byte {
	return fmt.Appendf(make([]byte, 0, len(object)+len(name)+len(value)+4), `%s,%q:%s}`, object[:len(object)-1], name,
		value)
}
