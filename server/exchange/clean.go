package exchange

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// cleanText returns a text that the contract accepts: valid UTF-8 with one kind of line break, without control
// characters, and without blank lines and spaces at its ends. The indentation of its first line stays if others follow,
// because it can be code.
func cleanText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0xfeff {
			return -1
		}
		return r
	}, oneLineBreak.Replace(strings.ToValidUTF8(text, "\ufffd")))
	text = strings.TrimRight(text, " \n\t")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" || !more {
			break
		}
		text = rest
	}
	if !strings.Contains(text, "\n") {
		return strings.TrimSpace(text)
	}
	return text
}

var oneLineBreak = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// decodeText returns the text of a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, in which Excel
// writes CSV by default. It returns false if the file is no text.
func decodeText(content []byte) (string, bool) {
	switch {
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}), bytes.HasPrefix(content, []byte{0xfe, 0xff}):
		decoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(content)
		if err != nil {
			return "", false
		}
		content = decoded
	case !utf8.Valid(content):
		decoded, err := charmap.Windows1252.NewDecoder().Bytes(content)
		if err != nil {
			return "", false
		}
		content = decoded
	}
	text := strings.TrimPrefix(string(content), "\ufeff")
	return text, !strings.Contains(text, "\x00")
}
