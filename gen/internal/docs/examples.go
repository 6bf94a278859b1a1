package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// examples is the data set of the folder examples. It has what must agree across
// responses. Fields and responses that it lacks get the examples of the schemas.
type examples struct {
	ofSchema    map[string]*yaml.Node            // by the name of a response schema
	ofOperation map[string]map[string]*yaml.Node // by operationId and status; these take precedence
}

// readExamples reads all files of the folder as one document, so that an anchor is
// known in all later files. A key with a capital is a schema. The key "operations"
// has examples by operation. Other keys are facts, to which the examples refer.
func readExamples(folder string) (examples, error) {
	read := examples{ofSchema: map[string]*yaml.Node{}, ofOperation: map[string]map[string]*yaml.Node{}}
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return read, err
	}
	var joined bytes.Buffer
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return read, err
		}
		joined.Write(text)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(joined.Bytes(), &document); err != nil || len(document.Content) == 0 {
		return read, err
	}
	for _, e := range entries(document.Content[0]) {
		switch name := e.key.Value; {
		case name == "operations":
			for _, operation := range entries(e.value) {
				statuses := map[string]*yaml.Node{}
				for _, status := range entries(operation.value) {
					statuses[status.key.Value] = expanded(status.value)
				}
				read.ofOperation[operation.key.Value] = statuses
			}
		case unicode.IsUpper(rune(name[0])):
			read.ofSchema[name] = expanded(e.value)
		}
	}
	return read, nil
}

// expanded returns a copy of the node without aliases and merge keys.
func expanded(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return expanded(node.Alias)
	}
	copied := *node
	copied.Anchor, copied.Content = "", nil
	if node.Kind != yaml.MappingNode {
		for _, item := range node.Content {
			copied.Content = append(copied.Content, expanded(item))
		}
		return &copied
	}
	for _, e := range entries(node) {
		if e.key.Tag != "!!merge" {
			continue
		}
		merged := []*yaml.Node{e.value}
		if e.value.Kind == yaml.SequenceNode {
			merged = e.value.Content
		}
		for _, from := range slices.Backward(merged) { // the first one takes precedence
			for _, e := range entries(expanded(from)) {
				set(&copied, e)
			}
		}
	}
	for _, e := range entries(node) {
		if e.key.Tag != "!!merge" {
			set(&copied, entry{e.key, expanded(e.value)})
		}
	}
	return &copied
}

// set sets a member of a mapping. A member that exists keeps its place.
func set(mapping *yaml.Node, e entry) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == e.key.Value {
			mapping.Content[i+1] = e.value
			return
		}
	}
	mapping.Content = append(mapping.Content, e.key, e.value)
}

// inlineSchema matches the line of a response's content, which withExamples extends.
var inlineSchema = regexp.MustCompile(`^ +application/json: \{schema: \{\$ref: '[^']+'\}\}\n$`)

// withExamples returns the contract with an example of each JSON response. It edits
// the text, as withSamples does.
func (es examples) withExamples(contract []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(contract, &document); err != nil {
		return nil, err
	}
	root, lines := document.Content[0], strings.SplitAfter(string(contract), "\n")
	used := map[string]bool{}
	for _, path := range entries(member(root, "paths")) {
		for _, operation := range entries(path.value) {
			if !slices.Contains(methods, operation.key.Value) {
				continue
			}
			id := member(operation.value, "operationId").Value
			used[id] = true
			for _, response := range entries(member(operation.value, "responses")) {
				content := member(member(response.value, "content"), "application/json")
				if content == nil {
					continue
				}
				line := &lines[content.Line-1]
				if !inlineSchema.MatchString(*line) {
					return nil, fmt.Errorf("%s %s: the content and its schema must be on one line", id, response.key.Value)
				}
				schema := member(content, "schema")
				var example bytes.Buffer
				if err := writeFlow(&example, es.complete(root, schema, es.ofOperation[id][response.key.Value])); err != nil {
					return nil, fmt.Errorf("%s: %w", id, err)
				}
				*line = strings.TrimSuffix(*line, "}\n") + ", example: " + example.String() + "}\n"
			}
		}
	}
	for id := range es.ofOperation {
		if !used[id] {
			return nil, fmt.Errorf("examples of %s, which is not an operation", id)
		}
	}
	return []byte(strings.Join(lines, "")), nil
}

// complete returns the value with exactly the fields of the schema, in the schema's
// order. One fact can therefore serve several schemas. It takes missing fields from the data set's example of their
// schema, or else from the examples in the schema. A value that is nil gets all of
// its content from there.
func (es examples) complete(root, schema, value *yaml.Node) *yaml.Node {
	if ref := member(schema, "$ref"); ref != nil && value == nil {
		value = es.ofSchema[filepath.Base(ref.Value)]
	}
	schema = resolved(root, schema)
	if parts := member(schema, "allOf"); parts != nil && len(parts.Content) == 1 {
		if value != nil && value.Tag == "!!null" {
			return value
		}
		return es.complete(root, parts.Content[0], value)
	}
	properties, required := fieldsOf(root, schema)
	switch {
	case len(properties) > 0:
		return es.completeObject(root, value, properties, required)
	case value == nil && member(schema, "example") != nil:
		return member(schema, "example")
	case value == nil && member(schema, "items") != nil:
		return &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{es.complete(root, member(schema, "items"), nil)}}
	case value == nil:
		return &yaml.Node{Kind: yaml.MappingNode}
	case value.Kind == yaml.SequenceNode && member(schema, "items") != nil:
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range value.Content {
			list.Content = append(list.Content, es.complete(root, member(schema, "items"), item))
		}
		return list
	}
	return value
}

func (es examples) completeObject(root, value *yaml.Node, properties []entry, required map[string]bool) *yaml.Node {
	if value != nil && value.Kind != yaml.MappingNode {
		return value // null
	}
	object := &yaml.Node{Kind: yaml.MappingNode}
	for _, property := range properties {
		given := member(value, property.key.Value)
		if given != nil || required[property.key.Value] {
			object.Content = append(object.Content, property.key, es.complete(root, property.value, given))
		}
	}
	return object
}

// fieldsOf returns the properties of an object and of its allOf, and which are required.
func fieldsOf(root, schema *yaml.Node) (properties []entry, required map[string]bool) {
	required = map[string]bool{}
	parts := []*yaml.Node{schema}
	if all := member(schema, "allOf"); all != nil {
		parts = append(parts, all.Content...)
	}
	for _, part := range parts {
		part = resolved(root, part)
		properties = append(properties, entries(member(part, "properties"))...)
		if names := member(part, "required"); names != nil {
			for _, name := range names.Content {
				required[name.Value] = true
			}
		}
	}
	return properties, required
}

// writeFlow writes a node as JSON on one line, with spaces between its parts.
func writeFlow(out *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.MappingNode:
		out.WriteByte('{')
		for i, e := range entries(node) {
			if i > 0 {
				out.WriteString(", ")
			}
			if err := writeValue(out, e.key.Value); err != nil {
				return err
			}
			out.WriteString(": ")
			if err := writeFlow(out, e.value); err != nil {
				return err
			}
		}
		out.WriteByte('}')
		return nil
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range node.Content {
			if i > 0 {
				out.WriteString(", ")
			}
			if err := writeFlow(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	default:
		return writeJSON(out, node, 3)
	}
}
