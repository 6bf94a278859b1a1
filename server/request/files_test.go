package request

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// A proxy with a lower limit would refuse a file in its own words, before Assay sees it.
func TestProxiesPassTheLargestBody(t *testing.T) {
	operations, err := newOperations()
	if err != nil {
		t.Fatal(err)
	}
	var largest int64
	for _, o := range operations {
		largest = max(largest, o.maxBody)
	}
	for file, limit := range map[string]struct {
		pattern string
		unit    int64 // bytes
	}{
		"nginx.conf": {`\sclient_max_body_size (\d+)m;`, 1 << 20},
		"Caddyfile":  {`\smax_size (\d+)MB\s`, 1_000_000},
	} {
		text, err := os.ReadFile("../../.deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(limit.pattern).FindSubmatch(text)
		if found == nil {
			t.Errorf("%s has no limit in the form %s", file, limit.pattern)
			continue
		}
		size, err := strconv.ParseInt(string(found[1]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if size*limit.unit <= largest {
			t.Errorf("%s permits bodies of %d bytes, and openapi.yaml of %d", file, size*limit.unit, largest)
		}
	}
}
