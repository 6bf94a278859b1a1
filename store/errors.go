package store

import "fmt"

// Kind says what sort of refusal an Error is; the server maps each kind to
// one HTTP status and knows nothing else about it.
type Kind int

// The kinds of refusal.
const (
	Invalid         Kind = iota + 1 // the input breaks the contract (400)
	Unauthenticated                 // the credential is wrong, expired or revoked (401)
	Forbidden                       // the credential may not do this (403)
	NotFound                        // no such thing in this organization (404)
	Conflict                        // the state of the resource forbids it (409)
	Gone                            // it existed and is over (410)
	Unprocessable                   // well-formed, but semantically impossible (422)
	Unavailable                     // try again later (503)
)

// Error is a refusal that a caller is meant to see. Every other error that the
// store returns is a fault of the service.
type Error struct {
	Kind   Kind
	Code   string // stable snake_case code, one of openapi.yaml's ErrorCode
	Detail string // one sentence for a person; never holds a secret
	Fields []FieldError
}

// FieldError names one offending place of the request's body.
type FieldError struct {
	Pointer string // RFC 6901, from the body's root
	Code    string // one of openapi.yaml's FieldErrorCode
	Detail  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Detail) }
