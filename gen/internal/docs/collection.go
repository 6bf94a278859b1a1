package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// variables are the variables of both collections. Variables without a value are
// set from responses.
var variables = []carry{
	{"baseUrl", "http://127.0.0.1:8080"}, {"email", demoEmail}, {"password", demoPassword},
	{"accessToken", ""}, {"refreshToken", ""}, {"apiKey", ""}, {"inviteToken", ""}, {"resultToken", ""},
	{"revision", "1"},
}

// The credentials that `assay demo` prints.
const demoEmail, demoPassword = "chef@harbour-kitchens.example", "a-demo-only-pass-phrase"

type object = map[string]any

// postman returns a collection in Postman's format 2.1, which Postman, Bruno,
// Insomnia and Hoppscotch import. The journey comes first, then every operation by
// its tag.
func postman(requests []request) ([]byte, error) {
	way, err := steps(requests)
	if err != nil {
		return nil, err
	}
	folders := []object{{"name": "Journey: from sign-in to result", "item": items(way)}}
	var tags []string
	for _, r := range requests {
		if !slices.Contains(tags, r.tag) {
			tags = append(tags, r.tag)
		}
	}
	for _, tag := range tags {
		of := slices.DeleteFunc(slices.Clone(requests), func(r request) bool { return r.tag != tag })
		folders = append(folders, object{"name": tag, "item": items(of)})
	}
	var filled []object
	for _, v := range variables {
		filled = append(filled, object{"key": v.variable, "value": v.from})
	}
	for _, name := range slices.Sorted(maps.Values(variableOf)) {
		filled = append(filled, object{"key": name, "value": ""})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err = encoder.Encode(object{
		"info": object{
			"name":   "Assay",
			"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
			"description": "Run the folder \"Journey\" as a whole, or send its requests one after the other: " +
				"each stores the ids and tokens for the next ones. baseUrl, email and password are those of `assay demo`.",
		},
		"variable": filled, "item": folders,
	})
	return out.Bytes(), err
}

func items(requests []request) []object {
	made := []object{}
	for _, r := range requests {
		headers, query := []object{}, []object{}
		if r.idempotent {
			headers = append(headers, object{"key": "Idempotency-Key", "value": "{{$guid}}"})
		}
		for _, p := range r.query {
			query = append(query, object{"key": p.name, "value": p.example, "description": p.description, "disabled": true})
		}
		sent := object{
			"method": r.method, "header": headers, "auth": auth(r.security), "description": r.description,
			"url": object{
				"raw": "{{baseUrl}}" + r.path, "host": []string{"{{baseUrl}}"},
				"path": strings.Split(r.path[1:], "/"), "query": query,
			},
		}
		if r.body != "" {
			sent["body"] = object{"mode": "raw", "raw": r.body, "options": object{"raw": object{"language": "json"}}}
		}
		item := object{"name": r.summary, "request": sent}
		script := []string{"pm.test('it succeeds', () => pm.expect(pm.response.code).to.be.within(200, 204))"}
		if kept := carried[r.id]; kept != nil {
			script = append(script, "if (pm.response.code < 300) {", "  const { data } = pm.response.json()")
			for _, c := range kept {
				script = append(script, fmt.Sprintf("  pm.collectionVariables.set('%s', %s)", c.variable, c.from))
			}
			script = append(script, "}")
		}
		item["event"] = []object{{"listen": "test", "script": object{"type": "text/javascript", "exec": script}}}
		made = append(made, item)
	}
	return made
}

func auth(scheme string) object {
	bearer := func(variable string) object {
		return object{"type": "bearer", "bearer": []object{{"key": "token", "value": "{{" + variable + "}}"}}}
	}
	switch scheme {
	case "bearerAuth":
		return bearer("accessToken")
	case "candidateAuth":
		return bearer("inviteToken")
	case "apiKeyAuth":
		return object{"type": "apikey", "apikey": []object{
			{"key": "key", "value": "X-API-Key"}, {"key": "value", "value": "{{apiKey}}"}, {"key": "in", "value": "header"},
		}}
	default:
		return object{"type": "noauth"}
	}
}

// httpFile returns the journey as a .http file, whose requests editors can send.
func httpFile(requests []request) ([]byte, error) {
	way, err := steps(requests)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString(`# From sign-in to result, for the REST Client of Visual Studio Code: send one request after the other.
# The first three variables have the values of "assay demo". Paste the candidate's token, the part of inviteUrl after #.
`)
	for _, v := range variables[:3] {
		fmt.Fprintf(&out, "@%s = %s\n", v.variable, v.from)
	}
	out.WriteString("@inviteToken =\n")
	kept := "" // variables of the previous request: a line below a body would be part of the body
	for _, r := range way {
		fmt.Fprintf(&out, "\n### %s\n%s# @name %s\n%s {{baseUrl}}%s\n", r.summary, kept, r.id, r.method, r.path)
		kept = ""
		switch r.security {
		case "bearerAuth":
			out.WriteString("Authorization: Bearer {{accessToken}}\n")
		case "candidateAuth":
			out.WriteString("Authorization: Bearer {{inviteToken}}\n")
		case "apiKeyAuth":
			out.WriteString("X-API-Key: {{apiKey}}\n")
		}
		if r.idempotent {
			out.WriteString("Idempotency-Key: {{$guid}}\n")
		}
		if r.body != "" {
			fmt.Fprintf(&out, "Content-Type: application/json\n\n%s\n", r.body)
		}
		for _, c := range carried[r.id] {
			if from := strings.ReplaceAll(c.from, "?.", "."); c.variable != "inviteToken" {
				kept += fmt.Sprintf("@%s = {{%s.response.body.%s}}\n", c.variable, r.id, from)
			}
		}
	}
	return out.Bytes(), nil
}
