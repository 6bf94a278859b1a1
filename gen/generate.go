// Package gen contains what is generated from openapi.yaml. oapi-codegen
// generates the Echo server interface, its strict form, the models, and the
// embedded document that requests are validated against. internal/repeat writes what
// follows from other parts of openapi.yaml into it. internal/docs generates the files that
// the documentation is served from. internal/pointers changes fields of the models.
//
// This file, config.yaml, errors.yaml, examples, guide, clients, internal and the tests are
// written by hand. `make generate` generates the rest.
package gen

import _ "embed" // for the documents below

//go:generate go run ./internal/repeat
//go:generate go run ./internal/docs
//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen --config config.yaml ../openapi.yaml
//go:generate go run ./internal/pointers

// Document is the text of openapi.yaml, with its comments, with an example of each
// response, and with samples of each request in x-codeSamples.
//
//go:embed openapi.gen.yaml
var Document []byte

// DocumentJSON is Document as JSON, in the same order.
//
//go:embed openapi.gen.json
var DocumentJSON []byte

// DocumentJSON31 is Document as OpenAPI 3.1.
//
//go:embed openapi-3.1.gen.json
var DocumentJSON31 []byte

// Guide is the text before the reference at /docs, in Markdown.
//
//go:embed guide.gen.md
var Guide []byte

// Collection contains every request, in Postman's format. HTTPFile contains the
// requests from a sign-in to a result, for editors.
var (
	//go:embed collection/assay.postman_collection.json
	Collection []byte
	//go:embed collection/assay.http
	HTTPFile []byte
)
