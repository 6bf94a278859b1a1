package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Contents says what a file contains.
type Contents struct {
	Erasures int
	// Torn are lines that a crash has cut off. EndsTorn is true if none of the others comes later: the erasure of the
	// line is then still pending in the database of that time, and a restored database does not know it.
	Torn     int
	EndsTorn bool
	// Others are lines that are no erasures, such as other lines of a log. FirstOther is the number of the first one.
	Others, FirstOther int
}

// ErrLine means that a line looks like an erasure and cannot be read.
var ErrLine = errors.New("the erasure cannot be read")

// maxLine is in bytes. A longer line is no erasure.
const maxLine = 64 << 10

// ReadFile calls each for every erasure in a file, in the order of the lines.
func ReadFile(path string, each func(Erasure) error) (Contents, error) {
	file, err := os.Open(path)
	if err != nil {
		return Contents{}, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return Contents{}, err
	}
	var from io.Reader = file
	if info.Mode().IsRegular() {
		from = io.LimitReader(file, info.Size()) // without the lines that each causes
	}
	contents, err := Read(from, each)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return contents, err
}

// Read calls each for every erasure, in the order of the lines. The lines can be those of a journal and of a log in
// JSON.
func Read(from io.Reader, each func(Erasure) error) (contents Contents, err error) {
	lines := bufio.NewReaderSize(from, maxLine)
	for number := 1; ; number++ {
		text, err := nextLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return contents, err
		}
		isLast := err != nil
		erasure, what, err := parse(text)
		if err != nil {
			return contents, fmt.Errorf("line %d: %w", number, err)
		}
		if what != isBlank {
			contents.EndsTorn = what == isTorn
		}
		switch what {
		case isErasure:
			contents.Erasures++
			if err := each(erasure); err != nil {
				return contents, err
			}
		case isTorn:
			contents.Torn++
		case isOther:
			contents.Others++
			if contents.FirstOther == 0 {
				contents.FirstOther = number
			}
		case isBlank:
		}
		if isLast {
			return contents, nil
		}
	}
}

// nextLine returns the next line without its end. A line above maxLine is shortened. The last line has the error
// io.EOF.
func nextLine(lines *bufio.Reader) (text []byte, err error) {
	text, err = lines.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimSpace(text), err
	}
	text = []byte("a long line")
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = lines.ReadSlice('\n')
	}
	return text, err
}

// lineKind is what a line is.
type lineKind int

const (
	isBlank lineKind = iota
	isErasure
	isTorn
	isOther
)

// begins is how a line of a journal begins. A line of a log begins with its time.
var begins = []byte(`{"erasure":`)

func parse(text []byte) (Erasure, lineKind, error) {
	switch {
	case len(text) == 0:
		return Erasure{}, isBlank, nil
	case len(bytes.Trim(text, "\x00")) == 0: // some file systems leave zeros after a power cut
		return Erasure{}, isTorn, nil
	case bytes.HasPrefix(begins, text):
		return Erasure{}, isTorn, nil
	case !bytes.Contains(text, []byte(`"erasure"`)):
		return Erasure{}, isOther, nil
	}
	var found struct {
		line
		Version *json.Number `json:"erasure"`
	}
	err := json.Unmarshal(text, &found)
	isOfJournal := bytes.HasPrefix(text, begins)
	switch {
	case isOfJournal && err != nil && isCut(text):
		return Erasure{}, isTorn, nil
	case isOfJournal && err != nil:
		return Erasure{}, isOther, fmt.Errorf("%w: %w", ErrLine, err)
	case err != nil || found.Version == nil:
		return Erasure{}, isOther, nil
	}
	e := Erasure{found.Kind, found.OrganizationID, found.ID, found.At}
	switch {
	case found.Version.String() != fmt.Sprint(Version):
		return Erasure{}, isOther, fmt.Errorf("%w: it has version %s, and this release knows version %d",
			ErrLine, found.Version, Version)
	case e.Kind != Session && e.Kind != Organization, e.OrganizationID == "", e.ID == "", e.At.IsZero():
		return Erasure{}, isOther, fmt.Errorf("%w: a field is missing or unknown", ErrLine)
	}
	return e, isErasure, nil
}

// isCut reports whether a text is the beginning of an object.
func isCut(text []byte) bool {
	return errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&json.RawMessage{}), io.ErrUnexpectedEOF)
}
