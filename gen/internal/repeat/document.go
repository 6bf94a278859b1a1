package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document is a text whose lines are removed and added. Lines count from 1, as in a yaml.Node.
type document struct {
	lines   []string // each with its line feed
	removed map[int]bool
	added   map[int]string // after the line
}

func newDocument(text []byte) *document {
	return &document{lines: strings.SplitAfter(string(text), "\n"), removed: map[int]bool{}, added: map[int]string{}}
}

// remove removes the lines from first to last.
func (d *document) remove(first, last int) {
	for line := first; line <= last; line++ {
		d.removed[line] = true
	}
}

// add adds lines after a line, which can be one that is removed.
func (d *document) add(after int, lines ...string) {
	d.added[after] += strings.Join(lines, "\n") + "\n"
}

// end returns the last line of the block that begins at a line: the last one that is indented more.
func (d *document) end(first int) int {
	last := first
	for line := first + 1; line <= len(d.lines); line++ {
		text := d.lines[line-1]
		if strings.TrimSpace(text) == "" {
			continue
		}
		if indent(text) <= indent(d.lines[first-1]) {
			break
		}
		last = line
	}
	return last
}

// text returns the lines of a block without the last line feed.
func (d *document) text(first int) string {
	return strings.TrimSuffix(strings.Join(d.lines[first-1:d.end(first)], ""), "\n")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func (d *document) bytes() []byte {
	var out bytes.Buffer
	for i, line := range d.lines {
		if !d.removed[i+1] {
			out.WriteString(line)
		}
		out.WriteString(d.added[i+1])
	}
	return out.Bytes()
}

// entry is a key and its value in a YAML mapping.
type entry struct{ key, value *yaml.Node }

func entries(mapping *yaml.Node) []entry {
	var found []entry
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		found = append(found, entry{mapping.Content[i], mapping.Content[i+1]})
	}
	return found
}

// member returns a key with its value, if the mapping has it.
func member(mapping *yaml.Node, name string) (e entry, has bool) {
	found := entries(mapping)
	i := slices.IndexFunc(found, func(e entry) bool { return e.key.Value == name })
	if i < 0 {
		return entry{}, false
	}
	return found[i], true
}

// values returns the list in one member of a schema.
func values(schemas *yaml.Node, schema, list string) (items []string, err error) {
	found, has := member(schemas, schema)
	if !has {
		return nil, fmt.Errorf("there is no schema %s", schema)
	}
	listed, has := member(found.value, list)
	if !has {
		return nil, fmt.Errorf("%s has no %s", schema, list)
	}
	return items, listed.value.Decode(&items)
}
