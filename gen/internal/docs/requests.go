package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// request is an operation's request, with variables in the form {{name}} for
// credentials and ids.
type request struct {
	id, tag, summary, description string
	method, path                  string // parameters in the path are variables
	security                      string // the name of the scheme, or empty
	idempotent                    bool   // accepts an Idempotency-Key
	query                         []parameter
	body                          string // indented JSON, or empty
}

type parameter struct{ name, example, description string }

// variableOf maps the prefix of an id to its variable.
var variableOf = map[string]string{
	"asm": "assessmentId", "stg": "stageId", "qst": "questionId", "ses": "sessionId", "whk": "webhookId",
	"dlv": "deliveryId", "usr": "memberId", "key": "apiKeyId", "evt": "eventId", "lgn": "signInId",
	"cor": "correctionId", "rcm": "commentId", "reb": "emailBatchId",
	"rlk": "linkId", "itg": "integrationId", "med": "mediaId", "hld": "legalHoldId", "clm": "claimId",
	"qbk": "bankQuestionId", "pol": "poolId", "seg": "segmentId", "fct": "secondFactorId", "dom": "domainId",
}

// idOf maps the path segment before {id} to the variable for the id.
var idOf = map[string]string{
	"assessments": "assessmentId", "candidate-sessions": "sessionId", "webhooks": "webhookId", "members": "memberId",
	"sign-ins": "signInId", "second-factors": "secondFactorId",
	"domains":  "domainId",
	"api-keys": "apiKeyId", "events": "eventId", "review-emails": "emailBatchId",
	"integrations": "integrationId", "media": "mediaId", "legal-holds": "legalHoldId", "claims": "claimId",
	"questions": "bankQuestionId",
}

var (
	exampleID = regexp.MustCompile(`"(asm|clm|dom|seg|fct|cor|pol|qbk|rcm|reb|rlk|itg|stg|qst|ses|whk|dlv|` +
		`usr|key|evt|lgn)_[0-9a-z]{26}"`)
	pathName = regexp.MustCompile(`\{(\w+)\}`)
)

// requestsOf returns the requests of all operations, in the order of the contract.
func requestsOf(contract []byte) ([]request, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(contract, &document); err != nil {
		return nil, err
	}
	root := document.Content[0]
	var requests []request
	for _, at := range entries(member(root, "paths")) {
		for _, operation := range entries(at.value) {
			if !slices.Contains(methods, operation.key.Value) {
				continue
			}
			made, err := requestOf(root, at.key.Value, operation)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", operation.key.Value, at.key.Value, err)
			}
			requests = append(requests, made)
		}
	}
	return requests, nil
}

func requestOf(root *yaml.Node, at string, operation entry) (request, error) {
	text := func(name string) string { return member(operation.value, name).Value }
	made := request{
		id: text("operationId"), summary: text("summary"), description: text("description"),
		tag: member(operation.value, "tags").Content[0].Value, method: strings.ToUpper(operation.key.Value),
	}
	var unknown error
	made.path = pathName.ReplaceAllStringFunc(at, func(part string) string {
		name := part[1 : len(part)-1]
		before, _, _ := strings.Cut(at, "/"+part)
		switch before = path.Base(before); {
		case name == "id" && idOf[before] != "":
			name = idOf[before]
		case name == "id":
			unknown = fmt.Errorf("no variable for the id after %s", before)
		case name == "token":
			name = "resultToken"
		}
		return "{{" + name + "}}"
	})
	if unknown != nil {
		return request{}, unknown
	}
	for _, required := range member(operation.value, "security").Content {
		made.security = required.Content[0].Value
	}
	if parameters := member(operation.value, "parameters"); parameters != nil {
		for _, ref := range parameters.Content {
			p := resolved(root, ref)
			name := member(p, "name").Value
			switch member(p, "in").Value {
			case "query":
				example := member(resolved(root, member(p, "schema")), "example").Value
				example = strings.Trim(withVariables(`"`+example+`"`), `"`)
				made.query = append(made.query, parameter{name, example, member(p, "description").Value})
			case "header":
				made.idempotent = made.idempotent || name == "Idempotency-Key"
			}
		}
	}
	if body := jsonBody(operation.value); body != nil {
		schema := resolved(root, member(body, "schema"))
		var compact, indented bytes.Buffer
		if err := writeJSON(&compact, member(schema, "example"), 3); err != nil {
			return request{}, err
		}
		if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
			return request{}, err
		}
		made.body = withVariables(indented.String())
	}
	return made, nil
}

// jsonBody returns the JSON content of an operation's request, or nil: a request can
// also be an image.
func jsonBody(operation *yaml.Node) *yaml.Node {
	body := member(operation, "requestBody")
	if body == nil {
		return nil
	}
	return member(member(body, "content"), "application/json")
}

// withVariables replaces an example's ids, tokens and passwords with variables.
func withVariables(body string) string {
	body = exampleID.ReplaceAllStringFunc(body, func(id string) string { return `"{{` + variableOf[id[1:4]] + `}}"` })
	body = regexp.MustCompile(`"refreshToken": "[^"]*"`).ReplaceAllString(body, `"refreshToken": "{{refreshToken}}"`)
	passwords := regexp.MustCompile(`"(password|currentPassword|newPassword)": "[^"]*"`)
	return passwords.ReplaceAllString(body, `"$1": "{{password}}"`)
}

// resolved follows $ref within the document.
func resolved(root, node *yaml.Node) *yaml.Node {
	for {
		ref := member(node, "$ref")
		if ref == nil {
			return node
		}
		node = root
		for name := range strings.SplitSeq(strings.TrimPrefix(ref.Value, "#/"), "/") {
			node = member(node, name)
		}
	}
}
