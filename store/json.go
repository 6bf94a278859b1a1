package store

import (
	"encoding/json"
	"fmt"
)

// AppendMember returns a JSON object, which must not be empty, with one more
// member. value is JSON. Decoding a stored document in order to encode it again
// would be most of the work of a request.
func AppendMember(object, name, value string) []byte {
	longer := make([]byte, 0, len(object)+len(name)+len(value)+4)
	return fmt.Appendf(longer, `%s,%q:%s}`, object[:len(object)-1], name, value)
}

// jsonOrNull encodes a value for a column that is null without one.
func jsonOrNull(value any, isAbsent bool) (*string, error) {
	if isAbsent {
		return nil, nil //nolint:nilnil // see above
	}
	data, err := json.Marshal(value)
	text := string(data)
	return &text, err
}
