// Command repeat writes the parts of openapi.yaml that follow from its other parts: error
// responses, headers of responses, envelopes, event schemas, and callbacks. It writes them
// where they stand, so that the file is complete for every reader and every generator.
// All other lines stay as they are. `make generate` runs it in gen, before the other generators.
package main

import (
	"bytes"
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := run("../openapi.yaml", "errors.yaml"); err != nil {
		fmt.Fprintln(os.Stderr, "repeat:", err)
		os.Exit(1)
	}
}

func run(contractPath, errorsPath string) error {
	contract, err := os.ReadFile(contractPath)
	if err != nil {
		return err
	}
	statuses, err := readStatuses(errorsPath)
	if err != nil {
		return err
	}
	filled, err := fill(contract, statuses)
	if err != nil || bytes.Equal(filled, contract) {
		return err
	}
	return os.WriteFile(contractPath, filled, 0o644) //nolint:gosec // as git writes it
}

// readStatuses returns the status of each error code.
func readStatuses(path string) (map[string]int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		Code   string
		Status int
	}
	if err := yaml.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	statuses := map[string]int{}
	for _, row := range rows {
		statuses[row.Code] = row.Status
	}
	return statuses, nil
}

// contract is what the rules need to know of openapi.yaml. A yaml.Node has the position
// in the text.
type contract struct {
	Paths      map[string]map[string]operation
	Components struct{ Responses, Schemas yaml.Node }
}

type operation struct {
	ID         string                `yaml:"operationId"`
	Security   []map[string][]string `yaml:"security"`
	Roles      []string              `yaml:"x-required-roles"`
	All        bool                  `yaml:"x-all-assessments"`
	Scopes     []string              `yaml:"x-required-scopes"`
	OneOf      []string              `yaml:"x-one-of-scopes"`
	Codes      []string              `yaml:"x-error-codes"`
	Deprecated bool                  `yaml:"deprecated"`
	Parameters []reference           `yaml:"parameters"`
	Body       map[string]any        `yaml:"requestBody"`
	Responses  yaml.Node             `yaml:"responses"`
	Callbacks  yaml.Node             `yaml:"callbacks"`
	path       string
	method     string
}

type reference struct {
	Ref string `yaml:"$ref"`
}

// fill returns the contract with all that follows from it. The result of its own result is the same.
func fill(text []byte, statuses map[string]int) ([]byte, error) {
	var c contract
	if err := yaml.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	d := newDocument(text)
	everyRole, err := values(&c.Components.Schemas, "RoleInput", "enum")
	if err != nil {
		return nil, err
	}
	for path, item := range c.Paths {
		for method, o := range item {
			o.path, o.method = path, method
			if err := d.fillResponses(&o, statuses, len(everyRole)); err != nil {
				return nil, fmt.Errorf("openapi.yaml: %s: %w", o.ID, err)
			}
			if err := d.fillCallbacks(&o, &c.Components.Schemas); err != nil {
				return nil, fmt.Errorf("openapi.yaml: %s: %w", o.ID, err)
			}
		}
	}
	if err := d.fillSharedResponses(&c.Components.Responses); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	if err := d.fillEnvelopes(&c); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	if err := d.fillEvents(&c.Components.Schemas); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return d.bytes(), nil
}
