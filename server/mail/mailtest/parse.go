package mailtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
)

// Parsed is the content of a message.
type Parsed struct {
	Header     mail.Header
	Subject    string // decoded
	Text, HTML string // decoded
}

// Parse decodes a message with the parts text/plain and text/html.
func (m Message) Parse() (Parsed, error) {
	read, err := mail.ReadMessage(bytes.NewReader(m.Data))
	if err != nil {
		return Parsed{}, err
	}
	out := Parsed{Header: read.Header}
	if out.Subject, err = new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject")); err != nil {
		return out, err
	}
	kind, parameters, err := mime.ParseMediaType(read.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		return out, fmt.Errorf("content type %q: %w", kind, err)
	}

	parts := multipart.NewReader(read.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		if encoding := part.Header.Get("Content-Transfer-Encoding"); encoding != "quoted-printable" {
			return out, fmt.Errorf("encoding %q", encoding)
		}
		content, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return out, err
		}
		switch kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); kind {
		case "text/plain":
			out.Text = string(content)
		case "text/html":
			out.HTML = string(content)
		default:
			return out, fmt.Errorf("a part has the type %q", kind)
		}
	}
}
