//go:build tools

// Package tools pins the version of the code generator in go.mod.
package tools

import _ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
