package server

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// The documentation page must load its files from this server, and with the pinned
// version of the API reference.
func TestDocsAssets(t *testing.T) {
	for _, part := range []string{"'openapi.json'", "'docs/guide.md'", "telemetry: false", "withDefaultFonts: false",
		"persistAuth: false"} {
		if !strings.Contains(string(docsStart), part) {
			t.Errorf("start.js does not contain %s", part)
		}
	}
	update, err := os.ReadFile("docs/update")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewReader(bytes.NewReader(docsReader))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^version=(\d+\.\d+\.\d+)$`).FindSubmatch(update)
	if version == nil || !bytes.Contains(unpacked, version[1]) {
		t.Errorf("the embedded API reference does not have the version %q of docs/update", version)
	}
	if bytes.Contains(docsStart, []byte("://")) {
		t.Error("start.js contains an absolute URL")
	}
	if !bytes.Contains(docsLicense, []byte("Permission is hereby granted")) {
		t.Error("the license of the API reference is missing")
	}
}
