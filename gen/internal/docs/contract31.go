package main

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"
)

// toJSON31 returns the contract as OpenAPI 3.1, as JSON. Types say that null is
// valid, schemas have examples, and the callbacks are the webhooks of the document.
func toJSON31(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	contract := root.Content[0]
	member(contract, "openapi").Value = "3.1.0"
	webhooks := moveCallbacks(contract)
	if webhooks == nil {
		return nil, errors.New("no operation has callbacks")
	}
	insertAfter(contract, "paths", "webhooks", webhooks)
	for _, schema := range entries(member(member(contract, "components"), "schemas")) {
		schema31(schema.value)
	}
	eachSchema(contract, schema31)
	var out bytes.Buffer
	if err := writeJSON(&out, contract, 0); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// moveCallbacks removes the callbacks of the operations, and returns them as
// webhooks. The address of a callback is the address that the client registers.
func moveCallbacks(contract *yaml.Node) (webhooks *yaml.Node) {
	for _, path := range entries(member(contract, "paths")) {
		for _, operation := range entries(path.value) {
			for _, callback := range entries(member(operation.value, "callbacks")) {
				if webhooks == nil {
					webhooks = &yaml.Node{Kind: yaml.MappingNode}
				}
				for _, address := range entries(callback.value) {
					webhooks.Content = append(webhooks.Content, callback.key, address.value)
				}
			}
			remove(operation.value, "callbacks")
		}
	}
	return webhooks
}

// eachSchema calls do for the schemas of parameters, headers, and bodies.
func eachSchema(node *yaml.Node, do func(*yaml.Node)) {
	for _, e := range entries(node) {
		switch {
		case e.key.Value == "schema":
			do(e.value)
		case e.key.Value != "example" && e.key.Value != "examples" && e.key.Value != "schemas":
			eachSchema(e.value, do)
		}
	}
	if node.Kind == yaml.SequenceNode {
		for _, item := range node.Content {
			eachSchema(item, do)
		}
	}
}

// schema31 changes a schema and those within it to JSON Schema 2020-12.
func schema31(schema *yaml.Node) {
	if example := key(schema, "example"); example != nil {
		example.Value = "examples"
		wrap(schema, "examples")
	}
	if nullable := member(schema, "nullable"); nullable != nil {
		remove(schema, "nullable")
		null := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "null"}
		if member(schema, "type") != nil {
			wrap(schema, "type")
			kinds := member(schema, "type")
			kinds.Content = append(kinds.Content, null)
		} else {
			unwrap(schema) // the object itself is nullable
		}
		if values := member(schema, "enum"); values != nil {
			values.Content = append(values.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
		}
	}
	for _, name := range []string{"items", "additionalProperties", "not"} {
		if within := member(schema, name); within != nil {
			schema31(within)
		}
	}
	for _, property := range entries(member(schema, "properties")) {
		schema31(property.value)
	}
	for _, name := range []string{"allOf", "oneOf", "anyOf"} {
		if parts := member(schema, name); parts != nil {
			for _, part := range parts.Content {
				schema31(part)
			}
		}
	}
}

// wrap makes the value of a key a list of that value.
func wrap(mapping *yaml.Node, name string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			mapping.Content[i+1] = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{mapping.Content[i+1]}}
		}
	}
}

// unwrap replaces an allOf of one reference by the reference, which in 3.1 can
// have a description beside it.
func unwrap(schema *yaml.Node) {
	parts := member(schema, "allOf")
	if parts == nil || len(parts.Content) != 1 || member(parts.Content[0], "$ref") == nil {
		return
	}
	reference := parts.Content[0]
	remove(schema, "allOf")
	schema.Content = append(schema.Content, reference.Content...)
}

func remove(mapping *yaml.Node, name string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			mapping.Content = append(mapping.Content[:i:i], mapping.Content[i+2:]...)
			return
		}
	}
}

// insertAfter adds a member behind another one.
func insertAfter(mapping *yaml.Node, name, added string, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			rest := append([]*yaml.Node{{Kind: yaml.ScalarNode, Value: added}, value}, mapping.Content[i+2:]...)
			mapping.Content = append(mapping.Content[:i+2:i+2], rest...)
			return
		}
	}
}
