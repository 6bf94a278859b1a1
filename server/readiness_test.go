package server

import (
	"assay/store"
	"errors"
	"strings"
	"testing"
)

// Each condition has a sentence, which is fit for the public.
func TestUnreadySentences(t *testing.T) {
	t.Parallel()
	for _, condition := range store.Conditions() {
		sentence := unreadySentences[condition]
		if !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "/") {
			t.Errorf("%s: %q", condition, sentence)
		}
	}
	if len(unreadySentences) != len(store.Conditions()) {
		t.Errorf("%d sentences for %d conditions", len(unreadySentences), len(store.Conditions()))
	}
	word, sentence := unready(errors.New("no condition, password=abc"))
	if word != "unknown" || strings.Contains(sentence, "abc") {
		t.Errorf("%s: %s", word, sentence)
	}
}
