//go:build tools

// Package tools pins the code generator in go.mod, so that every machine
// generates with the same version.
package tools

import _ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
