package exchange

import (
	"slices"
	"strings"
)

// node is an element or a text of an XML file or of HTML. Names are canonical, so that QTI 2 (choiceInteraction), QTI 3
// (qti-choice-interaction), and any prefix of a namespace are read by the same code.
type node struct {
	name     string // canonical; empty for a text
	text     string
	attrs    []attr
	children []*node
	line     int // from 1; 0 if it is not known
}

type attr struct{ name, value string }

// canonical is a name in lower case without the prefix of QTI 3 and without hyphens.
func canonical(name string) string {
	name = strings.ToLower(name)
	return strings.ReplaceAll(strings.TrimPrefix(name, "qti-"), "-", "")
}

// attr returns the value of an attribute by its canonical name, or "".
func (n *node) attr(name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// child returns the first child element with one of the names, or nil. It can be called on nil.
func (n *node) child(names ...string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.name != "" && slices.Contains(names, c.name) {
			return c
		}
	}
	return nil
}

// all returns the child elements with one of the names; without names, all child elements.
func (n *node) all(names ...string) []*node {
	if n == nil {
		return nil
	}
	var found []*node
	for _, c := range n.children {
		if c.name != "" && (len(names) == 0 || slices.Contains(names, c.name)) {
			found = append(found, c)
		}
	}
	return found
}

// walk calls visit for each element below n in the order of the file. If visit returns false, the children of the
// element are left out.
func (n *node) walk(visit func(*node) bool) {
	if n == nil {
		return
	}
	for _, c := range n.children {
		if c.name != "" && visit(c) {
			c.walk(visit)
		}
	}
}

// find returns the first element below n with one of the names, or nil.
func (n *node) find(names ...string) *node {
	var found *node
	n.walk(func(c *node) bool {
		if found == nil && slices.Contains(names, c.name) {
			found = c
		}
		return found == nil
	})
	return found
}

// findAll returns all elements below n with one of the names, also nested ones.
func (n *node) findAll(names ...string) []*node {
	var found []*node
	n.walk(func(c *node) bool {
		if slices.Contains(names, c.name) {
			found = append(found, c)
		}
		return true
	})
	return found
}

// content returns all texts of the node, as they are.
func (n *node) content() string {
	var out strings.Builder
	n.writeContent(&out)
	return out.String()
}

func (n *node) writeContent(out *strings.Builder) {
	if n == nil {
		return
	}
	out.WriteString(n.text)
	for _, c := range n.children {
		c.writeContent(out)
	}
}

// words returns all texts of the node in one line.
func (n *node) words() string { return strings.Join(strings.Fields(n.content()), " ") }
