package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"assay/store/markdown"
	"assay/store/rules"
)

// newTextStore is a store that renders texts and has no database. Its cache has a number of bytes.
func newTextStore(t *testing.T, bytes int) *Store {
	t.Helper()
	return &Store{markdown: markdown.New(), texts: NewByteCache[textKey, markdown.Rendered](bytes)}
}

// Drafts with the same texts share their HTML, within an organization only.
func TestTextsAreRenderedOnce(t *testing.T) {
	t.Parallel()
	s := newTextStore(t, textCacheBytes)
	rendered := func(organizationID, title string) string {
		a := &Assessment{OrganizationID: organizationID, Title: title, Instructions: new("Read *all* of it.")}
		a, err := s.rendered(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		return a.html[*a.Instructions]
	}
	first, renamed, other := rendered("org_1", "T"), rendered("org_1", "Another title"), rendered("org_2", "T")
	if first != "<p>Read <em>all</em> of it.</p>" || renamed != first || other != first {
		t.Fatalf("%q, %q, %q", first, renamed, other)
	}
	if unsafe.StringData(renamed) != unsafe.StringData(first) {
		t.Error("the text was rendered again for another title")
	}
	if unsafe.StringData(other) == unsafe.StringData(first) {
		t.Error("two organizations share a text")
	}
}

// Rendering ends when the client leaves.
func TestRenderingEnds(t *testing.T) {
	t.Parallel()
	s := newTextStore(t, textCacheBytes)
	a := &Assessment{}
	for n := range 100 {
		a.Definition.Stages = append(a.Definition.Stages, rules.Stage{
			Questions: []rules.Question{{Prompt: fmt.Sprint(n, strings.Repeat("_*a", 100))}},
		})
	}
	left := &leaving{Context: t.Context(), after: 10}
	if _, err := s.rendered(left, a); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := s.texts.entries.Len(); n != left.after {
		t.Errorf("%d texts were rendered, and the client left after %d", n, left.after)
	}
}

// leaving is the context of a client that leaves after its error has been read some times.
type leaving struct {
	context.Context

	after, reads int
}

// Err implements context.Context.
func (l *leaving) Err() error {
	if l.reads++; l.reads > l.after {
		return context.Canceled
	}
	return nil
}
