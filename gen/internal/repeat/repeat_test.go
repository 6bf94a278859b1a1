package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

func readContract(t *testing.T) (text []byte, statuses map[string]int) {
	t.Helper()
	text, err := os.ReadFile("../../../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if statuses, err = readStatuses("../../errors.yaml"); err != nil {
		t.Fatal(err)
	}
	return text, statuses
}

func TestUpToDate(t *testing.T) {
	t.Parallel()
	text, statuses := readContract(t)
	filled, err := fill(text, statuses)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(filled, text) {
		t.Error("openapi.yaml is out of date: run `make generate`")
	}
}

// written matches what the program writes.
var written = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^        '[345]\d\d': \{\$ref: '#/components/responses/\w+'\}\n`),
	regexp.MustCompile(`(?m)^        +(X-Request-Id|RateLimit|RateLimit-Policy|Idempotency-Replayed|Location|Link|` +
		`Content-Disposition|Retry-After|WWW-Authenticate): \{\$ref: '#/components/headers/\w+'\}\n`),
	regexp.MustCompile(`(?m)^        +ETag: \{\$ref: '#/components/headers/DocumentETag'\}\n`),
	// Callbacks, except the first, which says that there are some.
	regexp.MustCompile(`(?m)^        \w+:\n          '\{\$request.body#/url\}':\n(            .*\n)+`),
	// Parts of the schemas of events.
	regexp.MustCompile(`(?m)^      required: \[id, type, timestamp, organizationId, data\]\n      properties:\n` +
		`        id:\n(          .*\n)+        type: \{type: string.*\n        timestamp: .*\n` +
		`        organizationId:\n(          .*\n)+        data: .*\n`),
}

var (
	emptyHeaders = regexp.MustCompile(`(?m)^( +)headers:\n( +[^ ])`)
	envelope     = regexp.MustCompile(`(?m)^    (\w+)(Data|List|Catalogue):\n      type: object\n` +
		`      required: \[data\]\n      properties:\n        data: (?:\{type: array, items: )?` +
		`\{\$ref: '#/components/schemas/(\w+)'\}\}?\n`)
)

// strip removes what the program writes.
func strip(text []byte) []byte {
	for i, pattern := range written {
		first := true
		text = pattern.ReplaceAllFunc(text, func(found []byte) []byte {
			if isCallback := i == 3; isCallback && first {
				first = false
				return []byte("        ping: {}\n")
			}
			return nil
		})
	}
	text = emptyHeaders.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := emptyHeaders.FindSubmatch(found)
		if len(parts[2])-1 > len(parts[1]) {
			return found // a header that a person writes follows
		}
		return parts[2]
	})
	return envelope.ReplaceAllFunc(text, func(found []byte) []byte {
		if parts := envelope.FindSubmatch(found); !bytes.Equal(parts[1], parts[3]) {
			return found
		}
		return nil
	})
}

// A person can leave out everything that the program writes.
func TestFillsWhatIsMissing(t *testing.T) {
	t.Parallel()
	text, statuses := readContract(t)
	stripped := strip(text)
	all, byHand := bytes.Count(text, []byte("\n")), bytes.Count(stripped, []byte("\n"))
	if t.Logf("%d of %d lines are written by hand", byHand, all); all-byHand < 1500 {
		t.Errorf("only %d lines were removed, so this test checks little", all-byHand)
	}
	filled, err := fill(stripped, statuses)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(filled, text) {
		return
	}
	want, got := strings.Split(string(text), "\n"), strings.Split(string(filled), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("line %d is\n%s\nwant\n%s", i+1, strings.Join(got[i:min(i+8, len(got))], "\n"), want[i])
		}
	}
}

const small = `paths:
  /v1/things:
    post:
      operationId: createThing
      security: [{bearerAuth: []}]
      x-required-roles: [OWNER]
      deprecated: true
      responses:
        '201':
          # A comment.
          description: >-
            Some
            text.
          content:
            application/json: {schema: {$ref: '#/components/schemas/ThingData'}}
    get:
      operationId: readThings
      security: []
      x-error-codes: [not_found]
      responses:
        '204':
          description: Nothing.
components:
  responses: {}
  schemas:
    Thing: {type: object}
    # Sets.
    RoleInput: {enum: [OWNER, MEMBER]}
    EventType: {x-extensible-enum: []}
`

func TestSmallContract(t *testing.T) {
	t.Parallel()
	filled, err := fill([]byte(small), map[string]int{"not_found": 404})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"            text.\n          headers:\n            X-Request-Id: {", // after the description
		"            Deprecation: {description: 'When", "            Sunset: {description: 'When",
		"        '403': {$ref: '#/components/responses/Forbidden'}\n        '429'",  // of the role
		"        '400': {$ref: '#/components/responses/BadRequest'}\n        '404'", // without a credential
		"    Thing: {type: object}\n    ThingData:\n      type: object\n      required: [data]\n",
		"data: {$ref: '#/components/schemas/Thing'}\n    # Sets.\n",
	} {
		if !bytes.Contains(filled, []byte(want)) {
			t.Errorf("lacks\n%s\nin\n%s", want, filled)
		}
	}
	again, err := fill(filled, map[string]int{"not_found": 404})
	if err != nil || !bytes.Equal(again, filled) {
		t.Errorf("the second run changes the result of the first (%v):\n%s", err, again)
	}
}

// What the program cannot fill in is an error that names the operation.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"createThing: 403 follows": {"      responses:\n        '201':", "      responses:\n        '403':\n" +
			"          description: No.\n        '201':"},
		"readThings: x-error-codes has lost":  {"[not_found]", "[lost]"},
		"readThings: 204: write the response": {"'204':\n          description: Nothing.", "'204': {description: Nothing.}"},
		"there is no schema ThongData":        {"schemas/ThingData", "schemas/ThongData"},
		"there is no schema PingEvent":        {"x-extensible-enum: []", "x-extensible-enum: [ping]"},
	} {
		text := strings.Replace(small, change[0], change[1], 1)
		_, err := fill([]byte(text), map[string]int{"not_found": 404})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
