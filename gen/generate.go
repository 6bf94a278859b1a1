// Package gen holds what oapi-codegen makes of openapi.yaml: the Echo server
// interface, its strict form, the models and the embedded document. Nothing in
// api.gen.go is edited by hand; `make generate` makes it anew.
package gen

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen --config config.yaml ../openapi.yaml
