package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func contractsRequests(t *testing.T) []request {
	t.Helper()
	contract, err := os.ReadFile("../../../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	requests, err := requestsOf(contract)
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

var placeholder = regexp.MustCompile(`\{\{([^{}]+)\}\}`)

// The collections contain each operation, and every variable that they use is set.
func TestCollections(t *testing.T) {
	t.Parallel()
	requests := contractsRequests(t)
	collection, err := postman(requests)
	if err != nil {
		t.Fatal(err)
	}
	editors, err := httpFile(requests)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if !strings.Contains(string(collection), `"raw": "{{baseUrl}}`+r.path+`"`) {
			t.Errorf("%s %s is not in the collection", r.method, r.path)
		}
	}
	for _, used := range placeholder.FindAllStringSubmatch(string(collection), -1) {
		if used[1] != "$guid" && !strings.Contains(string(collection), `"key": "`+used[1]+`"`) {
			t.Errorf("the collection has no variable %s", used[1])
		}
	}
	for _, used := range placeholder.FindAllStringSubmatch(string(editors), -1) {
		name, _, response := strings.Cut(used[1], ".response.")
		if declared := "\n@" + name + " "; response {
			declared = "\n# @name " + name + "\n"
			if !strings.Contains(string(editors), declared) {
				t.Errorf("the .http file has no request %s", name)
			}
		} else if name != "$guid" && !strings.Contains(string(editors), declared) {
			t.Errorf("the .http file has no variable %s", name)
		}
	}
	for _, id := range exampleID.FindAllString(string(collection), -1) {
		t.Errorf("the collection has the id %s, want a variable", id)
	}
	for id := range carried {
		if !slices.ContainsFunc(requests, func(r request) bool { return r.id == id }) {
			t.Errorf("%s sets a variable, but is not an operation", id)
		}
	}
}
