package request

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"assay/gen"
)

const (
	// largeFile is the size of a body, in bytes, from which it has a place. The text that a person pastes is smaller.
	largeFile = 1 << 20

	// maxFiles and maxFilesOf bound how many large files this replica holds at once, and for one organization. A file
	// can have 10 MiB, and reading it takes about ten times its size.
	maxFiles   = 12
	maxFilesOf = 2
)

// filePlaces bounds the memory for files in requests. A request has its place from the first byte of its body until
// its response. It does not wait for one, because its client can send its file again.
type filePlaces struct {
	mu    sync.Mutex
	total int
	of    map[string]int // by organization
}

// enter takes a place for the body of a request, if it can be large.
func (p *filePlaces) enter(o *Operation, r *http.Request, organizationID string) (leave func(), err error) {
	isSmall := r.ContentLength >= 0 && r.ContentLength <= largeFile
	if o.fileTypes == nil || o.maxBody <= largeFile || isSmall {
		return func() {}, nil
	}
	return p.take(organizationID)
}

// take returns the function that gives the place back. The time limit of a request bounds how long a slow client can
// have it.
func (p *filePlaces) take(organizationID string) (leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[organizationID] >= maxFilesOf {
		return nil, &Fault{
			Status: http.StatusTooManyRequests, Code: gen.ErrorCodeRateLimited, retry: time.Second,
			Detail: "The organization is sending too many large files at once.",
		}
	}
	if p.total >= maxFiles {
		return nil, unavailableFault()
	}
	p.total++
	p.of[organizationID]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.total--
		if p.of[organizationID]--; p.of[organizationID] == 0 {
			delete(p.of, organizationID)
		}
	}, nil
}

// checkFile reads the body and checks what it claims to be. The handler checks what it is. The returned value is what
// an Idempotency-Key belongs to: the file and the query, which says how the file is read.
func (o *Operation) checkFile(c echo.Context) (any, []gen.FieldError, error) {
	r := c.Request()
	if r.ContentLength == 0 {
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeRequired, "a file is required")}, nil
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil || !isIdentity(r.Header) || !slices.Contains(o.fileTypes, mediaType) {
		return nil, nil, &Fault{
			Status: http.StatusUnsupportedMediaType, Code: gen.ErrorCodeUnsupportedMediaType,
			Detail: "The body must be " + strings.Join(o.fileTypes, " or ") + ".",
		}
	}
	body, err := o.readBody(c)
	var tooLarge *Fault
	switch {
	case errors.As(err, &tooLarge):
		return nil, nil, err
	case err != nil:
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeInvalidValue, "ended before it was complete")}, nil
	case len(body) == 0: // its length was not known
		return nil, []gen.FieldError{bodyError("", gen.FieldErrorCodeRequired, "a file is required")}, nil
	}
	r.Body = &checkedBody{Reader: bytes.NewReader(body), content: body}
	if !o.idempotent {
		return nil, nil, nil
	}
	hash := sha256.Sum256(body)
	return map[string]any{"sha256": hex.EncodeToString(hash[:]), "query": r.URL.Query()}, nil, nil
}

// File returns the body of a request that is a file. It is not a copy.
func File(body io.Reader) ([]byte, error) {
	if checked, isChecked := body.(*checkedBody); isChecked {
		return checked.content, nil
	}
	return io.ReadAll(body)
}

// TooLarge is the refusal of a file that would be too large when it is unpacked.
func TooLarge(detail string) error {
	return &Fault{Status: http.StatusRequestEntityTooLarge, Code: gen.ErrorCodePayloadTooLarge, Detail: detail}
}
