// Command docs generates the files that the documentation is served from: the
// contract with samples and examples as YAML and JSON, the guide, the explanations of
// error codes, the constants of open sets, the roles of operations, and collections of requests.
// It reads openapi.yaml and gen.
// `make generate` runs it in gen.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := generate("../openapi.yaml", "."); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// generate reads the contract and the folder gen, and writes the generated files into the folder.
func generate(contractPath, folder string) error {
	contract, err := os.ReadFile(contractPath)
	if err != nil {
		return err
	}
	samples, err := readSamples(filepath.Join(folder, "clients"))
	if err != nil {
		return err
	}
	document, err := withSamples(contract, samples)
	if err != nil {
		return err
	}
	dataSet, err := readExamples(filepath.Join(folder, "examples"))
	if err != nil {
		return err
	}
	if document, err = dataSet.withExamples(document); err != nil {
		return err
	}
	if document, err = withNeeds(document); err != nil {
		return err
	}
	asJSON, err := toJSON(document)
	if err != nil {
		return err
	}
	asJSON31, err := toJSON31(document)
	if err != nil {
		return err
	}
	explanations, err := readExplanations(filepath.Join(folder, "errors.yaml"))
	if err != nil {
		return err
	}
	explanationsGo, err := explanations.source()
	if err != nil {
		return err
	}
	guide, err := assembleGuide(folder, explanations)
	if err != nil {
		return err
	}
	requests, err := requestsOf(document)
	if err != nil {
		return err
	}
	collection, err := postman(requests)
	if err != nil {
		return err
	}
	forEditors, err := httpFile(requests)
	if err != nil {
		return err
	}
	sets, err := setsSource(contract)
	if err != nil {
		return err
	}
	roles, err := rolesJSON(contract)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"openapi.gen.yaml": document, "openapi.gen.json": asJSON, "openapi-3.1.gen.json": asJSON31,
		"errors.gen.go": explanationsGo, "guide.gen.md": guide,
		"sets.gen.go": sets, "roles.gen.json": roles,
		"collection/assay.postman_collection.json": collection, "collection/assay.http": forEditors,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
