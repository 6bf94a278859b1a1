// Package gen holds what oapi-codegen makes of openapi.yaml: the Echo server
// interface, its strict form, the models and the embedded document. Nothing in
// it but this file, config.yaml and the tests is edited by hand; `make generate`
// makes the rest anew.
package gen

import _ "embed" // for Document

//go:generate sh -c "cp ../openapi.yaml openapi.gen.yaml && go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen --config config.yaml ../openapi.yaml"

// Document is openapi.yaml as it was written, comments and all. It is a copy
// because a package can embed only what lies below it.
//
//go:embed openapi.gen.yaml
var Document []byte
