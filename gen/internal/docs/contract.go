package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// methods are the keys of operations in an OpenAPI path.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// withNeeds appends to the description of each operation the scopes or the roles
// that it requires, which readers do not see in the extensions. It edits the text,
// because encoding a YAML document changes its formatting.
func withNeeds(contract []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(contract, &root); err != nil {
		return nil, err
	}
	lines, insertions := strings.SplitAfter(string(contract), "\n"), map[int]string{} // by line number
	for _, path := range entries(member(root.Content[0], "paths")) {
		for _, operation := range entries(path.value) {
			sentence := needs(operation.value)
			if sentence == "" {
				continue
			}
			name, description := key(operation.value, "description"), member(operation.value, "description")
			if description == nil || description.Style != yaml.FoldedStyle {
				return nil, fmt.Errorf("%s %s: the description is not a folded block", operation.key.Value, path.key.Value)
			}
			indent := strings.Repeat(" ", name.Column+1)
			last := name.Line
			for last < len(lines) && (strings.HasPrefix(lines[last], indent) || lines[last] == "\n") {
				last++
			}
			for lines[last-1] == "\n" {
				last--
			}
			// In a folded block, two blank lines separate paragraphs.
			insertions[last] = "\n\n" + indent + sentence + "\n"
		}
	}
	var out bytes.Buffer
	for i, line := range lines {
		out.WriteString(line)
		out.WriteString(insertions[i+1])
	}
	return out.Bytes(), nil
}

// needs returns the sentence about the scopes or roles of an operation, or "".
func needs(operation *yaml.Node) string {
	var scopes, accepted, roles []string
	for _, scope := range elements(member(operation, "x-required-scopes")) {
		scopes = append(scopes, "`"+scope.Value+"`")
	}
	for _, scope := range elements(member(operation, "x-one-of-scopes")) {
		accepted = append(accepted, "`"+scope.Value+"`")
	}
	for _, role := range elements(member(operation, "x-required-roles")) {
		roles = append(roles, role.Value)
	}
	switch {
	case len(scopes) == 1:
		return "Requires an API key with the scope " + scopes[0] + "."
	case len(scopes) > 1:
		return "Requires an API key with the scopes " + listed(scopes, "and") + "."
	case len(accepted) > 0:
		return "Requires an API key with the scope " + listed(accepted, "or") + "."
	case member(operation, "x-required-scopes") != nil:
		return "Requires an API key with any scopes."
	case len(roles) > 0:
		sentence := "Requires a person with the role " + listed(roles, "or") + "."
		if member(operation, "x-all-assessments") != nil {
			sentence += " A MEMBER who is limited to assessments gets 403 `insufficient_role`."
		}
		if member(operation, "x-recent-second-factor") != nil {
			sentence += " A person with a second factor must have proved it within ten minutes, and otherwise gets 403" +
				" `reauthentication_required`."
		}
		return sentence
	}
	return ""
}

// listed writes a list in a sentence.
func listed(items []string, conjunction string) string {
	last := len(items) - 1
	switch last {
	case 0:
		return items[0]
	case 1:
		return items[0] + " " + conjunction + " " + items[1]
	}
	return strings.Join(items[:last], ", ") + ", " + conjunction + " " + items[last]
}

// withSamples inserts each operation's samples before its responses. It edits the
// text, because encoding a YAML document changes its formatting.
func withSamples(contract []byte, samples map[string]map[string]string) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(contract, &root); err != nil {
		return nil, err
	}
	insertions, known := map[int]string{}, map[string]bool{} // by line number
	for _, path := range entries(member(root.Content[0], "paths")) {
		for _, operation := range entries(path.value) {
			if !slices.Contains(methods, operation.key.Value) {
				continue
			}
			id, responses := member(operation.value, "operationId"), key(operation.value, "responses")
			if id == nil || responses == nil {
				return nil, fmt.Errorf("%s %s: no operationId or no responses", operation.key.Value, path.key.Value)
			}
			known[id.Value] = true
			if len(samples[id.Value]) > 0 {
				block, err := sampleBlock(samples[id.Value], strings.Repeat(" ", responses.Column-1))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", id.Value, err)
				}
				insertions[responses.Line] = block
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		if !known[name] {
			return nil, fmt.Errorf("sample of %s, which is not an operation", name)
		}
	}
	var out bytes.Buffer
	for i, line := range strings.SplitAfter(string(contract), "\n") {
		out.WriteString(insertions[i+1])
		out.WriteString(line)
	}
	return out.Bytes(), nil
}

func sampleBlock(samples map[string]string, indent string) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%sx-codeSamples:\n", indent)
	for _, language := range languages {
		sample := samples[language.folder]
		if sample == "" {
			continue
		}
		if strings.ContainsAny(sample[:1], " \t") {
			return "", fmt.Errorf("the first line of the sample in %s has more indentation than another line", language.label)
		}
		fmt.Fprintf(&out, "%[1]s  - lang: %[2]s\n%[1]s    label: %[3]s\n%[1]s    source: |-\n",
			indent, language.name, language.label)
		for line := range strings.SplitSeq(sample, "\n") {
			if line != "" {
				line = indent + "      " + line
			}
			out.WriteString(line + "\n")
		}
	}
	return out.String(), nil
}

// entry is a key and its value in a YAML mapping.
type entry struct{ key, value *yaml.Node }

func entries(mapping *yaml.Node) []entry {
	var found []entry
	for i := 0; mapping != nil && i+1 < len(mapping.Content); i += 2 {
		found = append(found, entry{mapping.Content[i], mapping.Content[i+1]})
	}
	return found
}

// member returns the value of a key, or nil.
func member(mapping *yaml.Node, name string) *yaml.Node {
	for _, e := range entries(mapping) {
		if e.key.Value == name {
			return e.value
		}
	}
	return nil
}

// elements returns the elements of a list, or nil.
func elements(list *yaml.Node) []*yaml.Node {
	if list == nil {
		return nil
	}
	return list.Content
}

func key(mapping *yaml.Node, name string) *yaml.Node {
	for _, e := range entries(mapping) {
		if e.key.Value == name {
			return e.key
		}
	}
	return nil
}

// toJSON writes a YAML document as JSON, with its members in the same order, which
// is also the order of the reference. Each path and each component is on its own
// line, so that versions can be compared and merged.
func toJSON(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := writeJSON(&out, root.Content[0], 0); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func writeJSON(out *bytes.Buffer, node *yaml.Node, depth int) error {
	switch node.Kind {
	case yaml.MappingNode:
		for i, e := range entries(node) {
			switch {
			case i == 0:
				out.WriteByte('{')
			case depth < 3:
				out.WriteString(",\n")
			default:
				out.WriteByte(',')
			}
			if err := writeValue(out, e.key.Value); err != nil {
				return err
			}
			out.WriteByte(':')
			if err := writeJSON(out, e.value, depth+1); err != nil {
				return err
			}
		}
		if len(node.Content) == 0 {
			out.WriteByte('{')
		}
		out.WriteByte('}')
		return nil
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range node.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item, depth+1); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	case yaml.ScalarNode:
		var value any
		if err := node.Decode(&value); err != nil {
			return err
		}
		if node.ShortTag() == "!!timestamp" { // an unquoted timestamp is a string in JSON
			value = node.Value
		}
		return writeValue(out, value)
	default:
		return fmt.Errorf("line %d: JSON has no aliases", node.Line)
	}
}

func writeValue(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // Encode ends with a line feed
	return nil
}
