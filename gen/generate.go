// Package gen holds what is made of openapi.yaml: by oapi-codegen the Echo
// server interface, its strict form, the models and the embedded document that
// requests are checked against; by internal/docs what the documentation is
// served from. Edited by hand are this file, config.yaml, errors.yaml, guide,
// clients, internal and the tests; `make generate` makes the rest anew.
package gen

import _ "embed" // for what is served

//go:generate go run ./internal/docs
//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen --config config.yaml ../openapi.yaml

// Document is openapi.yaml as it was written, comments and all, with samples of
// each request in x-codeSamples.
//
//go:embed openapi.gen.yaml
var Document []byte

// DocumentJSON is Document in JSON, in the same order.
//
//go:embed openapi.gen.json
var DocumentJSON []byte

// Guide is what stands before the reference at /docs, in Markdown.
//
//go:embed guide.gen.md
var Guide []byte

// Collection is every request in Postman's format, and HTTPFile the way from a
// sign-in to a result for editors.
var (
	//go:embed collection/assay.postman_collection.json
	Collection []byte
	//go:embed collection/assay.http
	HTTPFile []byte
)
