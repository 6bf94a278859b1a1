package exchange

import "strings"

// fence follows blocks of code between lines of three backticks or tildes.
type fence struct {
	mark string // of the open block; empty outside
}

// line reports whether the line is in a block of code, or begins or ends it.
func (f *fence) line(line string) bool {
	line = strings.TrimSpace(line)
	if f.mark == "" {
		for _, c := range "`~" {
			n := len(line) - len(strings.TrimLeft(line, string(c)))
			if n >= 3 && (c == '~' || !strings.Contains(line[n:], "`")) {
				f.mark = line[:n]
				return true
			}
		}
		return false
	}
	if strings.HasPrefix(line, f.mark) && strings.Trim(line, f.mark[:1]) == "" {
		f.mark = ""
	}
	return true
}

func (f *fence) isOpen() bool { return f.mark != "" }
