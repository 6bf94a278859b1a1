package mail

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
)

// maxHeaderLine is the longest line of a header with an encoded word (RFC 2047, section 2).
const maxHeaderLine = 76

// refold lets each header begin on the line of its name. go-mail begins a value that does
// not fit there on the next line. Some mail programs and filters read only the first line,
// and show an email without a subject.
func refold(message []byte) []byte {
	head, body, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	lines := strings.Split(string(head), "\r\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		name, isEmpty := strings.CutSuffix(strings.TrimRight(lines[i], " "), ":")
		if !isEmpty || strings.HasPrefix(name, " ") || i+1 == len(lines) || !strings.HasPrefix(lines[i+1], " ") {
			out = append(out, lines[i])
			continue
		}
		i++
		out = append(out, beginValue(name+": ", strings.TrimLeft(lines[i], " "))...)
	}
	return append([]byte(strings.Join(out, "\r\n")+"\r\n\r\n"), body...)
}

// beginValue returns the lines of a value whose first word does not fit beside the name. An
// encoded word is divided. Another word, for example an address of a page, makes a long line,
// which is permitted (RFC 5322, section 2.1.1).
func beginValue(name, value string) []string {
	word, rest, _ := strings.Cut(value, " ")
	text, err := new(mime.WordDecoder).Decode(word)
	if err != nil {
		word, text = name+word, ""
	}
	var lines []string
	for text != "" {
		var part string
		part, text = encodedWord(text, maxHeaderLine-len(name))
		word = name + part
		if text != "" {
			lines = append(lines, word)
			name = " "
		}
	}
	switch {
	case rest == "":
		return append(lines, word)
	case len(word)+len(" ")+len(rest) <= maxHeaderLine:
		return append(lines, word+" "+rest)
	}
	return append(lines, word, " "+rest)
}

// encodedWord writes the beginning of a text as an encoded word of at most room bytes, and
// returns the rest. It divides no character, because each encoded word is decoded alone.
func encodedWord(text string, room int) (word, rest string) {
	const begin, end = "=?UTF-8?q?", "?="
	word = begin
	for i, r := range text {
		encoded := qEncoded(string(r))
		if len(word)+len(encoded)+len(end) > room {
			return word + end, text[i:]
		}
		word += encoded
	}
	return word + end, ""
}

// qEncoded is a character in the encoding "Q", as it can stand in a name as well (RFC 2047, section 5).
func qEncoded(character string) string {
	var out strings.Builder
	for i := range len(character) {
		switch b := character[i]; {
		case b >= '0' && b <= '9', b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z':
			out.WriteByte(b)
		case b == ' ':
			out.WriteByte('_')
		default:
			fmt.Fprintf(&out, "=%02X", b)
		}
	}
	return out.String()
}
